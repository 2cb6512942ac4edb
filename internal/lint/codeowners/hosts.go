package codeowners

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Ownership is who must review a change of a path.
type Ownership struct {
	// Owners are those of whom the approvals are required, each once.
	Owners []string
	// Approvals is how many are required.
	Approvals int
	// Rule is the line that decides, or nil if there is none or more than one.
	Rule *Rule
}

// OwnershipOf returns who owns a path of the repository, which is slash-separated. If nobody does,
// anyone may change it. A nil File has no owners.
func (f *File) OwnershipOf(path string) Ownership {
	var o Ownership
	switch {
	case f == nil:
	case f.syntax == hosts.OneOwner:
		if o.Rule = f.Match(path); o.Rule != nil {
			o.take(o.Rule.Owners, 1)
		}
	case f.syntax == hosts.Sections:
		for _, r := range f.rulesOfSections(path) {
			o.take(r.Owners, r.approvals)
		}
	case f.syntax == hosts.Expressions:
		o = f.ownershipByExpressions(path)
	}
	return o
}

// Owners returns the owners of a file.
func (f *File) Owners(path string) []string { return f.OwnershipOf(path).Owners }

// ownershipByExpressions returns those of whom Gitea or Forgejo requests a review: the owners of all lines
// that match.
func (f *File) ownershipByExpressions(path string) (o Ownership) {
	lines := 0
	for _, r := range f.Rules {
		if !r.matches(newTarget(path)) {
			continue
		}
		o.take(r.Owners, 0)
		o.Rule = r
		lines++
	}
	if lines > 1 {
		o.Rule = nil
	}
	o.Approvals = min(1, len(o.Owners))
	return o
}

// take adds owners, each once: names are equal in any case. The placeholder is nobody.
func (o *Ownership) take(owners []string, approvals int) {
	somebody := false
	for _, owner := range owners {
		if owner == Placeholder {
			continue
		}
		somebody = true
		if !slices.ContainsFunc(o.Owners, func(known string) bool { return strings.EqualFold(owner, known) }) {
			o.Owners = append(o.Owners, owner)
		}
	}
	if somebody {
		o.Approvals += approvals
	}
}

// Equal reports whether the same owners must approve as often, in any order.
func (o Ownership) Equal(other Ownership) bool {
	if len(o.Owners) != len(other.Owners) || o.Approvals != other.Approvals {
		return false
	}
	return !slices.ContainsFunc(o.Owners, func(owner string) bool {
		return !slices.ContainsFunc(other.Owners, func(known string) bool { return strings.EqualFold(owner, known) })
	})
}

// HasFewerThan reports whether there are fewer owners, or fewer required approvals, than in another
// state.
func (o Ownership) HasFewerThan(than Ownership) bool {
	return len(o.Owners) < len(than.Owners) || o.Approvals < than.Approvals
}

// String lists the owners.
func (o Ownership) String() string {
	switch {
	case len(o.Owners) == 0:
		return "nobody"
	case o.Approvals > 1:
		return fmt.Sprintf("%s (%d approvals)", strings.Join(o.Owners, ", "), o.Approvals)
	}
	return strings.Join(o.Owners, ", ")
}

// section matches the heading of a section: [Name], ^[Name], or [Name][2].
var section = lazy.Expr(`(?m)^[ \t]*((\^?)\[([^\]\n]+)\](?:\[([^\]\n]*)\])?)(?:\s|$)`)

// heading is the section that the next lines belong to: its name, how many approvals it
// requires, and the owners of lines without any.
type heading struct {
	name      string
	optional  bool
	approvals int
	owners    []string
}

// gitLabOwner matches what GitLab takes for an owner: @user, @group/subgroup, @@role, or an
// email address. It ignores other words.
var gitLabOwner = lazy.Expr(`^@@?\w[\w.-]*(/\w[\w.-]*)*$|^[^\s@]+@[^\s@]+$`)

func ownersIn(file *source.File, spans []source.Span) (owners []string) {
	for _, w := range spans {
		if text := file.Text(w); gitLabOwner().MatchString(text) {
			owners = append(owners, text)
		}
	}
	return owners
}

// parseEntry reads one line of a file for GitLab: the heading of a section, or a pattern with owners.
func (f *File) parseEntry(file *source.File, span source.Span, in *heading) {
	if at := section().FindSubmatchIndex(file.Data[span.Start:span.End]); at != nil {
		text := string(file.Data[span.Start:span.End])
		*in = heading{name: strings.ToLower(text[at[6]:at[7]]), optional: at[4] < at[5], approvals: 1}
		if at[8] >= 0 {
			if n, err := strconv.Atoi(text[at[8]:at[9]]); err == nil && n > 1 {
				in.approvals = n
			}
		}
		in.owners = ownersIn(file, words(file, source.Span{Start: span.Start + at[3], End: span.End}))
		return
	}
	all := words(file, span)
	if len(all) == 0 {
		return
	}
	r := &Rule{
		Pattern: file.Text(all[0]), Span: all[0], Owners: ownersIn(file, all[1:]), section: in.name,
		approvals: max(1, in.approvals),
	}
	if in.optional {
		r.approvals = 0
	}
	if len(r.Owners) == 0 {
		r.Owners = in.owners
	}
	pattern, excludes := strings.CutPrefix(r.Pattern, "!")
	r.excludes, r.segments = excludes, segmentsOf(pattern)
	f.Rules = append(f.Rules, r)
}

// segmentsOf splits a pattern of GitLab for path.Match. It matches a folder's files only if it
// ends with a slash, and ** any folders only before another segment.
func segmentsOf(pattern string) []string {
	if pattern == "*" {
		return []string{anyDepth, "*"}
	}
	pattern = strings.TrimPrefix(pattern, `\`) // of \#
	if !strings.HasPrefix(pattern, "/") {
		pattern = "/" + anyDepth + "/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += anyDepth + "/*"
	}
	parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	if last := len(parts) - 1; parts[last] == anyDepth {
		parts[last] = "*"
	}
	return parts
}

// rulesOfSections returns the lines that own a path: of each section that requires an approval, the
// last that matches, unless a line of the section excludes the path.
func (f *File) rulesOfSections(path string) (own []*Rule) {
	last, excluded := map[string]*Rule{}, map[string]bool{}
	var order []string
	at := newTarget(path)
	for _, r := range f.Rules {
		if !r.matches(at) {
			continue
		}
		if r.excludes {
			excluded[r.section] = true
			continue
		}
		if last[r.section] == nil {
			order = append(order, r.section)
		}
		last[r.section] = r
	}
	for _, name := range order {
		if !excluded[name] && last[name].approvals > 0 {
			own = append(own, last[name])
		}
	}
	return own
}
