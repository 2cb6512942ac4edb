package wording

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	tests := []struct {
		reason, text string
		want         []string
	}{
		{"capitals and punctuation mean nothing", "Clear, to MOST readers!", []string{"clear", "to", "most", "readers"}},
		{"an apostrophe within a word belongs to it, however it is written", "It’s the user's 'login'", []string{"it's", "the", "user's", "login"}},
		{"a dash parts words", "well-written", []string{"well", "written"}},
		{"digits are words", "3 of 4 v2", []string{"3", "of", "4", "v2"}},
		{"a script without blanks has a word for each character", "清楚 text です", []string{"清", "楚", "text", "で", "す"}},
		{"a letter beside such a character is a word of its own", "a清b", []string{"a", "清", "b"}},
		{"accents that are characters of their own belong to their word", "e\u0301t\u00e9", []string{"e\u0301t\u00e9"}},
		{"invalid UTF-8 is not a word", "a\xff\xfeb", []string{"a", "b"}},
		{"signs alone are no words", "… -- ?!", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, slices.Collect(Read(tt.text).Words())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestWordsStandWhereTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z’' 清-]{0,20}`)).Draw(t, "text")
		words := slices.Collect(Read(text).Words())
		end, n := 0, 0
		for from, to := nextWord(text, 0); from < to; from, to = nextWord(text, to) {
			if from < end || to > len(text) {
				t.Fatalf("%q has a word from %d to %d after one that ends at %d", text, from, to, end)
			}
			if n == len(words) || fold(text[from:to]) != words[n] {
				t.Fatalf("%q: %q is not a word", text, text[from:to])
			}
			end, n = to, n+1
		}
		if n != len(words) || n != Read(text).Len {
			t.Fatalf("%q has the words %q and places for %d", text, words, n)
		}
	})
}

func TestSame(t *testing.T) {
	tests := []struct {
		reason, a, b string
		want         bool
	}{
		{"case, blanks and punctuation mean nothing", "No page.", "no  page", true},
		{"the order of words means something", "a without b", "b without a", false},
		{"nothing is not the same as nothing", "…", "!", false},
	}
	for _, tt := range tests {
		if got := Same(Read(tt.a), Read(tt.b)); got != tt.want {
			t.Errorf("%s: Same(%q, %q) is %t", tt.reason, tt.a, tt.b, got)
		}
	}
}

func TestWithin(t *testing.T) {
	tests := []struct {
		reason, part, whole string
		want                bool
	}{
		{"whole words one after the other", "Every step has a number", "Well: every step has a NUMBER, all told", true},
		{"a part of a word is not a word", "every step has a num", "every step has a number", false},
		{"four words occur anywhere by chance", "every step has a", "every step has a number", false},
		{"with a word between it is another text", "every step has one number", "every step has a number", false},
		{"nothing is within nothing", "", "every step", false},
	}
	for _, tt := range tests {
		if got := Within(Read(tt.part), Read(tt.whole), 5); got != tt.want {
			t.Errorf("%s: Within(%q, %q) is %t", tt.reason, tt.part, tt.whole, got)
		}
	}
}

func TestSaysNothing(t *testing.T) {
	for _, text := range []string{
		"Good", "Excellent quality.", "The response is very good.", "Poor clarity", "Meets expectations", "Clarity: mostly adequate",
		"Fails to meet the standard.", "It is okay.", "Fully meets all requirements.", "Exceeds the expected level of quality",
	} {
		if !SaysNothing(Read(text), "clarity") {
			t.Errorf("%q tells nothing that can be observed, and is not found", text)
		}
	}
	for _, text := range []string{
		"", "…", "Every endpoint names its status codes.", "Good use of headings", "No acceptance criteria", "Clear to most readers", "Two facts are missing.",
		"The answer", "It has them all", "One of them", // nothing is graded
	} {
		if SaysNothing(Read(text), "clarity") {
			t.Errorf("%q is found", text)
		}
	}
	if SaysNothing(Read("Poor clarity"), "scope") {
		t.Error("the name of another criterion is a word like any other")
	}
}

func TestOnlyLadder(t *testing.T) {
	tests := []struct {
		reason, question string
		anchors          [5]string
		want             bool
	}{
		{"degrees of the words of the question", "Does the response explain the reasoning?",
			[5]string{"The response barely explains its reasoning.", "The reasoning is somewhat explained.", "The reasoning is mostly explained.", "The reasoning is explained well, with minor gaps.", "The response thoroughly explains its reasoning."}, true},
		{"one anchor says what can be observed, and the others do not", "Is the tone friendly?",
			[5]string{"The text insults a reader, a colleague, or a customer by name.", "The tone is rarely friendly.", "The tone is sometimes friendly.", "The tone is mostly friendly.", "The tone is always friendly."}, true},
		{"two anchors say what can be observed", "Is the tone friendly?",
			[5]string{"The text insults a reader, a colleague, or a customer by name.", "It blames a team without a reason or proof.", "The tone is sometimes friendly.", "The tone is mostly friendly.", "The tone is always friendly."}, false},
		{"a number can be counted", "Does the answer name causes?",
			[5]string{"No cause is named.", "One cause is named.", "Some causes are named.", "Most causes are named.", "All causes are named."}, false},
		{"a number of the question is the same in every anchor", "Does the answer explain the 3 causes?",
			[5]string{"The 3 causes are not explained.", "The 3 causes are barely explained.", "The 3 causes are partly explained.", "The 3 causes are mostly explained.", "The 3 causes are fully explained."}, true},
		{"a part that is missing can be seen", "Does the answer give an example and a reason?",
			[5]string{"Neither is given.", "An example is given without a reason.", "A weak reason and example are given.", "A good reason and example are given.", "An excellent reason and example are given."}, false},
		{"one part of two can be seen", "Does the answer give an example and a reason?",
			[5]string{"Nothing is given.", "Either a reason or an example is given.", "A weak reason and example are given.", "A good reason and example are given.", "An excellent reason and example are given."}, false},
	}
	for _, tt := range tests {
		var anchors []Text
		for _, text := range tt.anchors {
			anchors = append(anchors, Read(text))
		}
		if got := OnlyLadder(tt.question, anchors...); got != tt.want {
			t.Errorf("%s: %t", tt.reason, got)
		}
	}
}

func TestScale(t *testing.T) {
	tests := []struct {
		text  string
		score int
		want  string // what is found; empty for nothing
	}{
		{"8/10: nearly everything is there", 4, "8/10"},
		{"Level 3 of 4", 3, "Level 3 of 4"},
		{"Score 2: one step is missing", 4, "Score 2"},
		{"Score 0", 1, "Score 0"},
		{"0 - nothing is there", 1, "0"},
		{"Rating: 3 stars", 2, "Rating: 3"},
		{"It gets a score of 7 if all steps are there.", 4, "gets a score of 7"},
		{"The text deserves 10 points.", 5, "deserves 10"},
		{"80%: one step is missing", 4, "80%"},
		{"60-80 %: a step is missing", 4, "60-80 %"},
		{"Grade B: one step is missing", 4, "Grade B"},
		{"A+ work", 5, "A+"},
		{"B: one step is missing", 4, "B"},
		{"Rated on a scale from 0 to 10, a 7", 4, "0 to 10"},

		{"Score 4: one step is missing", 4, ""},
		{"**Score 4:** one step is missing", 4, ""},
		{"4/5: one step is missing", 4, ""},
		{"It is given a score of 2 if it fails", 2, ""},
		{"On a scale of 1 to 5, a 3", 3, ""},
		{"3 of 4 endpoints name their codes", 3, ""},
		{"2 out of 3 categories are right", 3, ""},
		{"80 % of the steps have a number", 4, ""},
		{"60-80 %", 4, ""},
		{"80%: most steps have a number", 4, ""},
		{"Nothing of this caps the score at 4.", 4, ""},
		{"This caps the score at 2.", 4, "score at 2"},
		{"At least 80% of them", 4, ""},
		{"Names a shop with a rating over 4.5", 2, ""},
		{"The final answer is 7/120.", 5, ""},
		{"A step is missing", 4, ""},
		{"C++ is named", 4, ""},
		{"2 steps are missing", 4, ""},
		{"The volume is 4/3π", 5, ""},
		{"", 1, ""},
	}
	for _, tt := range tests {
		at, found := Scale(Read(tt.text), tt.score, Read("Is it complete?"))
		if got := tt.text[at.Start:at.End]; got != tt.want || found != (tt.want != "") {
			t.Errorf("%q at score %d: found %q (%t), want %q", tt.text, tt.score, got, found, tt.want)
		}
	}
}

func TestScoreIn(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Rate the clarity from 1 to 10", "1 to 10"},
		{"Rate how much of the way back is told, from 0 to\n10.", "0 to\n10"},
		{"Are the figures right? A wrong total caps this criterion at 2.", "caps this criterion at 2"},
		{"Without a source, the score is capped at 3.", "score is capped at 3"},
		{"Could an editor use it? 1=throw away, 3=edit heavily, 5=keep", "1"},
		{"How usable is it? 1 = throw away, 3 = edit heavily, 5 = keep.", "1"},
		{"Depth: 1: restates the prompt; 5: adds new facts", "1"},
		{"Tone, from poor (1) to excellent (5)", "poor (1"},
		{"Missing units score at most 2.", "score at most 2"},
		{"An answer without a source can't score above 3.", "score above 3"},
		{"Score 1 if the total is wrong.", "Score 1"},
		{"Give it a 2 when a unit is missing.", "it a 2"},
		{"Anything invented is an automatic 1.", "is an automatic 1"},
		{"At best a 3 if the date is missing.", "At best a 3"},
		{"A missing date is at best a 3.", "at best a 3"},
		{"Deduct 1 point for each typo.", "Deduct 1"},
		{"Correct totals (20 points)", "20"},
		{"Is the sum right? Worth 10 points.", "Worth 10"},
		{"Rate the tone out of 10.", "Rate the tone out of 10"},
		{"Tone on a 10-point scale", "10"},
		{"Fluency (0-10)", "0-10"},
		{"Fluency, scale: 0-3", "scale: 0-3"},
		{"The maximum score is 3.", "maximum score is 3"},

		{"Rate the clarity from 1 to 5", ""},
		{"Does the rating of the plan fall in 3 to 5 days?", ""},
		{"Does the plan last 3 to 5 days?", ""},
		{"Does the reply make 3 points about the delay?", ""},
		{"Is the number of retries capped at 3?", ""},
		{"Does the report say that the model scores 85 on the test?", ""},
		{"Is x = 1 the answer?", ""},
		{"Does the guide have step 1: stop, and step 2: start?", ""},
		{"Are 3 out of 4 endpoints described?", ""},
		{"Is a 3 or 4 digit code asked for?", ""},
		{"Does the text limit its examples to 3?", ""},
		{"Does the mail mention a 5 star hotel?", ""},
		{"How many of the 5 parts are there?", ""},
	}
	for _, tt := range tests {
		at, found := ScoreIn(Read(tt.text))
		if got := tt.text[at.Start:at.End]; got != tt.want || found != (tt.want != "") {
			t.Errorf("%q: found %q (%t), want %q", tt.text, got, found, tt.want)
		}
	}
}

func TestSecondQuestion(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Is it clear? Does it name the owner?", "Does it name the owner?"},
		{"Does it say \"why?\" Is it short?", "Is it short?"},
		{"Is the poem short, and does it rhyme?", "and does it"},
		{"Are the steps feasible and are these steps safe?", "and are these"},
		{"Judges whether the owner is named and whether a date is.", "and whether"},
		{"Does the plan meet the budget, while also naming the owner?", "while also naming"},
		{"Does the plan meet the budget while avoiding new debt?", "while avoiding"},
		{"Does the answer name the author and correctly explain the plot?", "and correctly explain"},
		{"Does the answer have more detail, and does not repeat the question?", "and does"},
		{"Evaluates whether the timeline is complete and the impact is quantified.", "and the impact is"},
		{"Whether the actor is named and all actions are listed.", "and all actions are"},
		{"Evaluates whether the cause is named as well as whether it is proven.", "as well as whether"},
		{"Is the summary clear and accurate?", "accurate"},
		{"Assesses the depth, accuracy, and scope of the analysis.", "accuracy"},
		{"Is it clear, vivid and correct?", "clear, vivid and correct"},
		{"The text is clear and is short.", "short"},

		{"Is it clear?", ""},
		{"Whether the actor and the action are named.", ""},
		{"Whether the cause, the effect, and the remedy have an owner.", ""},
		{"How many of four facts does the text state? The facts are situation and size.", ""},
		{"Does the text say who reads it, what is known and what is open?", ""},
		{"Does the text answer the question \"is it safe?\"", ""},
		{"Says whether the owner or whether the team decides.", ""},
		{"Does the script extract and list the dates?", ""},
		{"Does the answer use the tools to sort and list the dates?", ""},
		{"Does the answer say what the tool does and does not do?", ""},
		{"Is the guide detailed and thorough?", ""},
		{"Does the plan say what to do while the service is down?", ""},
		{"", ""},
	}
	for _, tt := range tests {
		at, found := SecondQuestion(tt.text)
		if got := tt.text[at.Start:at.End]; got != tt.want || found != (tt.want != "") {
			t.Errorf("%q: found %q (%t), want %q", tt.text, got, found, tt.want)
		}
	}
}

// What is found is in the text, whatever the text is.
func FuzzPlaces(f *testing.F) {
	f.Add("Is it? Does it?", 3)
	f.Add("8/10: \xff", 0)
	f.Add("清楚 80%:", 5)
	f.Fuzz(func(t *testing.T, text string, score int) {
		for name, find := range map[string]func() (Place, bool){
			"Scale":          func() (Place, bool) { return Scale(Read(text), score, Read(text)) },
			"ScoreIn":        func() (Place, bool) { return ScoreIn(Read(text)) },
			"SecondQuestion": func() (Place, bool) { return SecondQuestion(text) },
		} {
			at, found := find()
			if at.Start < 0 || at.End < at.Start || at.End > len(text) || found != (at.End > at.Start) {
				t.Fatalf("%s(%q) is %+v, %t", name, text, at, found)
			}
		}
		SaysNothing(Read(text), text)
		OnlyLadder(text, Read(text+" fully"), Read(text))
		anchors := []Text{Read(text), Read("2nd " + text), Read("3 to 5 sources"), Read("6.1.2 or more"), Read("All sources")}
		Inverted(anchors...)
		AmountsOf(anchors).OutOfOrder()
		AmountsOf(anchors).Misfit()
	})
}
