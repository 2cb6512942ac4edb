// Package codeowners finds the owners of a path by the rules of its host, the problems in a
// CODEOWNERS file, and what a change does to the owners of the files that decide about changes.
//
// On GitHub, the last matching pattern decides; on Gitea, all matching lines count. What a host
// does not understand has no effect here either, and is a Problem. No file, however hostile, causes
// a panic or takes more than linear time for each path.
package codeowners

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Placeholder is the owner in the file of a new library whose owner is not known.
const Placeholder = "@your-organization/your-team"

// MaxBytes is the size of the largest file that GitHub reads.
const MaxBytes = safefile.MaxOwners

// File is a parsed CODEOWNERS file.
type File struct {
	// Rules are the lines that the host understands, in order.
	Rules []*Rule
	// Problems are the parts that the host does not understand, in order. For GitLab, there are
	// none.
	Problems []source.Problem

	syntax       hosts.Syntax
	bytes        int // of all patterns, once they are counted
	instructions int // of all expressions
}

// Rule is a line that assigns owners to a pattern.
type Rule struct {
	// Pattern is the pattern as written, and Span its place.
	Pattern string
	Span    source.Span
	// Owners are @user, @organization/team, or email addresses. An empty list means
	// that nobody owns these paths, whatever an earlier line says.
	Owners []string

	segments   []string // from compile
	expression *expression
	// excludes says that the section does not own the paths, or that an expression owns those that it
	// does not match. section is the name of a section; its approvals are none if they are optional.
	excludes  bool
	section   string
	approvals int
}

// Section returns the heading of the first section of a file. Only GitLab has sections.
func Section(f *source.File) (heading source.Span, found bool) {
	at := section().FindSubmatchIndex(f.Data)
	if at == nil {
		return source.Span{}, false
	}
	return source.Span{Start: at[2], End: at[3]}, true
}

// Parse reads a CODEOWNERS file in the syntax of a host. One that is larger than MaxBytes has a
// problem and no rules, because GitHub does not read it.
func Parse(f *source.File, syntax hosts.Syntax) *File {
	out := &File{syntax: syntax}
	if f.Size() > MaxBytes {
		out.report(f.LineSpan(1), "This file is larger than 3 MB, more than GitHub and this check read, so nobody owns anything. Make it smaller.")
		return out
	}
	var in heading
	for n := 1; n <= f.LineCount(); n++ {
		span := f.LineSpan(n)
		switch syntax {
		case hosts.OneOwner:
			out.parseLine(f, span)
		case hosts.Sections:
			out.parseEntry(f, span, &in)
		case hosts.Expressions:
			out.parseExpression(f, span)
		}
	}
	return out
}

// Match returns the rule for a file of the repository, whose path is slash-separated,
// or nil if no pattern matches it.
func (f *File) Match(path string) *Rule {
	at := newTarget(path)
	for _, r := range slices.Backward(f.Rules) {
		if r.matches(at) {
			return r
		}
	}
	return nil
}

// WithRulesBelow returns the file with only the rules that can match a path below a
// slash-separated folder, which is faster for many paths of one folder.
func (f *File) WithRulesBelow(folder string) *File {
	if f == nil {
		return f
	}
	at := newTarget(folder)
	out := &File{Problems: f.Problems, syntax: f.syntax}
	for _, r := range f.Rules {
		if r.reaches(at) {
			out.Rules = append(out.Rules, r)
		}
	}
	return out
}

func (f *File) report(span source.Span, message string) {
	f.Problems = append(f.Problems, source.Problem{Span: span, Message: message})
}

// parseLine reads one line: a pattern, owners, a comment.
func (f *File) parseLine(file *source.File, span source.Span) {
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
		if !account().MatchString(owner) && !email().MatchString(owner) {
			f.report(w, "Write an owner as @user, @organization/team, or an e-mail address. GitHub does not understand this one and ignores the line.")
			valid = false
		}
		r.Owners = append(r.Owners, owner)
	}
	if valid {
		r.segments = compile(r.Pattern)
		f.Rules = append(f.Rules, r)
	}
}

// words returns the spans of the words in a line, up to a comment. A space after a
// backslash is part of the word.
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

// unsupported returns a message about a pattern that GitHub does not understand, or
// "".
func unsupported(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "!"):
		return "GitHub does not support \"!\" here. To exclude paths, add a later line with the paths and no owners."
	case strings.ContainsAny(pattern, "[]"):
		return "GitHub does not support \"[ ]\" here. Write one line for each character."
	case strings.HasPrefix(pattern, `\#`):
		return "GitHub does not support \"\\#\" here. Rename the file, or use \"?\" for its first character."
	}
	return ""
}

var (
	account = lazy.Expr(`^@[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)?$`)
	email   = lazy.Expr(`^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$`)
)

// anyDepth is the segment of a pattern that matches any number of path parts.
const anyDepth = "**"

// compile splits a pattern into segments for path.Match. The pattern matches a file
// and, as a folder, everything below it.
func compile(pattern string) []string {
	rooted := strings.HasPrefix(pattern, "/")
	folder := strings.HasSuffix(pattern, "/")
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "/"), "/")
	if pattern == "" {
		return nil // a single slash matches nothing
	}
	parts := strings.Split(pattern, "/")
	var out []string
	if !rooted && len(parts) == 1 {
		out = append(out, anyDepth)
	}
	for _, part := range parts {
		if _, err := path.Match(part, ""); err != nil {
			part = strings.TrimSuffix(part, `\`) // a backslash at the end escapes nothing
		}
		out = append(out, part)
	}
	switch last := parts[len(parts)-1]; {
	case folder || last == anyDepth:
		out = append(out, "*", anyDepth) // everything in it, at any depth
	case last != "*": // "docs/*" matches the files in docs, not those in its folders
		out = append(out, anyDepth)
	}
	return out
}

// target is a path, and the names in it.
type target struct {
	path  string
	names []string
}

func newTarget(path string) target { return target{path, strings.Split(path, "/")} }

// matches reports whether the pattern matches a path.
func (r *Rule) matches(at target) bool {
	if r.expression != nil {
		return r.expression.matches(at.path) != r.excludes
	}
	return r.matchesNames(at.names)
}

// matchesNames compares the segments with the parts of a path. On a mismatch only the last
// "**" needs to take one more part, so the number of steps never exceeds the product
// of both lengths.
func (r *Rule) matchesNames(names []string) bool {
	if len(r.segments) == 0 || names[0] == "" {
		return false
	}
	rest, many, taken := r.segments, []string(nil), 0
	for n := 0; n < len(names); {
		switch {
		case len(rest) > 0 && rest[0] == anyDepth:
			rest, taken = rest[1:], n
			many = rest
		case len(rest) > 0 && matchesPart(rest[0], names[n]):
			rest = rest[1:]
			n++
		case many != nil:
			taken++
			rest, n = many, taken
		default:
			return false
		}
	}
	for len(rest) > 0 && rest[0] == anyDepth {
		rest = rest[1:]
	}
	return len(rest) == 0
}

// reaches reports whether the rule can match something below a folder: the segments
// before the first "**" match the folder as far as they go, or an expression begins like it.
func (r *Rule) reaches(folder target) bool {
	if e := r.expression; e != nil {
		below := folder.path + "/"
		return r.excludes || strings.HasPrefix(below, e.prefix) || strings.HasPrefix(e.prefix, below)
	}
	for i, s := range r.segments {
		if s == anyDepth || i == len(folder.names) {
			return true
		}
		if !matchesPart(s, folder.names[i]) {
			return false
		}
	}
	return false
}

func matchesPart(segment, name string) bool {
	ok, _ := path.Match(segment, name) // an invalid pattern matches nothing
	return ok
}
