package compat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

// walk traverses both trees along the table and collects the differences.
type walk struct {
	found []finding
}

// finding is a change with the additional data for its message.
type finding struct {
	MeaningChange
	field   *schema.Field // the field whose class it has
	key     string        // the place of the field in the table: "criteria[].threshold"
	index   pair          // of the nearest named element, itself or around it
	subject string        // what changed: "the description", `criterion "clarity"`
	owner   string        // what the subject belongs to: `"clarity"`, or "" if the subject says it
	target  string        // where a text moved to
	effect  string        // the effect, if key and class don't determine it
	numbers string        // which numbers became others in a text
}

// place is a value on both sides.
type place struct {
	base, head side
	// index is the index of the nearest named element, itself or around it.
	index pair
	// owner is the name of that element for people: `"clarity"`, "the rubric".
	owner string
}

// side is a value in one of the two documents.
type side struct {
	node *yamltree.Node // nil if it is not in the file
	path *schema.Path
	near source.Span // the first key of the nearest group in the file
}

func (s side) key(key, noun string) side {
	near := s.near
	if s.node != nil && len(s.node.Entries) > 0 {
		near = s.node.Entries[0].Key.Span
	}
	return side{s.node.Get(key), s.path.Key(key, noun), near}
}

// elem is an element of the side, or the side itself if the element is alone on the other.
func (s side) elem(i int, list *schema.Value) side {
	if i == alone {
		return s
	}
	item := s.node.List()[i]
	return side{item, s.path.Elem(i, schema.Identity(list, item), list.Elem.Noun), s.near}
}

func (s side) value(text string) *Value {
	if s.node == nil {
		return &Value{Text: text, Span: s.near}
	}
	return &Value{Text: text, Span: s.node.Span}
}

func (p place) key(key, noun string) place {
	return place{p.base.key(key, noun), p.head.key(key, noun), p.index, p.owner}
}

// object compares the fields of an object, except those whose keys are in done.
func (w *walk) object(v *schema.Value, at place, done ...string) {
	fields := v.FieldsOf(cmp.Or(at.head.node, at.base.node))
	if v.Variant != "" && at.base.node.Get(v.Variant).Value != at.head.node.Get(v.Variant).Value {
		// the other fields of two variants have nothing in common
		fields = []schema.Field{*schema.Find(v.Fields, v.Variant)}
	}
	for i := range fields {
		if !slices.Contains(done, fields[i].Key) {
			w.field(&fields[i], at)
		}
	}
}

func (w *walk) field(f *schema.Field, around place) {
	base, head := f.EffectiveValue(around.base.node), f.EffectiveValue(around.head.node)
	at := around.key(f.Key, f.Value.Noun)
	switch shape := f.Value.Shape; {
	case base == head:
	case at.base.node == nil && at.head.node == nil: // it is derived
		// covered by the change of the value that it is derived from
	case shape == schema.List:
		w.list(f, at)
	case shape == schema.Map:
		w.entries(f, at)
	case shape == schema.Object && (base != "" && head != "" || f.Value.EmptyIsAbsent()):
		w.object(f.Value, at, w.texts(f, at)...)
	default:
		w.compareWhole(f, at, base, head)
	}
}

// compareWhole compares a value as a whole. base and head are canonical JSON, or the texts in a map;
// "" if there is none.
func (w *walk) compareWhole(f *schema.Field, at place, base, head string) *finding {
	way := schema.Changed
	switch {
	case base == "":
		way = schema.Added
	case head == "":
		way = schema.Removed
	case f.IsOrdered() && strictness(f.Value, head) > strictness(f.Value, base):
		way = schema.Raised
	case f.IsOrdered():
		way = schema.Lowered
	}
	return w.add(way, f, at, shown(f.Value, at.base, base), shown(f.Value, at.head, head))
}

// strictness ranks a number or a word of an ordered Choice.
func strictness(v *schema.Value, json string) float64 {
	if v.Shape == schema.Choice {
		return -float64(slices.IndexFunc(v.Options, func(o schema.Option) bool { return o.Word == strings.Trim(json, `"`) }))
	}
	return float(json)
}

func float(json string) float64 {
	f, _ := strconv.ParseFloat(json, 64) // it was checked
	return f
}

// shown returns a value for people; nil for "".
func shown(v *schema.Value, s side, value string) *Value {
	switch {
	case value == "":
		return nil
	case v.Shape == schema.Map:
		return s.value(value)
	case v.Shape == schema.Text && s.node != nil:
		return s.value(s.node.Value)
	case v.Shape == schema.Number:
		return s.value(schema.Decimal(float(value)))
	}
	return s.value(strings.Trim(value, `"`))
}

func (w *walk) entries(f *schema.Field, at place) {
	var keys []string
	for _, s := range []side{at.head, at.base} {
		if s.node == nil {
			continue
		}
		for _, e := range s.node.Entries {
			if !slices.Contains(keys, e.Key.Value) {
				keys = append(keys, e.Key.Value)
			}
		}
	}
	for _, key := range keys {
		entry := at.key(key, "")
		if base, head := entry.base.node.Text(), entry.head.node.Text(); base != head {
			w.compareWhole(f, entry, base, head).subject = "the " + f.Key + " " + schema.Quote(key)
		}
	}
}

func (w *walk) add(way schema.Way, f *schema.Field, at place, base, head *Value) *finding {
	path := at.head.path
	if way == schema.Removed {
		path = at.base.path
	}
	key := pattern(path)
	w.found = append(w.found, finding{
		MeaningChange: MeaningChange{
			Kind: ChangeKind(way), Path: path.String(), Class: f.Class.ClassOf(way), Base: base, Head: head,
		},
		field: f, key: key, index: at.index, subject: subject(f, key), owner: at.owner,
	})
	added := &w.found[len(w.found)-1]
	if way == schema.Changed && prose(f.Value) {
		added.Kind, added.numbers = Reworded, sayNumbers(textdiff.Numbers(base.Text, head.Text))
	}
	return added
}

// prose reports whether a value is a text for people or a judge: one that must not be
// blank and has no grammar, unlike the texts for programs.
func prose(v *schema.Value) bool {
	return v.Shape == schema.Text && v.Pattern == nil && !v.Blank
}

// rank orders the changes of a class: those come first in which numbers of a text became others,
// because a list that is cut must not leave out the strongest changes.
func (f *finding) rank() int {
	if f.numbers != "" {
		return 0
	}
	return 1
}

func (w *walk) changes() []MeaningChange {
	for i := range w.found {
		if f := &w.found[i]; f.Class == 0 {
			f.Kind, f.Class = Unclassified, schema.Patch
		}
	}
	slices.SortStableFunc(w.found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.Class, a.Class), cmp.Compare(a.rank(), b.rank()))
	})
	out := make([]MeaningChange, len(w.found))
	for i := range w.found {
		f := &w.found[i]
		f.Effect = f.effectOf()
		f.Message = f.message()
		out[i] = f.MeaningChange
	}
	return out
}

// document compares the roots. The ID identifies the document: with another ID, it is
// another document to consumers.
func (w *walk) document(table *schema.Value, base, head *document.Document) {
	at := place{
		base:  side{node: base.NormalRoot()},
		head:  side{node: head.NormalRoot()},
		owner: "the " + head.Kind.Noun,
	}
	if base.ID() != head.ID() {
		id := at.key(head.Kind.IDKey, "")
		field := schema.Field{Key: head.Kind.IDKey, Class: schema.Classes{Renamed: schema.Major}}
		w.add(schema.Renamed, &field, id, id.base.value(base.ID()), id.head.value(head.ID())).subject = at.owner
	}
	w.object(table, at, head.Kind.IDKey, versionKey)
}

// otherKind returns the only change between a rubric and a rule set, which have nothing
// comparable.
func otherKind(base, head *document.Document) MeaningChange {
	was, is := base.Root().Get(base.Kind.IDKey), head.Root().Get(head.Kind.IDKey)
	return MeaningChange{
		Kind: Changed, Path: head.Kind.IDKey, Class: schema.Major,
		Base: &Value{Text: base.Kind.Noun, Span: was.Span},
		Head: &Value{Text: head.Kind.Noun, Span: is.Span},
		Message: "Turns the " + base.Kind.Noun + " into a " + head.Kind.Noun + ": " +
			"consumers of the " + base.Kind.Noun + " can no longer use it.",
	}
}
