package generated

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// typeScript returns TypeScript's types of the canonical form of each kind of document.
func typeScript() string {
	var out strings.Builder
	fmt.Fprintf(&out, "/** The content of a rubric. */\nexport interface RubricData %s\n", typeScriptOf(document.Rubric.Table, ""))
	fmt.Fprintf(&out, "/** The content of a rule set. */\nexport interface RuleSetData %s\n", typeScriptOf(document.RuleSet.Table, ""))
	return out.String()
}

func typeScriptOf(v *schema.Value, indent string) string {
	switch v.Shape {
	case schema.Choice:
		var words []string
		for _, o := range v.Options {
			words = append(words, fmt.Sprintf("%q", o.Word))
		}
		return strings.Join(words, " | ")
	case schema.Number, schema.Integer:
		return "number"
	case schema.Flag:
		return "boolean"
	case schema.List:
		return "ReadonlyArray<" + typeScriptOf(v.Elem, indent) + ">"
	case schema.Map:
		return "Readonly<Record<string, " + typeScriptOf(v.Elem, indent) + ">>"
	case schema.Object:
		if v.Variant == "" {
			return typeScriptObject(v.Fields, "", "", indent)
		}
		var kinds []string
		for _, word := range slices.Sorted(maps.Keys(v.Variants)) {
			kinds = append(kinds, typeScriptObject(slices.Concat(v.Fields, v.Variants[word].Fields), v.Variant, word, indent))
		}
		return strings.Join(kinds, " | ")
	}
	return "string"
}

// typeScriptObject returns the type of an object whose key variant has one word.
func typeScriptObject(fields []schema.Field, variant, word, indent string) string {
	var out strings.Builder
	out.WriteString("{\n")
	for i := range fields {
		f := &fields[i]
		optional, inner := "?", typeScriptOf(f.Value, indent+"  ")
		if f.Required || f.Derive != nil {
			optional = ""
		}
		if variant != "" && f.Key == variant {
			inner = fmt.Sprintf("%q", word)
		}
		fmt.Fprintf(&out, "%s  /** %s */\n", indent, strings.ReplaceAll(f.Doc, "*/", "*\\/"))
		fmt.Fprintf(&out, "%s  readonly %s%s: %s;\n", indent, f.Key, optional, inner)
	}
	return out.String() + indent + "}"
}
