package lint

import (
	"github.com/rubric-library/rubric-library/internal/resemblance"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/internal/wording"
)

// sketch stands for what a judge scores a criterion by, its description and its
// anchors. It is nil where these are too short to be compared.
func (p *DocumentPass) sketch(c *criterionNode) *resemblance.Sketch {
	s, ok := p.sketches[c.node]
	if !ok {
		texts := []wording.Text{p.words(c.description())}
		for score := lowestScore; score <= highestScore; score++ {
			texts = append(texts, p.words(c.anchor(score)))
		}
		s = resemblance.Of(wording.Of(texts...))
		if p.sketches == nil {
			p.sketches = map[*node]*resemblance.Sketch{}
		}
		p.sketches[c.node] = s
	}
	return s
}

// criteriaOverlap compares each criterion with those that stand before it: a
// document holds too few for that to take long.
func criteriaOverlap(p *DocumentPass) {
	var before []*criterionNode
	eachCriterion(p, func(c *criterionNode) {
		for _, other := range before {
			if !p.overlap(c, other) {
				continue
			}
			p.reportBeside(c.descriptionPath(), c.description(), other.description(), "the other criterion",
				"Keep one of %s and %s, or say what only this one looks at: they say nearly the same, so it counts twice.", schema.Quote(other.name), schema.Quote(c.name))
			break
		}
		before = append(before, c)
	})
}

// overlap tells whether the descriptions of two criteria have the same words, or
// the criteria resemble each other.
func (p *DocumentPass) overlap(a, b *criterionNode) bool {
	if wording.Same(p.words(a.description()), p.words(b.description())) {
		return true
	}
	s, t := p.sketch(a), p.sketch(b)
	return s != nil && t != nil && resemblance.Estimate(s, t) >= resemblance.Threshold
}

func exampleRepeated(p *DocumentPass) {
	eachCriterion(p, func(c *criterionNode) {
		for i, k := range exampleKeys {
			n := c.example(k)
			for _, lower := range exampleKeys[:i] {
				if other := c.example(lower); wording.Same(p.words(n), p.words(other)) {
					p.reportBeside(c.examplePath(k), n, other, "the other example", "Write an example of its own for %s: it is the one for %s, and one text can't deserve both.", k, lower)
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
		for _, k := range exampleKeys {
			n := c.example(k)
			for score := lowestScore; score <= highestScore; score++ {
				if anchor := c.anchor(score); repeats(p.words(n), p.words(anchor)) {
					p.reportBeside(c.examplePath(k), n, anchor, "the anchor", "Put an excerpt of an artifact here: this repeats the anchor of score %d, and shows a judge nothing that it does not read there.", score)
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
