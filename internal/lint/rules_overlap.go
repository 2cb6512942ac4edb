package lint

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/minhash"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// criteriaOverlap compares each criterion with those that stand before it: a
// document holds too few for that to take long.
func criteriaOverlap(p *DocumentPass) {
	var before []*criterionNode
	eachCriterion(p, func(c *criterionNode) {
		for _, other := range before {
			if !overlap(c, other) {
				continue
			}
			reportBeside(p, c.descriptionPath(), c.description(), other.description(), "the other criterion",
				"Keep one of %s and %s, or say what only this one looks at: they say nearly the same, so it counts twice.", schema.Quote(other.name), schema.Quote(c.name))
			break
		}
		before = append(before, c)
	})
}

// overlap tells whether the descriptions of two criteria have the same words, or
// the criteria resemble each other.
func overlap(a, b *criterionNode) bool {
	if wording.Same(a.descriptionWords(), b.descriptionWords()) {
		return true
	}
	s, t := a.sketchOf(), b.sketchOf()
	if s == nil || t == nil {
		return false
	}
	_, alike := minhash.Resembles(s, t)
	return alike
}

func exampleRepeated(p *DocumentPass) {
	eachCriterion(p, func(c *criterionNode) {
		for k := range exampleKeys {
			for lower := range k {
				if wording.Same(c.exampleWords(k), c.exampleWords(lower)) {
					reportBeside(p, c.examplePath(k), c.example(k), c.example(lower), "the other example", "Write an example of its own for %s: it is the one for %s, and one text can't deserve both.", exampleKeys[k], exampleKeys[lower])
					break
				}
			}
		}
	})
}

// fewestShared is how many words an anchor and an example need, one of which stands
// within the other: fewer stand in any text.
const fewestShared = 6

func exampleAnchor(p *DocumentPass) {
	eachCriterion(p, func(c *criterionNode) {
		for k := range exampleKeys {
			for score := lowestScore; score <= highestScore; score++ {
				if repeats(c.exampleWords(k), c.anchorWords(score)) {
					reportBeside(p, c.examplePath(k), c.example(k), c.anchor(score), "the anchor", "Put an excerpt of an artifact here: this repeats the anchor of score %d, and shows a judge nothing that it does not read there.", score)
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
