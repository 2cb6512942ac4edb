package rules

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/duplicate"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// wordingRules are about the texts of criteria.
var wordingRules = map[string]lint.Rule{
	"anchor-empty":     {Severity: lint.Warning, Spec: lint.RL02, Check: inEnglish(anchorEmpty)},
	"anchor-repeated":  {Severity: lint.Warning, Spec: lint.RL02, Check: ofCriteria(anchorRepeated)},
	"anchor-ladder":    {Severity: lint.Warning, Spec: lint.RL02, Check: ofMostAnchors(anchorLadder)},
	"scale-inverted":   {Severity: lint.Warning, Spec: lint.RL02, Check: lint.OfDocument(scaleInverted)},
	"rubric-inverted":  {Severity: lint.Error, Spec: lint.RL02, New: true, Check: lint.OfDocument(rubricInverted)},
	"anchor-order":     {Severity: lint.Warning, Spec: lint.RL02, Check: ofMostAnchors(anchorOrder)},
	"anchor-ranges":    {Severity: lint.Warning, Spec: lint.RL02, Check: ofMostAnchors(anchorRanges)},
	"other-scale":      {Severity: lint.Warning, Spec: lint.RL02, Check: ofCriteria(otherScale)},
	"two-questions":    {Severity: lint.Warning, Spec: lint.RL02, Check: inEnglish(twoQuestions)},
	"criteria-overlap": {Severity: lint.Warning, Spec: lint.RL02, Check: lint.OfDocument(criteriaOverlap)},
	"example-repeated": {Severity: lint.Warning, Spec: lint.RL03, Check: ofCriteria(exampleRepeated)},
	"example-anchor":   {Severity: lint.Warning, Spec: lint.RL03, Check: ofCriteria(exampleAnchor)},
	"no-essential":     {Severity: lint.Warning, Spec: lint.RL06, Check: lint.OfDocument(noEssential)},
}

// ofCriteria makes a rule from a check of each criterion.
func ofCriteria(check func(*lint.DocumentPass, *criterionOf)) lint.OfDocument {
	return func(p *lint.DocumentPass) {
		eachCriterion(p, func(c *criterionOf) { check(p, c) })
	}
}

// inEnglish makes a rule from a check of each criterion that is in English.
func inEnglish(check func(*lint.DocumentPass, *criterionOf)) lint.OfDocument {
	return ofCriteria(func(p *lint.DocumentPass, c *criterionOf) {
		if p.InEnglish() {
			check(p, c)
		}
	})
}

// ofMostAnchors makes a rule from a check of each criterion that is in English and has both ends of
// the scale, and all but one of the anchors.
func ofMostAnchors(check func(*lint.DocumentPass, *criterionOf)) lint.OfDocument {
	return inEnglish(func(p *lint.DocumentPass, c *criterionOf) {
		last := len(c.Anchors) - 1
		if len(c.words) >= last && c.Anchors[0].Words.Len > 0 && c.Anchors[last].Words.Len > 0 {
			check(p, c)
		}
	})
}

func anchorEmpty(p *lint.DocumentPass, c *criterionOf) {
	for i, anchor := range c.Anchors {
		if saysNothing(c, anchor) {
			anchor.report(p, "Describe what can be observed in an artifact that scores %d, such as what is present and what is missing: these words only grade it, and the score already does that.", lowestScore+i)
		}
	}
}

func anchorRepeated(p *lint.DocumentPass, c *criterionOf) {
	for i, anchor := range c.Anchors {
		if before := repeats(c.Anchors[:i], anchor); before >= 0 {
			anchor.reportBeside(p, c.Anchors[before], "the other anchor",
				"Describe what is different at score %d: this repeats the anchor of score %d, so judges can't tell the two apart.", lowestScore+i, lowestScore+before)
		}
	}
}

func exampleRepeated(p *lint.DocumentPass, c *criterionOf) {
	for i, example := range c.Examples {
		if before := repeats(c.Examples[:i], example); before >= 0 {
			example.reportBeside(p, c.Examples[before], "the other example",
				"Write a different example for %s: it repeats the one for %s, and a text can't deserve both scores.", exampleKeys[i], exampleKeys[before])
		}
	}
}

// repeats returns the number of the first text with the same words as another, or -1.
func repeats(texts []part, other part) int {
	return slices.IndexFunc(texts, func(t part) bool { return wording.Same(t.Words, other.Words) })
}

func anchorLadder(p *lint.DocumentPass, c *criterionOf) {
	isEmpty := func(anchor part) bool { return saysNothing(c, anchor) } // reported by anchor-empty
	if wording.OnlyLadder(questionOf(c), c.words...) && !slices.ContainsFunc(c.Anchors[:], isEmpty) {
		middle := c.Anchors[len(c.Anchors)/2]
		if middle.Words.Len == 0 {
			middle = c.Anchors[len(c.Anchors)/2+1]
		}
		middle.report(p, "Describe what can be observed at each score of %s: without words of degree and the words of the description, little is left of the anchors, so each judge draws the lines in a different place.", schema.Quote(c.Name))
	}
}

func anchorOrder(p *lint.DocumentPass, c *criterionOf) {
	if i, found := c.amounts().OutOfOrder(); found {
		before, _ := c.anchorBefore(i)
		c.Anchors[i].reportBeside(p, before, "the anchor before it",
			"Check the order of the anchors of %s: what they count rises and falls, so a better artifact can get a lower score.",
			schema.Quote(c.Name))
	}
}

func anchorRanges(p *lint.DocumentPass, c *criterionOf) {
	i, gap, found := c.amounts().Misfit()
	if !found {
		return
	}
	problem := "overlaps with that of score %d, so an artifact can deserve both"
	if gap {
		problem = "leaves a gap to that of score %d, so some artifacts fit neither"
	}
	before, score := c.anchorBefore(i)
	c.Anchors[i].reportBeside(p, before, "the anchor before it",
		"Write ranges that follow each other: the one of score %d "+problem+".", lowestScore+i, score)
}

// questionOf returns what a criterion asks: its description and its name.
func questionOf(c *criterionOf) string { return c.Description.Node.Text() + " " + nameOf(c) }

func nameOf(c *criterionOf) string { return strings.ReplaceAll(c.Name, "_", " ") }

func saysNothing(c *criterionOf, anchor part) bool {
	return wording.SaysNothing(anchor.Words, nameOf(c))
}

func otherScale(p *lint.DocumentPass, c *criterionOf) {
	for i, anchor := range c.Anchors {
		n, score := anchor.Node, lowestScore+i
		if place, found := wording.Scale(anchor.Words, score, c.Description.Words); found {
			anchor.reportIn(p, place, "Remove %s and keep what can be observed: this is the anchor of score %d on the scale from 1 to 5, and a judge could answer with the number here.",
				schema.Quote(n.Value[place.Start:place.End]), score)
		}
	}
	n := c.Description.Node
	if place, found := wording.ScoreIn(c.Description.Words); found {
		c.Description.reportIn(p, place,
			"Remove %s from the description: the anchors say what each score from 1 to 5 is for, and a judge could answer with the number here.",
			schema.Quote(n.Value[place.Start:place.End]))
	}
}

func twoQuestions(p *lint.DocumentPass, c *criterionOf) {
	if place, found := wording.SecondQuestion(c.Description.Node.Text()); found {
		c.Description.reportIn(p, place, "Make this a separate criterion, or remove it: the description already asks for something else, and there is only one score for both.")
	}
}

func noEssential(p *lint.DocumentPass) {
	if s := scoringOf(p); s == nil || len(s.essential) > 0 || s.minimum != 0 {
		return // with a minimum, idle-essential-minimum reports it
	}
	p.ReportAt(nil, p.ID(), "Make at least one criterion essential: otherwise a high score in one criterion compensates for any other, however low.")
}

// criteriaOverlap compares each criterion with all earlier ones: a document has too few
// for that to take long.
func criteriaOverlap(p *lint.DocumentPass) {
	var before []*criterionOf
	eachCriterion(p, func(c *criterionOf) {
		if c.Description.Node == nil {
			return // another rule reports it
		}
		for _, other := range before {
			if reportCopied(p, c, other) || reportCopied(p, other, c) {
				break
			}
			_, alike := duplicate.Resembles(c.Sketch, other.Sketch)
			if !alike && !wording.Same(c.Description.Words, other.Description.Words) {
				continue
			}
			c.Description.reportBeside(p, other.Description, "the other criterion",
				"Remove %s or %s, or describe what only this one checks: they say nearly the same, so it counts twice.",
				schema.Quote(other.Name), schema.Quote(c.Name))
			break
		}
		before = append(before, c)
	})
}

// reportCopied reports anchors that were copied from another criterion.
func reportCopied(p *lint.DocumentPass, c, other *criterionOf) bool {
	if !p.InEnglish() || !wording.Copied(questionOf(c), questionOf(other), c.words, other.words) {
		return false
	}
	p.ReportBeside(c.At.Key("anchors", ""), c.Node.Get("anchors"), other.Node.Get("anchors"), "the same anchors",
		"Describe what can be observed at each score of %s: these anchors are those of %s.",
		schema.Quote(c.Name), schema.Quote(other.Name))
	return true
}

// fewestShared is how many words the anchor or the example that is contained in the
// other needs at least: fewer occur in any text.
const fewestShared = 6

func exampleAnchor(p *lint.DocumentPass, c *criterionOf) {
	for _, example := range c.Examples {
		i := slices.IndexFunc(c.Anchors[:], func(anchor part) bool {
			a, b := example.Words, anchor.Words
			return wording.Same(a, b) || wording.Within(a, b, fewestShared) || wording.Within(b, a, fewestShared)
		})
		if i >= 0 {
			example.reportBeside(p, c.Anchors[i], "the anchor",
				"Write an excerpt of an artifact here: this repeats the anchor of score %d, so it shows a judge nothing new.", lowestScore+i)
		}
	}
}
