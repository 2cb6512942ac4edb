package bundlecheck

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/regex/portable"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Document reads the entry of a version of a document of bundlefile.KindRubric or
// bundlefile.KindRuleSet. It must be what a build writes: valid by the schema, in
// canonical form, with this ID and version, and usable. The error is a
// bundlefile.Problem.
func Document(kind, id, version string, data []byte) (*document.Document, error) {
	k := &document.Rubric
	if kind == bundlefile.KindRuleSet {
		k = &document.RuleSet
	}
	name := bundlefile.DocumentPath(kind, id, version)
	d, err := document.ParseCanonical(name, data, k)
	if err == nil && (d.ID() != id || d.Version() != version) {
		err = fmt.Errorf("contains %+.100q, version %+.100q", d.ID(), d.Version())
	}
	if err == nil {
		err = Usable(d)
	}
	if err != nil {
		return nil, problemf(name, "%v", err)
	}
	return d, nil
}

// Usable returns an error for a document that has the right structure but that no
// program can apply: a duplicate name, a rule without weight, or a text that is not a
// regular expression. The gate lets none of these through.
func Usable(d *document.Document) error {
	if r := d.Rubric(); r != nil {
		var refused *rubric.InputError
		if _, err := r.Verdict(nil, nil); errors.As(err, &refused) && len(refused.Definition) > 0 {
			return errors.New(refused.Definition[0])
		}
		for _, n := range r.NegativeCriteria {
			for _, pattern := range n.FailPatterns {
				if err := checkPattern(pattern, n.IgnoreCase); err != nil {
					return err
				}
			}
		}
	} else if s := d.RuleSet(); s != nil {
		var refused *ruleset.InputError
		if _, err := s.Score(ruleset.PhaseB, nil); errors.As(err, &refused) && len(refused.Definition) > 0 {
			return errors.New(refused.Definition[0])
		}
		for i := range s.Rules {
			for _, c := range s.Rules[i].Checks {
				if err := checkPattern(c.Pattern, c.IgnoreCase); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func checkPattern(pattern string, ignoreCase bool) error {
	switch {
	case !portable.Valid(pattern):
		return fmt.Errorf("the pattern %+.100q is not a regular expression", pattern)
	case ignoreCase && !rubric.NamesASCII(pattern):
		return fmt.Errorf("the pattern %+.100q contains non-ASCII characters, which ignore_case does not support", pattern)
	}
	return nil
}
