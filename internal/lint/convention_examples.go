package lint

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
)

// exampleOf returns an ID in which an expression is found, or is not. If no simple one
// does, it returns another text, which is an example for a condition as well. If none does, the
// author has to replace the text.
func exampleOf(e *regexp.Regexp, found bool) string {
	const mostBytes = 1000
	tree, err := syntax.Parse(e.String(), syntax.Perl)
	if err != nil {
		return "x"
	}
	var ids, others []string
	for variant := range 10 {
		match := matchOf(tree, variant)
		if len(match) > mostBytes {
			continue
		}
		others = append(others, match)
		for _, form := range []string{"M", "Mx", "M_x", "M_v1", "Mx_v1", "xM", "x_M", "x_M_x"} {
			ids = append(ids, strings.ReplaceAll(form, "M", strings.ToLower(match)))
		}
	}
	ids = append(ids, "x", "z9", "other_v1", "a", strings.Repeat("long_", 20)+"v1")
	ids = slices.DeleteFunc(ids, func(id string) bool { return !document.IsID(id) })
	for _, text := range slices.Concat(ids, others, []string{"", "-", "Not an ID"}) {
		if e.MatchString(text) == found {
			return text
		}
	}
	return "replace_this_example"
}

// matchOf returns a short text that an expression matches, if it needs no look around. Variants of
// it, from 0, differ in the alternatives and in how often something optional is repeated.
func matchOf(re *syntax.Regexp, variant int) string {
	repeat := func(times int) string { return strings.Repeat(matchOf(re.Sub[0], variant), times) }
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789_" {
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= r && r <= re.Rune[i+1] {
					return string(r)
				}
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpCapture, syntax.OpPlus:
		return repeat(1)
	case syntax.OpStar, syntax.OpQuest:
		return repeat(min(variant, 1))
	case syntax.OpAlternate:
		return matchOf(re.Sub[variant%len(re.Sub)], variant)
	case syntax.OpRepeat:
		return repeat(re.Min)
	case syntax.OpConcat:
		text := ""
		for _, sub := range re.Sub {
			text += matchOf(sub, variant)
		}
		return text
	}
	return ""
}
