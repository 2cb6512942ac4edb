package expression

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/types"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Names are the variables of a condition.
var Names = []string{"document", "id", "kind", "this", "version"}

// What a condition is about, apart from the lists of a kind of document by their keys.
const (
	Whole = "document" // each document
	Texts = "text"     // each text of a document that its authors wrote
)

// EachOf are the words for what conditions can be about.
var EachOf = []string{Whole, "criteria", "negative_criteria", "rules", Texts}

// Scope is what a condition is about: the elements of some kinds of documents. It can be used
// concurrently.
type Scope struct {
	kinds []*document.Kind
	each  string
	types types.Map
}

// NewScope returns the scope of the elements that each names, one of EachOf, in documents of some
// kinds. The error says that these don't have such elements.
func NewScope(kinds []*document.Kind, each string) (*Scope, error) {
	s := &Scope{kinds: kinds, each: each}
	s.types = types.Map{"id": types.String, "kind": types.String, "version": types.String, meterName: types.Any}
	fields := sharedFields(kinds)
	s.types["document"] = typeOfFields(fields)
	switch each {
	case Whole:
		s.types["this"] = s.types["document"]
	case Texts:
		s.types["this"] = types.Map{"key": types.String, "text": types.String}
	default:
		list := schema.Find(fields, each)
		if list == nil {
			return nil, fmt.Errorf("%s %s", lacking(kinds), each)
		}
		s.types["this"] = typeOf(list.Value.Elem)
	}
	return s, nil
}

// lacking is the beginning of a sentence about what documents don't have.
func lacking(kinds []*document.Kind) string {
	if len(kinds) == 1 {
		return "a " + kinds[0].Noun + " has no"
	}
	return "not every document has"
}

// Kinds returns the kinds of documents that the scope is about.
func (s *Scope) Kinds() []*document.Kind { return s.kinds }

// Element returns the type of an element as an author writes it, and nil if that is a document.
func (s *Scope) Element() *schema.Value {
	switch s.each {
	case Whole:
		return nil
	case Texts:
		return textElement
	}
	return schema.Find(sharedFields(s.kinds), s.each).Value.Elem
}

// textElement is a text with its key.
var textElement = &schema.Value{Shape: schema.Object, Noun: "text", Fields: []schema.Field{
	{Key: "key", Value: &schema.Value{Shape: schema.Text, Blank: true}},
	{Key: "text", Value: &schema.Value{Shape: schema.Text, Blank: true}},
}}

// sharedFields are the fields that documents of all these kinds have, with the same type.
func sharedFields(kinds []*document.Kind) []schema.Field {
	fields := kinds[0].Table.Fields
	for _, k := range kinds[1:] {
		fields = slices.DeleteFunc(slices.Clone(fields), func(f schema.Field) bool {
			other := schema.Find(k.Table.Fields, f.Key)
			return other == nil || !isSameType(f.Value, other.Value)
		})
	}
	return fields
}

// isSameType reports whether values of two types look alike to a condition.
func isSameType(a, b *schema.Value) bool {
	return typeOf(a).Equal(typeOf(b)) && typeOf(b).Equal(typeOf(a))
}

// typeOf returns the type of what schema.Data returns for a value.
func typeOf(v *schema.Value) types.Type {
	switch v.Shape {
	case schema.Object:
		fields := v.Fields
		for _, variant := range v.Variants {
			fields = append(slices.Clip(fields), variant.Fields...)
		}
		return typeOfFields(fields)
	case schema.List:
		return types.Array(typeOf(v.Elem))
	case schema.Map:
		return types.TypeOf(map[string]string{})
	case schema.Number, schema.Integer:
		return types.Float64
	case schema.Flag:
		return types.Bool
	}
	return types.String
}

func typeOfFields(fields []schema.Field) types.Map {
	all := types.Map{}
	for i := range fields {
		all[fields[i].Key] = typeOf(fields[i].Value)
	}
	return all
}

// Document is a document as conditions see it.
type Document struct {
	kind *document.Kind
	root *yamltree.Node
	data map[string]any
}

// Read returns a document of a kind with a root that conforms to its table, or would if no text
// were blank, or is a part of such a document.
func Read(kind *document.Kind, root *yamltree.Node) *Document {
	return &Document{kind, root, schema.Data(kind.Table, root).(map[string]any)}
}

// Values are the values of the variables, for one goroutine.
type Values map[string]any

// Element is what a condition is about.
type Element struct {
	Values
	// At is the place of the element: the value by which it is known, or the element itself. It
	// is nil for a document without an ID.
	At *yamltree.Node
	// Path returns where the element is in its document; nil for the document itself.
	Path func() *schema.Path
}

// Elements returns the elements of a document that a scope is about; none if that is not about
// documents of its kind.
func (s *Scope) Elements(d *Document) []Element {
	if !slices.Contains(s.kinds, d.kind) {
		return nil
	}
	switch s.each {
	case Whole:
		return []Element{{s.values(d, d.data), d.root.Get(d.kind.IDKey), func() *schema.Path { return nil }}}
	case Texts:
		return s.texts(d)
	}
	list := schema.Find(d.kind.Table.Fields, s.each)
	items, data := d.root.Get(s.each).List(), d.data[s.each].([]any)
	var all []Element
	for i, item := range items {
		all = append(all, Element{s.values(d, data[i]), placeOf(list.Value, item), func() *schema.Path {
			name := schema.Identity(list.Value, item)
			return (*schema.Path)(nil).Key(s.each, "").Elem(i, name, list.Value.Elem.Noun)
		}})
	}
	return all
}

// placeOf returns the node that shows where an element of a list is.
func placeOf(list *schema.Value, item *yamltree.Node) *yamltree.Node {
	if name := item.Get(list.Identity); name != nil {
		return name
	}
	return item
}

// texts returns the texts of a document that its authors wrote.
func (s *Scope) texts(d *Document) []Element {
	var all []Element
	eachText("", d.root, func(key string, n *yamltree.Node) {
		this := map[string]any{"key": key, "text": n.Value}
		all = append(all, Element{s.values(d, this), n, func() *schema.Path { return schema.PathAt(d.root, n.Span.Start) }})
	})
	return all
}

// values returns the values of the variables for an element.
func (s *Scope) values(d *Document, this any) Values {
	return Values{
		"document": d.data, "this": this,
		"id": d.data[d.kind.IDKey], "kind": wordOf(d.kind), "version": d.data["version"],
	}
}

// wordOf returns the word for a kind in a configuration and in conditions.
func wordOf(k *document.Kind) string {
	if k == &document.Rubric {
		return "rubric"
	}
	return "ruleset"
}

// SingleValues returns the variables for an element alone, without a document around it. The element
// conforms to the type that Element returns, but need not be complete.
func (s *Scope) SingleValues(n *yamltree.Node) Values {
	nothing := &yamltree.Node{Kind: yamltree.Mapping}
	return s.values(Read(s.kinds[0], nothing), schema.Data(s.Element(), n))
}

// quoted are the keys below which a document has texts of others: artifacts, what patterns look
// for, and notes.
var quoted = []string{
	"examples", "fail_patterns", "fail_examples", "pass_examples", "checks", "metadata", "calibration_dataset",
}

// eachText calls do with the texts at a key that the authors of a document wrote, with their keys.
func eachText(key string, n *yamltree.Node, do func(key string, n *yamltree.Node)) {
	for _, e := range n.Entries {
		if !slices.Contains(quoted, e.Key.Value) {
			eachText(e.Key.Value, e.Value, do)
		}
	}
	for _, item := range n.Items {
		eachText(key, item, do)
	}
	if n.Type == yamltree.String {
		do(key, n)
	}
}
