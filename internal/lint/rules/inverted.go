package rules

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

const (
	// fewestEnds is how many anchors a criterion needs, two of which are the ends of its scale, so
	// that its direction can be read.
	fewestEnds = 3
	// fewestReversed is how many criteria make a rubric reversed, if none is upright.
	fewestReversed = 2
)

// reversedOf returns the criteria of an English rubric that describe the best work at the lowest
// score.
var reversedOf = lint.Once(func(p *lint.DocumentPass) (reversed []*criterionOf) {
	if !p.InEnglish() {
		return nil
	}
	eachCriterion(p, func(c *criterionOf) {
		if c.hasEnds() && wording.Inverted(c.words...) {
			reversed = append(reversed, c)
		}
	})
	return reversed
})

// isReversed reports whether a rubric as a whole is reversed: criteria with the best work at the
// lowest score, and none with the best work at the highest.
var isReversed = lint.Once(func(p *lint.DocumentPass) bool {
	if len(reversedOf(p)) < fewestReversed {
		return false
	}
	return !slices.ContainsFunc(criteriaOf(p), func(c criterionOf) bool {
		turned := slices.Clone(c.words)
		slices.Reverse(turned)
		return c.hasEnds() && wording.Inverted(turned...)
	})
})

// hasEnds reports whether a criterion has enough anchors, and those of the lowest and the highest
// score.
func (c *criterionOf) hasEnds() bool {
	return len(c.words) >= fewestEnds && c.Anchors[0].Words.Len > 0 && c.Anchors[len(c.Anchors)-1].Words.Len > 0
}

// scaleInverted leaves a rubric that is reversed as a whole to rubricInverted.
func scaleInverted(p *lint.DocumentPass) {
	if isReversed(p) && !p.Config.IsOff(rubricInvertedID) {
		return
	}
	for _, c := range reversedOf(p) {
		c.Anchors[0].reportBeside(p, c.Anchors[len(c.Anchors)-1], "the highest score", "Write the anchors of %s in the opposite order: 5 is the best score, but the best work is described at 1, so every verdict would be reversed.", schema.Quote(c.Name))
	}
}

// rubricInvertedID is the rule that reports reversed rubrics, and mostNames how many criteria it names.
const (
	rubricInvertedID = "rubric-inverted"
	mostNames        = 3
)

func rubricInverted(p *lint.DocumentPass) {
	if !isReversed(p) {
		return
	}
	reversed := reversedOf(p)
	first, last := reversed[0], reversed[len(reversed)-1]
	var names []string
	for _, c := range reversed[:min(len(reversed), mostNames)] {
		names = append(names, schema.Quote(c.Name))
	}
	if more := len(reversed) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	first.Anchors[0].reportBeside(p, last.Anchors[0], "the last of them",
		"Write the anchors of %s in the opposite order, and check those of the other criteria: 5 is the best score, but these describe the best work at 1, and no criterion describes it at 5, so every verdict would be reversed.", schema.Or(names, "and"))
}
