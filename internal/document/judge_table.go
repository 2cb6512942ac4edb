package document

import "github.com/rubric-library/rubric-library/internal/document/schema"

// JudgeRequest is everything that a judge command reads.
var JudgeRequest = Kind{
	Name: "judge_request", Noun: "request", SchemaFile: "judge-request.schema.json",
	Doc: "A request is the JSON object that a judge command reads from standard input: one item and the criteria to score it by. It contains no labels, raters, or other items.",
	Table: &schema.Value{Shape: schema.Object, Fields: []schema.Field{
		{Key: "schema_version", Required: true, Doc: "The version of the protocol: 1.", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1}},
		{Key: "rubric_id", Required: true, Value: idText("user_story_quality_v1"), Doc: "The ID of the rubric, for the command's own records."},
		{Key: "rubric_version", Required: true, Value: &schema.Value{Shape: schema.Text, Pattern: version}, Doc: "Its version, for the same records."},
		{Key: "digest", Required: true, Value: digestText, Doc: "The judge digest of the rubric, which identifies the text in rubric."},
		{
			Key: "rubric", Required: true, Doc: "The text that a judge reads, and nothing else.",
			Value: &schema.Value{Shape: schema.Object, Noun: "rubric", Fields: judgeFields(Rubric.Table.Fields)},
		},
		{
			Key: "criteria", Required: true, Doc: "The names of the criteria to score: those that the dataset labels.",
			Value: &schema.Value{Shape: schema.List, Min: 1, Elem: &schema.Value{Shape: schema.Text, Noun: "criterion", Pattern: idPattern("clarity"), Max: 128}},
		},
		{
			Key: "item", Required: true, Doc: "The item to score.",
			Value: &schema.Value{Shape: schema.Object, Noun: "item", Fields: []schema.Field{
				{Key: "number", Required: true, Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e9}, Doc: "Distinguishes the items of a run in the command's own records. It is derived from a hash and reveals nothing about the item."},
				{Key: "artifact", Required: true, Value: text(), Doc: "The text to score."},
				{
					Key: "inputs", Doc: "Context for the artifact, such as the task.",
					Value: &schema.Value{Shape: schema.Map, Max: 32, Pattern: metadataKey, Elem: text()},
				},
			}},
		},
		{Key: "repeat", Required: true, Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1000}, Doc: "The number of this repeat of the item. It can serve as a seed."},
	}},
}

// JudgeResponse is what a judge command writes.
var JudgeResponse = Kind{
	Name: "judge_response", Noun: "response", SchemaFile: "judge-response.schema.json",
	Doc: "A response is the JSON object that a judge command writes to standard output. It has scores, or the reason why there are none. The command can add its own keys.",
	Table: &schema.Value{Shape: schema.Object, Open: true, OneOf: []string{"scores", "error"}, Fields: append([]schema.Field{
		{
			Key: "scores", Doc: "A score for each criterion of the request, and for no other.",
			Value: &schema.Value{Shape: schema.Map, Max: 1000, Pattern: idPattern("clarity"), Elem: &schema.Value{Shape: schema.Number, Min: 1, Max: 5}},
		},
		{Key: "error", Value: text(), Doc: "Why there are no scores. The item is not asked again in this run."},
		{Key: "model", Value: text(), Doc: "The exact name of the model that answered. It must be the model of the run."},
		{Key: "number", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 1e9}, Doc: "The number of the item. A command that stays up must repeat it."},
	}, saidFields()...)},
}

// saidFields are what a judge can say about its scores, which is recorded.
func saidFields() []schema.Field {
	return []schema.Field{
		{Key: "reasons", Value: &schema.Value{Shape: schema.Map, Max: 1000, Pattern: idPattern("clarity"), Elem: text()}, Doc: "The reason for each score, by criterion."},
		{Key: "prompt_digest", Value: digestText, Doc: "Names the judge's prompt. All answers of a run have the same."},
		{Key: "usage", Value: &schema.Value{Shape: schema.Map, Max: 32, Pattern: idPattern("input_tokens"), Elem: &schema.Value{Shape: schema.Integer, Min: 0, Max: 1e9}}, Doc: "Token counts, as the model reports them."},
	}
}

// JudgeKinds lists the objects that a judge command reads and writes.
func JudgeKinds() []*Kind { return []*Kind{&JudgeRequest, &JudgeResponse} }

// judgeFields returns the fields that a judge reads.
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
