package generated

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// section returns the section of the reference page for one kind of document, in
// Markdown: a table for each group of keys. If the kind has versions, the table has
// the version change that a change of each key requires.
func section(v *schema.Value, title, intro string) string {
	r := keyTables{versioned: schema.Find(v.Fields, "version") != nil}
	fmt.Fprintf(&r.out, "## %s\n\n%s\n", title, intro)
	r.object(v, "")
	return r.out.String()
}

type keyTables struct {
	out strings.Builder
	// versioned is set if the kind has versions.
	versioned bool
}

// inner is an object that is described after the object that contains it.
type inner struct {
	path  string
	value *schema.Value
}

func (r *keyTables) object(v *schema.Value, path string) {
	if path != "" {
		fmt.Fprintf(&r.out, "\n### `%s`\n", path)
	}
	later := r.table(v.Fields, path, "")
	if v.Variant != "" {
		for _, o := range schema.Find(v.Fields, v.Variant).Value.Options {
			later = append(later, r.table(v.Variants[o.Word].Fields, path, fmt.Sprintf("With `%s: %s` (%s):", v.Variant, o.Word, strings.TrimSuffix(o.Doc, ".")))...)
		}
	}
	if v.Open {
		r.out.WriteString("\nOther keys are allowed and left unchanged.\n")
	}
	if len(v.OneOf) > 0 {
		fmt.Fprintf(&r.out, "\nExactly one of these keys is required: `%s`.\n", strings.Join(v.OneOf, "`, `"))
	}
	for _, s := range later {
		r.object(s.value, s.path)
	}
}

func (r *keyTables) table(fields []schema.Field, path, lead string) []inner {
	if lead != "" {
		fmt.Fprintf(&r.out, "\n%s\n", lead)
	}
	r.out.WriteString("\n| key | description | value |")
	if r.versioned {
		r.out.WriteString(" version |\n|---|---|---|---|\n")
	} else {
		r.out.WriteString("\n|---|---|---|\n")
	}
	var later []inner
	for i := range fields {
		f := &fields[i]
		key := "`" + f.Key + "`"
		if f.Required {
			key = "**" + key + "**"
		}
		doc := f.Doc
		for _, o := range f.Value.Options {
			doc += fmt.Sprintf("<br>`%s`: %s", o.Word, o.Doc)
		}
		if f.Spec != "" {
			doc += " (" + f.Spec + ")"
		}
		fmt.Fprintf(&r.out, "| %s | %s | %s |", key, cell(doc), cell(valueText(f)))
		if r.versioned {
			fmt.Fprintf(&r.out, " %s |", cell(versions(f)))
		}
		r.out.WriteByte('\n')
		value, at := f.Value, strings.TrimPrefix(path+"."+f.Key, ".")
		if value.Shape == schema.List {
			value, at = value.Elem, at+"[]"
		}
		if value.Shape == schema.Object {
			later = append(later, inner{at, value})
		}
	}
	return later
}

// cell makes text safe inside a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func valueText(f *schema.Field) string {
	v := f.Value
	text := v.Shape.String()
	switch v.Shape {
	case schema.Number, schema.Integer:
		text += limits(v)
	case schema.List:
		text = "list of " + v.Elem.Shape.String() + "s"
		if v.Elem.Shape == schema.Object {
			text = "list of groups of keys"
		}
		if v.Min > 0 {
			text += fmt.Sprintf(", %.0f or more", v.Min)
		}
		if v.Identity != "" {
			text += fmt.Sprintf(", identified by `%s`", v.Identity)
		}
	case schema.Map:
		text = mapText(v)
	case schema.Text:
		if v.Pattern != nil {
			text = v.Pattern.Says
		}
	}
	if f.Default != "" {
		text += "; default `" + strings.Trim(f.Default, `"`) + "`"
	}
	return text
}

// limits describes the range of a number, after a space.
func limits(v *schema.Value) string { return strings.TrimPrefix(v.Expected(), "a number") }

// mapText describes a map by its values.
func mapText(v *schema.Value) string {
	switch {
	case v.Elem.Shape == schema.Map:
		return "groups of keys under your own keys, each with " + mapText(v.Elem)
	case v.Elem.Shape == schema.Text && v.Elem.Max > 0:
		return fmt.Sprintf("texts of up to %.0f characters under your own keys", v.Elem.Max)
	case v.Elem.Shape == schema.Number, v.Elem.Shape == schema.Integer:
		return fmt.Sprintf("%ss%s under your own keys", v.Elem.Shape, limits(v.Elem))
	}
	return v.Elem.Shape.String() + "s under your own keys"
}

// versions describes the version change that a change of the field requires, in one
// word if it is always the same. A field without classes is part of an identity, or
// a group whose keys have classes.
func versions(f *schema.Field) string {
	ways := f.Ways()
	same := true
	parts := make([]string, len(ways))
	for i, w := range ways {
		class := f.Class.Of(w)
		parts[i] = string(w) + ": " + class.String()
		same = same && class == f.Class.Of(ways[0])
	}
	if same && len(ways) > 0 {
		return f.Class.Of(ways[0]).String()
	}
	return strings.Join(parts, ", ")
}
