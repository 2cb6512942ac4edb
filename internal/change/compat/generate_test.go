package compat

import (
	"maps"
	"math/bits"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// pools are the values of fields that decide something, by their place in the
// tables. They are few, so that two documents have names in common, patterns hit
// texts, and minimums are met. Any other field has a few texts that stand for
// all, or what its type allows.
var pools = map[string][]any{
	"rubric_id":                           {"x_v1"},
	"ruleset_id":                          {"x_v1"},
	"version":                             {"1.0.0", "1.1.0", "2.0.0"},
	"artifact_type":                       {"prd", "prd", "prd", "api"},
	"criteria[].name":                     {"a", "b", "c", "d", "e"},
	"criteria[].relative_weight":          {0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 1000.0, 1e-6},
	"criteria[].threshold":                {1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0},
	"negative_criteria[].name":            {"n", "m", "o", "p", "q"},
	"negative_criteria[].fail_patterns[]": {"a", "b", "ab", "a+b", "[^a]", "A", "(a|b)c", "c$", "^b", "k", "(?i)k", "(?i)ab", "[[:alpha:]]b", "[A-Za-z]b"},
	"scoring.essential_minimum":           {1.0, 2.0, 3.0, 3.5, 4.0},
	"calibration_dataset":                 {"calibration/x", "calibration/y"},
	"language":                            {"en", "de"},
	"deprecated.replaced_by":              {"y_v1", "z_v1"},
	"rules[].id":                          {"a.x.p", "a.x.q", "b.x.p", "b.x.q", "a.y.p"},
	"rules[].weight":                      {0.5, 1.0, 2.0, 3.0},
	"rules[].severity":                    {"fail", "warn", "warn", "warn", "info"},
	"rules[].checks[].files[]":            {"*.md", "**/*_test.go"},
}

var (
	someTexts = []any{"one", "two", "Two.", "three", "four", "five"}
	someKeys  = []string{"owner", "ticket", "team"}
)

// anyDocument draws a small document of a kind whose model is usable.
func anyDocument(t *rapid.T, k *document.Kind) map[string]any {
	return anyObject(t, k.Table, "")
}

// decides tells of a field, by its place in the tables, whether it bears on the
// verdict of a rubric together with others. Such fields come up more often, so
// that one hides the other.
func decides(key string) bool {
	return slices.Contains([]string{"criteria[].weight", "criteria[].relative_weight", "criteria[].threshold", "criteria[].anchors"}, key) ||
		strings.HasPrefix(key, "scoring") || strings.HasPrefix(key, "negative_criteria")
}

var coin = rapid.Bool()

// index draws a number from 0 to below n, all equally likely. The numbers that
// rapid draws are mostly small, so that some fields would hardly ever change.
func index(t *rapid.T, n int) int {
	i := 0
	for range bits.Len(uint(n-1)) + 1 {
		i *= 2
		if coin.Draw(t, "bit") {
			i++
		}
	}
	return i % n
}

func oneOf[T any](t *rapid.T, list []T) T { return list[index(t, len(list))] }

// oneIn is true once in n times.
func oneIn(t *rapid.T, n int) bool { return index(t, n) == n-1 }

func anyValue(t *rapid.T, v *schema.Value, key string) any {
	if pool := pools[key]; pool != nil {
		return oneOf(t, pool)
	}
	switch v.Shape {
	case schema.Object:
		return anyObject(t, v, key+".")
	case schema.List:
		return anyList(t, v, key+"[]")
	case schema.Map:
		m := map[string]any{}
		for range index(t, 3) {
			m[oneOf(t, someKeys)] = oneOf(t, someTexts)
		}
		return m
	case schema.Choice:
		return oneOf(t, v.Options).Word
	case schema.Flag:
		return oneIn(t, 2)
	case schema.Number, schema.Integer:
		return anyNumber(t, v)
	}
	if v.Pattern != nil { // a field that is new in a table
		return rapid.StringMatching(v.Pattern.Expr).Draw(t, key)
	}
	return oneOf(t, someTexts)
}

func anyNumber(t *rapid.T, v *schema.Value) any {
	step, high := 0.5, 5.0
	switch {
	case v.Shape == schema.Integer:
		step = 1
	case v.Max == 1:
		step, high = 0.25, 1
	}
	return v.Min + step*float64(index(t, 1+int((high-v.Min)/step)))
}

func anyObject(t *rapid.T, v *schema.Value, key string) map[string]any {
	m := map[string]any{}
	fields, group := v.Fields, v.OneOf
	if v.Variant != "" {
		word := oneOf(t, schema.Find(v.Fields, v.Variant).Value.Options).Word
		fields, group = slices.Concat(fields, v.Variants[word].Fields), v.Variants[word].OneOf
		m[v.Variant] = word
	}
	chosen := ""
	if len(group) > 0 {
		chosen = oneOf(t, group)
	}
	for i := range fields {
		f := &fields[i]
		often := f.Value.Identity != "" || decides(key+f.Key)
		wanted := f.Required || f.Key == chosen || !slices.Contains(group, f.Key) && (oneIn(t, 2) || often && oneIn(t, 2))
		if wanted && m[f.Key] == nil {
			m[f.Key] = anyValue(t, f.Value, key+f.Key)
		}
	}
	return m
}

func anyList(t *rapid.T, v *schema.Value, key string) []any {
	list := []any{}
	most := 2
	if v.Identity == "" {
		most = 3
	}
	for range int(v.Min) + index(t, most+1) {
		list = appendElement(t, list, v, key)
	}
	if v.Identity == "" && len(list) > 0 && oneIn(t, 2) {
		list = append(list, oneOf(t, list)) // a repeat
	}
	return list
}

// appendElement adds an element with a name that is free, if there is one.
func appendElement(t *rapid.T, list []any, v *schema.Value, key string) []any {
	element := anyValue(t, v.Elem, key)
	if v.Identity != "" {
		name := freeName(t, list, v, key)
		if name == nil {
			return list
		}
		element.(map[string]any)[v.Identity] = name
	}
	return append(list, element)
}

func freeName(t *rapid.T, list []any, v *schema.Value, key string) any {
	taken := map[any]bool{}
	for _, element := range list {
		taken[element.(map[string]any)[v.Identity]] = true
	}
	free := slices.DeleteFunc(slices.Clone(pools[key+"."+v.Identity]), func(name any) bool { return taken[name] })
	if len(free) == 0 {
		return nil
	}
	return oneOf(t, free)
}

// target is a field of an object in a document.
type target struct {
	field  *schema.Field
	object map[string]any
	owner  *schema.Value // the type of the object
	key    string
}

// targets lists all fields that a document can have, at every place.
func targets(v *schema.Value, object map[string]any, key string) []target {
	fields := v.Fields
	if v.Variant != "" {
		fields = slices.Concat(fields, v.Variants[object[v.Variant].(string)].Fields)
	}
	var out []target
	for i := range fields {
		f := &fields[i]
		at := key + f.Key
		out = append(out, target{f, object, v, at})
		switch value := object[f.Key].(type) {
		case map[string]any:
			if f.Value.Shape == schema.Object {
				out = append(out, targets(f.Value, value, at+".")...)
			}
		case []any:
			for _, element := range value {
				if element, ok := element.(map[string]any); ok {
					// The list changes the names.
					inner := targets(f.Value.Elem, element, at+"[].")
					out = append(out, slices.DeleteFunc(inner, func(t target) bool { return t.key == at+"[]."+f.Value.Identity })...)
				}
			}
		}
	}
	return out
}

// mutate changes one field of a document, or leaves all as it is. All fields of
// the table are equally likely, however often they occur, but for those that
// decide: they are meant half the time.
func mutate(t *rapid.T, k *document.Kind, doc map[string]any) {
	all := targets(k.Table, doc, "")
	var keys []string
	for _, g := range all {
		if !slices.Contains(keys, g.key) {
			keys = append(keys, g.key)
		}
	}
	if deciding := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !decides(key) }); len(deciding) > 0 && coin.Draw(t, "deciding") {
		keys = deciding
	}
	key := oneOf(t, keys)
	if key == "criteria[].relative_weight" && oneIn(t, 3) {
		scale(doc, oneOf(t, []float64{0.1, 0.3, 1.0 / 3, 0.5, 2}))
		return
	}
	oneOf(t, slices.DeleteFunc(all, func(g target) bool { return g.key != key })).mutate(t)
}

// scale multiplies all relative weights of a rubric by a factor, as far as they stay allowed.
func scale(doc map[string]any, factor float64) {
	for _, c := range doc["criteria"].([]any) {
		c := c.(map[string]any)
		now, there := c["relative_weight"].(float64)
		if !there {
			now = 1
		}
		c["relative_weight"] = min(1000, now*factor)
	}
}

func (g target) mutate(t *rapid.T) {
	f := g.field
	now, there := g.object[f.Key]
	group := g.owner.OneOf
	if g.owner.Variant != "" {
		group = g.owner.Variants[g.object[g.owner.Variant].(string)].OneOf
	}
	switch {
	case f.Key == g.owner.Variant: // another variant has other fields
		clear(g.object)
		maps.Copy(g.object, anyObject(t, g.owner, g.key[:len(g.key)-len(f.Key)]))
	case slices.Contains(group, f.Key): // of which there is one
		for _, key := range group {
			delete(g.object, key)
		}
		g.object[f.Key] = anyValue(t, f.Value, g.key)
	case !there || !f.Required && oneIn(t, 4):
		delete(g.object, f.Key)
		if !there {
			g.object[f.Key] = anyValue(t, f.Value, g.key)
		}
	case f.Value.Shape == schema.List:
		g.object[f.Key] = g.mutateList(t, now.([]any))
	case f.Value.Shape == schema.Map:
		now.(map[string]any)[oneOf(t, someKeys)] = oneOf(t, someTexts)
	case f.Value.Shape == schema.Object:
		g.mutateGroup(t, now.(map[string]any))
	default:
		for range 3 {
			if g.object[f.Key] = anyValue(t, f.Value, g.key); g.object[f.Key] != now {
				return
			}
		}
	}
}

func (g target) mutateList(t *rapid.T, list []any) []any {
	v, key := g.field.Value, g.key+"[]"
	i := -1
	if len(list) > 0 {
		i = index(t, len(list))
	}
	switch way := index(t, 5); {
	case way == 0 || i < 0:
		return appendElement(t, list, v, key)
	case way == 1 && len(list) > int(v.Min):
		return slices.Delete(list, i, i+1)
	case way == 2 && v.Identity != "":
		if name := freeName(t, list, v, key); name != nil {
			list[i].(map[string]any)[v.Identity] = name
		}
	case way == 2:
		return append(list, list[i]) // a repeat
	case way == 3 && v.Identity == "":
		list[i] = anyValue(t, v.Elem, key)
		if oneIn(t, 3) {
			list[i] = oneOf(t, list)
		}
	case len(list) > 1:
		i, j := index(t, len(list)), index(t, len(list)-1)
		list[i], list[(i+1+j)%len(list)] = list[(i+1+j)%len(list)], list[i]
	}
	return list
}

// mutateGroup swaps two texts of a group, or draws all its values anew.
func (g target) mutateGroup(t *rapid.T, group map[string]any) {
	var texts []string
	for i := range g.field.Value.Fields {
		f := &g.field.Value.Fields[i]
		if _, there := group[f.Key]; there && prose(f.Value) {
			texts = append(texts, f.Key)
		}
	}
	if len(texts) > 1 && oneIn(t, 2) {
		a, b := oneOf(t, texts), oneOf(t, texts)
		group[a], group[b] = group[b], group[a]
		return
	}
	maps.Copy(group, anyObject(t, g.field.Value, g.key+"."))
}
