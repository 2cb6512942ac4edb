package rules

import (
	"regexp"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// expression returns pattern i compiled for the search, or nil if it can't be compiled.
func expression(p *lint.DocumentPass, i int) *regexp.Regexp {
	compiled := compiledOf(p)
	x := patternsOf(p)[i]
	if compiled[i] == nil && x.err == nil {
		text := x.node.Value
		if x.Multiline {
			text = "(?m)" + text
		}
		compiled[i], _ = rubric.CompilePattern(text, x.IgnoreCase) // pattern-invalid and pattern-case report why not
	}
	return compiled[i]
}

// compiledOf has the compiled patterns, by index.
var compiledOf = lint.Once(func(p *lint.DocumentPass) []*regexp.Regexp { return make([]*regexp.Regexp, len(patternsOf(p))) })

// findIn returns the first match of pattern i in a text, "" if there is none or it is empty.
func findIn(p *lint.DocumentPass, i int, text string) (found string) {
	if patternsOf(p)[i].mayBeIn(searchedFolded(text)) {
		found, _ = searchIn(p, i, text)
	}
	return found
}

// searchIn returns the first match of pattern i in a text in which it may be found.
func searchIn(p *lint.DocumentPass, i int, text string) (found string, ok bool) {
	re := expression(p, i)
	if re == nil {
		return "", false
	}
	at := re.FindStringIndex(rubric.PatternText(text, patternsOf(p)[i].IgnoreCase))
	if at == nil {
		return "", false
	}
	return rubric.Normalize(text)[at[0]:at[1]], true
}

// tooCostly says for each pattern whether searching the document's own examples for it
// costs more than its allowance. Such a pattern is not searched; pattern-unjudged reports
// it.
var tooCostly = lint.Once(func(p *lint.DocumentPass) []bool {
	costly := make([]bool, len(patternsOf(p)))
	_, best := bestExamples(p.Root())
	negatives(p, func(_ *schema.Path, negative *yamltree.Node, first, end int) {
		own := best
		for _, key := range []string{"fail_examples", "pass_examples"} {
			for _, example := range negative.Get(key).List() {
				own = append(own[:len(own):len(own)], example.Text())
			}
		}
		for i := first; i < end; i++ {
			costly[i] = patternsOf(p)[i].costlyIn(own)
		}
	})
	return costly
})

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
		if folded := searchedFolded(text); x.mayBeIn(folded) {
			length += len(folded)
		}
	}
	return length*each > regex.Allowance(x.node.Value)
}

func patternHitsBest(p *lint.DocumentPass) {
	if p.Rubric() == nil || len(patternsOf(p)) == 0 {
		return
	}
	examples, texts := bestExamples(p.Root())
	folded := searchedFolded(texts...)
	for i := range patternsOf(p) {
		x := &patternsOf(p)[i]
		if !x.mayBeIn(folded) || tooCostly(p)[i] {
			continue
		}
		for j, example := range examples {
			found := findIn(p, i, texts[j])
			if found == "" {
				continue // an empty match is reported by pattern-empty
			}
			p.ReportBeside(x.path, x.node, example, "the example for score 5",
				"Narrow this pattern, or fix the example: it hits %s in an example that deserves a 5.", schema.Quote(found))
			break
		}
	}
}

// bestExamples returns the examples that deserve a 5, and their texts. A missing one
// is nil.
func bestExamples(root *yamltree.Node) (examples []*yamltree.Node, texts []string) {
	for _, criterion := range root.Get("criteria").List() {
		example := criterion.Get("examples").Get("score_5")
		examples, texts = append(examples, example), append(texts, example.Text())
	}
	return examples, texts
}

// negatives calls do for each negative criterion with its path and the range of its
// patterns, from first up to end.
func negatives(p *lint.DocumentPass, do func(at *schema.Path, negative *yamltree.Node, first, end int)) {
	if p.Rubric() == nil {
		return
	}
	first := 0
	for i, negative := range p.Root().Get("negative_criteria").List() {
		at := lint.Key("negative_criteria").Elem(i, negative.Get("name").Text(), "negative criterion")
		end := first
		for end < len(patternsOf(p)) && patternsOf(p)[end].holder == negative {
			end++
		}
		do(at, negative, first, end)
		first = end
	}
}

func failExampleMissed(p *lint.DocumentPass) {
	negatives(p, func(at *schema.Path, negative *yamltree.Node, first, end int) {
		for j, example := range negative.Get("fail_examples").List() {
			if example.Text() == "" || first == end || !misses(p, example, first, end) {
				continue
			}
			p.ReportAt(at.Key("fail_examples", "").Elem(j, "", "example"), example,
				"Fix the patterns or the example: no pattern of this negative criterion is found in it.")
		}
	})
}

// misses reports whether the patterns can all be used and none is found.
func misses(p *lint.DocumentPass, example *yamltree.Node, first, end int) bool {
	folded := searchedFolded(example.Value)
	for i := first; i < end; i++ {
		x := &patternsOf(p)[i]
		if x.err != nil || tooCostly(p)[i] {
			return false
		}
		if !x.mayBeIn(folded) {
			continue
		}
		if _, ok := searchIn(p, i, example.Value); ok {
			return false
		}
	}
	for i := first; i < end; i++ {
		if expression(p, i) == nil {
			return false
		}
	}
	return true
}

func passExampleHit(p *lint.DocumentPass) {
	negatives(p, func(at *schema.Path, negative *yamltree.Node, first, end int) {
		for j, example := range negative.Get("pass_examples").List() {
			for i := first; i < end; i++ {
				if tooCostly(p)[i] {
					continue
				}
				found := findIn(p, i, example.Text())
				if found == "" {
					continue
				}
				p.ReportBeside(at.Key("pass_examples", "").Elem(j, "", "example"), example, patternsOf(p)[i].node, "hit by this pattern",
					"Narrow the pattern, or move the example to fail_examples: the pattern hits %s in it.", schema.Quote(found))
				break
			}
		}
	})
}
