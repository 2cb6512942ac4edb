package generated

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// plainTypes is the types of documents as data for programs in other languages, which can
// do what schema.Check and schema.Canonical do, without messages. Its JSON is a valid literal in
// Python and JavaScript.
type plainTypes struct {
	// Patterns are regular expressions for text; types refer to them by index.
	Patterns []string `json:"patterns"`
	// Kinds are the types of whole documents by the name of their kind.
	Kinds map[string]any `json:"kinds"`
}

// notEmpty matches any text except the empty one, in every language.
const notEmpty = `[^x]|x`

// add adds the type of a kind of document.
//
// A type is an object with one of these keys: "text" with the index of a pattern and
// "most" with the maximum length; "words" with the allowed words; "number" or "whole"
// with the minimum and the maximum; "flag"; "list" with the type of the elements and
// "least" with their minimum number; "map" with the type of the values, "keys" with the
// index of a pattern, and "most"; "must" and "may" with the types of the keys of an
// object, and "one" with the keys of which exactly one is required; "by" with the key
// whose word selects one of the objects under "of". The type of an optional key with a
// default has "default" as canonical JSON: a value that equals it is omitted, and so is
// a value without elements or keys.
func (p *plainTypes) add(kind string, v *schema.Value) { p.Kinds[kind] = p.typeOf(v) }

func (p *plainTypes) pattern(expr string) int {
	i := slices.Index(p.Patterns, expr)
	if i < 0 {
		i = len(p.Patterns)
		p.Patterns = append(p.Patterns, expr)
	}
	return i
}

func (p *plainTypes) typeOf(v *schema.Value) map[string]any {
	out := map[string]any{}
	switch v.Shape {
	case schema.Object:
		return p.objectOf(v)
	case schema.Map:
		out["map"], out["keys"] = p.typeOf(v.Elem), p.pattern(v.Pattern.Expr)
	case schema.List:
		out["list"] = p.typeOf(v.Elem)
		if v.Min > 0 {
			out["least"] = v.Min
		}
	case schema.Choice:
		var words []string
		for _, o := range v.Options {
			words = append(words, o.Word)
		}
		out["words"] = words
	case schema.Number:
		out["number"] = []float64{v.Minimum(), v.Max}
		return out
	case schema.Integer:
		out["whole"] = []float64{v.Min, v.Max}
		return out
	case schema.Flag:
		out["flag"] = 1
	default:
		expr := schema.NotBlank.Expr
		if v.Pattern != nil {
			expr = v.Pattern.Expr
		} else if v.Blank {
			expr = notEmpty
		}
		out["text"] = p.pattern(expr)
	}
	if v.Max > 0 {
		out["most"] = v.Max
	}
	return out
}

func (p *plainTypes) objectOf(v *schema.Value) map[string]any {
	if v.Variant != "" {
		kinds := map[string]any{}
		for word, variant := range v.Variants {
			kinds[word] = p.objectOf(&schema.Value{Fields: slices.Concat(v.Fields, variant.Fields), OneOf: variant.OneOf})
		}
		return map[string]any{"by": v.Variant, "of": kinds}
	}
	must, may := map[string]any{}, map[string]any{}
	for i := range v.Fields {
		f := &v.Fields[i]
		t := p.typeOf(f.Value)
		if f.Required || f.Derive != nil {
			must[f.Key] = t
			continue
		}
		if f.Default != "" {
			t["default"] = f.Default
		}
		may[f.Key] = t
	}
	out := map[string]any{"must": must, "may": may}
	if len(v.OneOf) > 0 {
		out["one"] = v.OneOf
	}
	return out
}
