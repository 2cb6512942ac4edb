package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// node is one JSON Schema object. It uses only keywords that mean the same in
// draft-07 and in 2020-12, and no references, because editors handle these
// differently. The order of the fields is the order in the generated file.
type node struct {
	Schema               string          `json:"$schema,omitempty"`
	ID                   string          `json:"$id,omitempty"`
	Title                string          `json:"title,omitempty"`
	Description          string          `json:"description,omitempty"`
	Type                 string          `json:"type,omitempty"`
	Const                string          `json:"const,omitempty"`
	Enum                 []string        `json:"enum,omitempty"`
	Default              json.RawMessage `json:"default,omitempty"`
	MinLength            int             `json:"minLength,omitempty"`
	MaxLength            int             `json:"maxLength,omitempty"`
	Pattern              string          `json:"pattern,omitempty"`
	Minimum              *float64        `json:"minimum,omitempty"`
	ExclusiveMinimum     *float64        `json:"exclusiveMinimum,omitempty"`
	Maximum              *float64        `json:"maximum,omitempty"`
	MinItems             int             `json:"minItems,omitempty"`
	MaxItems             int             `json:"maxItems,omitempty"`
	MaxProperties        int             `json:"maxProperties,omitempty"`
	Required             []string        `json:"required,omitempty"`
	Properties           properties      `json:"properties,omitempty"`
	PatternProperties    properties      `json:"patternProperties,omitempty"`
	PropertyNames        *node           `json:"propertyNames,omitempty"`
	AdditionalProperties any             `json:"additionalProperties,omitempty"`
	Items                *node           `json:"items,omitempty"`
	OneOf                []*node         `json:"oneOf,omitempty"`
	AnyOf                []*node         `json:"anyOf,omitempty"`
}

// properties keeps the order of the tables, which is the order in which editors
// offer the keys.
type properties []property

type property struct {
	key   string
	value *node
}

// MarshalJSON writes the properties as a JSON object in their order.
func (p properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, prop := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		value, err := jsontext.Encode(prop.value, "", "")
		if err != nil {
			return nil, err
		}
		out.Write(slices.Concat(jsontext.Append(nil, prop.key), []byte(":"), value))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// JSONSchema returns the JSON Schema (2020-12, readable as draft-07) of a kind
// of document. id is its identifier, and title is its display name.
func JSONSchema(v *Value, id, title, description string) ([]byte, error) {
	root := v.schema()
	root.Schema = "https://json-schema.org/draft/2020-12/schema"
	root.ID, root.Title, root.Description = id, title, description
	data, err := jsontext.Encode(root, "", "  ")
	return append(sanitize.JSON(data), '\n'), err
}

func (v *Value) schema() *node {
	switch v.Shape {
	case Object:
		return v.objectSchema()
	case Map:
		return &node{
			Type: "object", MaxProperties: int(v.Max),
			PropertyNames:        &node{Pattern: v.Pattern.Expr},
			AdditionalProperties: v.Elem.schema(),
		}
	case List:
		return &node{Type: "array", MinItems: int(v.Min), MaxItems: int(v.Max), Items: v.Elem.schema()}
	case Choice:
		n := &node{Type: "string"}
		for _, o := range v.Options {
			n.Enum = append(n.Enum, o.Word)
		}
		return n
	case Number, Integer:
		n := &node{Type: "number", Minimum: &v.Min}
		if v.Above {
			n.Minimum, n.ExclusiveMinimum = nil, &v.Min
		}
		if v.Shape == Integer {
			n.Type = "integer"
		}
		if v.Max != 0 {
			n.Maximum = &v.Max
		}
		return n
	case Flag:
		return &node{Type: "boolean"}
	}
	n := &node{Type: "string", MaxLength: int(v.Max)}
	switch {
	case v.Pattern != nil:
		n.Pattern = v.Pattern.Expr
	case v.Blank:
		n.MinLength = 1
	default:
		n.Pattern = NotBlank.Expr
	}
	return n
}

func (v *Value) objectSchema() *node {
	n := &node{Type: "object"}
	if v.Variant == "" {
		n.fields(v.Fields)
		n.exactlyOne(v)
		if v.Open {
			n.AdditionalProperties = nil
		}
		if v.Elem != nil {
			n.PatternProperties = append(n.PatternProperties, property{v.Pattern.Expr, v.Elem.schema()})
		}
		return n
	}
	// Each variant is written in full, so a key of one variant is invalid in
	// another.
	for _, option := range Find(v.Fields, v.Variant).Value.Options {
		inner := v.Variants[option.Word]
		variant := &node{Type: "object", Description: option.Doc}
		variant.fields(slices.Concat(v.Fields, inner.Fields))
		variant.exactlyOne(inner)
		for i, p := range variant.Properties {
			if p.key == v.Variant {
				variant.Properties[i].value = &node{Description: p.value.Description, Type: "string", Const: option.Word}
			}
		}
		n.OneOf = append(n.OneOf, variant)
	}
	return n
}

// exactlyOne requires one of the keys of an object, or several that can appear together.
func (n *node) exactlyOne(v *Value) {
	together := &node{}
	for _, key := range v.OneOf {
		one := &node{Required: []string{key}}
		if slices.Contains(v.Together, key) {
			together.AnyOf = append(together.AnyOf, one)
		} else {
			n.OneOf = append(n.OneOf, one)
		}
	}
	if len(together.AnyOf) > 0 {
		n.OneOf = append(n.OneOf, together)
	}
}

func (n *node) fields(fields []Field) {
	n.AdditionalProperties = false
	var numeric []string
	for i := range fields {
		f := &fields[i]
		if strings.Trim(f.Key, "0123456789") == "" {
			numeric = append(numeric, f.Key)
		}
		if f.Required {
			n.Required = append(n.Required, f.Key)
		}
		p := f.Value.schema()
		p.Description = f.Doc // an editor shows it over the key
		for _, o := range f.Value.Options {
			p.Description += " " + o.Word + ": " + o.Doc
		}
		if f.Default != "" {
			p.Default = json.RawMessage(f.Default)
		}
		n.Properties = append(n.Properties, property{f.Key, p})
	}
	// yaml-language-server reads the YAML key 1 as a number, which does not equal a
	// property name but matches a pattern.
	if len(numeric) > 0 {
		n.PatternProperties = properties{{"^(" + strings.Join(numeric, "|") + ")$", &node{}}}
	}
}
