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

	"gopkg.in/yaml.v3"
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
		low, high := v.Min, v.Max
		if v.Above {
			low += 0.01
		}
		if high == 0 {
			high = 1000
		}
		return math.Round(rapid.Float64Range(low, high).Draw(t, label)*100) / 100
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
		return len(s) <= 64 &&
			!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
	})
}

// JSON returns a document as JSON, which is also YAML.
func JSON(doc any) []byte {
	data, err := json.Marshal(plain(doc))
	if err != nil {
		panic(err) // nothing that Any draws
	}
	return data
}

// plain writes numbers without exponents, as documents must have them.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = plain(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = plain(inner)
		}
		return out
	case float64:
		return json.Number(schema.Plain(v))
	}
	return v
}

// YAML returns a document in block layout, with keys in the order of shuffle, some
// comments, and strings in the style that style chooses.
func YAML(doc any, shuffle func(keys []string), style func() int) []byte {
	root := layout(doc, shuffle, style)
	root.HeadComment = "A comment."
	data, err := yaml.Marshal(root)
	if err != nil {
		panic(err) // nothing that Any draws
	}
	return data
}

func layout(v any, shuffle func(keys []string), style func() int) *yaml.Node {
	switch v := v.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		keys := slices.Sorted(maps.Keys(v))
		shuffle(keys)
		for _, key := range keys {
			n.Content = append(n.Content, layout(key, shuffle, style), layout(v[key], shuffle, style))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, HeadComment: "A list."}
		for _, item := range v {
			n.Content = append(n.Content, layout(item, shuffle, style))
		}
		return n
	case string:
		styles := []yaml.Style{yaml.DoubleQuotedStyle, yaml.LiteralStyle, yaml.SingleQuotedStyle}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: styles[style()], Value: v}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: string(JSON(v)), LineComment: "a value"}
}
