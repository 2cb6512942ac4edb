package compat

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edit replaces texts that occur exactly once in a document: old, new, old, new.
func edit(t *testing.T, text string, edits ...string) string {
	t.Helper()
	for i := 0; i < len(edits); i += 2 {
		if n := strings.Count(text, edits[i]); n != 1 {
			t.Fatalf("%q occurs %d times in the document", edits[i], n)
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	return text
}

// test is an edit of a full document and the changes that it makes.
type test struct {
	reason     string
	base, head []string // edits of each side
	want       []string
}

func (tt test) run(t *testing.T, file string) {
	t.Helper()
	text := read(t, file)
	base, head := parse(t, []byte(edit(t, text, tt.base...))), parse(t, []byte(edit(t, text, tt.head...)))
	if tt.want == nil {
		tt.want = []string{}
	}
	if diff := cmp.Diff(tt.want, lines(Compare(base, head))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
	}
}

const clarityAnchors = `      1: No goal is named.
      2: A goal is hinted at.
      3: A goal is named, without a user.
      4: A goal is named, with a user.
      5: A goal is named, with a user and a benefit.
`

func TestRubrics(t *testing.T) {
	scope := "threshold: 2.0 # hidden by essential_minimum"
	minimum := "essential_minimum: 3.0"
	scopeImportant := []string{"weight: essential\n    threshold: 2.0 #", "weight: important\n    threshold: 2.0 #"}
	anchors := func(texts ...string) []string {
		out := ""
		for i, text := range texts {
			out += "      " + string(rune('1'+i)) + ": " + text + "\n"
		}
		return []string{clarityAnchors, out}
	}
	for _, tt := range []test{
		{
			reason: "layout, comments and quotes say nothing",
			head:   []string{"name: Story quality", `name:   "Story quality" # new`, scope, "threshold: 2.00"},
		},
		{
			reason: "the version is what follows from the changes",
			head:   []string{`version: "1.2.0"`, `version: "2.0.0"`},
		},
		{
			reason: "an explicit default says the same",
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [assume]\n    effect: fail\n    ignore_case: false\n    pass_examples: []"},
		},
		{
			reason: "an absent group and an empty one are the same",
			base:   []string{"scoring:\n  pass_threshold: 3.25\n  essential_minimum: 3.0\n", ""},
			head:   []string{"scoring:\n  pass_threshold: 3.25\n  essential_minimum: 3.0\n", "scoring: {}\n"},
		},
		{
			reason: "a default that is left out is compared as the value it is",
			base:   []string{"language: de\n", ""},
			want:   []string{"patch changed language"},
		},
		{
			reason: "a threshold below the essential minimum decides nothing",
			head:   []string{scope, "threshold: 2.5"},
			want:   []string{"patch raised criteria[scope].threshold"},
		},
		{
			reason: "it decides where it comes out above it",
			head:   []string{scope, "threshold: 3.1"},
			want:   []string{"major raised criteria[scope].threshold"},
		},
		{
			reason: "a threshold that falls below the essential minimum falls as far as that",
			head:   []string{"threshold: 3.5", "threshold: 1.0"},
			want:   []string{"minor lowered criteria[clarity].threshold"},
		},
		{
			reason: "an essential minimum below every threshold decides nothing",
			base:   []string{minimum, "essential_minimum: 1.5"},
			head:   []string{minimum, "essential_minimum: 2.0"},
			want:   []string{"patch raised scoring.essential_minimum"},
		},
		{
			reason: "nor does one that comes where all thresholds are higher",
			base:   []string{"  essential_minimum: 3.0\n", ""},
			head:   []string{minimum, "essential_minimum: 2.0"},
			want:   []string{"patch added scoring.essential_minimum"},
		},
		{
			reason: "what one value loses the other can make up",
			head:   []string{scope, "threshold: 3.0", minimum, "essential_minimum: 1.0"},
			want:   []string{"patch raised criteria[scope].threshold", "patch lowered scoring.essential_minimum"},
		},
		{
			reason: "a threshold that rises is major whatever the essential minimum does",
			head:   []string{scope, "threshold: 4.0", minimum, "essential_minimum: 1.0"},
			want:   []string{"major raised criteria[scope].threshold", "patch lowered scoring.essential_minimum"},
		},
		{
			reason: "a threshold can be raised while the minimum falls",
			head:   []string{scope, "threshold: 2.5", minimum, "essential_minimum: 1.0"},
			want:   []string{"minor raised criteria[scope].threshold", "minor lowered scoring.essential_minimum"},
		},
		{
			reason: "a criterion that is no longer essential keeps a minimum, which must not rise",
			head:   append([]string{scope, "threshold: 2.0 #"}, append(scopeImportant, "threshold: 2.0 #", "threshold: 3.0 #")...),
			want:   []string{"minor lowered criteria[scope].weight", "patch raised criteria[scope].threshold"},
		},
		{
			reason: "and where it rises that is major",
			head:   append([]string{scope, "threshold: 2.0 #"}, append(scopeImportant, "threshold: 2.0 #", "threshold: 3.5 #")...),
			want:   []string{"major raised criteria[scope].threshold", "minor lowered criteria[scope].weight"},
		},
		{
			reason: "an essential minimum does not concern important criteria",
			base:   append([]string{scope, "threshold: 2.0 #"}, scopeImportant...),
			head:   append(append([]string{scope, "threshold: 2.0 #"}, scopeImportant...), minimum, "essential_minimum: 3.5"),
			want:   []string{"patch raised scoring.essential_minimum"},
		},
		{
			reason: "a new criterion has no minimum to compare with",
			base:   []string{"name: scope", "name: size"},
			head:   []string{minimum, "essential_minimum: 3.5", "Whether it fits", "Where it fits"},
			want:   []string{"major added criteria[scope]", "major removed criteria[size]", "patch raised scoring.essential_minimum"},
		},
		{
			reason: "a group whose keys are optional comes and goes key by key",
			head:   []string{"scoring:\n  pass_threshold: 3.25\n  essential_minimum: 3.0\n", ""},
			want:   []string{"minor removed scoring.pass_threshold", "minor removed scoring.essential_minimum"},
		},
		{
			reason: "a full stop at all five anchors replaces none",
			head:   anchors("No goal is named!", "A goal is hinted at", "A goal is named - without a user", "a goal is named, with a user", "A  goal is named, with a user and a benefit"),
			want: []string{
				"minor reworded criteria[clarity].anchors.1", "minor reworded criteria[clarity].anchors.2", "minor reworded criteria[clarity].anchors.3",
				"minor reworded criteria[clarity].anchors.4", "minor reworded criteria[clarity].anchors.5",
			},
		},
		{
			reason: "four other anchors are four other texts",
			head:   anchors("One.", "Two.", "Three.", "Four.", "A goal is named, with a user and a benefit."),
			want: []string{
				"minor reworded criteria[clarity].anchors.1", "minor reworded criteria[clarity].anchors.2",
				"minor reworded criteria[clarity].anchors.3", "minor reworded criteria[clarity].anchors.4",
			},
		},
		{
			reason: "five other anchors are another scale",
			head:   anchors("One.", "Two.", "Three.", "Four.", "Five."),
			want:   []string{"major replaced criteria[clarity].anchors"},
		},
		{
			reason: "the scale is turned",
			head:   anchors("A goal is named, with a user and a benefit.", "A goal is named, with a user.", "A goal is named, without a user.", "A goal is hinted at.", "No goal is named."),
			want: []string{
				"major moved criteria[clarity].anchors.1", "major moved criteria[clarity].anchors.2",
				"major moved criteria[clarity].anchors.4", "major moved criteria[clarity].anchors.5",
			},
		},
		{
			reason: "a missing full stop does not hide that a text moved",
			head:   anchors("A goal is named, with a user and a benefit", "A goal is hinted at.", "A goal is named, without a user.", "A goal is named, with a user.", "No goal is named"),
			want:   []string{"major moved criteria[clarity].anchors.1", "major moved criteria[clarity].anchors.5"},
		},
		{
			reason: "anchors that differ in a sign only can move too",
			base:   anchors(`"< 3"`, `"3"`, `"> 3"`, "No, 4.", "No; 4."),
			head:   anchors(`"> 3"`, `"3"`, `"< 3"`, "No; 4.", "No, 4."),
			want: []string{
				"major moved criteria[clarity].anchors.1", "major moved criteria[clarity].anchors.3",
				"major moved criteria[clarity].anchors.4", "major moved criteria[clarity].anchors.5",
			},
		},
		{
			reason: "one text makes room for another",
			head:   anchors("A goal is hinted at.", "Something else.", "A goal is named, without a user.", "A goal is named, with a user.", "A goal is named, with a user and a benefit."),
			want:   []string{"major moved criteria[clarity].anchors.1", "minor reworded criteria[clarity].anchors.2"},
		},
		{
			reason: "a copy of a text that stays where it is did not move",
			head:   []string{"1: No goal is named.", "1: A goal is hinted at."},
			want:   []string{"minor reworded criteria[clarity].anchors.1"},
		},
		{
			reason: "an example can move to another score and leave its place empty",
			head:   []string{"score_1: Make it better.\n      score_3: Renew a loan.\n", "score_1: Renew a loan.\n"},
			want:   []string{"minor moved criteria[clarity].examples.score_1", "minor removed criteria[clarity].examples.score_3"},
		},
		{
			reason: "an element that comes first puts no other in another order",
			head:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: new, fail_patterns: [x]}\n"},
			want:   []string{"major added negative_criteria[new]"},
		},
		{
			reason: "another name is a rename if all else is the same",
			head:   []string{"name: assumptions", "name: premises"},
			want:   []string{"major renamed negative_criteria[premises]"},
		},
		{
			reason: "it is not if something else changed too",
			head:   []string{"name: assumptions\n    fail_patterns: [assume]", "name: premises\n    fail_patterns: [premise]"},
			want:   []string{"major added negative_criteria[premises]", "minor removed negative_criteria[assumptions]"},
		},
		{
			reason: "nor if it is not clear which became which",
			base:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [x]}\n  - {name: b, fail_patterns: [x]}\n"},
			head:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: c, fail_patterns: [x]}\n  - {name: d, fail_patterns: [x]}\n"},
			want: []string{
				"major added negative_criteria[c]", "major added negative_criteria[d]",
				"minor removed negative_criteria[a]", "minor removed negative_criteria[b]",
			},
		},
		{
			reason: "a renamed element can move",
			base:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [x]}\n"},
			head:   []string{"scoring:\n", "  - {name: b, fail_patterns: [x]}\nscoring:\n"},
			want:   []string{"major renamed negative_criteria[b]", "patch reordered negative_criteria"},
		},
		{
			reason: "names that are used twice pair up in their order",
			base:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [x]}\n  - {name: a, fail_patterns: [y]}\n"},
			head:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [x]}\n  - {name: a, fail_patterns: [z]}\n"},
			want:   []string{"major changed negative_criteria[a].fail_patterns[0]"},
		},
		{
			reason: "a pattern between the same neighbors became another",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, c]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [a, x, c, d]"},
			want:   []string{"major changed negative_criteria[assumptions].fail_patterns[1]", "major added negative_criteria[assumptions].fail_patterns[3]"},
		},
		{
			reason: "between others one goes and one comes",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, c]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [x, a, c]"},
			want:   []string{"major added negative_criteria[assumptions].fail_patterns[0]", "minor removed negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "a pattern that is there twice and then once went once",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, a]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b]"},
			want:   []string{"patch removed negative_criteria[assumptions].fail_patterns[2]"},
		},
		{
			reason: "a pattern that comes twice hits nothing new the second time",
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [assume, assume]"},
			want:   []string{"patch added negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "one that becomes a repeat of another goes",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [a, a]"},
			want:   []string{"minor changed negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "a repeat that becomes a repeat of another changes nothing",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, b]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, a]"},
			want:   []string{"patch changed negative_criteria[assumptions].fail_patterns[2]"},
		},
		{
			reason: "a repeat that becomes another pattern comes",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, a]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b]"},
			want:   []string{"major changed negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "a pattern repeats only those of its own negative criterion",
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [assume, BTW]"},
			want:   []string{"major added negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "what is only reported fails nothing",
			head:   []string{"fail_patterns: [BTW]", "fail_patterns: [FYI, PS]\n    ignore_case: true"},
			want: []string{
				"minor changed negative_criteria[asides].fail_patterns[0]", "minor added negative_criteria[asides].fail_patterns[1]",
				"minor changed negative_criteria[asides].ignore_case",
			},
		},
		{
			reason: "nor does it where it comes or gets another name",
			head:   []string{"name: asides", "name: remarks", "negative_criteria:\n", "negative_criteria:\n  - {name: new, fail_patterns: [x], effect: report}\n"},
			want:   []string{"minor added negative_criteria[new]", "minor renamed negative_criteria[remarks]"},
		},
		{
			reason: "what people read of it is patch as elsewhere, and so is a repeat",
			head:   []string{"fail_patterns: [BTW]", "fail_patterns: [BTW, BTW]\n    description: No asides.\n    fail_examples: [BTW]"},
			want: []string{
				"patch added negative_criteria[asides].description", "patch added negative_criteria[asides].fail_patterns[1]",
				"patch added negative_criteria[asides].fail_examples[0]",
			},
		},
		{
			reason: "what is reported from now on fails nothing any more",
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [presume]\n    effect: report"},
			want:   []string{"minor changed negative_criteria[assumptions].fail_patterns[0]", "minor lowered negative_criteria[assumptions].effect"},
		},
		{
			reason: "what fails from now on is major, and so is what comes with it",
			head:   []string{"fail_patterns: [BTW]\n    effect: report", "fail_patterns: [FYI]"},
			want:   []string{"major changed negative_criteria[asides].fail_patterns[0]", "major raised negative_criteria[asides].effect"},
		},
		{
			reason: "a pass_threshold that the essential minimums and a 1 for tone guarantee decides nothing",
			base:   []string{"  pass_threshold: 3.25\n", ""},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.5"},
			want:   []string{"patch added scoring.pass_threshold"},
		},
		{
			reason: "one above that decides",
			base:   []string{"  pass_threshold: 3.25\n", ""},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.6"},
			want:   []string{"major added scoring.pass_threshold"},
		},
		{
			reason: "one that falls below it falls as far as that",
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 1.5"},
			want:   []string{"minor lowered scoring.pass_threshold"},
		},
		{
			reason: "below that it can fall without effect",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.5"},
			head:   []string{"  pass_threshold: 3.25\n", ""},
			want:   []string{"patch removed scoring.pass_threshold"},
		},
		{
			reason: "the minimums of before count for one that rises, those of now for one that falls",
			head:   []string{"threshold: 3.5", "threshold: 5.0", "pass_threshold: 3.25", "pass_threshold: 3.5"},
			want:   []string{"major raised criteria[clarity].threshold", "major raised scoring.pass_threshold"},
		},
		{
			reason: "minimums that fall can leave a pass_threshold that guards nothing new",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.0"},
			head:   []string{"threshold: 3.5", "threshold: 3.0", "pass_threshold: 3.25", "pass_threshold: 2.5"},
			want:   []string{"minor lowered criteria[clarity].threshold", "patch raised scoring.pass_threshold"},
		},
		{
			reason: "those that stay can be in another order",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, c]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [c, a]"},
			want:   []string{"minor removed negative_criteria[assumptions].fail_patterns[1]", "patch reordered negative_criteria[assumptions].fail_patterns"},
		},
		{
			reason: "another ID is another document",
			head:   []string{"rubric_id: story_quality_v1", "rubric_id: story_v1"},
			want:   []string{"major renamed rubric_id"},
		},
		{
			reason: "the highest class comes first, then the order of the keys",
			head: []string{
				"name: Story quality", "name: Stories", "pass_threshold: 3.25", "pass_threshold: 4",
				"1: It insults.", "1: It is rude.", "artifact_type: jira_tickets", "artifact_type: stories", "ticket: RL-7", "ticket: RL-9",
			},
			want: []string{
				"major changed artifact_type", "major raised scoring.pass_threshold", "minor reworded criteria[tone].anchors.1",
				"patch reworded name", "patch changed metadata.ticket",
			},
		},
	} {
		tt.run(t, "rubric.yaml")
	}
}

func TestRuleSets(t *testing.T) {
	const naming = "description: Names are plural.\n    severity: warn"
	for _, tt := range []test{
		{
			reason: "weight and phase that follow from others can be written out",
			head:   []string{naming, naming + "\n    weight: 1.0\n    phase: A"},
		},
		{
			reason: "a weight that follows from the severity changes with it, which the severity says",
			head:   []string{naming, "description: Names are plural.\n    severity: fail"},
			want:   []string{"major raised rules[a.style.naming].severity"},
		},
		{
			reason: "a weight that is written out can stay",
			head:   []string{naming, "description: Names are plural.\n    severity: fail\n    weight: 1"},
			want:   []string{"major raised rules[a.style.naming].severity"},
		},
		{
			reason: "or change with the severity",
			head:   []string{naming, "description: Names are plural.\n    severity: fail\n    weight: 5"},
			want:   []string{"major raised rules[a.style.naming].severity", "major raised rules[a.style.naming].weight"},
		},
		{
			reason: "another phase in the ID makes another rule",
			head:   []string{"id: a.style.naming", "id: b.style.naming"},
			want:   []string{"major added rules[b.style.naming]", "major removed rules[a.style.naming]"},
		},
		{
			reason: "an ID of the same phase is a rename",
			head:   []string{"id: a.style.naming", "id: a.style.plural"},
			want:   []string{"major renamed rules[a.style.plural]"},
		},
		{
			reason: "a check is compared with the one at its place",
			head:   []string{"        literal: GET /loans\n", "        literal: GET /loans\n        min_count: 1\n"},
			want:   []string{"major added rules[a.correctness.endpoints].checks[1].min_count"},
		},
		{
			reason: "a program's arguments have an order",
			head:   []string{"[spectral, lint]", "[lint, spectral]"},
			want:   []string{"major reordered rules[a.correctness.endpoints].checks[2].command"},
		},
	} {
		tt.run(t, "ruleset.yaml")
	}
}
