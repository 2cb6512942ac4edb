package wording

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/criteria"
	"github.com/rubric-library/rubric-library/internal/text/minhash"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// criteriaOverlap compares each criterion with all earlier ones: a document has too few
// for that to take long.
func criteriaOverlap(p *lint.DocumentPass) {
	var before []*criteria.Criterion
	criteria.Each(p, func(c *criteria.Criterion) {
		for _, other := range before {
			if !overlap(c, other) {
				continue
			}
			p.ReportBeside(c.Description.Path, c.Description.Node, other.Description.Node, "the other criterion",
				"Remove %s or %s, or describe what only this one checks: they say nearly the same, so it counts twice.", schema.Quote(other.Name), schema.Quote(c.Name))
			break
		}
		before = append(before, c)
	})
}

// overlap reports whether the descriptions of two criteria have the same words, or the
// criteria resemble each other.
func overlap(a, b *criteria.Criterion) bool {
	if wording.Same(a.Description.Words, b.Description.Words) {
		return true
	}
	s, t := a.Sketch, b.Sketch
	if s == nil || t == nil {
		return false
	}
	_, alike := minhash.Resembles(s, t)
	return alike
}

func exampleRepeated(p *lint.DocumentPass) {
	criteria.Each(p, func(c *criteria.Criterion) {
		for k, example := range c.Examples {
			for lower, other := range c.Examples[:k] {
				if wording.Same(example.Words, other.Words) {
					p.ReportBeside(example.Path, example.Node, other.Node, "the other example", "Write a different example for %s: it repeats the one for %s, and a text can't deserve both scores.", criteria.ExampleKeys[k], criteria.ExampleKeys[lower])
					break
				}
			}
		}
	})
}

// fewestShared is how many words the anchor or the example that is contained in the
// other needs at least: fewer occur in any text.
const fewestShared = 6

func exampleAnchor(p *lint.DocumentPass) {
	criteria.Each(p, func(c *criteria.Criterion) {
		for _, example := range c.Examples {
			for i, anchor := range c.Anchors {
				a, b := example.Words, anchor.Words
				if wording.Same(a, b) || wording.Within(a, b, fewestShared) || wording.Within(b, a, fewestShared) {
					p.ReportBeside(example.Path, example.Node, anchor.Node, "the anchor", "Write an excerpt of an artifact here: this repeats the anchor of score %d, so it shows a judge nothing new.", criteria.LowestScore+i)
					break
				}
			}
		}
	})
}
