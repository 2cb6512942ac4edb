package document

import "github.com/rubric-library/rubric-library/internal/document/schema"

// Ledger is the file rubrics/retired.yaml: the IDs that existed and are gone.
var Ledger = Kind{
	Name: "ledger", Noun: "ledger", SchemaFile: "retired.schema.json",
	Doc: "The ledger lists the IDs that existed and are gone, so that no ID is used again. Lines are added, never changed.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "retired", Required: true, Doc: "The IDs that are gone, sorted.",
		Value: &schema.Value{Shape: schema.List, Identity: "id", Elem: &schema.Value{
			Shape: schema.Object, Noun: "entry", Fields: []schema.Field{
				{Key: "id", Required: true, Value: idText("user_story_quality_v1"), Doc: "The ID that is gone."},
				{
					Key: "kind", Required: true, Doc: "What it was.",
					Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
						{Word: Rubric.Name, Doc: "A rubric."}, {Word: RuleSet.Name, Doc: "A rule set."},
					}},
				},
				{Key: "last_version", Required: true, Doc: "The last version that it had, in quotes.", Value: &schema.Value{Shape: schema.Text, Pattern: version}},
				{Key: "reason", Required: true, Value: text(), Doc: "Why it is gone."},
				{Key: "replaced_by", Value: idText("user_story_quality_v2"), Doc: "The ID of the document to use instead."},
			},
		}},
	}}},
}

// Exceptions is the file rubrics/exceptions.yaml: what the code owners accepted
// against a lint rule of the history.
var Exceptions = Kind{
	Name: "exceptions", Noun: "list of exceptions", SchemaFile: "exceptions.schema.json",
	Doc: "The exceptions accept, one thing each, what a lint rule of the history finds and what can't be undone.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "exceptions", Required: true, Doc: "What is accepted, one thing each.",
		Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
			Shape: schema.Object, Noun: "exception", OneOf: []string{"version", "commit"}, Fields: []schema.Field{
				{Key: "rule", Required: true, Doc: "The lint rule whose finding is accepted.", Value: &schema.Value{Shape: schema.Text, Pattern: ruleName}},
				{Key: "id", Required: true, Value: idText("user_story_quality_v1"), Doc: "The ID of the document that it is about."},
				{Key: "version", Doc: "The version of the document that it is about, in quotes.", Value: &schema.Value{Shape: schema.Text, Pattern: version}},
				{Key: "commit", Doc: "The full name of the commit that it is about.", Value: &schema.Value{Shape: schema.Text, Pattern: CommitName}},
				{Key: "reason", Required: true, Value: text(), Doc: "Why it is accepted."},
			},
		}},
	}}},
}

// Baseline is the file .rubric-lint-baseline.json: what lint rules found when the
// library began to use them.
var Baseline = Kind{
	Name: "baseline", Noun: "baseline", SchemaFile: "baseline.schema.json",
	Doc: "A baseline counts the findings that an old library begins with and that are not shown until there are more. `rubric-lint --write-baseline` writes it, and --prune takes out what was mended.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{Key: "schema_version", Required: true, Doc: "The version of the format: 1.", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1}},
		{
			Key: "findings", Required: true, Doc: "How many findings are not shown, sorted by lint rule and document.",
			Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
				Shape: schema.Object, Noun: "entry", OneOf: []string{"id", "file"}, Fields: []schema.Field{
					{Key: "rule", Required: true, Doc: "The lint rule.", Value: &schema.Value{Shape: schema.Text, Pattern: ruleName}},
					{Key: "id", Value: idText("user_story_quality_v1"), Doc: "The ID of the document that they are about."},
					{Key: "file", Value: text(), Doc: "The file that they are in, where that is no document with an ID."},
					{Key: "count", Required: true, Doc: "How many there are.", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e6}},
				},
			}},
		},
	}},
}

var ruleName = &schema.Pattern{
	Expr: `^[a-z]+(-[a-z]+)*$`,
	Says: "the name of a lint rule, such as major-change",
}

// CommitName is the form of the full name of a commit.
var CommitName = &schema.Pattern{
	Expr: `^[0-9a-f]{40}$`,
	Says: "the 40 digits that name a commit, from 0 to 9 and a to f",
}
