package intake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Rest lists the keys of an object that are not read, each with what to write or why it has no
// place.
func (o *Object) Rest() {
	for i, e := range o.Entries {
		if o.used[i] || isEmpty(e.Value) || o.Reader.isRead(e.Value) {
			continue
		}
		o.used[i] = true
		o.Reader.AddDropped(o.Reader.atKey(o, i), fmt.Sprintf("%s is dropped: %s.", schema.Quote(e.Key.Value),
			o.Reader.reasonOf(e)))
	}
}

// isRead reports whether all of a value is read, such as where an alias repeats it.
func (r *Reader) isRead(n *yamltree.Node) bool {
	unread := func(n *yamltree.Node) bool { return !r.isRead(n) }
	return r.read[n] || len(n.Entries)+len(n.Items) > 0 && !slices.ContainsFunc(n.Items, unread) &&
		!slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool { return unread(e.Value) })
}

// reasons are why keys are not imported, the first that fits: true reasons, and what to write if
// there is something. of has more conditions than the key, if there are some.
var reasons = []struct {
	keys []Keys
	of   func(e yamltree.KeyValue) bool
	why  string
}{
	{[]Keys{versions}, nil, "a draft begins with the version 0.1.0"},
	{[]Keys{totals}, nil, "it follows from the weights of the criteria"},
	{nil, asksForManyFaults, "write what must not be there as negative_criteria with fail_patterns, or as a rule set"},
	{[]Keys{weightMaps, thresholdMaps}, hasKeys, "none of its keys is the name of a criterion without a value of its own"},
	{
		[]Keys{Weights, Points, weightMaps}, nil,
		"its value is not a weight. Write essential or important as weight, or a number as relative_weight",
	},
	{
		[]Keys{Thresholds, passMarks, thresholdMaps}, nil,
		"the scale differs. Set threshold or pass_threshold with --set, from 1 to 5",
	},
	{[]Keys{Required, optionals}, nil, "its value is not true or false. Write essential or important as weight"},
	{[]Keys{examples}, nil, "an example needs the score that it deserves. Write it under score_1, score_3, or score_5 of examples"},
	{[]Keys{directions}, nil, "use --best-first or --worst-first to say which level is best"},
	{[]Keys{Severities}, nil, "a criterion has a weight, and rules have a severity. Use --as ruleset, or write essential or important as weight"},
	{[]Keys{Phases}, nil, "only rules have it. Use --as ruleset"},
	{[]Keys{CheckTexts}, isNoScalar, "only rules have it. Use --as ruleset"},
	{[]Keys{CriterionIDs, documentIDs}, nil, "a criterion is identified by its name"},
	{[]Keys{scales}, saysScale, "the scale of a rubric is 1 to 5"},
	{[]Keys{scaleLows, scaleHighs}, nil, "the scale of a rubric is 1 to 5"},
}

func asksForManyFaults(e yamltree.KeyValue) bool { return asksForFaults(e.Key.Value) && isNoScalar(e) }

func hasKeys(e yamltree.KeyValue) bool { return e.Value.Kind == yamltree.Mapping }

func isNoScalar(e yamltree.KeyValue) bool { return e.Value.Kind != yamltree.Scalar }

// saysScale reports whether a key about a scale can have no other meaning.
func saysScale(e yamltree.KeyValue) bool {
	key := Fold(e.Key.Value)
	return key != "type" && key != "range"
}

// reasonOf says why a key is not imported.
func (r *Reader) reasonOf(e yamltree.KeyValue) string {
	in := func(k Keys) bool { return slices.Contains(k, Fold(e.Key.Value)) }
	for _, reason := range reasons {
		if (reason.keys == nil || slices.ContainsFunc(reason.keys, in)) && (reason.of == nil || reason.of(e)) {
			return reason.why
		}
	}
	return r.noPlace(Fold(e.Key.Value))
}

// noPlace says why a key that no document has is not imported.
func (r *Reader) noPlace(key string) string {
	switch {
	case Fold(key) == "id" && r.AsksForRules():
		return "the ID of a rule follows from its text"
	case Fold(key) == "id":
		return "a criterion is identified by its name"
	case r.AsksForRules():
		return "a rule set has no place for it"
	}
	return "a rubric has no place for it"
}

// complete gives the criteria of a rubric what the file has for them in maps: weights and thresholds.
func (r *Reader) complete(o *Object, d *Draft) {
	r.fromMap(o, d, weightMaps, func(c *Criterion) *string { return &c.Weight })
	if i := o.find(essentials, isTexts); i >= 0 {
		r.require(o, i, d)
	}
	r.fromMap(o, d, thresholdMaps, func(c *Criterion) *string { return &c.Threshold })
}

// require marks the criteria that a list names.
func (r *Reader) require(o *Object, i int, d *Draft) {
	unknown := false
	for _, item := range o.Entries[i].Value.Items {
		at := slices.IndexFunc(d.Criteria, func(c Criterion) bool { return c.isCalled(item.Value) })
		if at >= 0 {
			d.Criteria[at].Required = true
			continue
		}
		unknown = true
	}
	if !unknown {
		o.use(i)
	}
}

// isCalled reports whether a text is the name or the ID of a criterion.
func (c *Criterion) isCalled(text string) bool {
	text = Fold(text)
	return text != "" && slices.Contains([]string{Fold(c.Key), Fold(c.ID), Fold(c.Description)}, text)
}

// fromMap reads a mapping from the names or IDs of criteria to a value. If a rubric has no
// criteria, the weights are their names.
func (r *Reader) fromMap(o *Object, d *Draft, k Keys, of func(*Criterion) *string) {
	i := o.find(k, isMapping)
	if i < 0 {
		return
	}
	inside := r.Object(o.Entries[i].Value, o.pathTo(o.Entries[i]), "")
	bare := len(d.Criteria) == 0
	for j, e := range inside.Entries {
		if e.Value.Kind != yamltree.Scalar || isEmpty(e.Value) {
			continue
		}
		at := slices.IndexFunc(d.Criteria, func(c Criterion) bool {
			return slices.Contains([]string{Fold(c.Key), Fold(c.ID), Fold(c.Description)}, Fold(e.Key.Value))
		})
		if at < 0 && bare {
			at = len(d.Criteria)
			d.Criteria = append(d.Criteria, Criterion{
				Key: e.Key.Value, Description: Words(e.Key.Value), Place: r.atKey(inside, j),
			})
		}
		if at >= 0 {
			if value := of(&d.Criteria[at]); *value == "" {
				o.use(i)
				inside.use(j)
				*value = strings.TrimSpace(e.Value.Value)
			}
			continue
		}
		if slices.Contains(passMarks, Fold(e.Key.Value)) ||
			slices.Contains(Names("pass overall passing"), Fold(e.Key.Value)) && d.PassThreshold == "" {
			o.use(i)
			inside.use(j)
			d.PassThreshold, d.PassPlace = strings.TrimSpace(e.Value.Value), r.atKey(inside, j)
		}
	}
	if o.used[i] {
		inside.Rest()
	}
}

// Rest drops what was not read of the value under a key: the key, if that is all of it.
func (r *Reader) Rest(n *yamltree.Node, place, key string) {
	place = cmp.Or(r.places[n], place)
	switch {
	case r.read[n] || n.Type == yamltree.Null:
		return
	case key != "" && !r.hasRead(n):
		r.AddDropped(place, fmt.Sprintf("%s is dropped: %s.", schema.Quote(key), r.noPlace(key)))
		return
	case n.Kind == yamltree.Scalar:
		r.AddDropped(place, "A text is dropped: a rubric has no place for it.")
	}
	r.read[n] = true
	for _, e := range n.Entries {
		r.Rest(e.Value, place, e.Key.Value)
	}
	for _, item := range n.Items {
		r.Rest(item, place, key)
	}
}

func (r *Reader) hasRead(n *yamltree.Node) bool {
	return r.read[n] ||
		slices.ContainsFunc(n.Entries, func(e yamltree.KeyValue) bool { return r.hasRead(e.Value) }) ||
		slices.ContainsFunc(n.Items, r.hasRead)
}
