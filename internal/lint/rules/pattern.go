package rules

import (
	"fmt"
	"iter"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// pattern is a regular expression of a document, parsed once for all rules.
type pattern struct {
	path *schema.Path
	node *yamltree.Node
	// list names the list in which no pattern may repeat. use identifies its use:
	// the pattern itself, or the whole check that contains it.
	list, use string
	regex.Flags
	fails bool // is in fail_patterns
	// holder is the negative criterion or check that it belongs to.
	holder *yamltree.Node
	tree   *syntax.Regexp
	err    error
	// literals are texts of which each match contains at least one, or nil.
	literals []string
	// differences are what the configured engines read differently.
	differences []regex.Difference
}

// patternsOf lists the regular expressions of the document: those of negative criteria
// and of content checks.
var patternsOf = lint.Once(func(p *lint.DocumentPass) (all []pattern) {
	if p.Doc == nil || p.Doc.Tree == nil {
		return nil
	}
	add := func(x pattern) {
		if x.node.Text() == "" {
			return // reported by blank-text
		}
		x.tree, x.err = syntax.Parse(x.node.Value, syntax.Perl)
		if x.err == nil {
			x.literals = regex.Literals(x.tree)
		}
		x.differences = differencesOf(p, x)
		all = append(all, x)
	}
	switch p.Doc.Kind {
	case &document.Rubric:
		for i, negative := range p.Root().Get("negative_criteria").List() {
			at := lint.Key("negative_criteria").Elem(i, negative.Get("name").Text(), "negative criterion").Key("fail_patterns", "")
			for j, n := range negative.Get("fail_patterns").List() {
				add(pattern{path: at.Elem(j, "", "pattern"), node: n, list: at.String(), use: n.Value, fails: true, holder: negative, Flags: regex.Flags{IgnoreCase: negative.Get("ignore_case").IsTrue()}})
			}
		}
	case &document.RuleSet:
		for i, rule := range p.Root().Get("rules").List() {
			id := rule.Get("id").Text()
			at := lint.Key("rules").Elem(i, id, "rule").Key("checks", "")
			for j, check := range rule.Get("checks").List() {
				if n := check.Get("pattern"); n != nil {
					add(pattern{path: at.Elem(j, "", "check").Key("pattern", ""), node: n, list: at.String(), use: allOf(check), holder: check, Flags: regex.Flags{IgnoreCase: check.Get("ignore_case").IsTrue(), Multiline: check.Get("multiline").IsTrue()}})
				}
			}
		}
	}
	return all
})

// Fail is a pattern that fails an artifact, without the tree of its document.
type Fail struct {
	Expr       string
	IgnoreCase bool
	At         source.Span
	// Negative and Number are the indices of the negative criterion and the pattern.
	Negative, Number int
	Name             string // of the negative criterion
	// Literals are texts of at least regex.ShortestLiteral bytes of which each match
	// contains one, in the form of regex.Fold; "" if unknown. One string with Separator
	// between them takes the least memory.
	Literals string
	Effort   int // as regex.Effort returns it
}

// Separator is in no text.
const Separator = "\xff"

// Fails returns the valid patterns of a valid rubric that fail an artifact.
func Fails(p *lint.DocumentPass) []Fail {
	fails := make([]Fail, 0, len(patternsOf(p)))
	i := 0
	negatives(p, func(_ *schema.Path, negative *yamltree.Node, first, end int) {
		effect := negative.Get("effect").Text()
		for k, x := range patternsOf(p)[first:end] {
			if x.err != nil || effect != "" && effect != "fail" {
				continue
			}
			f := Fail{
				Expr: x.node.Value, IgnoreCase: x.IgnoreCase, At: x.node.Span,
				Negative: i, Number: k, Name: negative.Get("name").Text(), Effort: regex.Effort(x.tree),
			}
			if !slices.ContainsFunc(x.literals, func(text string) bool { return len(text) < regex.ShortestLiteral }) {
				f.Literals = strings.Join(x.literals, Separator)
			}
			fails = append(fails, f)
		}
		i++
	})
	return fails
}

// validPatterns yields the patterns that could be parsed, with their indices. Of the
// others, pattern-invalid reports why not.
func validPatterns(p *lint.DocumentPass) iter.Seq2[int, pattern] {
	return func(yield func(int, pattern) bool) {
		for i, x := range patternsOf(p) {
			if x.err == nil && !yield(i, x) {
				return
			}
		}
	}
}

// allOf returns the whole content of a check as one text.
func allOf(check *yamltree.Node) string {
	var parts []string
	for _, e := range check.Entries {
		parts = append(parts, fmt.Sprintf("%q: %q", e.Key.Value, e.Value.Value))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// mayBeIn reports whether the pattern may be found in a text from regex.Fold. If it
// reports false, it can't be found.
func (x *pattern) mayBeIn(folded string) bool {
	return x.literals == nil || slices.ContainsFunc(x.literals, func(text string) bool { return strings.Contains(folded, text) })
}

// searchedFolded returns texts in the form that mayBeIn expects, normalized as for the
// search.
func searchedFolded(texts ...string) string {
	var all strings.Builder
	for _, text := range texts {
		all.WriteString(regex.Fold(rubric.Normalize(text)))
		all.WriteByte(0) // no match across two texts
	}
	return all.String()
}
