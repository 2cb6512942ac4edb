package rulesets

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Setup is a setup in progress.
type Setup struct {
	// Rules are the current rules. The caller must not change them.
	Rules []ruleset.Rule
	// PassThreshold is the lowest score that passes, from 0 to 1.
	PassThreshold float64
	// IdealResult is the description of the ideal result, or "".
	IdealResult string
}

// New starts a setup with the rules and the pass threshold of a base template.
func New(rules []ruleset.Rule, passThreshold float64) *Setup {
	return &Setup{Rules: slices.Clone(rules), PassThreshold: passThreshold}
}

// ParseThreshold reads the lowest score that passes, a number from 0 to 1.
func ParseThreshold(text string) (float64, error) {
	threshold, err := strconv.ParseFloat(text, 64)
	if err != nil || !(threshold >= 0 && threshold <= 1) {
		return 0, fmt.Errorf("the pass threshold must be a number from 0 to 1, such as 0.8, got %q", text)
	}
	return threshold, nil
}

// AddMandatory adds a mandatory check. The ID of a rule sets its severity to fail; ID=TEXT or
// TEXT adds a new rule with severity fail.
func (s *Setup) AddMandatory(answer string) error {
	return s.take(answer, "a", ruleset.SeverityFail)
}

// Preference adds a quality preference. The ID of a rule sets its severity to warn;
// ID=TEXT or TEXT adds a new rule with severity warn.
func (s *Setup) Preference(answer string) error {
	return s.take(answer, "a", ruleset.SeverityWarn)
}

// SetIdeal sets the ideal result. Each of its lines or list items becomes a rule of phase B
// with severity warn, because an artifact need not reach the ideal completely.
func (s *Setup) SetIdeal(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	before := s.Rules
	for _, line := range lines(text) {
		if err := s.take(line, "b", ruleset.SeverityWarn); err != nil {
			s.Rules = before
			return err
		}
	}
	s.IdealResult = strings.TrimSpace(text)
	return nil
}

// take adds the rule of an answer, or changes the severity of the rule that it names.
func (s *Setup) take(answer, phase string, severity ruleset.Severity) error {
	answer = strings.TrimSpace(answer)
	if answer == "" {
		return errors.New("the answer is empty: expected a requirement or the ID of a rule")
	}
	if i := s.index(answer); i >= 0 {
		return s.change(i, func(r *ruleset.Rule) error { setSeverity(r, severity); return nil })
	}
	id, text, named := strings.Cut(answer, "=")
	switch {
	case named && idForm.MatchString(id):
		id, text = strings.TrimSpace(id), strings.TrimSpace(text)
	case !named && idForm.MatchString(answer):
		return s.unknownAnswer(answer, fmt.Sprintf("To add a rule with this ID, write %s=TEXT", answer))
	default:
		slug := document.Slug(answer, 5)
		if slug == "" {
			return fmt.Errorf("%s has no word that an ID can be derived from. Write %s.task.NAME=TEXT with a name of lowercase letters from a to z and digits",
				schema.Quote(answer), phase)
		}
		// The category is task, because the rule is specific to the task.
		id, text = phase+".task."+slug, answer
		for n := 2; s.index(id) >= 0; n++ {
			id = fmt.Sprintf("%s.task.%s_%d", phase, slug, n)
		}
	}
	return s.Add(ruleset.Rule{ID: id, Description: text, Severity: severity, Weight: ruleset.StandardWeight(severity)})
}

// Instruction returns the check of a rule that is stated in words.
func Instruction(text string) string {
	return "Find the places in the artifact that show whether this holds, and fail the rule if none shows it: " + text
}

// Add adds a rule. A missing phase is derived from the ID, and a missing check from the
// description.
func (s *Setup) Add(r ruleset.Rule) error {
	if i := s.index(r.ID); i >= 0 {
		return fmt.Errorf("the rule %s already exists (%s). Adjust it with %s.FIELD=VALUE or use another ID",
			r.ID, schema.Quote(s.Rules[i].Description), r.ID)
	}
	if r.Phase == "" {
		r.Phase, _ = ruleset.PhaseOf(r.ID)
	}
	if r.Check == "" {
		r.Check = Instruction(r.Description)
	}
	if err := valid(&r); err != nil {
		return err
	}
	s.Rules = append(slices.Clip(s.Rules), r)
	return nil
}

// Remove removes a rule.
func (s *Setup) Remove(id string) error {
	id = strings.TrimSpace(id)
	i := s.index(id)
	if i < 0 {
		return s.unknownAnswer(id, "")
	}
	if len(s.Rules) == 1 {
		return fmt.Errorf("%s is the last rule: without rules, everything would pass. Add another rule first", id)
	}
	s.Rules = slices.Delete(slices.Clone(s.Rules), i, i+1)
	return nil
}

// Adjust applies an adjustment of the form ID.FIELD=VALUE, with the fields description,
// severity, weight, and check. If the severity changes, a default weight becomes the
// default of the new severity. A new check drops the checks of the old one.
func (s *Setup) Adjust(answer string) error {
	place, value, found := strings.Cut(answer, "=")
	place, value = strings.TrimSpace(place), strings.TrimSpace(value)
	dot := strings.LastIndexByte(place, '.')
	if !found || dot < 0 || value == "" {
		return fmt.Errorf("%s is not an adjustment: expected ID.FIELD=VALUE, such as a.style.naming.severity=fail", schema.Quote(answer))
	}
	id, field := place[:dot], place[dot+1:]
	i := s.index(id)
	if i < 0 {
		return s.unknownAnswer(id, "An adjustment is ID.FIELD=VALUE")
	}
	return s.change(i, func(r *ruleset.Rule) error { return set(r, field, value) })
}

// change changes a copy of a rule and keeps it if it is valid.
func (s *Setup) change(i int, do func(*ruleset.Rule) error) error {
	r := s.Rules[i]
	if err := do(&r); err != nil {
		return err
	}
	if err := valid(&r); err != nil {
		return err
	}
	s.Rules = slices.Clone(s.Rules)
	s.Rules[i] = r
	return nil
}

func (s *Setup) index(id string) int {
	return slices.IndexFunc(s.Rules, func(r ruleset.Rule) bool { return r.ID == id })
}

// IDs are the IDs of rules.
func IDs(rules []ruleset.Rule) []string {
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return ids
}

func (s *Setup) unknownAnswer(id, advice string) error {
	text := fmt.Sprintf("the rule %s does not exist%s", schema.Quote(id),
		suggest.Question(". Did you mean %s?", id, IDs(s.Rules)))
	if advice != "" {
		text += ". " + advice
	}
	return errors.New(strings.ReplaceAll(text, "?.", "?"))
}
