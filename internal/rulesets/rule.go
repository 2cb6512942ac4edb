package rulesets

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// adjustable are the fields that an adjustment can change. The ID, and with it the phase,
// are fixed because verdicts refer to them.
var adjustable = []string{"description", "severity", "weight", "check"}

func set(r *ruleset.Rule, field, value string) error {
	switch field {
	case "description":
		r.Description = value
	case "check":
		r.Check, r.Checks = value, nil // they verify the old instruction
	case "severity":
		setSeverity(r, ruleset.Severity(value))
	case "weight":
		weight, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(weight) || math.IsInf(weight, 0) {
			return fmt.Errorf("the weight of %s must be a number such as 2, got %s", r.ID, schema.Quote(value))
		}
		r.Weight = weight
	default:
		return fmt.Errorf("%s is not an adjustable field: expected %s. To change the ID or the phase, remove the rule and add another one",
			schema.Quote(field), schema.Or(adjustable, "or"))
	}
	return nil
}

// setSeverity changes the severity, and the weight if it is the default.
func setSeverity(r *ruleset.Rule, severity ruleset.Severity) {
	if r.Weight == ruleset.StandardWeight(r.Severity) || severity == ruleset.SeverityInfo || r.Weight == 0 {
		r.Weight = ruleset.StandardWeight(severity)
	}
	r.Severity = severity
}

// valid checks a rule like one that is read from a file.
func valid(r *ruleset.Rule) error {
	rows, problems := normalize.YAML(source.NewFile("rule.json", normalize.EncodeJSON([]ruleset.Rule{*r}, true)))
	if len(problems) == 0 {
		_, problems = normalize.Rules(rows, nil)
	}
	if len(problems) > 0 {
		return fmt.Errorf("the rule %s is not valid: %s", schema.Quote(r.ID), problems[0].Message)
	}
	return nil
}

// idForm matches an ID, possibly misspelled, and not a sentence.
var idForm = regexp.MustCompile(`^\s*[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){2}\s*$`)

var bullet = regexp.MustCompile(`^(?:[-*+•]|[0-9]{1,3}[.)])\s+`)

// lines returns the statements of a text: its list items, with continuation lines, and
// its other lines. It skips lines without letters and lines that end with a colon to
// introduce a list.
func lines(text string) []string {
	var out []string
	inList := false
	for line := range strings.Lines(text) {
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		line = strings.TrimSpace(line)
		mark := bullet.FindString(line)
		switch {
		case line == "":
			inList = false
		case !strings.ContainsFunc(line, unicode.IsLetter):
		case mark != "":
			if n := len(out); n > 0 && !inList && strings.HasSuffix(out[n-1], ":") {
				out = out[:n-1]
			}
			inList = true
			out = append(out, strings.TrimSpace(line[len(mark):]))
		case inList && indented:
			out[len(out)-1] += " " + line
		default:
			inList = false
			out = append(out, line)
		}
	}
	return out
}
