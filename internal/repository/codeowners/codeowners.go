// Package codeowners tells who owns a path by the rules of GitHub, and what is
// wrong in the file that says so. It reads nothing: the caller brings the file
// and the paths.
//
// The last pattern that matches a path decides. A line that GitHub does not
// understand owns nothing here either, and is a Problem. No file, however
// hostile, makes it panic or take more than linear time for each path.
package codeowners

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// Locations are the places where GitHub looks for the file, relative to the
// repository. The first that exists is the only one that is read.
var Locations = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// MaxBytes is the size of the largest file that GitHub reads.
const MaxBytes = limits.Owners

// File is a file of owners.
type File struct {
	// Rules are the lines that GitHub understands, in their order.
	Rules []*Rule
	// Problems are what it does not understand, in the order of their places.
	Problems []source.Problem
}

// Rule is a line that gives the paths of a pattern to owners.
type Rule struct {
	// Pattern is the pattern as it is written, and Span where it stands.
	Pattern string
	Span    source.Span
	// Owners are @user, @organization/team or e-mail addresses. None means that
	// nobody owns these paths, whatever an earlier line says.
	Owners []string

	segments []string // as compile makes them
}

// Parse reads a file of owners. One that is larger than MaxBytes has a problem
// and no rules, because GitHub does not read it.
func Parse(f *source.File) *File {
	out := &File{}
	if f.Size() > MaxBytes {
		out.report(f.LineSpan(1), "Make this file smaller: it has more than 3 MB, so GitHub does not read it and nobody owns anything.")
		return out
	}
	for n := 1; n <= f.LineCount(); n++ {
		out.line(f, f.LineSpan(n))
	}
	return out
}

// Match returns the rule that decides about a path of the repository, which is
// slash-separated and names a file; nil if no pattern matches it.
func (f *File) Match(path string) *Rule {
	names := strings.Split(path, "/")
	for _, r := range slices.Backward(f.Rules) {
		if r.matches(names) {
			return r
		}
	}
	return nil
}

// Below returns the file with only the rules that can match a path below a
// folder, which is slash-separated: for many paths of one folder it is faster.
func (f *File) Below(folder string) *File {
	names := strings.Split(folder, "/")
	out := &File{Problems: f.Problems}
	for _, r := range f.Rules {
		if r.reaches(names) {
			out.Rules = append(out.Rules, r)
		}
	}
	return out
}

// Owners are those of the path of a file. None means that anybody may change it.
func (f *File) Owners(path string) []string {
	if r := f.Match(path); r != nil {
		return r.Owners
	}
	return nil
}

func (f *File) report(span source.Span, message string) {
	f.Problems = append(f.Problems, source.Problem{Span: span, Message: message})
}

// line reads one line: a pattern, owners, a comment.
func (f *File) line(file *source.File, span source.Span) {
	all := words(file, span)
	if len(all) == 0 {
		return
	}
	r := &Rule{Pattern: file.Text(all[0]), Span: all[0]}
	if problem := unsupported(r.Pattern); problem != "" {
		f.report(r.Span, problem)
		return
	}
	valid := true
	for _, w := range all[1:] {
		owner := file.Text(w)
		if !isOwner(owner) {
			f.report(w, "Write an owner as @user, @organization/team or an e-mail address. GitHub does not understand this one and leaves out the line.")
			valid = false
		}
		r.Owners = append(r.Owners, owner)
	}
	if valid {
		r.segments = compile(r.Pattern)
		f.Rules = append(f.Rules, r)
	}
}

// words are the spans of what stands between blanks, up to a comment. A
// backslash keeps the blank after it in the word.
func words(file *source.File, line source.Span) []source.Span {
	var out []source.Span
	for i := line.Start; i < line.End; {
		switch c := file.Data[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#':
			return out
		}
		start := i
		for i < line.End && file.Data[i] != ' ' && file.Data[i] != '\t' {
			if file.Data[i] == '\\' {
				i++
			}
			i++
		}
		i = min(i, line.End)
		out = append(out, source.Span{Start: start, End: i})
	}
	return out
}

// unsupported says what GitHub does not understand in a pattern, or nothing.
func unsupported(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "!"):
		return "Write the paths without \"!\": GitHub knows no exceptions by it. A later line with the paths and no owners takes them out."
	case strings.ContainsAny(pattern, "[]"):
		return "Write the characters out, a line each: GitHub does not understand \"[ ]\" here."
	case strings.HasPrefix(pattern, `\#`):
		return "Rename the file or use \"?\" for its first character: GitHub does not understand \"\\#\" here."
	}
	return ""
}

var (
	account = regexp.MustCompile(`^@[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)?$`)
	email   = regexp.MustCompile(`^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$`)
)

func isOwner(word string) bool { return account.MatchString(word) || email.MatchString(word) }
