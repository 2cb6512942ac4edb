package lint

import (
	"github.com/rubric-library/rubric-library/internal/resemblance"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/internal/wording"
)

// sketch stands for what a judge scores a criterion by, its description and its
// anchors. It is nil where these are too short to be compared.
func (p *DocumentPass) sketch(c *criterionNode) resemblance.Sketch {
	n := c.description()
	texts := []wording.Text{p.words(n)}
	for score := lowestScore; score <= highestScore; score++ {
		n := c.anchor(score)
		texts = append(texts, p.words(n))
	}
	return resemblance.Of(wording.Of(texts...))
}

// criteriaOverlap finds criteria whose descriptions have the same words, and those
// that resemble one that stands before.
func criteriaOverlap(p *DocumentPass) {
	var before []*criterionNode
	said := map[string]int{}
	var index resemblance.Index
	eachCriterion(p, func(c *criterionNode) {
		number := len(before)
		before = append(before, c)
		n := c.description()
		words := p.words(n).Key()
		other, found := said[words]
		if words != "" && !found {
			said[words] = number
		}
		s := p.sketch(c)
		if s != nil && !found {
			other, _, found = index.Find(s, func(int) bool { return true })
		}
		if s != nil {
			index.Add(number, s)
		}
		if found {
			description := before[other].description()
			p.reportBeside(c.descriptionPath(), n, description, "the other criterion",
				"Keep one of %s and %s, or say what only this one looks at: they say nearly the same, so it counts twice.", schema.Quote(before[other].name), schema.Quote(c.name))
		}
	})
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
