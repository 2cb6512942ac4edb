package document

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// RuleSet is the kind of document whose rules each get a verdict.
var RuleSet = Kind{
	Name:       "rule_set",
	Noun:       "rule set",
	IDKey:      "ruleset_id",
	SchemaFile: "ruleset.schema.json",
	Doc:        "A rule set is the base template for a task type: rules that each pass or fail, with a severity, a weight, and a phase.",
	Table: &schema.Value{Shape: schema.Object, Fields: slices.Concat(
		head("ruleset_id", "rule set", "rest_api_design_v1"),
		[]schema.Field{ruleScoring, rules},
		tail(),
	)},
}

var ruleScoring = schema.Field{
	Key: "scoring", Required: true, Doc: "The condition under which the rule set passes.",
	Value: &schema.Value{Shape: schema.Object, Noun: "scoring", Fields: []schema.Field{{
		Key: "pass_threshold", Required: true, Class: schema.Classes{Raised: schema.Major, Lowered: schema.Minor},
		Doc:   "The lowest score, from 0 to 1, at which the rule set passes. The score is the share of the total weight that the passed rules have.",
		Value: &schema.Value{Shape: schema.Number, Min: 0, Max: 1},
	}}},
}

var rules = schema.Field{
	Key: "rules", Required: true, Judge: true, Doc: "The rules. Each gets its own verdict.",
	Class: schema.Classes{Added: schema.Major, Removed: schema.Major, Renamed: schema.Major, Reordered: schema.Patch},
	Value: &schema.Value{Shape: schema.List, Min: 1, Identity: "id", Elem: &schema.Value{
		Shape: schema.Object, Noun: "rule", Fields: []schema.Field{
			{
				Key: "id", Required: true, Judge: true,
				Value: &schema.Value{Shape: schema.Text, Pattern: ruleID, Max: 128},
				Doc:   "The ID of the rule: phase.category.aspect, such as a.correctness.endpoints.",
			},
			{
				Key: "description", Required: true, Judge: true, Value: text(), Class: schema.Classes{Changed: schema.Minor},
				Doc: "What the rule checks.",
			},
			{
				Key: "severity", Required: true, Class: schema.Classes{Raised: schema.Major, Lowered: schema.Major},
				Doc: "The effect of a failure.",
				Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
					{Word: "fail", Doc: "The artifact fails, whatever its score."},
					{Word: "warn", Doc: "Lowers the score."},
					{Word: "info", Doc: "Recorded, with no effect on the score."},
				}},
			},
			{
				Key: "weight", Class: schema.Classes{Raised: schema.Major, Lowered: schema.Major}, Derive: weightOfSeverity,
				Doc:   "How much the rule counts. Default: 2 for fail, 1 for warn, 0 for info.",
				Value: &schema.Value{Shape: schema.Number, Max: 1e6},
			},
			{
				Key: "phase", Class: schema.Classes{Changed: schema.Major}, Derive: phaseOfID,
				Doc: "The phase from which the rule applies. Default: the first part of the ID.",
				Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
					{Word: "A", Doc: "In both phases."},
					{Word: "B", Doc: "In phase B only."},
				}},
			},
			{
				Key: "check", Required: true, Judge: true, Value: text(), Class: schema.Classes{Changed: schema.Minor},
				Doc: "How to verify the rule: an instruction that a person or a judge can follow.",
			},
			{
				Key: "checks", Value: checks, Class: schema.Always(schema.Major),
				Doc: "The same instruction as automated checks. The rule passes if all of them pass.",
			},
		},
	}},
}

// weightOfSeverity and phaseOfID compute defaults.
func weightOfSeverity(sibling func(string) string) string {
	return map[string]string{"fail": "2", "warn": "1", "info": "0"}[sibling("severity")]
}

func phaseOfID(sibling func(string) string) string {
	id := sibling("id")
	return map[string]string{"a": "A", "b": "B"}[id[:min(len(id), 1)]]
}

var checks = &schema.Value{Shape: schema.List, Elem: &schema.Value{
	Shape: schema.Object, Noun: "check", Variant: "type",
	Fields: []schema.Field{{
		Key: "type", Required: true, Doc: "The type of check.", Class: schema.Classes{Changed: schema.Major},
		Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
			{Word: "content", Doc: "Searches the artifact for a pattern or a literal text."},
			{Word: "executable", Doc: "Runs a command: exit code 0 passes, any other fails."},
		}},
	}},
	Variants: map[string]*schema.Value{
		"content":    {Shape: schema.Object, Fields: contentCheck, OneOf: []string{"pattern", "literal"}},
		"executable": {Shape: schema.Object, Fields: executableCheck},
	},
}}

var contentCheck = []schema.Field{
	{
		Key: "pattern", Value: &schema.Value{Shape: schema.Text, Blank: true, Verbatim: true},
		Class: schema.Always(schema.Major),
		Doc:   "A regular expression to search for anywhere in the artifact's normalized text. Matches do not overlap. Write it in single quotes.",
	},
	{
		Key: "literal", Value: &schema.Value{Shape: schema.Text, Blank: true, Verbatim: true},
		Class: schema.Always(schema.Major),
		Doc:   "A literal text to search for. It is normalized like the artifact's text.",
	},
	{
		Key:   "files",
		Class: schema.Classes{Added: schema.Major, Removed: schema.Major, Changed: schema.Major, Reordered: schema.Patch},
		Doc:   "The files to search in a folder or a Git diff, as patterns: * and ? match in a name, ** also across folders, such as \"**/*_test.go\". Default: all files. If none matches, the check finds nothing in a Git diff, and can't be run in a folder.",
		Value: &schema.Value{
			Shape: schema.List, Min: 1, Max: 100,
			Elem: &schema.Value{Shape: schema.Text, Noun: "pattern", Pattern: fileGlob, Blank: true, Max: 256},
		},
	},
	flag("ignore_case",
		"Whether to ignore the case of A to Z. If true, patterns must be ASCII.", schema.Classes{Changed: schema.Major}),
	flag("multiline", "Whether ^ and $ match at the beginning and end of each line.", schema.Classes{Changed: schema.Major}),
	{
		Key: "expect", Default: `"present"`, Class: schema.Classes{Changed: schema.Major}, Doc: "What makes the check pass.",
		Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
			{Word: "present", Doc: "There are matches, from min_count to max_count of them."},
			{Word: "absent", Doc: "There are no matches. min_count and max_count don't apply."},
		}},
	},
	count("min_count", "The minimum number of matches. Default: 1. With 0, there can be none."),
	count("max_count", "The maximum number of matches. Default: no limit."),
}

// fileGlob has no empty segment and none that is . or .., so it stays in the artifact.
var fileGlob = &schema.Pattern{
	Expr: `^(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+)(?:/(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+))*$`,
	Says: "a path relative to the artifact with slashes and without . and .., such as src/**/*.go",
}

func count(key, doc string) schema.Field {
	return schema.Field{
		Key: key, Doc: doc, Value: &schema.Value{Shape: schema.Integer, Max: 1e6},
		Class: schema.Always(schema.Major),
	}
}

var executableCheck = []schema.Field{{
	Key: "command", Required: true, Class: schema.Always(schema.Major),
	Doc: "The program and its arguments, one per list element. It runs without a shell in the artifact's folder, or in a copy of an artifact that is a folder or a Git diff. In an argument, {artifact} is replaced with ./ and the artifact's file name, which is change.diff for a Git diff and empty for a folder.",
	Value: &schema.Value{
		Shape: schema.List, Min: 1, IsCommand: true,
		Elem: &schema.Value{Shape: schema.Text, Noun: "argument", Blank: true, Verbatim: true},
	},
}}
