package schema

import (
	"fmt"
	"strings"
)

// Reference returns the section of the reference page for one kind of document,
// in Markdown: a table for each group of keys. If the kind has versions, the table
// has the version change that a change of each key requires.
func Reference(v *Value, title, intro string) string {
	r := reference{versioned: Find(v.Fields, "version") != nil}
	fmt.Fprintf(&r.out, "## %s\n\n%s\n", title, intro)
	r.object(v, "")
	return r.out.String()
}

type reference struct {
	out strings.Builder
	// versioned is set if the kind has versions.
	versioned bool
}

// section is an object that is described after the object that contains it.
type section struct {
	path  string
	value *Value
}

func (r *reference) object(v *Value, path string) {
	if path != "" {
		fmt.Fprintf(&r.out, "\n### `%s`\n", path)
	}
	later := r.table(v.Fields, path, "")
	if v.Variant != "" {
		for _, o := range Find(v.Fields, v.Variant).Value.Options {
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

func (r *reference) table(fields []Field, path, lead string) []section {
	if lead != "" {
		fmt.Fprintf(&r.out, "\n%s\n", lead)
	}
	r.out.WriteString("\n| key | description | value |")
	if r.versioned {
		r.out.WriteString(" version |\n|---|---|---|---|\n")
	} else {
		r.out.WriteString("\n|---|---|---|\n")
	}
	var later []section
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
		fmt.Fprintf(&r.out, "| %s | %s | %s |", key, cell(doc), cell(f.value()))
		if r.versioned {
			fmt.Fprintf(&r.out, " %s |", cell(f.versions()))
		}
		r.out.WriteByte('\n')
		inner, at := f.Value, strings.TrimPrefix(path+"."+f.Key, ".")
		if inner.Shape == List {
			inner, at = inner.Elem, at+"[]"
		}
		if inner.Shape == Object {
			later = append(later, section{at, inner})
		}
	}
	return later
}

// cell makes text safe inside a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func (f *Field) value() string {
	v := f.Value
	text := v.Shape.String()
	switch v.Shape {
	case Number, Integer:
		text += " " + v.limits()
	case List:
		text = "list of " + v.Elem.Shape.String() + "s"
		if v.Elem.Shape == Object {
			text = "list of groups of keys"
		}
		if v.Min > 0 {
			text += fmt.Sprintf(", %.0f or more", v.Min)
		}
		if v.Identity != "" {
			text += fmt.Sprintf(", identified by `%s`", v.Identity)
		}
	case Map:
		text = mapText(v)
	case Text:
		if v.Pattern != nil {
			text = v.Pattern.Says
		}
	}
	if f.Default != "" {
		text += "; default `" + strings.Trim(f.Default, `"`) + "`"
	}
	return text
}

// mapText describes a map by its values.
func mapText(v *Value) string {
	switch {
	case v.Elem.Shape == Map:
		return "groups of keys under your own keys, each with " + mapText(v.Elem)
	case v.Elem.Shape == Text && v.Elem.Max > 0:
		return fmt.Sprintf("texts of up to %.0f characters under your own keys", v.Elem.Max)
	case v.Elem.Shape == Number, v.Elem.Shape == Integer:
		return fmt.Sprintf("%ss %s under your own keys", v.Elem.Shape, v.Elem.limits())
	}
	return v.Elem.Shape.String() + "s under your own keys"
}

// versions describes the version change that a change of the field requires, in one
// word if it is always the same. A field without classes is part of an identity, or
// a group whose keys have classes.
func (f *Field) versions() string {
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
