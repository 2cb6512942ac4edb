package rules

import (
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

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
	// holder is the negative criterion or check that it belongs to.
	holder *yamltree.Node
	fails  bool // is in fail_patterns
	// costly says that a search in the document's own examples costs more than its allowance. Such
	// a pattern is not searched; pattern-unjudged reports it.
	costly bool
	tree   *syntax.Regexp
	err    error
	// literals are texts of which each match contains at least one, or nil.
	literals []string
	// differences are what the configured engines read differently.
	differences []regex.Difference
	// verdict is for a pattern without err.
	verdict regex.Backtracking
	// compiled returns the pattern for a search, nil if pattern-invalid or pattern-case reports why
	// not.
	compiled func() *regexp.Regexp
}

func newPattern(p *lint.DocumentPass, x pattern) *pattern {
	x.tree, x.err = syntax.Parse(x.node.Value, syntax.Perl)
	if x.err == nil {
		x.literals = regex.Literals(x.tree)
	}
	x.differences = differencesOf(p, &x)
	x.compiled = sync.OnceValue(func() *regexp.Regexp {
		text := x.node.Value
		if x.Multiline {
			text = "(?m)" + text
		}
		re, _ := rubric.CompilePattern(text, x.IgnoreCase)
		return re
	})
	return &x
}

// negative is a negative criterion with its patterns.
type negative struct {
	at       *schema.Path
	node     *yamltree.Node
	patterns []*pattern
}

// negativesOf lists the negative criteria of a rubric.
var negativesOf = lint.Once(func(p *lint.DocumentPass) (all []negative) {
	_, best := bestExamples(p)
	for i, node := range p.Root().Get("negative_criteria").List() {
		own := best[:len(best):len(best)]
		for _, key := range []string{"fail_examples", "pass_examples"} {
			for _, example := range node.Get(key).List() {
				own = append(own, example.Text())
			}
		}
		n := negative{at: lint.Key("negative_criteria").Elem(i, node.Get("name").Text(), "negative criterion"), node: node}
		list := n.at.Key("fail_patterns", "")
		for j, expr := range node.Get("fail_patterns").List() {
			if expr.Text() == "" {
				continue // reported by blank-text
			}
			x := newPattern(p, pattern{
				path: list.Elem(j, "", "pattern"), node: expr, list: list.String(), use: expr.Value, fails: true,
				holder: node, Flags: regex.Flags{IgnoreCase: node.Get("ignore_case").IsTrue()},
			})
			x.costly = x.costlyIn(own)
			n.patterns = append(n.patterns, x)
		}
		all = append(all, n)
	}
	return all
})

// patternsOf lists the regular expressions of the document: those of negative criteria
// and of content checks.
var patternsOf = lint.Once(func(p *lint.DocumentPass) (all []*pattern) {
	if p.Is(&document.Rubric) {
		for _, n := range negativesOf(p) {
			all = append(all, n.patterns...)
		}
	}
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		at = at.Key("checks", "")
		for j, check := range rule.Get("checks").List() {
			if n := check.Get("pattern"); n.Text() != "" {
				all = append(all, newPattern(p, pattern{
					path:   at.Elem(j, "", "check").Key("pattern", ""),
					node:   n,
					list:   at.String(),
					use:    allOf(check),
					holder: check,
					Flags:  regex.Flags{IgnoreCase: check.Get("ignore_case").IsTrue(), Multiline: check.Get("multiline").IsTrue()},
				}))
			}
		}
	})
	type same struct {
		expr  string
		flags syntax.Flags
	}
	known := map[same]regex.Backtracking{}
	for _, x := range all {
		k := same{x.node.Value, x.Flags.Syntax()}
		v, found := known[k]
		if !found && x.err == nil {
			v = regex.JudgeBacktracking(k.expr, k.flags)
			known[k] = v
		}
		x.verdict = v
	}
	return all
})

// Fail is a pattern that fails an artifact, without the tree of its document.
type Fail struct {
	Expr       string
	IgnoreCase bool
	At         source.Span
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
	for _, n := range negativesOf(p) {
		effect := n.node.Get("effect").Text()
		for _, x := range n.patterns {
			if x.err != nil || effect != "" && effect != "fail" {
				continue
			}
			f := Fail{Expr: x.node.Value, IgnoreCase: x.IgnoreCase, At: x.node.Span, Effort: regex.Effort(x.tree)}
			if !slices.ContainsFunc(x.literals, func(text string) bool { return len(text) < regex.ShortestLiteral }) {
				f.Literals = strings.Join(x.literals, Separator)
			}
			fails = append(fails, f)
		}
	}
	return fails
}

// validPatterns yields the patterns that could be parsed. Of the others, pattern-invalid reports
// why not.
func validPatterns(p *lint.DocumentPass) iter.Seq[*pattern] {
	return func(yield func(*pattern) bool) {
		for _, x := range patternsOf(p) {
			if x.err == nil && !yield(x) {
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

// searchedFolded returns texts, normalized as for the search.
func searchedFolded(texts ...string) *regex.Folded {
	var all strings.Builder
	for _, text := range texts {
		all.WriteString(rubric.Normalize(text))
		all.WriteByte(0) // no match across two texts
	}
	return regex.NewFolded(all.String())
}

// differencesOf returns the differences of a pattern between the configured engines.
func differencesOf(p *lint.DocumentPass, x *pattern) []regex.Difference {
	check := regex.CheckCompiled
	if x.err != nil {
		check = regex.Check
	}
	found := check(x.node.Value, x.Flags)
	for i := range found {
		found[i].Effects = slices.DeleteFunc(found[i].Effects, func(e regex.Effect) bool {
			return !p.Config.Counts(e.Engine)
		})
	}
	return found
}

// costlyIn reports whether a search in the texts costs more than the allowance.
// Only numbers in braces make an expression that costly: without them, the effort
// grows with its length.
func (x *pattern) costlyIn(texts []string) bool {
	if x.err != nil {
		return false
	}
	length, each := 0, regex.Effort(x.tree)
	if each <= 1+len(x.node.Value)/2 {
		return false
	}
	for _, text := range texts {
		if folded := searchedFolded(text); folded.MayMatch(x.literals) {
			length += len(folded.Text)
		}
	}
	return length*each > regex.Allowance(x.node.Value)
}
