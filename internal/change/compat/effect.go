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

// canPass ends the effect of a change with which more work passes.
const canPass = "work that failed can now pass"

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

// Effect says what changes mean to those whose work is graded, in sentences. It is "" if they mean
// nothing, or if that is unknown.
func Effect(changes []Change) string {
	has := func(effect string) bool {
		return slices.ContainsFunc(changes, func(c Change) bool { return strings.HasSuffix(c.Effect, effect) })
	}
	effect := ""
	switch Class(changes) {
	case schema.Major:
		effect = "Work that passed can now fail."
	case schema.Minor:
		effect = "From the same scores, nothing that passed can fail."
		if has(canPass) {
			effect = "From the same scores, nothing that passed can fail, but work that failed can pass."
		}
	case schema.Patch:
		effect = "Verdicts stay the same, and a judge reads the same words."
	}
	for _, read := range []string{otherWords, otherOrder} {
		if has(read) {
			return effect + " " + strings.ToUpper(read[:1]) + read[1:] + "."
		}
	}
	return effect
}
