// Package wording has the lint rules about the texts of criteria. They are not always
// right: docs/lint-rates.md has their rates on rubrics that were written elsewhere.
package wording

import (
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/criteria"
	"github.com/rubric-library/rubric-library/internal/text/wording"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Rules are about the texts of criteria.
var Rules = []*lint.Rule{
	{
		ID: "anchor-empty", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-02",
		Summary:  "an anchor that only grades and describes nothing observable",
		Why:      "Two judges have two ideas of \"good\", so the score depends on the judge. An anchor describes the artifact; the score already grades it.",
		Source:   "R. Tierney and M. Simon, What's Still Wrong With Rubrics (2004): anchors describe levels and do not merely judge",
		Bad:      "4: Good clarity",
		Good:     "4: One of the three terms has a second reading",
		Document: anchorEmpty,
	},
	{
		ID: "anchor-repeated", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-02",
		Summary:  "two anchors of a criterion with the same words",
		Why:      "A judge can't tell the two scores apart, so it is chance which one an artifact gets.",
		Source:   "R. Tierney and M. Simon, What's Still Wrong With Rubrics (2004), on consistent levels",
		Bad:      "3: Some steps have a number\n4: Some steps have a number",
		Good:     "3: Half of the steps have a number\n4: All steps but one have a number",
		Document: anchorRepeated,
	},
	{
		ID: "anchor-degree", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-02",
		Summary:  "two adjacent anchors that differ only in words of degree",
		Why:      "Nothing says where \"adequately\" ends and \"effectively\" begins, so judges draw the line in different places. Describe what is present at one score and missing at the other.",
		Source:   "R. Tierney and M. Simon, What's Still Wrong With Rubrics (2004), on consistent levels",
		Bad:      "3: Adequately covers the edge cases\n4: Effectively covers the edge cases",
		Good:     "3: Names edge cases, none with its result\n4: Names edge cases, one or more with the result",
		Document: anchorDegree,
	},
	{
		ID: "other-scale", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-02",
		Summary:  "a criterion or an anchor that names a scale other than 1 to 5, or another score",
		Why:      "A judge that reads \"8/10\" at score 4 may answer 8 one time and 4 the next. Scores range from 1 to 5, and the key of an anchor is its score.",
		Source:   "the scale of all rubrics (docs/reference.md): 1 to 5",
		Bad:      "4: \"8/10: one status code is missing\"",
		Good:     "4: One status code is missing",
		Document: otherScale,
	},
	{
		ID: "two-questions", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-02",
		Summary:  "a criterion whose description asks for two things",
		Why:      "An artifact can have one and lack the other, but both share a single score: judges weigh them differently, and the score does not show which one is missing.",
		Source:   "the double-barrelled question of survey design; RIFT (arXiv 2604.01375) counts criteria that are not atomic among the failures of rubrics",
		Bad:      "description: Does each step name its input, and is the result measurable?",
		Good:     "- name: inputs\n  description: Does each step name its input?\n- name: results\n  description: Is the result of each step measurable?",
		Document: twoQuestions,
	},
	{
		ID: "criteria-overlap", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-02",
		Summary:  "two criteria of a rubric that say nearly the same",
		Why:      "What both criteria check counts twice in the overall score. Criteria overlap if their descriptions have the same words, or if their descriptions and anchors share four of five three-word sequences.",
		Source:   "A. Broder, On the resemblance and containment of documents (1997), for the measure; RIFT (arXiv 2604.01375) counts redundant criteria among the failures of rubrics",
		Bad:      "- name: clarity\n  description: Is the text clear?\n- name: readability\n  description: Is the text clear?",
		Good:     "- name: clarity\n  description: Does each term have one meaning?\n- name: readability\n  description: How many sentences have more than 30 words?",
		Document: criteriaOverlap,
	},
	{
		ID: "example-repeated", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-03",
		Summary:  "two examples of a criterion with the same words",
		Why:      "The judge sees the same text with two scores and learns nothing from either.",
		Bad:      "score_1: Make the system better\nscore_5: Make the system better",
		Good:     "score_1: Make the system better\nscore_5: As a registered user, I can reset my password by e-mail",
		Document: exampleRepeated,
	},
	{
		ID: "example-anchor", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-03",
		Summary:  "an example that repeats an anchor of its criterion",
		Why:      "An example is an excerpt of an artifact. An example that repeats the anchor shows the judge nothing new, and an artifact that quotes the anchor looks like the example.",
		Bad:      "5: Every endpoint names its status codes\nscore_5: Every endpoint names its status codes.",
		Good:     "5: Every endpoint names its status codes\nscore_5: GET /users answers 200 with the list or 403 without a token",
		Document: exampleAnchor,
	},
	{
		ID: "no-essential", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-06",
		Summary:  "a rubric without an essential criterion and without an essential minimum",
		Why:      "A high score in one criterion then compensates for any other, however low. That is allowed, but rarely intended.",
		Bad:      "criteria:\n  - name: clarity\n    weight: important",
		Good:     "criteria:\n  - name: clarity\n    weight: essential",
		Document: noEssential,
	},
	{
		ID: "idle-threshold", Family: lint.FamilyWording, Severity: lint.Warning, Spec: "RL-05",
		Summary:  "a criterion with the threshold 1.0 that no other minimum raises",
		Why:      "1 is the lowest score, so the criterion always passes. Readers expect that a threshold can be missed.",
		Bad:      "threshold: 1.0",
		Good:     "threshold: 3.0",
		Document: idleThreshold,
	},
	{
		ID: "language-unchecked", Family: lint.FamilyWording, Severity: lint.Note,
		Summary:  "a document in a language other than English (one finding per document)",
		Why:      "The lint rules anchor-empty, anchor-degree, two-questions, and vague-check know only English words and skip other languages, so the absence of their findings means nothing.",
		Source:   "docs/lint-rates.md: the wording rules were measured only on English text",
		Bad:      "language: de",
		Good:     "language: en",
		Document: languageUnchecked,
	},
}

// reportPlace reports something inside a text.
func reportPlace(p *lint.DocumentPass, part criteria.Part, at wording.Place, format string, args ...any) {
	p.ReportIn(part.Path, p.Doc.Tree.Inside(part.Node, at.Start, at.End), format, args...)
}

func anchorEmpty(p *lint.DocumentPass) {
	if !p.InEnglish() {
		return
	}
	criteria.Each(p, func(c *criteria.Criterion) {
		for i, anchor := range c.Anchors {
			if wording.SaysNothing(anchor.Words, strings.ReplaceAll(c.Name, "_", " ")) {
				p.ReportAt(anchor.Path, anchor.Node, "Describe what can be observed in an artifact that scores %d, such as what is present and what is missing: these words only grade it, and the score already does that.", criteria.LowestScore+i)
			}
		}
	})
}

func anchorRepeated(p *lint.DocumentPass) {
	criteria.Each(p, func(c *criteria.Criterion) {
		for i, anchor := range c.Anchors {
			for before, other := range c.Anchors[:i] {
				if wording.Same(anchor.Words, other.Words) {
					p.ReportBeside(anchor.Path, anchor.Node, other.Node, "the other anchor",
						"Describe what is different at score %d: this repeats the anchor of score %d, so judges can't tell the two apart.", criteria.LowestScore+i, criteria.LowestScore+before)
					break
				}
			}
		}
	})
}

func anchorDegree(p *lint.DocumentPass) {
	if !p.InEnglish() {
		return
	}
	criteria.Each(p, func(c *criteria.Criterion) {
		for i, below := range c.Anchors[:len(c.Anchors)-1] {
			anchor, score := c.Anchors[i+1], criteria.LowestScore+i+1
			if wording.OnlyDegree(anchor.Words, below.Words) {
				p.ReportBeside(anchor.Path, anchor.Node, below.Node, "the anchor below",
					"Describe what is present at score %d and missing at score %d: the two differ only in words of degree, and each judge reads those differently.", score, score-1)
			}
		}
	})
}

func otherScale(p *lint.DocumentPass) {
	criteria.Each(p, func(c *criteria.Criterion) {
		for i, anchor := range c.Anchors {
			n, score := anchor.Node, criteria.LowestScore+i
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
	criteria.Each(p, func(c *criteria.Criterion) {
		if place, found := wording.SecondQuestion(c.Description.Node.Text()); found {
			reportPlace(p, c.Description, place, "Make this a separate criterion, or remove it: the description already asks for something else, and there is only one score for both.")
		}
	})
}

func noEssential(p *lint.DocumentPass) {
	r := p.Rubric()
	if r == nil || slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return c.Weight == rubric.Essential }) || r.Scoring.EssentialMinimum != 0 {
		return // with a minimum, idle-essential-minimum reports it
	}
	p.ReportAt(nil, p.ID(), "Make at least one criterion essential: otherwise a high score in one criterion compensates for any other, however low.")
}

func idleThreshold(p *lint.DocumentPass) {
	r := p.Rubric()
	if r == nil {
		return
	}
	criteria.Each(p, func(c *criteria.Criterion) {
		n := c.Node.Get("threshold")
		for i := range r.Criteria {
			if m := &r.Criteria[i]; m.Name == c.Name && r.Minimum(m) <= criteria.LowestScore {
				p.ReportAt(c.At.Key("threshold", ""), n, "Raise the threshold of %s above 1: every score reaches 1, so the criterion always passes.", schema.Quote(c.Name))
			}
		}
	})
}

func languageUnchecked(p *lint.DocumentPass) {
	n := p.Root().Get("language")
	if p.InEnglish() || p.Doc.Kind == nil || !p.Doc.Valid() {
		return
	}
	if _, err := language.Parse(n.Value); err != nil {
		return // reported by language-tag
	}
	p.ReportAt(lint.Key("language"), n, "The lint rules that know only English words did not check this document, because its language is %s.", schema.Quote(n.Value))
}
