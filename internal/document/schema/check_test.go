package schema

import (
	"strings"
	"testing"
)

// number is a table with one number.
func number(v Value) *Value {
	return &Value{Shape: Object, Fields: []Field{{Key: "n", Value: &v}}}
}

func TestNumbers(t *testing.T) {
	score := number(Value{Shape: Number, Min: 1, Max: 5})
	tests := []struct {
		reason, text, code string
	}{
		{"the ends of the range belong to it", "1", ""},
		{"a decimal", "3.5", ""},
		{"a text to readers of YAML 1.1", "3e0", CodeWrongType},
		{"below the range", "0.999", CodeInvalidValue},
		{"above the range", "5.0001", CodeInvalidValue},
		{"infinity", ".inf", CodeWrongType},
		{"not a number", ".nan", CodeWrongType},
		{"octal to some readers", "03", CodeWrongType},
		{"hexadecimal", "0x3", CodeWrongType},
		{"a number to old readers only", "3_0", CodeWrongType},
		{"no digit before the point", ".5", CodeWrongType},
		{"no digit after the point", "3.", CodeWrongType},
		{"a sign that JSON does not have", "+3", CodeWrongType},
		{"more digits than a number keeps", "3.0000000000000001", CodeInvalidValue},
		{"all digits are kept", "1.0144999999999997", ""},
		{"a digit that is not kept", "1.01449999999999975", CodeInvalidValue},
		{"minus zero is zero, which is out of range here", "-0.0", CodeInvalidValue},
		{"trailing zeros are no digits", "3.0000000000000000000", ""},
		{"too large for any number", "1" + strings.Repeat("0", 400), CodeInvalidValue},
		{"in quotes it is a text", `"3"`, CodeWrongType},
		{"a word", "three", CodeWrongType},
		{"nothing", "", CodeBlankText},
		{"a list", "[3]", CodeWrongType},
	}
	for _, tt := range tests {
		problems := Check(score, parse(t, "n: "+tt.text), "thing")
		code := ""
		if len(problems) > 0 {
			code = problems[0].Code
		}
		if code != tt.code || len(problems) > 1 {
			t.Errorf("%s: n: %s gives %+v, want %q", tt.reason, tt.text, problems, tt.code)
		}
	}
}

func TestNumbersAboveALimit(t *testing.T) {
	weight := number(Value{Shape: Number, Above: true, Max: 1000})
	for _, tt := range []struct {
		reason, text, message string
	}{
		{"the upper limit belongs to it", "1000", ""},
		{"any number above the lower one", "0.000000001", ""},
		{"the lower one does not", "0", `"n" must be above 0 and at most 1000, got 0.`},
		{"nor does minus zero", "-0.0", `"n" must be above 0 and at most 1000, got -0.0.`},
		{"below it", "-1", `"n" must be above 0 and at most 1000, got -1.`},
		{"above the upper one", "1000.5", `"n" must be above 0 and at most 1000, got 1000.5.`},
		{"infinity", ".inf", `Write ".inf" as a plain decimal number such as 3.5: programs read other forms differently.`},
		{"not a number", ".nan", `Write ".nan" as a plain decimal number such as 3.5: programs read other forms differently.`},
		{"a word of another key", "essential", `"n" must be a number such as 3.5, got "essential".`},
		{"the smallest number with all its digits", Plain(0x1p-1022), ""},
		{"one that loses digits in a product", Plain(0x1p-1023), `"n" must be above 0 and at most 1000, got ` + Plain(0x1p-1023) + "."},
	} {
		got := ""
		for _, p := range Check(weight, parse(t, "n: "+tt.text), "thing") {
			got += p.Message
		}
		if got != tt.message {
			t.Errorf("%s: n: %.40s gives %q, want %q", tt.reason, tt.text, got, tt.message)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	whole := number(Value{Shape: Integer, Max: 10})
	for text, want := range map[string]int{"3": 0, "3.0": 0, "3.5": 1, "-1": 1, "11": 1} {
		if problems := Check(whole, parse(t, "n: "+text), "thing"); len(problems) != want {
			t.Errorf("n: %s gives %+v, want %d problems", text, problems, want)
		}
	}
}

// TestOneMistakeIsOneProblem checks that a misspelled key is not reported both as
// unknown and as missing.
func TestOneMistakeIsOneProblem(t *testing.T) {
	v := &Value{Shape: Object, Noun: "thing", Fields: []Field{
		{Key: "threshold", Required: true, Value: &Value{Shape: Number}},
		{Key: "name", Required: true, Value: &Value{Shape: Text}},
	}}
	problems := Check(v, parse(t, "treshold: 3\nname: x"), "thing")
	if len(problems) != 1 || problems[0].Code != CodeUnknownKey || !strings.Contains(problems[0].Message, `Did you mean "threshold"?`) {
		t.Errorf("a misspelled key gives %+v", problems)
	}
	problems = Check(v, parse(t, "threshold: 3\nnamee: x\nname: z"), "thing")
	if len(problems) != 1 || strings.Contains(problems[0].Message, "Did you mean") {
		t.Errorf("a key is suggested that is there already: %+v", problems)
	}
}

func TestMissingKeysCarryTheirRequirement(t *testing.T) {
	v := &Value{Shape: Object, Fields: []Field{{
		Key: "outer", Spec: "RL-02", Value: &Value{Shape: Object, Fields: []Field{
			{Key: "own", Required: true, Spec: "RL-05", Value: &Value{Shape: Text}},
			{Key: "inherited", Required: true, Value: &Value{Shape: Text}},
		}},
	}}}
	problems := Check(v, parse(t, "outer: {}"), "thing")
	if len(problems) != 2 || problems[0].Spec != "RL-05" || problems[1].Spec != "RL-02" {
		t.Errorf("the requirements are wrong: %+v", problems)
	}
	if problems[0].Pointer != "/outer" || problems[0].Path != "outer.own" {
		t.Errorf("a missing key is at %q, %q", problems[0].Pointer, problems[0].Path)
	}
}

// TestAdviceForAuthors checks the advice for the most frequent mistakes: what would be
// accepted.
func TestAdviceForAuthors(t *testing.T) {
	weight := &Value{Shape: Choice, Options: []Option{{Word: "high"}, {Word: "low"}}}
	levels := &Value{Shape: Object, Noun: "levels"}
	for _, key := range []string{"1", "2", "3"} {
		levels.Fields = append(levels.Fields, Field{Key: key, Required: true, Value: &Value{Shape: Text}})
	}
	named := &Value{Shape: List, Identity: "id", Elem: &Value{Shape: Object, Fields: []Field{
		{Key: "id", Required: true, Value: &Value{Shape: Text, Pattern: &Pattern{Expr: "^[a-z_]+$", Says: "an ID", Suggest: func(text string) string {
			return strings.ReplaceAll(strings.ToLower(text), " ", "_")
		}}}},
	}}}
	v := &Value{Shape: Object, Fields: []Field{
		{Key: "weight", Required: true, Value: weight},
		{Key: "threshold", Value: &Value{Shape: Number, Min: 1, Max: 5}},
		{Key: "id", Value: &Value{Shape: Text, Pattern: &Pattern{Expr: "^[a-z]+$", Says: "lowercase letters"}}},
		{Key: "note", Value: &Value{Shape: Text}},
		{Key: "anchors", Value: levels},
		{Key: "parts", Value: named},
	}}
	tests := []struct {
		reason, text string
		want         []string // the start of each message
		fixed        string
	}{
		{"an empty choice lists the words", "weight:", []string{`"weight" is empty. Write "high" or "low" after the colon: it is required.`}, ""},
		{"an empty number says its range", "weight: low\nthreshold:", []string{`"threshold" is empty. Write a number from 1.0 to 5.0 after the colon, or remove the line`}, ""},
		{"typographic quotes around a word", "weight: “high”", []string{`"weight" is in typographic quotes, which YAML reads as part of the value. Write "high" in straight quotes.`}, `"high"`},
		{"around a word that is wrong too", "weight: „highest“", []string{`"weight" is in typographic quotes`, `"weight" must be "high" or "low"`}, `"highest"`},
		{"around an ID", "weight: low\nid: ‘abc’", []string{`"id" is in typographic quotes`}, `"abc"`},
		{"around a number", "weight: low\nthreshold: “3.5”", []string{`"threshold" is in typographic quotes, which YAML reads as part of the value. Write 3.5 without quotes.`}, "3.5"},
		{"a free text can have them", "weight: low\nnote: “Done” is a state, not a “result”", nil, ""},
		{"a list of levels shows the form", "weight: low\nanchors:\n  - 1: a\n  - 2: b", []string{`"anchors" must be a group of keys, not a list. Write each key on its own line, indented, and without a dash: 1: …, 2: …, 3: ….`}, ""},
		{"a scale from 0", "weight: low\nanchors: {0: a, 1: b, 2: c}", []string{"The scale is 1 to 3, and these levels go from 0 to 2: add 1 to each key and threshold."}, ""},
		{"a scale from 0 with another number of levels", "weight: low\nanchors: {0: a, 2: c}", []string{"The scale is 1 to 3, and these levels go from 0 to 2: write three levels."}, ""},
		{"a longer scale", "weight: low\nanchors: {1: a, 2: b, 3: c, 4: d}", []string{"The scale is 1 to 3, and these levels go from 1 to 4: write three levels."}, ""},
		{"a shorter scale", "weight: low\nanchors: {1: a, 2: b}", []string{"The scale is 1 to 3, and these levels go from 1 to 2: write three levels."}, ""},
		{"a scale of words", "weight: low\nanchors: {low: a, high: c}", []string{`The scale is 1 to 3, and these levels begin with "low": write 1 to 3 as their keys, from the worst work to the best.`}, ""},
		{"a scale of shares", "weight: low\nanchors: {0.5: a, 1.0: c}", []string{`The scale is 1 to 3, and these levels begin with "0.5": write 1 to 3 as their keys, from the worst work to the best.`}, ""},
		{"a scale of percentages", "weight: low\nanchors: {0: a, 50: b, 100: c}", []string{"The scale is 1 to 3, and these levels go from 0 to 100: write three levels."}, ""},
		{"a level that is missing", "weight: low\nanchors: {1: a, 3: c}", []string{`Add "2" to the levels`}, ""},
		{"a number is no misspelling of another", "weight: low\nanchors: {1: a, 3: c, two2: d, four: e}", []string{`"two2" is not a key of the levels of the thing, so it has no effect. The keys`, `"four" is not a key of the levels of the thing, so it has no effect. The keys`, `Add "2"`}, ""},
		{"the word for a number is", "weight: low\nanchors: {1: a, 3: c, Two: b}", []string{`"Two" is not a key of the levels of the thing, so it has no effect. Did you mean "2"?`}, ""},
		{"a key with one edit is fixed", "weigt: low", []string{`"weigt" is not a key of the thing, so it has no effect. Did you mean "weight"?`}, "weight"},
		{"one with several is not", "wieghtt: low", []string{`"wieghtt" is not a key of the thing, so it has no effect. Did you mean "weight"?`}, ""},
		{"of two, the first", "weigt: low\nweigh: low", []string{`"weigt" is not`, `"weigh" is not`}, "weight"},
		{"an ID in another form is fixed", "weight: low\nparts: [{id: Root Cause}]", []string{`"id" must be an ID, got "Root Cause". Did you mean "root_cause"?`}, "root_cause"},
		{"not if another part has it", "weight: low\nparts: [{id: Root Cause}, {id: root_cause}]", []string{`"id" must be an ID, got "Root Cause". Did you mean "root_cause"?`}, ""},
		{"a comment with slashes", "weight: low\n// note: x", []string{`"// note" is not a key of the thing, so it has no effect. Comments start with #, not //.`}, ""},
	}
	for _, tt := range tests {
		problems := Check(v, parse(t, tt.text), "thing")
		if len(problems) != len(tt.want) {
			t.Errorf("%s: got %+v", tt.reason, problems)
			continue
		}
		for i, p := range problems {
			if !strings.HasPrefix(p.Message, tt.want[i]) {
				t.Errorf("%s: got %s", tt.reason, p.Message)
			}
		}
		fixed := ""
		if len(problems) > 0 && problems[0].Fix != nil {
			fixed = problems[0].Fix.Edits[0].Text
		}
		if fixed != tt.fixed {
			t.Errorf("%s: got the fix %q, want %q", tt.reason, fixed, tt.fixed)
		}
	}
}
