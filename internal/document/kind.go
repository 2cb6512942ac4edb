package document

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Kind is a kind of document.
type Kind struct {
	// Name is the kind in messages and JSON: "rubric", "rule_set".
	Name string
	// Noun is the kind in sentences: "rubric", "rule set".
	Noun string
	// IDKey is the key that identifies the kind: "rubric_id", "ruleset_id".
	IDKey string
	// SchemaFile is the name of its JSON Schema in the folder schema/.
	SchemaFile string
	// Doc says what the kind is for.
	Doc string
	// Table is the type of the whole document.
	Table *schema.Value
}

// Kinds lists both kinds of document.
func Kinds() []*Kind { return []*Kind{&Rubric, &RuleSet} }

// idPattern is the form of IDs, artifact types, and names: it is valid in a file
// name, in a URL, and as a variable in any language. example is a value for messages.
func idPattern(example string) *schema.Pattern {
	return &schema.Pattern{
		Expr:    idExpr,
		Says:    "lowercase letters, digits, and single underscores, starting with a letter, such as " + example,
		Suggest: suggestID,
	}
}

const idExpr = `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`

var isID = lazy.Expr(idExpr)

// IsID reports whether a text can be an ID, an artifact type, or the name of a dataset.
func IsID(s string) bool { return len(s) <= 128 && isID().MatchString(s) }

// The other patterns of the tables.
var (
	ruleID = &schema.Pattern{
		Expr: `^[ab](\.[a-z][a-z0-9]*([_-][a-z0-9]+)*){2}$`,
		Says: "three lowercase parts joined by dots: the phase a or b, the category, and the aspect, such as a.correctness.endpoints",
		Suggest: func(text string) string {
			return strings.NewReplacer(" ", "", "/", ".", ":", ".").Replace(strings.ToLower(text))
		},
	}
	version = &schema.Pattern{
		Expr:    `^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`,
		Says:    `three whole numbers joined by dots, in quotes and without leading zeros, such as "1.0.0"`,
		Suggest: suggestVersion,
	}
	language = &schema.Pattern{
		Expr:    `^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`,
		Says:    "a language tag such as en, de, or pt-BR",
		Suggest: func(text string) string { return strings.ReplaceAll(text, "_", "-") },
	}
	datasetRef = &schema.Pattern{
		Expr: `^(calibration/[^ \\]+|[A-Za-z][A-Za-z0-9+.-]+:[^ \\]+)$`,
		Says: "a path that starts with calibration/ or a URL such as https://example.org/labels.jsonl",
	}
	// MetadataKey is the form of a key of metadata.
	MetadataKey = &schema.Pattern{
		Expr:    `^[a-z][a-z0-9]*([_.-][a-z0-9]+){0,15}$`,
		Says:    "lowercase letters, digits, and single dots, dashes, or underscores, starting with a letter",
		Suggest: suggestID,
	}
)

// camelCase finds the word boundaries in UserStoryQuality and PRDQuality.
var camelCase = lazy.Expr(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z]{2})`)

// suggestID converts a text such as "User Story-Quality", or a file name, to an ID.
// A letter outside ASCII has no good substitute.
func suggestID(text string) string {
	text = camelCase().ReplaceAllString(strings.TrimSuffix(text, ".yaml"), "${1}${3}_${2}${4}")
	text = strings.ToLower(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && unicode.IsLetter(r) }) {
		return ""
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "_")
}

// fillers are words that say little in a name.
var fillers = strings.Fields(`if a an the is are be to of in on at by for with and or that this its does
	do has how what which can should must will would response answer output model all any each`)

// Slug is up to a number of words of a text as a name or a part of an ID, or "" if it has none
// in letters from a to z.
func Slug(text string, most int) string {
	plain := slices.DeleteFunc(strings.Fields(text), func(word string) bool { return suggestID(word) == "" })
	words := strings.Split(suggestID(strings.Join(plain, " ")), "_")
	if len(words) > most {
		words = slices.DeleteFunc(words, func(word string) bool { return slices.Contains(fillers, word) })
	}
	for len(words) > 0 && (words[0] == "" || words[0][0] <= '9') {
		words = words[1:]
	}
	name := strings.Join(words[:min(len(words), most)], "_")
	return strings.TrimRight(name[:min(len(name), 60)], "_")
}

// suggestVersion completes "1.2" and corrects "v1.2.0" and "01.2.0".
func suggestVersion(text string) string {
	parts := strings.Split(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "v"), ".")
	if len(parts) > 3 {
		return ""
	}
	for i, part := range parts {
		parts[i] = strings.TrimLeft(part, "0")
		if parts[i] == "" && part != "" {
			parts[i] = "0"
		}
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	return strings.Join(parts, ".")
}

func text() *schema.Value { return &schema.Value{Shape: schema.Text} }

// idText is an ID, an artifact type, or a name. example is a value for messages.
func idText(example string) *schema.Value {
	return &schema.Value{Shape: schema.Text, Pattern: idPattern(example), Max: 128}
}

func texts(noun string) *schema.Value {
	return &schema.Value{
		Shape: schema.List, Elem: &schema.Value{Shape: schema.Text, Noun: noun, Blank: true, Verbatim: true},
	}
}

func flag(key, doc string, class schema.Classes) schema.Field {
	return schema.Field{Key: key, Doc: doc, Value: &schema.Value{Shape: schema.Flag}, Default: "false", Class: class}
}

// head returns the first fields of both kinds. example is an ID for messages.
func head(idKey, noun, example string) []schema.Field {
	reworded := schema.Classes{Added: schema.Patch, Removed: schema.Patch, Changed: schema.Patch}
	return []schema.Field{
		{
			Key: idKey, Required: true, Spec: "RL-01", Value: idText(example),
			Doc: "The ID of the " + noun + ", unique in the library. It never changes. An ending such as _v1 or _v2 is the major version.",
		},
		{
			Key: "name", Required: true, Value: text(), Class: schema.Classes{Changed: schema.Patch},
			Doc: "The display name.",
		},
		{
			Key: "version", Required: true, Spec: "RL-04", Value: &schema.Value{Shape: schema.Text, Pattern: version},
			Doc: `The version, in quotes: "MAJOR.MINOR.PATCH". It increases with each change; 0.x.y is a draft.`,
		},
		{
			Key: "artifact_type", Required: true, Spec: "RL-10", Value: idText("jira_tickets"),
			Class: schema.Classes{Changed: schema.Major},
			Doc:   "The type of artifact that it grades, such as jira_tickets or test_plans. Also the name of its folder.",
		},
		{
			Key: "description", Value: text(), Class: reworded,
			Doc: "What the " + noun + " is for. People read it; judges don't.",
		},
	}
}

// tail returns the optional last fields of both kinds.
func tail() []schema.Field {
	reworded := schema.Classes{Added: schema.Patch, Removed: schema.Patch, Changed: schema.Patch}
	return []schema.Field{
		{
			Key: "language", Value: &schema.Value{Shape: schema.Text, Pattern: language, Max: 64}, Default: `"en"`,
			Class: reworded, Doc: "The language of the texts, such as en, de, or pt-BR.",
		},
		{
			Key: "deprecated", Class: reworded,
			Doc: "Marks the document as deprecated: new users should not adopt it.",
			Value: &schema.Value{Shape: schema.Object, Noun: "deprecation", Fields: []schema.Field{
				{
					Key: "reason", Required: true, Value: text(), Class: schema.Classes{Changed: schema.Patch},
					Doc: "Why the document is deprecated.",
				},
				{
					Key: "replaced_by", Value: idText("user_story_quality_v2"), Class: reworded,
					Doc: "The ID of the document to use instead.",
				},
			}},
		},
		{
			Key: "metadata", Class: reworded,
			Doc: "Short texts for your own use, such as owner or ticket. Search finds the words of owner and keywords. No judge reads them.",
			Value: &schema.Value{
				Shape: schema.Map, Max: 32, Pattern: MetadataKey,
				Elem: &schema.Value{Shape: schema.Text, Max: 256, Verbatim: true},
			},
		},
	}
}

// SchemaBase is the prefix of the identifiers of the JSON Schemas.
const SchemaBase = "https://github.com/rubric-library/rubric-library/schema/"

// Title returns the kind as a heading.
func (k *Kind) Title() string { return strings.ToUpper(k.Noun[:1]) + k.Noun[1:] }

// JSONSchema returns the JSON Schema of the kind, the content of SchemaFile.
func (k *Kind) JSONSchema() ([]byte, error) {
	return schema.JSONSchema(k.Table, SchemaBase+k.SchemaFile, k.Title(), k.Doc)
}
