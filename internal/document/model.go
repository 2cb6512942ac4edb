package document

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Rubric is the typed model of a valid rubric: what encoding/json makes of its
// canonical form. It is nil for anything else.
func (d *Document) Rubric() *rubric.Rubric {
	if !d.valid || d.Kind != &Rubric {
		return nil
	}
	root := value{d.Tree.Root}
	r := &rubric.Rubric{
		ID: root.text("rubric_id"), Name: root.text("name"), Version: root.text("version"),
		ArtifactType: root.text("artifact_type"), Description: root.text("description"),
		Scoring: rubric.Scoring{
			PassThreshold:    root.at("scoring").number("pass_threshold"),
			EssentialMinimum: root.at("scoring").number("essential_minimum"),
		},
		CalibrationDataset: root.text("calibration_dataset"),
		Language:           root.unless("language", "en"),
		Metadata:           root.at("metadata").texts(),
	}
	for _, c := range root.at("criteria").elements() {
		r.Criteria = append(r.Criteria, c.criterion())
	}
	for _, n := range root.at("negative_criteria").elements() {
		r.NegativeCriteria = append(r.NegativeCriteria, rubric.NegativeCriterion{
			Name: n.text("name"), Description: n.text("description"),
			FailPatterns: n.at("fail_patterns").list(), IgnoreCase: n.flag("ignore_case"),
			Effect:       rubric.Effect(n.unless("effect", string(rubric.EffectFail))),
			FailExamples: n.at("fail_examples").list(), PassExamples: n.at("pass_examples").list(),
		})
	}
	if deprecated := root.at("deprecated"); deprecated.Node != nil {
		r.Deprecated = &rubric.Deprecation{Reason: deprecated.text("reason"), ReplacedBy: deprecated.text("replaced_by")}
	}
	return r
}

func (v value) criterion() rubric.Criterion {
	c := rubric.Criterion{
		Name: v.text("name"), Description: v.text("description"),
		Weight: rubric.Weight(v.text("weight")), Threshold: v.number("threshold"),
		Examples: rubric.Examples{
			Score1: v.at("examples").text("score_1"),
			Score3: v.at("examples").text("score_3"),
			Score5: v.at("examples").text("score_5"),
		},
	}
	for i := range c.Anchors {
		c.Anchors[i] = v.at("anchors").text(fmt.Sprint(i + 1))
	}
	return c
}

// RuleSet is the typed model of a valid rule set: what encoding/json makes of
// its canonical form, with derived weights and phases. It is nil for anything
// else.
func (d *Document) RuleSet() *ruleset.RuleSet {
	if !d.valid || d.Kind != &RuleSet {
		return nil
	}
	root := value{d.Tree.Root}
	s := &ruleset.RuleSet{
		ID: root.text("ruleset_id"), Name: root.text("name"), Version: root.text("version"),
		ArtifactType: root.text("artifact_type"), Description: root.text("description"),
		Scoring:  ruleset.Scoring{PassThreshold: root.at("scoring").number("pass_threshold")},
		Language: root.unless("language", "en"),
		Metadata: root.at("metadata").texts(),
	}
	for _, r := range root.at("rules").elements() {
		s.Rules = append(s.Rules, r.rule())
	}
	if deprecated := root.at("deprecated"); deprecated.Node != nil {
		s.Deprecated = &ruleset.Deprecation{Reason: deprecated.text("reason"), ReplacedBy: deprecated.text("replaced_by")}
	}
	return s
}

// RuleOf is the typed model of one rule, with its derived weight and phase. The
// node must have passed schema.Check with RuleTable.
func RuleOf(n *yamltree.Node) ruleset.Rule { return value{n}.rule() }

func (v value) rule() ruleset.Rule {
	r := ruleset.Rule{
		ID: v.text("id"), Description: v.text("description"), Severity: ruleset.Severity(v.text("severity")),
		Weight: v.number("weight"), Phase: ruleset.Phase(v.text("phase")), Check: v.text("check"),
	}
	if v.Get("weight") == nil {
		r.Weight = ruleset.StandardWeight(r.Severity)
	}
	if r.Phase == "" {
		r.Phase, _ = ruleset.PhaseOf(r.ID)
	}
	for _, c := range v.at("checks").elements() {
		r.Checks = append(r.Checks, ruleset.Check{
			Type: ruleset.CheckType(c.text("type")), Pattern: c.text("pattern"), Literal: c.text("literal"),
			IgnoreCase: c.flag("ignore_case"), Multiline: c.flag("multiline"),
			Expect:   ruleset.Expectation(c.unless("expect", string(ruleset.ExpectPresent))),
			MinCount: c.count("min_count"), MaxCount: c.count("max_count"),
			Command: c.at("command").list(),
		})
	}
	return r
}

// value reads a tree that was checked, so nothing can go wrong: what is absent
// gives the zero value. Of equal keys there are none.
type value struct {
	*yamltree.Node
}

func (v value) at(key string) value { return value{v.Get(key)} }

func (v value) text(key string) string {
	if n := v.Get(key); n != nil {
		return n.Value
	}
	return ""
}

// unless is a text that is left out where it equals its default.
func (v value) unless(key, standard string) string {
	if text := v.text(key); text != standard {
		return text
	}
	return ""
}

func (v value) number(key string) float64 {
	f, err := strconv.ParseFloat(v.text(key), 64)
	if err != nil {
		return 0
	}
	return f
}

func (v value) count(key string) *int {
	if v.Get(key) == nil {
		return nil
	}
	n := int(v.number(key))
	return &n
}

func (v value) flag(key string) bool { return strings.EqualFold(v.text(key), "true") }

func (v value) elements() []value {
	if v.Node == nil {
		return nil
	}
	out := make([]value, len(v.Items))
	for i, item := range v.Items {
		out[i] = value{item}
	}
	return out
}

func (v value) list() []string {
	var out []string
	for _, e := range v.elements() {
		out = append(out, e.Value)
	}
	return out
}

func (v value) texts() map[string]string {
	if v.Node == nil || len(v.Entries) == 0 {
		return nil
	}
	out := make(map[string]string, len(v.Entries))
	for _, e := range v.Entries {
		out[e.Key.Value] = e.Value.Value
	}
	return out
}
