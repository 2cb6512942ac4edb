package codeowners

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Host is a Git host, which decides where the file is and how it is read.
type Host uint8

// The hosts whose rules are known.
const (
	GitHub Host = iota
	GitLab
)

// gitLabPipeline is the file that only a repository on GitLab has.
const gitLabPipeline = ".gitlab-ci.yml"

// HostOf returns the host of a repository, of which holds reports whether it has a path.
// GitHub comes first: a change there must not have the file read by other rules.
func HostOf(holds func(path string) bool) Host {
	if !holds(".github/workflows") && holds(gitLabPipeline) {
		return GitLab
	}
	return GitHub
}

// Locations are the places where the host looks for the file. Only the first that exists
// is read.
func (h Host) Locations() []string {
	if h == GitLab {
		return []string{"CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}
	}
	return Locations
}

// Parse reads a file as the host does.
func (h Host) Parse(f *source.File) *File {
	if h == GitHub || f.Size() > MaxBytes {
		return Parse(f)
	}
	p := gitLabParser{File: &File{}, file: f, sections: map[string]*section{}, current: &section{}}
	for n := 1; n <= f.LineCount(); n++ {
		p.line(f.LineSpan(n))
	}
	return p.File
}

// section is a group of rules, of which the last one that matches decides for itself.
// Sections with the same name are one, which is optional if all of them are.
type section struct{ optional bool }

type gitLabParser struct {
	*File
	file     *source.File
	sections map[string]*section // by name in lowercase
	current  *section            // first the one without a name
	defaults []string            // the owners of lines that name none
}

var (
	heading     = lazy.Expr(`^\s*(\^?)\[([^\]]+)\](?:\[[^\]]*\])?(?:\s|$)`)
	likeHeading = lazy.Expr(`^\s*\^?\[`)
	gitLabOwner = lazy.Expr(`^@(@(developer|maintainer|owner)s?|[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)$`)
)

func (p *gitLabParser) line(span source.Span) {
	text := p.file.Text(span)
	if m := heading().FindStringSubmatch(text); m != nil {
		name, optional := strings.ToLower(m[2]), m[1] != ""
		if p.sections[name] == nil {
			p.sections[name] = &section{optional}
		}
		p.current = p.sections[name]
		p.current.optional = p.current.optional && optional
		p.defaults = p.owners(words(p.file, source.Span{Start: span.Start + len(m[0]), End: span.End}))
		return
	}
	all := words(p.file, span)
	if len(all) == 0 {
		return
	}
	if likeHeading().MatchString(text) {
		p.report(all[0], "Write a section as [Name], ^[Name], or [Name][2]. GitLab does not understand this one, so the lines below it are part of the section above.")
		return
	}
	r := &Rule{Pattern: p.file.Text(all[0]), Span: all[0], section: p.current}
	pattern, excludes := strings.CutPrefix(r.Pattern, "!")
	if r.excludes = excludes; !excludes {
		if r.Owners = p.owners(all[1:]); len(all) == 1 {
			r.Owners = p.defaults
		}
	}
	r.segments = compileGitLab(pattern)
	p.Rules = append(p.Rules, r)
}

// owners are those of the words that GitLab understands. It ignores the others.
func (p *gitLabParser) owners(words []source.Span) []string {
	var owners []string
	for _, w := range words {
		if owner := p.file.Text(w); gitLabOwner().MatchString(owner) || email().MatchString(owner) {
			owners = append(owners, owner)
		} else {
			p.report(w, "Write an owner as @user, @group/subgroup, @@maintainer, or an email address. GitLab does not understand this one and ignores it.")
		}
	}
	return owners
}

// compileGitLab splits a pattern into segments: one that does not begin with a slash
// matches at any depth, and only one that ends with a slash is a folder.
func compileGitLab(pattern string) []string {
	folder := strings.HasSuffix(pattern, "/")
	rest, rooted := strings.CutPrefix(strings.TrimSuffix(pattern, "/"), "/")
	var out []string
	if !rooted {
		out = append(out, anyDepth)
	}
	if rest != "" {
		out = append(out, strings.Split(rest, "/")...)
	}
	if last := len(out) - 1; folder {
		out = append(out, "*", anyDepth)
	} else if last >= 0 && rest != "" && out[last] == anyDepth {
		out[last] = "*" // at the end, two stars are one
	}
	return out
}

// decide returns the deciding rule of several sections: one whose owners are asked for, or
// else one that leaves the path without owners. Optional sections ask nobody.
func (f *File) decide(deciding map[*section]*Rule) *Rule {
	var unowned *Rule
	for _, r := range f.Rules {
		switch {
		case r.section == nil || r.section.optional || deciding[r.section] != r:
		case len(r.Owners) > 0:
			return r
		case unowned == nil:
			unowned = r
		}
	}
	return unowned
}
