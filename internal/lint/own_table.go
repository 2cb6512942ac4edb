package lint

import (
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint/expression"
)

// ownRulesTable is the type of a library's own rules in the configuration.
var ownRulesTable = &schema.Value{
	Shape: schema.Map, Max: mostRules, Pattern: document.OwnRuleName, Noun: "rules",
	Elem: &schema.Value{Shape: schema.Object, Noun: "rule", Fields: []schema.Field{
		{Key: "severity", Required: true, Doc: "The severity of its findings.", Value: severityWord},
		{Key: "for", Required: true, Doc: "The kind of documents that it is about.", Value: &schema.Value{
			Shape: schema.Choice, Options: []schema.Option{
				{Word: "rubric", Doc: "Rubrics."}, {Word: "ruleset", Doc: "Rule sets."}, {Word: "document", Doc: "Both."},
			},
		}},
		{
			Key: "each", Default: `"` + expression.Whole + `"`,
			Doc: "What is checked, one after the other, as the variable this.", Value: eachWord(),
		},
		{
			Key: "message", Required: true, Doc: "What its findings say: what to change, and why.",
			Value: &schema.Value{Shape: schema.Text, Max: 1000},
		},
		{
			Key: "when", Doc: "The condition under which the rule applies. Default: always.",
			Value: &schema.Value{Shape: schema.Text},
		},
		{Key: "require", Required: true, Doc: "The condition that must hold.", Value: &schema.Value{Shape: schema.Text}},
		{Key: "good", Required: true, Doc: "An element, or a part of a document, that follows the rule.", Value: anything()},
		{Key: "bad", Required: true, Doc: "An element, or a part of a document, that the rule finds.", Value: anything()},
	}},
}

// severityWord is the type of a severity in the configuration.
var severityWord = &schema.Value{Shape: schema.Choice, Options: []schema.Option{
	{Word: "error", Doc: "Fails the check."},
	{Word: "warning", Doc: "Reported."},
	{Word: "note", Doc: "Reported for information."},
	{Word: "off", Doc: "Not reported."},
}}

func eachWord() *schema.Value {
	docs := map[string]string{
		expression.Whole:    "The document as a whole.",
		expression.Texts:    "Each text that the authors wrote, except examples, with its key.",
		"criteria":          "Each criterion.",
		"negative_criteria": "Each negative criterion.",
		"rules":             "Each rule.",
	}
	v := &schema.Value{Shape: schema.Choice}
	for _, word := range expression.EachOf {
		v.Options = append(v.Options, schema.Option{Word: word, Doc: docs[word]})
	}
	return v
}

// anything is a group of any keys, which are those of documents.
func anything() *schema.Value {
	return &schema.Value{Shape: schema.Object, Noun: "example", Open: true}
}
