package document

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
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
	r := &rubric.Rubric{}
	schema.Decode(d.Kind.Table, d.Tree.Root, r)
	return r
}

// RuleSet is the typed model of a valid rule set: what encoding/json makes of
// its canonical form, with derived weights and phases. It is nil for anything
// else.
func (d *Document) RuleSet() *ruleset.RuleSet {
	if !d.valid || d.Kind != &RuleSet {
		return nil
	}
	s := &ruleset.RuleSet{}
	schema.Decode(d.Kind.Table, d.Tree.Root, s)
	return s
}

// Decode fills the struct that into points to with what encoding/json makes of the
// canonical form of a valid document, of any kind.
func (d *Document) Decode(into any) { schema.Decode(d.Kind.Table, d.Tree.Root, into) }

// RuleOf is the typed model of one rule, with its derived weight and phase. The
// node must have passed schema.Check with RuleTable.
func RuleOf(n *yamltree.Node) ruleset.Rule {
	var r ruleset.Rule
	schema.Decode(RuleTable(), n, &r)
	return r
}
