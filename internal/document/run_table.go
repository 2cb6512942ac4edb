package document

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Run is the file run.json: what an artifact is evaluated by. Other programs can
// keep their own keys in it.
var Run = Kind{
	Name: "run", Noun: "run file", SchemaFile: "run.schema.json",
	Doc: "A run file contains what an artifact is evaluated by: a snapshot of the rules, and the checks prepared from them. `rubric rules init` and `prepare` write it.",
	Table: &schema.Value{Shape: schema.Object, Open: true, Fields: []schema.Field{
		{
			Key: "schema_version", Required: true, Doc: "The version of the format: 1.",
			Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1},
		},
		{
			Key: "task", Doc: "The task, as entered during setup.",
			Value: &schema.Value{Shape: schema.Object, Noun: "task", Open: true, Fields: []schema.Field{
				{Key: "type", Value: idText("api_design"), Doc: "The task type: the artifact type of the base template."},
				{Key: "ideal_result", Value: text(), Doc: "The ideal result, in the words of the person who set up the run."},
			}},
		},
		{
			Key: "criteria", Required: true, Doc: "What the artifact is evaluated by.",
			Value: &schema.Value{Shape: schema.Object, Noun: "criteria", Fields: []schema.Field{
				{Key: "rule_set", Value: ruleSetReference, Doc: "The rule set that the rules come from, if any."},
				{Key: "template", Value: templateReference, Doc: "The template file that the rules come from, if any."},
				{
					Key: "pass_threshold", Required: true, Value: &schema.Value{Shape: schema.Number, Min: 0, Max: 1},
					Doc: "The lowest score, from 0 to 1, at which an artifact passes.",
				},
				{
					Key: "rules", Required: true, Doc: "The rules as they were when the run began, with all six fields. Only these are evaluated.",
					Value: &schema.Value{Shape: schema.List, Min: 1, Identity: "id", Elem: &schema.Value{
						Shape: schema.Object, Noun: "rule", Fields: required(RuleTable().Fields, "weight", "phase"),
					}},
				},
			}},
		},
		{
			Key: "prepared", Doc: "What `rubric rules evaluate` runs. `rubric rules prepare` overwrites it.",
			Value: &schema.Value{Shape: schema.Object, Noun: "preparation", Fields: []schema.Field{
				{Key: "phase", Required: true, Value: phaseChoice, Doc: "The phase for which rules were prepared."},
				{Key: "rules", Required: true, Value: checksOfRules(
					flag("supplied", "Whether these checks were supplied and replace the rule's own, also when the run is prepared again.", schema.Classes{}),
				), Doc: "The rules that have checks, with these checks."},
				{
					Key: "outside", Required: true, Doc: "The rules without checks. Each needs a verdict from a judge or a person.",
					Value: &schema.Value{
						Shape: schema.List,
						Elem:  &schema.Value{Shape: schema.Text, Noun: "ID of a rule", Pattern: ruleID, Max: 128},
					},
				},
			}},
		},
	}},
}

// Checks is a file that supplies the checks of rules for a run.
var Checks = Kind{
	Name: "checks", Noun: "file of checks", SchemaFile: "checks.schema.json",
	Doc: "A file of checks supplies automated checks, which `rubric rules prepare` uses instead of a rule's instruction.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "checks", Required: true, Doc: "The rules with their checks.", Value: checksOfRules(
			schema.Field{
				Key: "description", Value: text(),
				Doc: "What the rule checks, for the person who fills in the file. It has no effect.",
			},
			schema.Field{
				Key: "check", Value: text(), Doc: "The instruction of the rule, for the same person. It has no effect.",
			},
		),
	}}},
}

// Verdicts is a file with the verdicts of a judge or a person.
var Verdicts = Kind{
	Name: "verdicts", Noun: "file of verdicts", SchemaFile: "verdicts.schema.json",
	Doc: "A file of verdicts contains the verdicts of a judge or a person on rules. The output of `rubric rules evaluate --format json` is one too.",
	Table: &schema.Value{Shape: schema.Object, Open: true, Fields: []schema.Field{{
		Key: "verdicts", Required: true, Doc: "The verdicts, one per rule.",
		Value: &schema.Value{Shape: schema.List, Identity: "rule", Elem: &schema.Value{
			Shape: schema.Object, Noun: "verdict", Open: true, Fields: []schema.Field{
				{Key: "rule", Required: true, Value: ruleIDText, Doc: "The ID of the rule."},
				{
					Key: "verdict", Required: true, Doc: "The verdict on the rule.",
					Value: verdictChoice,
				},
				{Key: "reason", Value: text(), Doc: "What was observed, or why the rule could not be evaluated."},
			},
		}},
	}}},
}

// Answers is a file of answers for the setup of a run: a key for each flag of
// rubric rules init.
var Answers = Kind{
	Name: "answers", Noun: "file of answers", SchemaFile: "answers.schema.json",
	Doc: "A file of answers replaces the questions of `rubric rules init`. Each key means the same as the flag of that name.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{
			Key: "task_type", Value: idText("api_design"),
			Doc: "The task type, which selects the base template in the library.",
		},
		{Key: "rule_set", Value: text(), Doc: "The base template, if the type has several: ID or ID@CONSTRAINT."},
		{Key: "template", Value: text(), Doc: "A Markdown or YAML file with shorthand rows, instead of a rule set."},
		{Key: "section", Value: text(), Doc: "The heading above the rows in the Markdown file."},
		{
			Key: "pass_threshold", Value: &schema.Value{Shape: schema.Number, Min: 0, Max: 1},
			Doc: "The lowest passing score, if it differs from the rule set's.",
		},
		{
			Key: "mandatory_checks", Value: texts("mandatory check"),
			Doc: "Requirements: the ID of a rule, whose severity becomes fail, or ID=TEXT or TEXT for a new rule.",
		},
		{
			Key: "quality_preferences", Value: texts("quality preference"),
			Doc: "Preferences: the ID of a rule, whose severity becomes warn, or ID=TEXT or TEXT for a new rule.",
		},
		{
			Key: "ideal_result", Value: text(),
			Doc: "The ideal result. Each line or list item becomes a rule of phase B with severity warn.",
		},
		{Key: "constraints", Value: texts("constraint"), Doc: "Instructions for rules that have none: ID=TEXT."},
		{Key: "remove", Value: texts("ID of a rule"), Doc: "The IDs of the rules to leave out."},
		{
			Key: "adjust", Value: texts("adjustment"),
			Doc: "Changes to rules: ID.FIELD=VALUE, where FIELD is description, severity, weight, or check.",
		},
		{
			Key: "add", Doc: "Rules to add, written as in a rule set. The check can come from constraints instead.",
			Value: &schema.Value{Shape: schema.List, Identity: "id", Elem: &schema.Value{
				Shape: schema.Object, Noun: "rule", Fields: optional(RuleTable().Fields, "check"),
			}},
		},
	}},
}

// RuleTable is the type of one rule of a rule set.
func RuleTable() *schema.Value { return rules.Value.Elem }

var ruleSetReference = &schema.Value{Shape: schema.Object, Noun: "rule set", Fields: []schema.Field{
	{Key: "id", Required: true, Value: idText("rest_api_design_v1"), Doc: "The ID of the rule set."},
	{Key: "version", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: version}, Doc: "Its version."},
	{Key: "digest", Required: true, Value: digestText, Doc: "Its digest, which identifies exactly this text."},
}}

var templateReference = &schema.Value{Shape: schema.Object, Noun: "template", Fields: []schema.Field{
	{Key: "file", Required: true, Value: text(), Doc: "The name of the file."},
	{Key: "section", Value: text(), Doc: "The heading above the rows."},
	{Key: "digest", Required: true, Value: digestText, Doc: "The digest of the file's bytes."},
}}

var ruleIDText = &schema.Value{Shape: schema.Text, Pattern: ruleID, Max: 128}

var digestText = &schema.Value{Shape: schema.Text, Pattern: &schema.Pattern{
	Expr: `^sha256:[0-9a-f]{64}$`, Says: "sha256: followed by 64 digits from 0 to 9 and a to f",
}}

var verdictChoice = &schema.Value{Shape: schema.Choice, Options: []schema.Option{
	{Word: "pass", Doc: "The artifact follows the rule."},
	{Word: "fail", Doc: "The artifact breaks the rule."},
	{Word: "skipped", Doc: "The rule could not be evaluated, and the reason is given. It counts as not passed."},
}}

var phaseChoice = &schema.Value{Shape: schema.Choice, Options: []schema.Option{
	{Word: "A", Doc: "The rules of phase A."},
	{Word: "B", Doc: "The rules of phases A and B."},
}}

func checksOfRules(more ...schema.Field) *schema.Value {
	return &schema.Value{Shape: schema.List, Identity: "rule", Elem: &schema.Value{
		Shape: schema.Object, Noun: "rule", Fields: append([]schema.Field{
			{Key: "rule", Required: true, Value: ruleIDText, Doc: "The ID of the rule."},
			{
				Key: "checks", Required: true, Doc: "Its checks, all of which must pass.",
				Value: &schema.Value{Shape: schema.List, Min: 1, Elem: checks.Elem},
			},
		}, more...),
	}}
}

// required and optional return fields in which the given keys are, or are not,
// required.
func required(fields []schema.Field, keys ...string) []schema.Field {
	return with(fields, keys, func(f *schema.Field) {
		f.Required = true
		f.Doc, _, _ = strings.Cut(f.Doc, " Default:")
	})
}

func optional(fields []schema.Field, keys ...string) []schema.Field {
	return with(fields, keys, func(f *schema.Field) { f.Required = false })
}

func with(fields []schema.Field, keys []string, change func(*schema.Field)) []schema.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		if slices.Contains(keys, fields[i].Key) {
			change(&fields[i])
		}
	}
	return fields
}
