package document

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Ledger is the file rubrics/retired.yaml: the retired IDs, and the yanked and withdrawn versions.
var Ledger = Kind{
	Name: "ledger", Noun: "ledger", SchemaFile: "retired.schema.json",
	Doc:   "The ledger lists the retired IDs, so that no ID is reused, and the yanked versions, whose texts can be withdrawn. Entries are added and never removed.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{retiredIDs, yankedVersions}},
}

// Retired is the entry retired.json of a bundle: the retired IDs of the ledger. The manifest has
// the yanked and the withdrawn versions.
var Retired = Kind{
	Name: "ledger", Noun: "ledger",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{retiredIDs}},
}

var retiredIDs = schema.Field{
	Key: "retired", Required: true, Doc: "The retired IDs.",
	Value: &schema.Value{Shape: schema.List, Identity: "id", Elem: &schema.Value{
		Shape: schema.Object, Noun: "entry", Fields: []schema.Field{
			{Key: "id", Required: true, Value: idText("user_story_quality_v1"), Doc: "The retired ID."},
			{
				Key: "kind", Required: true, Doc: "The kind of document.",
				Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
					{Word: Rubric.Name, Doc: "A rubric."}, {Word: RuleSet.Name, Doc: "A rule set."},
				}},
			},
			{
				Key: "last_version", Required: true, Doc: "The last version of the document, in quotes.",
				Value: &schema.Value{Shape: schema.Text, Pattern: version},
			},
			{Key: "reason", Required: true, Value: text(), Doc: "Why it was retired."},
			{Key: "replaced_by", Value: idText("user_story_quality_v2"), Doc: "The ID of the document to use instead."},
		},
	}},
}

var yankedVersions = schema.Field{
	Key: "yanked", Doc: "The versions that constraints skip.",
	Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
		Shape: schema.Object, Noun: "entry", Fields: []schema.Field{
			{Key: "id", Required: true, Value: idText("user_story_quality_v1"), Doc: "The ID of the document."},
			{
				Key: "version", Required: true, Doc: "The yanked version, in quotes.",
				Value: &schema.Value{Shape: schema.Text, Pattern: version},
			},
			{Key: "reason", Required: true, Value: text(), Doc: "Why it was yanked."},
			flag("withdrawn", "Whether its text is withdrawn, too, so that the next bundles don't have it. It can be added later, and is never removed.", schema.Classes{}),
		},
	}},
}

// Exceptions is the file rubrics/exceptions.yaml: the findings of history rules
// that the code owners accepted.
var Exceptions = Kind{
	Name: "exceptions", Noun: "list of exceptions", SchemaFile: "exceptions.schema.json",
	Doc: "Each exception accepts one finding of a lint rule that checks the history: of the change that adds the exception, or of the commit that it names.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "exceptions", Required: true, Doc: "The exceptions. Each accepts one finding, once.",
		Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
			Shape: schema.Object, Noun: "exception",
			OneOf: []string{"version", "commit", "item"}, Together: []string{"commit", "item"},
			Fields: []schema.Field{
				{
					Key: "rule", Required: true, Doc: "The lint rule whose finding is accepted.",
					Value: &schema.Value{Shape: schema.Text, Pattern: ruleName},
				},
				{
					Key: "id", Required: true, Value: idText("user_story_quality_v1"),
					Doc: "The ID of the document, or the name of the dataset.",
				},
				{
					Key: "version", Doc: "The version of the document, in quotes.",
					Value: &schema.Value{Shape: schema.Text, Pattern: version},
				},
				{
					Key:   "commit",
					Doc:   "The full hash of a commit on the main branch whose finding is accepted. Without it, the exception accepts what the change does that adds it.",
					Value: &schema.Value{Shape: schema.Text, Pattern: CommitName},
				},
				{Key: "item", Value: text(), Doc: "The ID of the item of the dataset, or `dataset.yaml`."},
				{Key: "reason", Required: true, Value: text(), Doc: "Why the finding is accepted."},
			},
		}},
	}}},
}

// Baseline is the file .rubric-lint-baseline.json: the findings that existed when
// the library adopted a lint rule.
var Baseline = Kind{
	Name: "baseline", Noun: "baseline", SchemaFile: "baseline.schema.json",
	Doc: "A baseline counts the findings that a library already had. They are hidden until there are more. `rubric-lint --write-baseline` writes it, and --prune removes what was fixed.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{
			Key: "schema_version", Required: true, Doc: "The version of the format: 1.",
			Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1},
		},
		{
			Key: "findings", Required: true, Doc: "The hidden findings, sorted by lint rule and document.",
			Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
				Shape: schema.Object, Noun: "entry", OneOf: []string{"id", "file"}, Fields: []schema.Field{
					{
						Key: "rule", Required: true, Doc: "The lint rule.",
						Value: &schema.Value{Shape: schema.Text, Pattern: anyRuleName},
					},
					{Key: "id", Value: idText("user_story_quality_v1"), Doc: "The ID of the document."},
					{Key: "file", Value: text(), Doc: "The file, if it is not a document with an ID."},
					{
						Key: "count", Required: true, Doc: "The number of findings.",
						Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e6},
					},
				},
			}},
		},
	}},
}

const (
	ruleNameExpr = `[a-z]+(-[a-z]+)*`
	ownNameExpr  = `[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*`
)

var ruleName = &schema.Pattern{
	Expr: "^" + ruleNameExpr + "$",
	Says: "the name of a lint rule, such as major-change",
}

// OwnRuleName is the form of the name of a rule that a library adds. No other name has a slash.
var OwnRuleName = &schema.Pattern{
	Expr: "^" + ownNameExpr + "$",
	Says: "the name of your team and that of the rule, in lowercase letters, digits, and single dashes, joined by a slash, such as acme/owner",
	Suggest: func(text string) string {
		return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(text))
	},
}

// anyRuleName is the form of the name of a lint rule of any library.
var anyRuleName = &schema.Pattern{
	Expr: "^(" + ruleNameExpr + "|" + ownNameExpr + ")$",
	Says: ruleName.Says,
}

// CommitName is the form of a full commit hash.
var CommitName = &schema.Pattern{
	Expr: `^[0-9a-f]{40}$`,
	Says: "a full commit hash: 40 digits from 0 to 9 and a to f",
}
