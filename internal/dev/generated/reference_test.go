package generated

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// keyLists returns a section for each kind of file, in Markdown: a list for each group of
// keys. If the kind has versions, the list has the version change that a change of each key
// requires.
func keyLists(kinds []*document.Kind) ([]byte, error) {
	r := lists{described: map[string]string{}, common: map[string]bool{}}
	for _, k := range kinds {
		r.versioned = schema.Find(k.Table.Fields, "version") != nil
		fmt.Fprintf(&r.out, "\n## %s\n\n%s\n", k.Title(), k.Doc)
		r.object(k.Table, "")
	}
	for _, f := range forms {
		if !strings.Contains(r.out.String(), "("+f.name) {
			return nil, fmt.Errorf("no value has the form %s", f.name)
		}
	}
	return []byte(r.out.String()), nil
}

type lists struct {
	out strings.Builder
	// versioned is set if the kind has versions.
	versioned bool
	// described are the paths of the groups of keys so far, by what they contain, so that
	// each is described once.
	described map[string]string
	// common are the lines of the keys of documents.
	common map[string]bool
}

// inner is an object that is described after the object that contains it.
type inner struct {
	path  string
	value *schema.Value
}

func (r *lists) object(v *schema.Value, path string) {
	if path != "" {
		fmt.Fprintf(&r.out, "\n### `%s`\n", path)
	}
	later := r.keys(v.Fields, path, "")
	if v.Variant != "" {
		for _, o := range schema.Find(v.Fields, v.Variant).Value.Options {
			later = append(later, r.keys(v.Variants[o.Word].Fields, path, fmt.Sprintf("With `%s: %s`:\n\n", v.Variant, o.Word))...)
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
func (r *lists) elsewhere(v *schema.Value, path string) string {
	if at := r.described[content(v)]; at != "" {
		return fmt.Sprintf(", as in [`%s`](#%s)", at, strings.NewReplacer(".", "", "[]", "").Replace(at))
	}
	r.described[content(v)] = path
	return ""
}

// counts reports whether two keys are numbers that nothing else tells apart.
func counts(a, b *schema.Field) bool {
	return a.Key >= "0" && a.Key <= "9" && a.Required == b.Required && valueText(a) == valueText(b) && versions(a) == versions(b) &&
		strings.ReplaceAll(a.Doc, a.Key, "") == strings.ReplaceAll(b.Doc, b.Key, "")
}

// keys lists fields, and returns the groups of keys in them that are not described yet.
func (r *lists) keys(fields []schema.Field, path, lead string) []inner {
	fmt.Fprintf(&r.out, "\n%s", lead)
	var later []inner
	var shared []string
	for i := 0; i < len(fields); i++ {
		f := &fields[i]
		key, doc := "`"+f.Key+"`", f.Doc
		for i+1 < len(fields) && counts(f, &fields[i+1]) {
			i++
			key = "`" + f.Key + "` to `" + fields[i].Key + "`"
			doc = strings.ReplaceAll(f.Doc, f.Key, f.Key+" to "+fields[i].Key)
		}
		if f.Required {
			key = "**" + key + "**"
		}
		value, at := f.Value, strings.TrimPrefix(path+"."+f.Key, ".")
		if value.Shape == schema.List {
			value, at = value.Elem, at+"[]"
		}
		text := valueText(f)
		if value.Shape == schema.Object {
			link := r.elsewhere(value, at)
			if link == "" {
				later = append(later, inner{at, value})
			}
			text += link
		}
		if class := versions(f); r.versioned && class != "" {
			text += "; " + class
		}
		if f.Spec != "" {
			doc += " (" + f.Spec + ")"
		}
		line := fmt.Sprintf("- %s (%s): %s\n", key, text, doc)
		if path == "" && r.versioned {
			// A key that all documents have is described in the first.
			if r.common[line] {
				shared = append(shared, key)
				continue
			}
			r.common[line] = true
		}
		r.out.WriteString(line)
		for _, o := range f.Value.Options {
			fmt.Fprintf(&r.out, "  - `%s`: %s\n", o.Word, o.Doc)
		}
	}
	if len(shared) > 0 {
		fmt.Fprintf(&r.out, "- %s: as in a [rubric](#rubric)\n", strings.Join(shared, ", "))
	}
	return later
}

func valueText(f *schema.Field) string {
	v := f.Value
	text := v.Shape.String()
	switch v.Shape {
	case schema.Object:
		text = "group"
	case schema.Number, schema.Integer:
		text += limits(v)
	case schema.List:
		text = v.Elem.Shape.String() + "s"
		if v.Elem.Shape == schema.Object {
			text = "groups"
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

// forms are names for what the patterns of texts say, with an example.
var forms = []struct{ name, says, example string }{
	{"ID", "lowercase letters, digits, and single underscores, starting with a letter", "user_story_quality_v1"},
	{"rule ID", "three lowercase parts joined by dots: the phase a or b, the category, and the aspect", "a.correctness.endpoints"},
	{"version", "three whole numbers joined by dots, in quotes and without leading zeros", `"1.0.0"`},
	{"digest", "sha256: followed by 64 digits from 0 to 9 and a to f", ""},
	{"token", "letters, digits, dots, dashes, and underscores, starting with a letter or digit", "us-001"},
}

// form names a form instead of describing it.
func form(says string) string {
	for _, f := range forms {
		if strings.HasPrefix(says, f.says) {
			return f.name
		}
	}
	return says
}

func formsList() string {
	var b strings.Builder
	for _, f := range forms {
		fmt.Fprintf(&b, "- %s: %s", f.name, f.says)
		if f.example != "" {
			fmt.Fprintf(&b, ", such as %s", f.example)
		}
		b.WriteByte('\n')
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
// word if it is always the same, and otherwise with the changes that require each. A field
// without classes is part of an identity, or a group whose keys have classes.
func versions(f *schema.Field) string {
	var parts []string
	for _, class := range []schema.Class{schema.Major, schema.Minor, schema.Patch} {
		var ways []string
		for _, w := range f.Ways() {
			if f.Class.ClassOf(w) == class {
				ways = append(ways, string(w))
			}
		}
		switch len(ways) {
		case 0:
		case len(f.Ways()):
			return class.String()
		default:
			parts = append(parts, fmt.Sprintf("%s if %s", class, strings.Join(ways, ", ")))
		}
	}
	return strings.Join(parts, "; ")
}
