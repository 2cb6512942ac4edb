package generated

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// keyTables returns a section for each kind of file, in Markdown: a table for each group of
// keys. If the kind has versions, the table has the version change that a change of each key
// requires.
func keyTables(kinds []*document.Kind) ([]byte, error) {
	r := tables{described: map[string]string{}}
	for _, k := range kinds {
		r.versioned = schema.Find(k.Table.Fields, "version") != nil
		fmt.Fprintf(&r.out, "\n## %s\n\n%s\n", k.Title(), k.Doc)
		r.object(k.Table, "")
	}
	for _, f := range forms {
		if !strings.Contains(r.out.String(), "| "+f.name) {
			return nil, fmt.Errorf("no value has the form %s", f.name)
		}
	}
	return []byte(r.out.String()), nil
}

type tables struct {
	out strings.Builder
	// versioned is set if the kind has versions.
	versioned bool
	// described are the paths of the groups of keys so far, by what they contain, so that
	// each is described once.
	described map[string]string
}

// inner is an object that is described after the object that contains it.
type inner struct {
	path  string
	value *schema.Value
}

func (r *tables) object(v *schema.Value, path string) {
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

// content is the same for groups with the same keys, whichever of them are required.
func content(v *schema.Value) string {
	var b strings.Builder
	for _, f := range v.Fields {
		doc, _, _ := strings.Cut(f.Doc, " Default:")
		fmt.Fprintf(&b, "%s: %s %s\n", f.Key, f.Value.Shape, doc)
	}
	return b.String()
}

// elsewhere returns a link to the description of a group of keys if the page has one, and
// otherwise remembers that it has one at the path.
func (r *tables) elsewhere(v *schema.Value, path string) string {
	if at := r.described[content(v)]; at != "" {
		return fmt.Sprintf(" as in [`%s`](#%s)", at, strings.NewReplacer(".", "", "[]", "").Replace(at))
	}
	r.described[content(v)] = path
	return ""
}

func (r *tables) table(fields []schema.Field, path, lead string) []inner {
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
		value, at := f.Value, strings.TrimPrefix(path+"."+f.Key, ".")
		if value.Shape == schema.List {
			value, at = value.Elem, at+"[]"
		}
		link := ""
		if value.Shape == schema.Object {
			if link = r.elsewhere(value, at); link == "" {
				later = append(later, inner{at, value})
			}
		}
		fmt.Fprintf(&r.out, "| %s | %s | %s%s |", key, cell(doc), cell(valueText(f)), link)
		if r.versioned {
			fmt.Fprintf(&r.out, " %s |", cell(versions(f)))
		}
		r.out.WriteByte('\n')
	}
	return later
}

// cell makes text safe inside a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func valueText(f *schema.Field) string {
	v := f.Value
	text := v.Shape.String()
	switch v.Shape {
	case schema.Object:
		text = "group"
	case schema.Number, schema.Integer:
		text += limits(v)
	case schema.List:
		text = "list of " + v.Elem.Shape.String() + "s"
		if v.Elem.Shape == schema.Object {
			text = "list of groups"
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
			text = form(v.Pattern.Says)
		}
	}
	if f.Default != "" {
		text += "; default `" + strings.Trim(f.Default, `"`) + "`"
	}
	return text
}

// forms are names for what the patterns of texts say.
var forms = []struct{ name, says string }{
	{"ID", "lowercase letters, digits, and single underscores, starting with a letter"},
	{"rule ID", "three lowercase parts joined by dots: the phase a or b, the category, and the aspect"},
	{"version", "three whole numbers joined by dots, in quotes and without leading zeros"},
	{"digest", "sha256: followed by 64 digits from 0 to 9 and a to f"},
	{"token", "letters, digits, dots, dashes, and underscores, starting with a letter or digit"},
}

// form names a form instead of describing it.
func form(says string) string {
	for _, f := range forms {
		if rest, ok := strings.CutPrefix(says, f.says); ok {
			return f.name + rest
		}
	}
	return says
}

func formsTable() string {
	var b strings.Builder
	b.WriteString("| form | value |\n|---|---|\n")
	for _, f := range forms {
		fmt.Fprintf(&b, "| %s | %s |\n", f.name, f.says)
	}
	return b.String()
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
