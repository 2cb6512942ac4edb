package compat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

// What a change of a text means that a judge reads. The classes compare verdicts from the same
// scores, so without this, "minor" would read as if the same work always got the same verdict.
const (
	otherWords = "a judge reads other words, so the same work can get other scores"
	otherOrder = "a judge reads another order, so the same work can get other scores"
)

// The ends of the effects of changes with which more, or less, work passes.
const (
	canPass    = "work that failed can now pass"
	canFailNow = "work that passed can now fail"
)

// mostNumbers is how many changed numbers a message has.
const mostNumbers = 3

// sayNumbers says which numbers became others, such as "20 became 3". It is "" if there are none.
func sayNumbers(all []textdiff.Became) string {
	var parts []string
	for _, b := range all {
		parts = append(parts, b.From+" became "+b.To)
	}
	switch more := len(parts) - mostNumbers; {
	case more == 1:
		parts = append(parts[:mostNumbers], "1 more number changed")
	case more > 1:
		parts = append(parts[:mostNumbers], fmt.Sprintf("%d more numbers changed", more))
	}
	return schema.Or(parts, "and")
}

// Effect says what changes mean to those whose work is graded, or who use the document, in
// sentences: only what these changes can do. It is "" if they mean nothing, or if that is unknown.
func Effect(changes []MeaningChange) string {
	var sentences []string
	switch Class(changes) {
	case schema.Major:
		sentences = majorEffects(changes)
	case schema.Minor:
		effect := "From the same scores, nothing that passed can fail"
		if has(changes, canPass) {
			effect += ", but work that failed can pass"
		}
		sentences = append(sentences, effect)
	case schema.Patch:
		sentences = append(sentences, "Verdicts stay the same, and a judge reads the same words")
	}
	for _, read := range []string{otherWords, otherOrder} {
		if has(changes, read) {
			sentences = append(sentences, read)
			break
		}
	}
	for i, text := range sentences {
		sentences[i] = strings.ToUpper(text[:1]) + text[1:] + "."
	}
	return strings.Join(sentences, " ")
}

// has reports whether a change has an effect that ends with a text.
func has(changes []MeaningChange, effect string) bool {
	return slices.ContainsFunc(changes, func(c MeaningChange) bool { return strings.HasSuffix(c.Effect, effect) })
}

// wholeEffects has the effects whose words need the change that they follow, in words that stand alone.
var wholeEffects = map[string][]string{
	moreHits:     {canFailNow},
	otherHits:    {canFailNow},
	otherCheck:   {canFailNow},
	otherType:    {"a search for the old artifact type no longer finds the document"},
	scoreNeeded:  {canFailNow, "a new criterion needs a score"},
	scoreLost:    {"the score of a removed criterion is no longer accepted and no longer counts"},
	answerNeeded: {canFailNow, "a new rule needs a verdict"},
	answerLost:   {"the verdict on a removed rule is no longer accepted and no longer counts"},
}

// majorEffects are the different effects of major changes: what work can fail or pass, and then
// what consumers must know.
func majorEffects(changes []MeaningChange) []string {
	var fails, others []string
	for _, c := range changes {
		if c.Class != schema.Major || c.Effect == "" {
			continue
		}
		effects := wholeEffects[c.Effect]
		if effects == nil {
			effects = []string{c.Effect}
		}
		for _, effect := range effects {
			if strings.HasSuffix(effect, canFailNow) {
				fails = []string{canFailNow}
			} else if !slices.Contains(others, effect) {
				others = append(others, effect)
			}
		}
	}
	switch {
	case !has(changes, canPass):
	case fails == nil:
		fails = []string{canPass}
	default:
		fails = []string{canFailNow + ", and " + canPass}
	}
	return append(fails, others...)
}
