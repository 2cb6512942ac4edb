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
	// fewestReversed is how many criteria make a rubric reversed, if none is upright, and leans the
	// direction from which on one counts.
	fewestReversed, leans = 2, 0.2
)

// reversed are the criteria of an English rubric that describe the best work at the lowest score.
type reversed struct {
	criteria []*criterionOf
	// byWords says that praise and faults say it of one at least.
	byWords bool
}

var reversedOf = lint.Once(func(p *lint.DocumentPass) (r reversed) {
	if !p.InEnglish() {
		return r
	}
	eachCriterion(p, func(c *criterionOf) {
		if !c.hasEnds() {
			return
		}
		if by := wording.Inverted(c.words...); by != wording.NotInverted {
			r.criteria, r.byWords = append(r.criteria, c), r.byWords || by == wording.ByWords
		}
	})
	return r
})

// reversedTogether returns the criteria that describe the best work at the lowest score if the
// rubric is reversed as a whole: words of one say so clearly, another at least leans that way, none
// is upright, and the directions of all together agree. Otherwise, it returns nil.
var reversedTogether = lint.Once(func(p *lint.DocumentPass) (reversed []*criterionOf) {
	if !reversedOf(p).byWords {
		return nil // as nearly always
	}
	sum, n := 0.0, 0
	all := criteriaOf(p)
	for i := range all {
		c := &all[i]
		if !c.hasEnds() {
			continue
		}
		turned := slices.Clone(c.words)
		slices.Reverse(turned)
		if wording.Inverted(turned...) != wording.NotInverted {
			return nil
		}
		direction := wording.Direction(c.words...)
		if direction < -leans {
			reversed = append(reversed, c)
		}
		sum, n = sum+direction, n+1
	}
	if len(reversed) < fewestReversed || sum/float64(n) >= -leans {
		return nil
	}
	return reversed
})

// hasEnds reports whether a criterion has enough anchors, and those of the lowest and the highest
// score.
func (c *criterionOf) hasEnds() bool {
	return len(c.words) >= fewestEnds && c.Anchors[0].Words.Len > 0 && c.Anchors[len(c.Anchors)-1].Words.Len > 0
}

// scaleInverted leaves a rubric that is reversed as a whole to rubricInverted.
func scaleInverted(p *lint.DocumentPass) {
	if reversedTogether(p) != nil && !p.Config.IsOff(rubricInvertedID) {
		return
	}
	for _, c := range reversedOf(p).criteria {
		c.Anchors[0].reportBeside(p, c.Anchors[len(c.Anchors)-1], "the highest score",
			"Write the anchors of %s in the opposite order: 5 is the best score, but the best work is described at 1, so every verdict would be reversed.",
			schema.Quote(c.Name))
	}
}

// rubricInvertedID is the rule that reports reversed rubrics, and mostNames how many criteria it names.
const (
	rubricInvertedID = "rubric-inverted"
	mostNames        = 3
)

func rubricInverted(p *lint.DocumentPass) {
	reversed := reversedTogether(p)
	if reversed == nil {
		return
	}
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
