package compat

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// searches are the patterns of a negative criterion or of a check with their flags.
type searches struct {
	texts    []string
	flags    regex.Flags
	meanings []string
}

func searchesOf(n *yamltree.Node) *searches {
	s := &searches{flags: regex.Flags{IgnoreCase: n.Get("ignore_case").IsTrue(), Multiline: n.Get("multiline").IsTrue()}}
	for _, pattern := range append(n.Get("fail_patterns").List(), n.Get("pattern")) {
		if pattern.Text() != "" {
			s.texts = append(s.texts, pattern.Value)
			s.meanings = append(s.meanings, s.meaning(pattern.Value))
		}
	}
	return s
}

// meaning is the same for patterns that find the same. A pattern that can't be used is like no other.
func (s *searches) meaning(pattern string) string {
	meaning := regex.Meaning(pattern, s.flags)
	if meaning == "" || s.flags.IgnoreCase && !rubric.NamesASCII(pattern) {
		return "unusable: " + pattern
	}
	return meaning
}

// finds reports whether one of the patterns is or means the same as another.
func (s *searches) finds(value *Value, of *searches) bool {
	return value == nil || slices.Contains(s.meanings, of.meaning(value.Text))
}

func (s *searches) sameAs(other *searches) bool {
	within := func(some, all []string) bool {
		return !slices.ContainsFunc(some, func(meaning string) bool { return !slices.Contains(all, meaning) })
	}
	return len(s.texts) > 0 && within(s.meanings, other.meanings) && within(other.meanings, s.meanings)
}

// searches lowers the class of the findings from an index on, which are of one negative criterion or
// check, if nothing more is found: a pattern that means the same as another one finds nothing new,
// and a flag beside the patterns can replace one in all of them. Only the set of meanings matters, not
// how often each occurs.
//
// One text shows a difference nevertheless: with the flag i, U+017F (long s) is an s, and with
// ignore_case it is not. It would be wrong to require a major version for that.
func (w *walk) searches(first int, at place) {
	before, after := searchesOf(at.base.node), searchesOf(at.head.node)
	same := before.sameAs(after)
	for i := range w.found[first:] {
		f := &w.found[first+i]
		_, key, _ := strings.Cut(f.key, "[].")
		switch key {
		case "fail_patterns[]":
			f.pattern(before, after)
		case "ignore_case", "checks[].pattern", "checks[].ignore_case", "checks[].multiline":
			if same {
				f.Class, f.effect = schema.Patch, sameMatches
			}
		}
	}
}

const sameMatches = "with all changes here, the same is found, so no verdict changes"

// pattern classifies a change of one pattern of a negative criterion.
func (f *finding) pattern(before, after *searches) {
	comes, goes := !before.finds(f.Head, after), !after.finds(f.Base, before)
	switch {
	case comes:
	case goes:
		f.Class, f.effect = f.field.Class.Removed, canPass
	case f.Head == nil || slices.Contains(before.texts, f.Head.Text):
		f.Class, f.effect = schema.Patch, "another pattern is the same, so no verdict changes"
	default:
		f.Class, f.effect = schema.Patch, "another pattern finds the same, so no verdict changes"
	}
}
