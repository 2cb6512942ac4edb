package document

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Rubric returns the typed model of a valid rubric, decoded from its canonical form,
// or nil for anything else.
func (d *Document) Rubric() *rubric.Rubric {
	if !d.valid || d.Kind != &Rubric {
		return nil
	}
	r := &rubric.Rubric{}
	schema.Decode(d.Kind.Table, d.Tree.Root, r)
	return r
}

// RuleSet returns the typed model of a valid rule set, decoded from its canonical
// form, with derived weights and phases, or nil for anything else.
func (d *Document) RuleSet() *ruleset.RuleSet {
	if !d.valid || d.Kind != &RuleSet {
		return nil
	}
	s := &ruleset.RuleSet{}
	schema.Decode(d.Kind.Table, d.Tree.Root, s)
	return s
}

// Decode fills the struct that into points to with the canonical form of a valid
// document of any kind, as encoding/json would.
func (d *Document) Decode(into any) { schema.Decode(d.Kind.Table, d.Tree.Root, into) }

// RuleOf returns the typed model of one rule, with its derived weight and phase. The
// node must have passed schema.Check with RuleTable.
func RuleOf(n *yamltree.Node) ruleset.Rule {
	var r ruleset.Rule
	schema.Decode(RuleTable(), n, &r)
	return r
}
