package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// CheckApplicable returns an error for a document that has the right structure but no definition
// that a program can apply: with a duplicate name, or a rule without weight.
func (d *Document) CheckApplicable() error {
	var definition []string
	if r := d.Rubric(); r != nil {
		var refused *rubric.InputError
		if _, err := r.Verdict(nil, nil); errors.As(err, &refused) {
			definition = refused.Definition
		}
	} else if s := d.RuleSet(); s != nil {
		var refused *ruleset.InputError
		if _, err := s.Score(ruleset.PhaseB, nil); errors.As(err, &refused) {
			definition = refused.Definition
		}
	}
	if len(definition) > 0 {
		return errors.New(definition[0])
	}
	return nil
}

// CheckUsable is CheckApplicable, and in addition each pattern must be a regular expression. The gate
// lets no other document through.
func (d *Document) CheckUsable() error {
	if err := d.CheckApplicable(); err != nil {
		return err
	}
	var p patterned
	d.Decode(&p)
	return p.check()
}

// CheckVisible returns an error for a valid document with a hidden character in a text, which the
// gate does not let through either.
func (d *Document) CheckVisible() error {
	data, err := d.Canonical()
	if err != nil {
		return err
	}
	return CheckVisible(data)
}

// CheckTexts checks the patterns and the characters of a canonical form. If it accepts them, refused
// is the first reason why a client can't apply a pattern, or nil: the gate lets no new document with
// one through, but earlier versions let one.
func CheckTexts(canonical []byte) (refused, err error) {
	var p patterned
	if err := json.Unmarshal(canonical, &p); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p.refusal(), CheckVisible(canonical)
}

// CheckVisible returns an error for a character that people don't see in a text of JSON.
func CheckVisible(data []byte) error {
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text, _ := token.(string)
		if found := sanitize.FindHidden(text); len(found) > 0 {
			return HiddenError(found[0])
		}
	}
}

// HiddenError names a hidden character of a text.
func HiddenError(c sanitize.HiddenCharacter) error {
	return fmt.Errorf("a text has the hidden character U+%04X (%s)", c.Rune, sanitize.CharacterName(c.Rune))
}

// patterned are the parts of a document of either kind that have patterns.
type patterned struct {
	Negative []rubric.NegativeCriterion `json:"negative_criteria"`
	Rules    []ruleset.Rule             `json:"rules"`
}

// firstError returns the first error of a check of each pattern, or nil.
func (p *patterned) firstError(check func(pattern string, flags regex.Flags) error) error {
	for _, n := range p.Negative {
		for _, pattern := range n.FailPatterns {
			if err := check(pattern, regex.Flags{IgnoreCase: n.IgnoreCase}); err != nil {
				return err
			}
		}
	}
	for i := range p.Rules {
		for _, c := range p.Rules[i].Checks {
			if err := check(c.Pattern, regex.Flags{IgnoreCase: c.IgnoreCase, Multiline: c.Multiline}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *patterned) check() error { return p.firstError(checkPattern) }

// refusal returns why the clients refuse a pattern, and what to write.
func (p *patterned) refusal() error {
	return p.firstError(func(pattern string, flags regex.Flags) error {
		d := regex.Refused(pattern, flags)
		if d == nil {
			return nil
		}
		instead := d.Advice
		if d.Portable != "" {
			instead = fmt.Sprintf("Write %+.100q.", d.Portable)
		}
		return fmt.Errorf("the pattern %+.100q has %+.100q, which the clients in Python and JavaScript refuse. %s",
			pattern, pattern[d.Start:d.End], strings.TrimSuffix(instead, "."))
	})
}

func checkPattern(pattern string, flags regex.Flags) error {
	switch {
	case !regex.Valid(pattern):
		return fmt.Errorf("the pattern %+.100q is not a regular expression", pattern)
	case flags.IgnoreCase && !rubric.NamesASCII(pattern):
		return fmt.Errorf("the pattern %+.100q contains non-ASCII characters, which ignore_case does not support", pattern)
	}
	return nil
}
