package rulesets

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// SchemaVersion is the version of the run file's format.
const SchemaVersion = 1

// Run is a run file.
type Run struct {
	SchemaVersion int      `json:"schema_version"`
	Task          Task     `json:"task"`
	Criteria      Criteria `json:"criteria"`
	// Prepared is nil until the checks are prepared.
	Prepared *Prepared `json:"prepared,omitempty"`
}

// Task is the task of a run.
type Task struct {
	// Type is the artifact type of the base template, or "".
	Type string `json:"type,omitempty"`
	// IdealResult is the requester's description of the ideal result, or "".
	IdealResult string `json:"ideal_result,omitempty"`
}

// Criteria is a snapshot of the rules, so that the meaning of the run does not change
// with the library.
type Criteria struct {
	// RuleSet or Template is the source of the rules. Both are nil if the rules were
	// written by hand.
	RuleSet  *RuleSetReference  `json:"rule_set,omitempty"`
	Template *TemplateReference `json:"template,omitempty"`
	// PassThreshold is the lowest score that passes, from 0 to 1.
	PassThreshold float64        `json:"pass_threshold"`
	Rules         []ruleset.Rule `json:"rules"`
}

// RuleSetReference permanently identifies the content of a rule set.
type RuleSetReference struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Digest  string `json:"digest"`
}

// TemplateReference identifies a file of shorthand rows.
type TemplateReference struct {
	File    string `json:"file"`
	Section string `json:"section,omitempty"`
	// Digest is the digest of the file's bytes: "sha256:" and 64 hexadecimal digits.
	Digest string `json:"digest"`
}

// Prepared has the checks that evaluate runs.
type Prepared struct {
	// Phase is the phase whose rules were prepared.
	Phase ruleset.Phase `json:"phase"`
	// Rules are the active rules with checks, and the other rules with supplied checks,
	// in the order of the criteria.
	Rules []RuleChecks `json:"rules"`
	// Outside are the IDs of the active rules without checks.
	Outside []string `json:"outside"`
}

// RuleChecks are the checks of a rule, at least one.
type RuleChecks struct {
	Rule   string          `json:"rule"`
	Checks []ruleset.Check `json:"checks"`
	// Supplied reports that they replace the rule's own checks, also when the run is
	// prepared again.
	Supplied bool `json:"supplied,omitempty"`
}

// RuleSet returns the rule set that scores the run: its rules and threshold, with the ID
// and version of the original rule set, or the name of the template.
func (r *Run) RuleSet() *ruleset.RuleSet {
	s := &ruleset.RuleSet{
		ArtifactType: r.Task.Type, Rules: r.Criteria.Rules,
		Scoring: ruleset.Scoring{PassThreshold: r.Criteria.PassThreshold},
	}
	switch c := r.Criteria; {
	case c.RuleSet != nil:
		s.ID, s.Version = c.RuleSet.ID, c.RuleSet.Version
	case c.Template != nil:
		s.ID = c.Template.File
	}
	return s
}

// Digest identifies the criteria and prepared checks of a run: "sha256:" and the
// hexadecimal SHA-256 of both as JSON. Two results are comparable if their digests are
// the same, whatever else the run files contain.
func (r *Run) Digest() (string, error) {
	data, err := encode(struct {
		Criteria Criteria  `json:"criteria"`
		Prepared *Prepared `json:"prepared"`
	}{r.Criteria, r.Prepared}, "", "")
	return fmt.Sprintf("sha256:%x", sha256.Sum256(data)), err
}

// encode returns JSON without a final line end. It escapes only invisible characters.
func encode(v any, prefix, indent string) ([]byte, error) {
	data, err := jsontext.Encode(v, prefix, indent)
	return sanitize.JSON(data), err
}

// ReadRun reads a run file.
func ReadRun(f *source.File) (*Run, []source.Problem) {
	r := &Run{}
	d, problems := read(f, &document.Run, r)
	if len(problems) > 0 {
		return nil, problems
	}
	c := checker{tree: d.Tree}
	rules := d.Root().Get("criteria").Get("rules")
	known := c.ids(rules, "id")
	for i, rule := range r.Criteria.Rules {
		for _, p := range normalize.Contradictions(rules.Items[i], rule) {
			p.Message = fmt.Sprintf("The rule %s: %s", schema.Quote(rule.ID), p.Message)
			c.problems = append(c.problems, p)
		}
	}
	if prepared := d.Root().Get("prepared"); prepared != nil {
		c.checkKnown(known, prepared.Get("rules"), "rule")
		c.checkKnown(known, prepared.Get("outside"), "")
	}
	return r, c.problems
}

// read checks a file against its table and decodes it.
func read(f *source.File, k *document.Kind, into any) (*document.Document, []source.Problem) {
	d := document.ParseRun(f, k)
	if !d.Valid() {
		return nil, d.Problems
	}
	d.Decode(into)
	return d, nil
}

// SetPrepared returns the content of a run file with new prepared checks and all other
// bytes unchanged.
func SetPrepared(f *source.File, p *Prepared) ([]byte, error) {
	tree, problems := yamltree.ParseJSON("file", f, safefile.MaxRun)
	if tree == nil {
		return nil, errors.New(problems[0].Message)
	}
	root := tree.Root
	if root.Kind != yamltree.Mapping || len(root.Entries) == 0 {
		return nil, errors.New("a run file must be a JSON object with criteria")
	}
	value, err := encode(p, "  ", "  ")
	if err != nil {
		return nil, err
	}
	edit := source.Edit{Text: string(value)}
	if old := root.Get("prepared"); old != nil {
		edit.Span = old.Span
	} else {
		end := root.Entries[len(root.Entries)-1].Value.Span.End
		edit = source.Edit{Span: source.Span{Start: end, End: end}, Text: ",\n  \"prepared\": " + edit.Text}
	}
	if bytes.Contains(f.Data, []byte("\r\n")) {
		edit.Text = strings.ReplaceAll(edit.Text, "\n", "\r\n")
	}
	return source.Apply(f.Data, []source.Edit{edit})
}

// Prepare selects the checks of the rules that are active in a phase: the supplied checks
// by rule ID, those that were supplied before, or else the rule's own. A rule with none
// needs an external verdict. Supplied checks of inactive rules are kept.
func Prepare(s *ruleset.RuleSet, phase ruleset.Phase, supplied map[string][]ruleset.Check, before *Prepared) *Prepared {
	p := &Prepared{Phase: phase, Rules: []RuleChecks{}, Outside: []string{}}
	active := s.Active(phase)
	for _, rule := range s.Rules {
		checks, given := supplied[rule.ID]
		if !given {
			checks, given = before.suppliedChecks(&rule)
		}
		isActive := slices.ContainsFunc(active, func(r *ruleset.Rule) bool { return r.ID == rule.ID })
		switch {
		case given:
			p.Rules = append(p.Rules, RuleChecks{rule.ID, checks, true})
		case isActive && len(rule.Checks) > 0:
			p.Rules = append(p.Rules, RuleChecks{Rule: rule.ID, Checks: rule.Checks})
		case isActive:
			p.Outside = append(p.Outside, rule.ID)
		}
	}
	return p
}

// suppliedChecks returns the checks that were supplied for a rule. Run files of earlier versions
// do not mark them, but a rule without own checks can have no others.
func (p *Prepared) suppliedChecks(r *ruleset.Rule) ([]ruleset.Check, bool) {
	if p == nil {
		return nil, false
	}
	i := slices.IndexFunc(p.Rules, func(c RuleChecks) bool { return c.Rule == r.ID })
	if i < 0 || !p.Rules[i].Supplied && len(r.Checks) > 0 {
		return nil, false
	}
	return p.Rules[i].Checks, true
}

// StaleRules returns the IDs of the rules of a prepared run that are active in a phase but not
// prepared, because another phase was prepared or the rules changed since.
func (r *Run) StaleRules(phase ruleset.Phase) []string {
	checks := r.Prepared.Checks()
	var stale []string
	for _, rule := range r.RuleSet().Active(phase) {
		if checks[rule.ID] == nil && !slices.Contains(r.Prepared.Outside, rule.ID) {
			stale = append(stale, rule.ID)
		}
	}
	return stale
}

// Checks returns the prepared checks by rule ID.
func (p *Prepared) Checks() map[string][]ruleset.Check {
	checks := make(map[string][]ruleset.Check, len(p.Rules))
	for _, rule := range p.Rules {
		checks[rule.Rule] = rule.Checks
	}
	return checks
}
