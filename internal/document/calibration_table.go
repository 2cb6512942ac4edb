package document

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Dataset is the file calibration/<name>/dataset.yaml, which describes labeled
// items.
var Dataset = Kind{
	Name: "dataset", Noun: "dataset", SchemaFile: "dataset.schema.json",
	Doc: "A dataset contains items that people labeled, so that judges can be compared with them. `calibration/<name>/dataset.yaml` states which rubrics the labels are for and where they come from.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{Key: "description", Value: text(), Doc: "What the items are."},
		{
			Key: "applies_to", Required: true, Doc: "The rubrics that the labels are for. Each must also name this dataset.",
			Value: &schema.Value{
				Shape: schema.List, Min: 1,
				Elem: &schema.Value{
					Shape: schema.Text, Noun: "ID of a rubric", Pattern: idPattern("user_story_quality_v1"), Max: 128,
				},
			},
		},
		{
			Key: "labeled_by", Required: true, Doc: "Who labeled the items.",
			Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
				{Word: "people", Doc: "People who did not write the rubric."},
				{Word: "authors", Doc: "The authors of the rubric. A judge that agrees with them is not calibrated."},
				{Word: "model", Doc: "A language model. A judge that agrees with it is not calibrated."},
			}},
		},
		{Key: "method", Required: true, Value: text(), Doc: "How the items were labeled, for people."},
		{Key: "license", Required: true, Value: text(), Doc: "The license of the items and labels, such as CC-BY-4.0."},
		{
			Key: "share", Default: `"statistics"`, Doc: "The part of the dataset that a bundle contains.",
			Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
				{Word: "statistics", Doc: "Only the computed statistics."},
				{Word: "full", Doc: "Also the items with their labels."},
			}},
		},
		{
			Key: "criteria", Required: true, Doc: "The criteria that the raters read.",
			Value: &schema.Value{Shape: schema.List, Min: 1, Identity: "name", Elem: &schema.Value{
				Shape: schema.Object, Noun: "criterion", Fields: []schema.Field{
					{Key: "name", Required: true, Value: idText("clarity"), Doc: "The name of the criterion."},
					{Key: "digest", Required: true, Value: digestText, Doc: "The judge digest of the criterion when it was labeled."},
				},
			}},
		},
		{
			Key: "reaffirmed", Doc: "Labels that an owner confirmed for a reworded criterion.",
			Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
				Shape: schema.Object, Noun: "reaffirmation", Fields: []schema.Field{
					{Key: "criterion", Required: true, Value: idText("clarity"), Doc: "The name of the criterion."},
					{Key: "digest", Required: true, Value: digestText, Doc: "The judge digest of the new text."},
					{
						Key: "date", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: date},
						Doc: "The date of the confirmation, in quotes.",
					},
					{Key: "reason", Required: true, Value: text(), Doc: "Why the labels still hold."},
				},
			}},
		},
		{
			Key: "accepted", Doc: "Runs that later ones of the same judge are compared with, as an owner decided. The last one counts.",
			Value: &schema.Value{Shape: schema.List, Elem: &schema.Value{
				Shape: schema.Object, Noun: "accepted run", Fields: []schema.Field{
					{
						Key: "judge", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: pseudonym, Max: 64},
						Doc: "The name of the judge.",
					},
					{Key: "model", Required: true, Value: text(), Doc: "The exact name and version of its model."},
					{Key: "prompt_digest", Value: digestText, Doc: "The digest of its prompt. Without it, the prompt is unknown."},
					{
						Key: "repeats", Required: true, Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1000},
						Doc: "How many answers to each item are averaged.",
					},
					{
						Key: "run", Required: true,
						Value: &schema.Value{Shape: schema.Text, Pattern: pseudonym, Max: 64}, Doc: "The run.",
					},
					{
						Key: "date", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: date},
						Doc: "The date of the decision, in quotes.",
					},
					{Key: "reason", Required: true, Value: text(), Doc: "Why the run is accepted."},
				},
			}},
		},
	}},
}

// Item is a line of items.jsonl.
var Item = Kind{
	Name: "item", Noun: "item", SchemaFile: "item.schema.json",
	Doc: "An item is a line of `items.jsonl`: an artifact with the labels that raters gave it.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{Key: "id", Required: true, Value: pseudonymText, Doc: "The ID of the item, unique in the dataset."},
		{Key: "artifact", Required: true, Value: text(), Doc: "The text that was labeled."},
		{
			Key: "inputs", Doc: "Context that is shown with the artifact, such as the task.",
			Value: &schema.Value{Shape: schema.Map, Max: 32, Pattern: MetadataKey, Elem: text()},
		},
		{
			Key: "split", Default: `"test"`, Doc: "Whether prompts were tuned on the item.",
			Value: &schema.Value{Shape: schema.Choice, Options: []schema.Option{
				{Word: "dev", Doc: "They were, so it never counts."}, {Word: "test", Doc: "They were not."},
			}},
		},
		{
			Key: "tags", Doc: "Words for groups of items, such as short or german. No command reads them.",
			Value: &schema.Value{Shape: schema.List, Max: 32, Elem: pseudonymText},
		},
		{
			Key: "labels", Required: true, Doc: "The labels, by rater (a pseudonym) and by criterion. Labels can be missing. A fraction is the mean of several people whose own labels were not published; `method` in dataset.yaml says so.",
			Value: &schema.Value{Shape: schema.Map, Max: 1000, Pattern: pseudonym, Elem: &schema.Value{
				Shape: schema.Map, Max: 1000, Pattern: idPattern("clarity"),
				Elem: &schema.Value{Shape: schema.Number, Min: 1, Max: 5},
			}},
		},
		{
			Key: "cannot_tell", Doc: "By rater, the criteria that the item did not let the rater judge. Each counts as a missing label.",
			Value: &schema.Value{Shape: schema.Map, Max: 1000, Pattern: pseudonym, Elem: criterionNames},
		},
	}},
}

// PlainItem is an item to label, whose labels are optional.
var PlainItem = Kind{
	Noun: Item.Noun, Table: &schema.Value{Shape: schema.Object, Fields: optional(Item.Table.Fields, "labels")},
}

var criterionNames = &schema.Value{
	Shape: schema.List, Max: 1000, Elem: &schema.Value{Shape: schema.Text, Pattern: idPattern("clarity")},
}

// MostAttempts is how often a run asks a judge the same question at most.
const MostAttempts = 3

// Answer is a line of judges/<judge>/<run>.jsonl.
var Answer = Kind{
	Name: "answer", Noun: "answer", SchemaFile: "answer.schema.json",
	Doc: "An answer is a line of `judges/<judge>/<run>.jsonl`: the scores that a judge gave an item. In `judges/<judge>.jsonl`, earlier programs recorded all runs of a judge.",
	Table: &schema.Value{Shape: schema.Object, OneOf: []string{"scores", "error", "unavailable"}, Fields: append([]schema.Field{
		{
			Key: "run", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: pseudonym, Max: 64},
			Doc: "The run that the answer belongs to, such as 2026-11-21.",
		},
		{Key: "item", Required: true, Value: pseudonymText, Doc: "The ID of the item."},
		{
			Key: "repeat", Default: "1", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1000},
			Doc: "The number of the repeat in this run.",
		},
		{
			Key: "repeats", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1000},
			Doc: "How often the run asks about each item. The default is the largest repeat in the run. It never grows.",
		},
		{
			Key: "attempt", Default: "1", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: MostAttempts},
			Doc: "The number of the attempt at this repeat. Only an attempt that was unavailable is followed by another.",
		},
		{Key: "model", Required: true, Value: text(), Doc: "The exact name and version of the model."},
		{
			Key: "date", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: date},
			Doc: "The date of the run, in UTC.",
		},
		{
			Key: "started", Value: &schema.Value{Shape: schema.Text, Pattern: moment},
			Doc: "When the run began, in UTC, which orders the runs of a judge. A run without it counts as the first of its day.",
		},
		{
			Key: "imported", Default: "false", Value: &schema.Value{Shape: schema.Flag},
			Doc: "Whether the answer was imported. Of imported runs of a judge with the same answers, only the first counts.",
		},
		{Key: "digest", Required: true, Value: digestText, Doc: "The judge digest of the rubric that the judge read."},
		{
			Key: "items", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e9},
			Doc: "How many items the dataset had when the run began. Without it, the run counts for no certificate.",
		},
		{
			Key: "labels", Doc: "By rater, the criteria that the rater had labeled in the item, or could not tell, when the judge was asked. Later labels count from the next run.",
			Value: &schema.Value{Shape: schema.Map, Max: 1000, Pattern: pseudonym, Elem: criterionNames},
		},
		{
			Key: "scores", Doc: "The scores by criterion.",
			Value: &schema.Value{
				Shape: schema.Map, Max: 1000, Pattern: idPattern("clarity"),
				Elem: &schema.Value{Shape: schema.Number, Min: 1, Max: 5},
			},
		},
		{Key: "error", Value: text(), Doc: "Why the answer could not be read. It is counted but left out of the statistics."},
		{
			Key: "ended", Default: "false", Value: &schema.Value{Shape: schema.Flag},
			Doc: "Whether the run went on to its end after this answer. A run that lacks answers, and in which no answer says so, was stopped: it does not count until it is finished.",
		},
		{Key: "unavailable", Value: text(), Doc: "Why the judge could not answer in this attempt, such as a network that was down. If no attempt has an answer, the item counts as one without an answer."},
	}, saidFields()...)},
}

var pseudonym = &schema.Pattern{
	Expr: `^[A-Za-z0-9][A-Za-z0-9_.-]*$`,
	Says: "letters, digits, dots, dashes, and underscores, starting with a letter or digit",
}

var pseudonymText = &schema.Value{Shape: schema.Text, Pattern: pseudonym, Max: 64}

var date = &schema.Pattern{
	Expr: `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	Says: "a date such as 2026-11-21, in quotes",
}

var moment = &schema.Pattern{
	Expr: `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$`,
	Says: "a time in UTC such as 2026-11-21T09:30:00Z, in quotes",
}

// JudgeRequest is everything that a judge command reads.
var JudgeRequest = Kind{
	Name: "judge_request", Noun: "request", SchemaFile: "judge-request.schema.json",
	Doc: "A request is the JSON object that a judge command reads from standard input: one item and the criteria to score it by. It contains no labels, raters, or other items.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{
			Key: "schema_version", Required: true, Doc: "The version of the protocol: 1.",
			Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1},
		},
		{
			Key: "rubric_id", Required: true, Value: idText("user_story_quality_v1"),
			Doc: "The ID of the rubric, for the command's own records.",
		},
		{
			Key: "rubric_version", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: version},
			Doc: "Its version, for the same records.",
		},
		{
			Key: "digest", Required: true, Value: digestText,
			Doc: "The judge digest of the rubric, which identifies the text in rubric.",
		},
		{
			Key: "rubric", Required: true, Doc: "The text that a judge reads, and nothing else.",
			Value: &schema.Value{Shape: schema.Object, Noun: "rubric", Fields: judgeFields(Rubric.Table.Fields)},
		},
		{
			Key: "criteria", Required: true, Doc: "The names of the criteria to score: those that the dataset labels.",
			Value: &schema.Value{
				Shape: schema.List, Min: 1,
				Elem: &schema.Value{Shape: schema.Text, Noun: "criterion", Pattern: idPattern("clarity"), Max: 128},
			},
		},
		{
			Key: "item", Required: true, Doc: "The item to score.",
			Value: &schema.Value{Shape: schema.Object, Noun: "item", Fields: []schema.Field{
				{
					Key: "number", Required: true, Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e9},
					Doc: "Distinguishes the items of a run in the command's own records. It is derived from a hash and reveals nothing about the item.",
				},
				{Key: "artifact", Required: true, Value: text(), Doc: "The text to score."},
				{
					Key: "inputs", Doc: "Context for the artifact, such as the task.",
					Value: &schema.Value{Shape: schema.Map, Max: 32, Pattern: MetadataKey, Elem: text()},
				},
			}},
		},
		{
			Key: "repeat", Required: true, Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1000},
			Doc: "The number of this repeat of the item. It can serve as a seed.",
		},
	}},
}

// JudgeResponse is what a judge command writes.
var JudgeResponse = Kind{
	Name: "judge_response", Noun: "response", SchemaFile: "judge-response.schema.json",
	Doc: "A response is the JSON object that a judge command writes to standard output. It has scores, or a reason why there are none. The command can add its own keys.",
	Table: &schema.Value{Shape: schema.Object, Open: true, OneOf: []string{"scores", "error", "unavailable"}, Fields: append([]schema.Field{
		{
			Key: "scores", Doc: "A score for each criterion of the request, and for no other.",
			Value: &schema.Value{
				Shape: schema.Map, Max: 1000, Pattern: idPattern("clarity"),
				Elem: &schema.Value{Shape: schema.Number, Min: 1, Max: 5},
			},
		},
		{Key: "error", Value: text(), Doc: "Why there are no scores. The item is not asked again in this run."},
		{Key: "unavailable", Value: text(), Doc: "Why the model could not be reached, such as a network that was down. The item is asked again, at most three times in a run."},
		{Key: "model", Value: text(), Doc: "The exact name of the model that answered. It must be the model of the run."},
		{
			Key: "number", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e9},
			Doc: "The number of the item. A command that stays up must repeat it.",
		},
	}, saidFields()...)},
}

var usageCounts = &schema.Value{
	Shape: schema.Map, Max: 32, Pattern: idPattern("input_tokens"),
	Elem: &schema.Value{Shape: schema.Integer, Min: 0, Max: 1e9},
}

// saidFields are what a judge can say about its scores, which is recorded.
func saidFields() []schema.Field {
	return []schema.Field{
		{
			Key:   "reasons",
			Value: &schema.Value{Shape: schema.Map, Max: 1000, Pattern: idPattern("clarity"), Elem: text()},
			Doc:   "The reason for each score, by criterion.",
		},
		{Key: "prompt_digest", Value: digestText, Doc: "Names the judge's prompt. All answers of a run have the same."},
		{Key: "usage", Value: usageCounts, Doc: "Token counts, as the model reports them."},
	}
}

func judgeFields(fields []schema.Field) []schema.Field {
	var read []schema.Field
	for _, f := range fields {
		if !f.Judge {
			continue
		}
		f.Value = judgeValue(f.Value)
		read = append(read, f)
	}
	return read
}

func judgeValue(v *schema.Value) *schema.Value {
	read := *v
	read.Fields = judgeFields(v.Fields)
	if v.Elem != nil {
		read.Elem = judgeValue(v.Elem)
	}
	return &read
}
