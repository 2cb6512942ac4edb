package lint

import (
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Conventions are what the documents of one library must follow beyond the specification.
// The zero Conventions require nothing.
type Conventions struct {
	Metadata      []MetadataConvention `json:"metadata"`
	ArtifactTypes []string             `json:"artifact_types"`
	IDs           struct {
		Pattern string `json:"pattern"`
		Message string `json:"message"`
	} `json:"ids"`
	Words []WordConvention `json:"words"`

	// ID matches the IDs that follow IDs.Pattern; nil without a configuration.
	ID *regexp.Regexp `json:"-"`
}

// MetadataConvention is a required key of the metadata and its allowed values; without
// Values, any value is allowed.
type MetadataConvention struct {
	Key     string   `json:"key"`
	Values  []string `json:"values"`
	Message string   `json:"message"`
}

// WordConvention lists words and phrases to avoid, and what to use instead.
type WordConvention struct {
	Avoid   []string `json:"avoid"`
	Use     string   `json:"use"`
	Message string   `json:"message"`

	// Avoided matches them as whole words in any case; its group 1 is the word.
	Avoided *regexp.Regexp `json:"-"`
}

// conventionsTable is the type of the conventions in the configuration.
var conventionsTable = func() *schema.Value {
	text := &schema.Value{Shape: schema.Text, Max: 256}
	list := func(noun string, least float64) *schema.Value {
		return &schema.Value{Shape: schema.List, Noun: noun, Min: least, Max: 1000, Elem: text}
	}
	message := schema.Field{Key: "message", Value: text, Doc: "What the finding says in addition, such as the reason."}
	required := message
	required.Required, required.Doc = true, "What the finding says: how to name a document."
	return &schema.Value{Shape: schema.Object, Noun: "conventions", Fields: []schema.Field{
		{Key: "metadata", Doc: "Keys that the metadata of each document must have.", Value: &schema.Value{
			Shape: schema.List, Noun: "metadata", Max: 32, Identity: "key", Elem: &schema.Value{Shape: schema.Object, Noun: "key", Fields: []schema.Field{
				{Key: "key", Required: true, Doc: "The key, such as owner.", Value: &schema.Value{Shape: schema.Text, Pattern: document.MetadataKey}},
				{Key: "values", Doc: "The allowed values. Without them, any value is allowed.", Value: list("value", 1)},
				message,
			}}}},
		{Key: "artifact_types", Doc: "The allowed artifact types.", Value: list("artifact type", 1)},
		{Key: "ids", Doc: "The form of the IDs of documents.", Value: &schema.Value{Shape: schema.Object, Noun: "form", Fields: []schema.Field{
			{Key: "pattern", Required: true, Doc: "A regular expression that is found in each ID, such as ^(web|api)_.", Value: text},
			required,
		}}},
		{Key: "words", Doc: "Words to avoid in the texts of documents, except in examples.", Value: &schema.Value{
			Shape: schema.List, Noun: "words", Max: 1000, Elem: &schema.Value{Shape: schema.Object, Noun: "word", Fields: []schema.Field{
				{Key: "avoid", Required: true, Doc: "Words or phrases, in any case. List each form, such as the plural.", Value: list("word", 1)},
				{Key: "use", Doc: "What to write instead.", Value: text},
				message,
			}}}},
	}}
}()

// compile compiles the expressions of conventions that conform to their table. The error is
// that of IDs.Pattern.
func (c *Conventions) compile() (err error) {
	for i := range c.Words {
		w := &c.Words[i]
		var words []string
		for _, word := range w.Avoid {
			words = append(words, strings.Join(strings.Fields(regexp.QuoteMeta(word)), `\s+`))
		}
		w.Avoided = regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])(` + strings.Join(words, "|") + `)(?:$|[^\pL\pN_])`)
	}
	c.ID, err = regexp.Compile(c.IDs.Pattern)
	return err
}
