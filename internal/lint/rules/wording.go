package rules

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/minhash"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// wordingRules are about the texts of criteria.
var wordingRules = map[string]lint.Rule{
	"anchor-empty":     {Document: anchorEmpty},
	"anchor-repeated":  {Document: anchorRepeated},
	"anchor-ladder":    {Document: anchorLadder},
	"scale-inverted":   {Document: scaleInverted},
	"anchor-order":     {Document: anchorOrder},
	"anchor-ranges":    {Document: anchorRanges},
	"other-scale":      {Document: otherScale},
	"two-questions":    {Document: twoQuestions},
	"criteria-overlap": {Document: criteriaOverlap},
	"example-repeated": {Document: exampleRepeated},
	"example-anchor":   {Document: exampleAnchor},
	"no-essential":     {Document: noEssential},
	"template-text": {Document: func(p *lint.DocumentPass) {
		eachCriterion(p, func(c *criterionOf) {
			if n := document.OfDraft(c.Node); n != nil {
				p.ReportIn(c.At, n.Span, "Replace the texts of this criterion with your own: this one is from the example that `rubric init` wrote, so nothing was decided yet.")
			}
		})
	}},
}

func reportPlace(p *lint.DocumentPass, part part, at wording.Place, format string, args ...any) {
	p.ReportIn(part.Path(), p.Doc.Tree.Inside(part.Node, at.Start, at.End), format, args...)
}

func anchorEmpty(p *lint.DocumentPass) {
	if !p.InEnglish() {
		return
	}
	eachCriterion(p, func(c *criterionOf) {
		for i, anchor := range c.Anchors {
			if saysNothing(c, anchor) {
				p.ReportAt(anchor.Path(), anchor.Node, "Describe what can be observed in an artifact that scores %d, such as what is present and what is missing: these words only grade it, and the score already does that.", lowestScore+i)
			}
		}
	})
}

func anchorRepeated(p *lint.DocumentPass) {
	eachCriterion(p, func(c *criterionOf) {
		for i, anchor := range c.Anchors {
			for before, other := range c.Anchors[:i] {
				if wording.Same(anchor.Words, other.Words) {
					p.ReportBeside(anchor.Path(), anchor.Node, other.Node, "the other anchor",
						"Describe what is different at score %d: this repeats the anchor of score %d, so judges can't tell the two apart.", lowestScore+i, lowestScore+before)
					break
				}
			}
		}
	})
}

// anchorLadder leaves out criteria with an empty anchor, which is a finding of its own.
func anchorLadder(p *lint.DocumentPass) {
	if !p.InEnglish() {
		return
	}
	eachCriterion(p, func(c *criterionOf) {
		var words []wording.Text
		for _, anchor := range c.Anchors {
			if anchor.Words.Len == 0 || saysNothing(c, anchor) {
				return
			}
			words = append(words, anchor.Words)
		}
		if wording.OnlyLadder(wording.Read(c.Description.Node.Text()+" "+nameOf(c)), words...) {
			middle := c.Anchors[len(c.Anchors)/2]
			p.ReportAt(middle.Path(), middle.Node, "Describe what can be observed at each score of %s: without words of degree and the words of the description, little is left of the anchors, so each judge draws the lines in a different place.", schema.Quote(c.Name))
		}
	})
}

// compareAnchors calls check with the anchors of each criterion that is in English and has all
// of them.
func compareAnchors(p *lint.DocumentPass, check func(c *criterionOf, anchors []string)) {
	if !p.InEnglish() {
		return
	}
	eachCriterion(p, func(c *criterionOf) {
		if anchors := c.anchors(); anchors != nil {
			check(c, anchors)
		}
	})
}

func scaleInverted(p *lint.DocumentPass) {
	compareAnchors(p, func(c *criterionOf, anchors []string) {
		if wording.Inverted(anchors) {
			last := c.Anchors[len(anchors)-1]
			p.ReportBeside(c.Anchors[0].Path(), c.Anchors[0].Node, last.Node, "the highest score", "Write the anchors of %s in the opposite order: 5 is the best score, but the best work is described at 1, so every verdict would be reversed.", schema.Quote(c.Name))
		}
	})
}

func anchorOrder(p *lint.DocumentPass) {
	compareAnchors(p, func(c *criterionOf, anchors []string) {
		if i, found := wording.OutOfOrder(anchors); found {
			p.ReportBeside(c.Anchors[i].Path(), c.Anchors[i].Node, c.Anchors[i-1].Node, "the anchor before it", "Check the order of the anchors of %s: what they count rises and falls, so a better artifact can get a lower score.", schema.Quote(c.Name))
		}
	})
}

func anchorRanges(p *lint.DocumentPass) {
	compareAnchors(p, func(c *criterionOf, anchors []string) {
		i, gap, found := wording.Misfit(anchors)
		if !found {
			return
		}
		problem := "overlaps with that of score %d, so an artifact can deserve both"
		if gap {
			problem = "leaves a gap to that of score %d, so some artifacts fit neither"
		}
		p.ReportBeside(c.Anchors[i].Path(), c.Anchors[i].Node, c.Anchors[i-1].Node, "the anchor before it", "Write ranges that follow each other: the one of score %d "+problem+".", lowestScore+i, lowestScore+i-1)
	})
}

func nameOf(c *criterionOf) string { return strings.ReplaceAll(c.Name, "_", " ") }

func saysNothing(c *criterionOf, anchor part) bool {
	return wording.SaysNothing(anchor.Words, nameOf(c))
}

func otherScale(p *lint.DocumentPass) {
	eachCriterion(p, func(c *criterionOf) {
		for i, anchor := range c.Anchors {
			n, score := anchor.Node, lowestScore+i
			if place, found := wording.Scale(n.Text(), score); found {
				reportPlace(p, anchor, place, "Remove %s and keep what can be observed: this is the anchor of score %d on the scale from 1 to 5, and a judge could answer with the number here.",
					schema.Quote(n.Value[place.Start:place.End]), score)
			}
		}
		n := c.Description.Node
		if place, found := wording.Scale(n.Text(), 0); found {
			reportPlace(p, c.Description, place, "Remove the scale %s: scores range from 1 to 5, and a judge could answer with the number here.", schema.Quote(n.Value[place.Start:place.End]))
		}
	})
}

func twoQuestions(p *lint.DocumentPass) {
	if !p.InEnglish() {
		return
	}
	eachCriterion(p, func(c *criterionOf) {
		if place, found := wording.SecondQuestion(c.Description.Node.Text()); found {
			reportPlace(p, c.Description, place, "Make this a separate criterion, or remove it: the description already asks for something else, and there is only one score for both.")
		}
	})
}

func noEssential(p *lint.DocumentPass) {
	r := p.Rubric()
	if r == nil || hasEssential(r) || r.Scoring.EssentialMinimum != 0 {
		return // with a minimum, idle-essential-minimum reports it
	}
	p.ReportAt(nil, p.ID(), "Make at least one criterion essential: otherwise a high score in one criterion compensates for any other, however low.")
}

// criteriaOverlap compares each criterion with all earlier ones: a document has too few
// for that to take long.
func criteriaOverlap(p *lint.DocumentPass) {
	var before []*criterionOf
	eachCriterion(p, func(c *criterionOf) {
		for _, other := range before {
			if !overlap(c, other) {
				continue
			}
			p.ReportBeside(c.Description.Path(), c.Description.Node, other.Description.Node, "the other criterion",
				"Remove %s or %s, or describe what only this one checks: they say nearly the same, so it counts twice.", schema.Quote(other.Name), schema.Quote(c.Name))
			break
		}
		before = append(before, c)
	})
}

// overlap reports whether the descriptions of two criteria have the same words, or the
// criteria resemble each other.
func overlap(a, b *criterionOf) bool {
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
	eachCriterion(p, func(c *criterionOf) {
		for k, example := range c.Examples {
			for lower, other := range c.Examples[:k] {
				if wording.Same(example.Words, other.Words) {
					p.ReportBeside(example.Path(), example.Node, other.Node, "the other example", "Write a different example for %s: it repeats the one for %s, and a text can't deserve both scores.", exampleKeys[k], exampleKeys[lower])
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
	eachCriterion(p, func(c *criterionOf) {
		for _, example := range c.Examples {
			for i, anchor := range c.Anchors {
				a, b := example.Words, anchor.Words
				if wording.Same(a, b) || wording.Within(a, b, fewestShared) || wording.Within(b, a, fewestShared) {
					p.ReportBeside(example.Path(), example.Node, anchor.Node, "the anchor", "Write an excerpt of an artifact here: this repeats the anchor of score %d, so it shows a judge nothing new.", lowestScore+i)
					break
				}
			}
		}
	})
}
