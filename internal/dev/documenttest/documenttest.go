// Package documenttest makes documents for tests: random ones from the schema tables,
// so that every new field is tested, and their texts in any layout.
package documenttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Any draws a valid document of a kind in the form of encoding/json. Names of elements
// are unique, as the lint rules require.
func Any(k *document.Kind) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		return value(t, k.Table, k.Name).(map[string]any)
	})
}

// Value draws a value of a type.
func Value(v *schema.Value) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return value(t, v, "value") })
}

func value(t *rapid.T, v *schema.Value, label string) any {
	switch v.Shape {
	case schema.Object:
		return object(t, v, label)
	case schema.Map:
		return rapid.MapOfN(word(v.Pattern), rapid.Map(text(v.Elem), func(s string) any { return s }), 0, 3).Draw(t, label)
	case schema.List:
		return list(t, v, label)
	case schema.Choice:
		return rapid.SampledFrom(v.Options).Draw(t, label).Word
	case schema.Number:
		high := v.Max
		if high == 0 {
			high = 1000
		}
		return math.Round(rapid.Float64Range(v.Min, high).Draw(t, label)*100) / 100
	case schema.Integer:
		return float64(rapid.IntRange(int(v.Min), 20).Draw(t, label))
	case schema.Flag:
		return rapid.Bool().Draw(t, label)
	}
	return text(v).Draw(t, label)
}

func object(t *rapid.T, v *schema.Value, label string) map[string]any {
	fields := v.Fields
	oneOf := v.OneOf
	m := map[string]any{}
	if v.Variant != "" {
		option := rapid.SampledFrom(schema.Find(v.Fields, v.Variant).Value.Options).Draw(t, label+"."+v.Variant)
		variant := v.Variants[option.Word]
		fields, oneOf = slices.Concat(fields, variant.Fields), variant.OneOf
		m[v.Variant] = option.Word
	}
	chosen := ""
	if len(oneOf) > 0 {
		chosen = rapid.SampledFrom(oneOf).Draw(t, label+" has")
	}
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Key == v.Variant, slices.Contains(oneOf, f.Key) && f.Key != chosen:
			continue
		case !f.Required && f.Key != chosen && !rapid.Bool().Draw(t, label+" has "+f.Key):
			continue
		}
		m[f.Key] = value(t, f.Value, label+"."+f.Key)
	}
	return m
}

func list(t *rapid.T, v *schema.Value, label string) []any {
	n := rapid.IntRange(int(v.Min), int(v.Min)+2).Draw(t, label+" length")
	out := make([]any, n)
	for i := range out {
		out[i] = value(t, v.Elem, fmt.Sprintf("%s[%d]", label, i))
		if v.Identity != "" {
			element := out[i].(map[string]any)
			element[v.Identity] = fmt.Sprintf("%s%d", element[v.Identity], i)
		}
	}
	return out
}

// letters has the difficult characters for a layout: quotes, colons, YAML syntax, line
// ends, and multi-byte characters.
var letters = []rune("abc XYZ 012 .,:;#'\"\\|>-[]{}?*&!%@`\n éß漢字🙂")

func text(v *schema.Value) *rapid.Generator[string] {
	if v.Pattern != nil {
		return word(v.Pattern)
	}
	most := 20
	if v.Max > 0 {
		most = min(most, int(v.Max)-2)
	}
	return rapid.Map(rapid.StringOfN(rapid.SampledFrom(letters), 0, most, -1), func(s string) string { return "x" + s })
}

func word(p *schema.Pattern) *rapid.Generator[string] {
	return rapid.StringMatching(p.Expr).Filter(func(s string) bool {
		return len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
	})
}

// JSON returns a document as JSON, which is also YAML.
func JSON(doc any) []byte {
	data, err := json.Marshal(doc)
	if err != nil {
		panic(err) // nothing that Any draws
	}
	return data
}

// YAML returns a document in block layout, with keys in the order of shuffle, some
// comments, and strings in the style that style chooses.
func YAML(doc any, shuffle func(keys []string), style func() int) []byte {
	w := &writer{shuffle: shuffle, style: style}
	w.value(doc, 0)
	return []byte("# A comment.\n" + w.out.String())
}

type writer struct {
	out     strings.Builder
	shuffle func([]string)
	style   func() int
}

func (w *writer) value(v any, depth int) {
	indent := strings.Repeat("  ", depth)
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		w.shuffle(keys)
		for _, key := range keys {
			w.out.WriteString(indent + w.quote(key) + ":")
			w.inner(v[key], depth)
		}
	case []any:
		for _, item := range v {
			w.out.WriteString(indent + "-")
			w.inner(item, depth)
		}
	}
}

// inner writes a value after its key or dash.
func (w *writer) inner(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			w.out.WriteString(" # an object\n")
			w.value(v, depth+1)
			return
		}
	case []any:
		if len(v) > 0 {
			w.out.WriteString("\n\n")
			w.value(v, depth+1)
			return
		}
	case string:
		w.text(v, depth)
		return
	}
	w.out.WriteString("   " + string(JSON(v)) + "  # a value\n")
}

func (w *writer) text(text string, depth int) {
	literal := !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\n") && strings.TrimRight(text, "\n") == text && text != ""
	if w.style() == 1 && literal {
		indent := "\n" + strings.Repeat("  ", depth+1)
		w.out.WriteString(" |-" + indent + strings.ReplaceAll(text, "\n", indent) + "\n")
		return
	}
	w.out.WriteString(" " + w.quote(text) + "\n")
}

// quote writes a text in single quotes if it fits on one line.
func (w *writer) quote(text string) string {
	if w.style() == 2 && !strings.Contains(text, "\n") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return string(JSON(text))
}
