package document

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Run is the file run.json: what an artifact is evaluated by. Other programs
// keep more in it, which is nobody's business here.
var Run = Kind{
	Name: "run", Noun: "run file", SchemaFile: "run.schema.json",
	Doc: "A run file says what an artifact is evaluated by: a snapshot of the rules, and the checks that were prepared from them. `rubric rules init` and `prepare` write it. Other programs may keep keys of their own in it.",
	Table: &schema.Value{Shape: schema.Object, Open: true, Fields: []schema.Field{
		{Key: "schema_version", Required: true, Doc: "The version of the format: 1.", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1}},
		{
			Key: "task", Doc: "What is to be made, as the setup asked for it.",
			Value: &schema.Value{Shape: schema.Object, Noun: "task", Open: true, Fields: []schema.Field{
				{Key: "type", Value: idText("api_design"), Doc: "The type of the task, which is the artifact type of its base template."},
				{Key: "ideal_result", Value: text(), Doc: "What the best result would be, in the words of the person who asked."},
			}},
		},
		{
			Key: "criteria", Required: true, Doc: "What counts.",
			Value: &schema.Value{Shape: schema.Object, Noun: "criteria", Fields: []schema.Field{
				{Key: "rule_set", Value: ruleSetReference, Doc: "The rule set that the rules were taken from, where one was."},
				{Key: "template", Value: templateReference, Doc: "The file of templates that the rules were taken from, where one was."},
				{
					Key: "pass_threshold", Required: true, Value: &schema.Value{Shape: schema.Number, Min: 0, Max: 1},
					Doc: "The lowest score, from 0 to 1, with which an artifact passes.",
				},
				{
					Key: "rules", Required: true, Doc: "The rules as they were when the run began, with all six fields. Nothing else is evaluated.",
					Value: &schema.Value{Shape: schema.List, Min: 1, Identity: "id", Elem: &schema.Value{
						Shape: schema.Object, Noun: "rule", Fields: required(RuleTable().Fields, "weight", "phase"),
					}},
				},
			}},
		},
		{
			Key: "prepared", Doc: "What evaluate runs. `rubric rules prepare` writes it anew each time.",
			Value: &schema.Value{Shape: schema.Object, Noun: "preparation", Fields: []schema.Field{
				{Key: "phase", Required: true, Value: phaseChoice, Doc: "The phase whose rules were prepared: those of B include those of A."},
				{Key: "rules", Required: true, Value: checksOfRules, Doc: "The rules that have checks, with their checks."},
				{
					Key: "outside", Required: true, Doc: "The rules without checks: each needs a verdict from outside.",
					Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{Shape: schema.Text, Noun: "ID of a rule", Pattern: ruleID, Max: 128}},
				},
			}},
		},
	}},
}

// Checks is a file that supplies the checks of rules for a run.
var Checks = Kind{
	Name: "checks", Noun: "file of checks", SchemaFile: "checks.schema.json",
	Doc: "A file of checks supplies what `rubric rules prepare` puts in the place of a rule's instruction: checks that a program can run.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "checks", Required: true, Value: checksOfRules, Doc: "The rules with their checks.",
	}}},
}

// Verdicts is a file with the verdicts of a judge or a person.
var Verdicts = Kind{
	Name: "verdicts", Noun: "file of verdicts", SchemaFile: "verdicts.schema.json",
	Doc: "A file of verdicts says how rules came out, by a judge or a person. What `rubric rules evaluate --format json` writes is one too. Other programs may keep keys of their own in it.",
	Table: &schema.Value{Shape: schema.Object, Open: true, Fields: []schema.Field{{
		Key: "verdicts", Required: true, Doc: "The verdicts, one a rule.",
		Value: &schema.Value{Shape: schema.List, Identity: "rule", Elem: &schema.Value{
			Shape: schema.Object, Noun: "verdict", Open: true, Fields: []schema.Field{
				{Key: "rule", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: ruleID, Max: 128}, Doc: "The ID of the rule."},
				{
					Key: "verdict", Required: true, Doc: "How the rule came out.",
					Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
						{Word: "pass", Doc: "The artifact keeps it."},
						{Word: "fail", Doc: "The artifact breaks it."},
						{Word: "skipped", Doc: "It could not be evaluated, for a reason that is said. It counts as not passed."},
					}},
				},
				{Key: "reason", Value: text(), Doc: "Why: what was seen, or what kept the rule from being evaluated."},
			},
		}},
	}}},
}

// Answers is a file of answers for the setup of a run: a line for each flag of
// rubric rules init.
var Answers = Kind{
	Name: "answers", Noun: "file of answers", SchemaFile: "answers.schema.json",
	Doc: "A file of answers says what `rubric rules init` would ask. Each line means the same as the flag of that name.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{Key: "task_type", Value: idText("api_design"), Doc: "The type of the task, which finds the base template in the library."},
		{Key: "rule_set", Value: text(), Doc: "The base template itself, where a type has several: ID or ID@CONSTRAINT."},
		{Key: "template", Value: text(), Doc: "A Markdown or YAML file of shorthand rows, in the place of a rule set."},
		{Key: "section", Value: text(), Doc: "The heading in the Markdown file below which the rows stand."},
		{Key: "pass_threshold", Value: &schema.Value{Shape: schema.Number, Min: 0, Max: 1}, Doc: "The lowest score that passes, where it is not the rule set's."},
		{Key: "mandatory_checks", Value: texts("mandatory check"), Doc: "What must hold: the ID of a rule, which becomes fail, or ID=TEXT or TEXT, which becomes a new rule."},
		{Key: "quality_preferences", Value: texts("quality preference"), Doc: "What should hold: the ID of a rule, which becomes warn, or ID=TEXT or TEXT, which becomes a new rule."},
		{Key: "ideal_result", Value: text(), Doc: "What the best result would be. Each line, or list item, becomes a rule of phase B with severity warn."},
		{Key: "constraints", Value: texts("constraint"), Doc: "Instructions for rules that have none: ID=TEXT."},
		{Key: "remove", Value: texts("ID of a rule"), Doc: "The IDs of rules that are left out."},
		{Key: "adjust", Value: texts("adjustment"), Doc: "Changes of rules: ID.FIELD=VALUE, with the fields description, severity, weight and check."},
		{
			Key: "add", Doc: "Rules that are added, as in a rule set.",
			Value: &schema.Value{Shape: schema.List, Identity: "id", Elem: &schema.Value{
				Shape: schema.Object, Noun: "rule", Fields: optional(RuleTable().Fields, "check"),
			}},
		},
	}},
}

// RunKinds lists the files of a run.
func RunKinds() []*Kind { return []*Kind{&Run, &Answers, &Checks, &Verdicts} }

// RuleTable is the type of one rule of a rule set.
func RuleTable() *schema.Value { return rules.Value.Elem }

var ruleSetReference = &schema.Value{Shape: schema.Object, Noun: "rule set", Fields: []schema.Field{
	{Key: "id", Required: true, Value: idText("rest_api_design_v1"), Doc: "The ID of the rule set."},
	{Key: "version", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: version}, Doc: "Its version."},
	{Key: "digest", Required: true, Value: digestText, Doc: "Its digest, which names this text for ever."},
}}

var templateReference = &schema.Value{Shape: schema.Object, Noun: "template", Fields: []schema.Field{
	{Key: "file", Required: true, Value: text(), Doc: "The name of the file."},
	{Key: "section", Value: text(), Doc: "The heading below which the rows stood."},
	{Key: "digest", Required: true, Value: digestText, Doc: "The digest of the file's bytes."},
}}

var digestText = &schema.Value{Shape: schema.Text, Pattern: &schema.Pattern{
	Expr: `^sha256:[0-9a-f]{64}$`, Says: "sha256: and 64 digits from 0 to 9 and a to f",
}}

var phaseChoice = schema.Find(RuleTable().Fields, "phase").Value

var checksOfRules = &schema.Value{Shape: schema.List, Identity: "rule", Elem: &schema.Value{
	Shape: schema.Object, Noun: "rule", Fields: []schema.Field{
		{Key: "rule", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: ruleID, Max: 128}, Doc: "The ID of the rule."},
		{
			Key: "checks", Required: true, Doc: "Its checks: all have to pass.",
			Value: &schema.Value{Shape: schema.List, Min: 1, Elem: checks.Elem},
		},
	},
}}

// required and optional are fields of which some are, or are not, required.
func required(fields []schema.Field, keys ...string) []schema.Field {
	return with(fields, keys, func(f *schema.Field) {
		f.Required = true
		f.Doc, _, _ = strings.Cut(f.Doc, " Absent:")
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
