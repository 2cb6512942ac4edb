package wording

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/criteria"
	"github.com/rubric-library/rubric-library/internal/text/minhash"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// criteriaOverlap compares each criterion with those that stand before it: a
// document holds too few for that to take long.
func criteriaOverlap(p *lint.DocumentPass) {
	var before []*criteria.Criterion
	criteria.Each(p, func(c *criteria.Criterion) {
		for _, other := range before {
			if !overlap(c, other) {
				continue
			}
			p.ReportBeside(c.Description.Path, c.Description.Node, other.Description.Node, "the other criterion",
				"Keep one of %s and %s, or say what only this one looks at: they say nearly the same, so it counts twice.", schema.Quote(other.Name), schema.Quote(c.Name))
			break
		}
		before = append(before, c)
	})
}

// overlap tells whether the descriptions of two criteria have the same words, or
// the criteria resemble each other.
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
					p.ReportBeside(example.Path, example.Node, other.Node, "the other example", "Write an example of its own for %s: it is the one for %s, and one text can't deserve both.", criteria.ExampleKeys[k], criteria.ExampleKeys[lower])
					break
				}
			}
		}
	})
}

// fewestShared is how many words an anchor and an example need, one of which stands
// within the other: fewer stand in any text.
const fewestShared = 6

func exampleAnchor(p *lint.DocumentPass) {
	criteria.Each(p, func(c *criteria.Criterion) {
		for _, example := range c.Examples {
			for i, anchor := range c.Anchors {
				if repeats(example.Words, anchor.Words) {
					p.ReportBeside(example.Path, example.Node, anchor.Node, "the anchor", "Put an excerpt of an artifact here: this repeats the anchor of score %d, and shows a judge nothing that it does not read there.", criteria.LowestScore+i)
					break
				}
			}
		}
	})
}

// repeats tells whether two texts are the same, or one holds the other.
func repeats(a, b wording.Text) bool {
	return wording.Same(a, b) || wording.Within(a, b, fewestShared) || wording.Within(b, a, fewestShared)
}
