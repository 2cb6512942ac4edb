package rules

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// find returns the first match of the pattern in a text of its document, which is also given folded.
func (x *pattern) find(text string, folded *regex.Folded) (found string, ok bool) {
	if x.costly || !folded.MayMatch(x.literals) || x.compiled() == nil {
		return "", false
	}
	at := x.compiled().FindStringIndex(rubric.PatternText(text, x.IgnoreCase))
	if at == nil {
		return "", false
	}
	return rubric.Normalize(text)[at[0]:at[1]], true
}

// ofNegatives makes a rule from a check of each negative criterion of a rubric.
func ofNegatives(check func(*lint.DocumentPass, negative)) lint.OfDocument {
	return func(p *lint.DocumentPass) {
		if p.Is(&document.Rubric) && p.Doc.IsWritten() {
			for _, n := range negativesOf(p) {
				check(p, n)
			}
		}
	}
}

func patternHitsBest(p *lint.DocumentPass) {
	if !p.Is(&document.Rubric) || !p.Doc.IsWritten() || len(patternsOf(p)) == 0 {
		return
	}
	examples, texts := bestExamples(p)
	folded := searchedFolded(texts...)
	for _, x := range patternsOf(p) {
		if !folded.MayMatch(x.literals) {
			continue
		}
		for i, example := range examples {
			found, _ := x.find(texts[i], searchedFolded(texts[i]))
			if found == "" {
				continue // an empty match is reported by pattern-empty
			}
			p.ReportBeside(x.path, x.node, example, "the example for score 5",
				"Narrow this pattern, or fix the example: it hits %s in an example that deserves a 5.", schema.Quote(found))
			break
		}
	}
}

func failExampleMissed(p *lint.DocumentPass, n negative) {
	for i, example := range n.node.Get("fail_examples").List() {
		text := example.Text()
		folded := searchedFolded(text)
		isHit := func(x *pattern) bool { return x.mayHit(text, folded) }
		if text != "" && len(n.patterns) > 0 && !slices.ContainsFunc(n.patterns, isHit) {
			p.ReportAt(n.at.Key("fail_examples", "").Elem(i, "", "example"), example,
				"Fix the patterns or the example: no pattern of this negative criterion is found in it.")
		}
	}
}

// mayHit reports whether the pattern is found in a text, or can't be searched as it is meant:
// hidden-text reports a backslash that is lost, and pattern-delimiters what is around a pattern.
func (x *pattern) mayHit(text string, folded *regex.Folded) bool {
	_, found := x.find(text, folded)
	_, _, isDelimited := undelimited(x.node.Value)
	return found || x.costly || x.compiled() == nil || len(sanitize.FindHidden(x.node.Value)) > 0 || isDelimited
}

func passExampleHit(p *lint.DocumentPass, n negative) {
	for i, example := range n.node.Get("pass_examples").List() {
		folded := searchedFolded(example.Text())
		for _, x := range n.patterns {
			if found, _ := x.find(example.Text(), folded); found != "" {
				p.ReportBeside(n.at.Key("pass_examples", "").Elem(i, "", "example"), example, x.node, "hit by this pattern",
					"Narrow the pattern, or move the example to fail_examples: the pattern hits %s in it.", schema.Quote(found))
				break
			}
		}
	}
}
