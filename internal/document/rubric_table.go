package document

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Rubric is the kind of document that scores criteria from 1 to 5.
var Rubric = Kind{
	Name:       "rubric",
	Noun:       "rubric",
	IDKey:      "rubric_id",
	SchemaFile: "rubric.schema.json",
	Doc:        "A rubric scores artifacts of one type from 1 to 5 on each criterion, guided by anchors.",
	Table: &schema.Value{Shape: schema.Object, Fields: slices.Concat(
		head("rubric_id", "rubric", "user_story_quality_v1"),
		[]schema.Field{criteria, negativeCriteria, scoring, calibrationDataset},
		tail(),
	)},
}

var criteria = schema.Field{
	Key: "criteria", Required: true, Judge: true, Spec: "RL-02",
	Doc:   "The criteria, each scored from 1 to 5.",
	Class: schema.Classes{Added: schema.Major, Removed: schema.Major, Renamed: schema.Major, Reordered: schema.Minor},
	Value: &schema.Value{Shape: schema.List, Min: 1, Identity: "name", Elem: &schema.Value{
		Shape: schema.Object, Noun: "criterion", Fields: []schema.Field{
			{
				Key: "name", Required: true, Judge: true, Value: idText("clarity"),
				Doc: "The name of the criterion, unique in the rubric. Scores are recorded under this name.",
			},
			{
				Key: "description", Required: true, Judge: true, Value: text(), Class: schema.Classes{Changed: schema.Minor},
				Doc: "What the criterion judges: one observable property.",
			},
			{
				Key: "weight", Required: true, Spec: "RL-06", Class: schema.Classes{Raised: schema.Major, Lowered: schema.Minor},
				Doc: "Whether the rubric can pass if this criterion fails.",
				Value: &schema.Value{Shape: schema.Choice, IfNumber: "To make the score count more or less than others, use relative_weight.", Options: []schema.Option{
					{Word: "essential", Doc: "The rubric fails if this criterion fails."},
					{Word: "important", Doc: "A failure is only reported. The score still counts in the overall score."},
				}},
			},
			{
				Key: "relative_weight", Default: "1", Class: schema.Classes{Raised: schema.Major, Lowered: schema.Major},
				Doc:   "How much the score counts in the overall score, compared with the other criteria.",
				Value: &schema.Value{Shape: schema.Number, Above: true, Max: 1000},
			},
			{
				Key: "threshold", Required: true, Spec: "RL-05", Class: schema.Classes{Raised: schema.Major, Lowered: schema.Minor},
				Doc:   "The lowest score, from 1.0 to 5.0, at which the criterion passes.",
				Value: &schema.Value{Shape: schema.Number, Min: 1, Max: 5},
			},
			{
				Key: "anchors", Required: true, Judge: true, Spec: "RL-02",
				Doc:   "What can be observed in an artifact at each score: 1 is worst, 3 is acceptable, 5 is excellent.",
				Class: schema.Classes{Moved: schema.Major, Replaced: schema.Major},
				Value: &schema.Value{Shape: schema.Object, Noun: "anchors", Fields: anchorFields()},
			},
			{
				Key: "examples", Required: true, Judge: true, Spec: "RL-03",
				Doc:   "Excerpts from artifacts with a given score. Judges score better with them.",
				Class: schema.Classes{Moved: schema.Minor},
				Value: &schema.Value{Shape: schema.Object, Noun: "examples", Fields: []schema.Field{
					example("score_1", "1", true), example("score_3", "3", false), example("score_5", "5", true),
				}},
			},
		},
	}},
}

func anchorFields() []schema.Field {
	fields := make([]schema.Field, 5)
	for i := range fields {
		fields[i] = schema.Field{
			Key: fmt.Sprint(i + 1), Required: true, Judge: true, Class: schema.Classes{Changed: schema.Minor},
			Value: &schema.Value{Shape: schema.Text, Noun: fmt.Sprintf("anchor %d", i+1)},
			Doc:   fmt.Sprintf("What can be observed in an artifact that scores %d.", i+1),
		}
	}
	return fields
}

func example(key, score string, required bool) schema.Field {
	return schema.Field{
		Key: key, Required: required, Judge: true,
		Value: &schema.Value{Shape: schema.Text, Verbatim: score == "1"}, // the worst work
		Doc:   "An excerpt from an artifact that scores " + score + ".",
		Class: schema.Classes{Added: schema.Minor, Removed: schema.Minor, Changed: schema.Minor},
	}
}

var negativeCriteria = schema.Field{
	Key:   "negative_criteria",
	Doc:   "Patterns that should not appear anywhere in the artifact.",
	Class: schema.Classes{Added: schema.Major, Removed: schema.Minor, Renamed: schema.Major, Reordered: schema.Patch},
	Value: &schema.Value{Shape: schema.List, Identity: "name", Elem: &schema.Value{
		Shape: schema.Object, Noun: "negative criterion", Fields: []schema.Field{
			{
				Key: "name", Required: true, Value: idText("vague_language"),
				Doc: "The name of the negative criterion, unique in the rubric. Hits are reported under this name.",
			},
			{
				Key: "description", Value: text(), Doc: "What must not appear and why, for people.",
				Class: schema.Classes{Added: schema.Patch, Removed: schema.Patch, Changed: schema.Patch},
			},
			{
				Key: "fail_patterns", Required: true,
				Doc:   "Regular expressions to search for anywhere in the artifact. Write them in single quotes.",
				Class: schema.Classes{Added: schema.Major, Removed: schema.Minor, Changed: schema.Major, Reordered: schema.Patch},
				Value: &schema.Value{
					Shape: schema.List, Min: 1,
					Elem: &schema.Value{Shape: schema.Text, Noun: "pattern", Blank: true, Verbatim: true},
				},
			},
			flag("ignore_case", "Whether to ignore case. If true, patterns must be ASCII.", schema.Classes{Changed: schema.Major}),
			{
				Key: "effect", Default: `"fail"`, Class: schema.Classes{Raised: schema.Major, Lowered: schema.Minor},
				Doc: "The effect of a hit.",
				Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
					{Word: "fail", Doc: "The rubric fails."},
					{Word: "report", Doc: "The hit is only reported."},
				}},
			},
			{
				Key: "fail_examples", Value: texts("example"), Class: schema.Always(schema.Patch),
				Doc: "Texts that the patterns must match.",
			},
			{
				Key: "pass_examples", Value: texts("example"), Class: schema.Always(schema.Patch),
				Doc: "Texts that the patterns must not match.",
			},
		},
	}},
}

var scoring = schema.Field{
	Key: "scoring",
	Doc: "Minimums in addition to those of the criteria.",
	Value: &schema.Value{Shape: schema.Object, Noun: "scoring", Fields: []schema.Field{
		minimum("pass_threshold", "The lowest overall score (the mean of the scores, weighted by relative_weight) at which the rubric passes."),
		minimum("essential_minimum", "The lowest score at which any essential criterion passes."),
	}},
}

func minimum(key, doc string) schema.Field {
	return schema.Field{
		Key: key, Doc: doc, Value: &schema.Value{Shape: schema.Number, Min: 1, Max: 5},
		Class: schema.Classes{Added: schema.Major, Raised: schema.Major, Removed: schema.Minor, Lowered: schema.Minor},
	}
}

var calibrationDataset = schema.Field{
	Key: "calibration_dataset", Spec: "RL-09", Value: &schema.Value{Shape: schema.Text, Pattern: datasetRef},
	Doc:   "The labeled items that judges are measured on: a folder in calibration/ or a URL.",
	Class: schema.Classes{Added: schema.Patch, Removed: schema.Patch, Changed: schema.Patch},
}
