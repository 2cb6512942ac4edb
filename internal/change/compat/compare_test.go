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
	// important makes scope important, with a threshold.
	important := func(threshold string) []string {
		return []string{"weight: essential\n    threshold: 2.0 #", "weight: important\n    threshold: " + threshold + " #"}
	}
	anchors := func(texts ...string) []string {
		out := ""
		for i, text := range texts {
			out += "      " + string(rune('1'+i)) + ": " + text + "\n"
		}
		return []string{clarityAnchors, out}
	}
	for _, tt := range []test{
		{
			reason: "the version is what follows from the changes",
			head:   []string{`version: "1.2.0"`, `version: "2.0.0"`},
		},
		{
			reason: "a default that is left out is compared as the value it is",
			base:   []string{"language: de\n", ""},
			want:   []string{"patch changed language"},
		},
		{
			reason: "what one value loses the other can make up",
			head:   []string{scope, "threshold: 3.0", minimum, "essential_minimum: 1.0"},
			want:   []string{"patch raised criteria[scope].threshold", "patch lowered scoring.essential_minimum"},
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
			reason: "and can be left without any",
			head:   []string{"scoring:\n  pass_threshold: 3.25\n  essential_minimum: 3.0\n", "scoring: {}\n"},
			want:   []string{"minor removed scoring.pass_threshold", "minor removed scoring.essential_minimum"},
		},
		{
			reason: "a map goes entry by entry",
			head:   []string{"metadata:\n  owner: team_red\n  ticket: RL-7\n", ""},
			want:   []string{"patch removed metadata.owner", "patch removed metadata.ticket"},
		},
		{
			reason: "a criterion that becomes essential rises by its weight, not by a minimum that falls",
			base:   important("2.0"),
			head:   []string{minimum, "essential_minimum: 2.5"},
			want:   []string{"major raised criteria[scope].weight", "patch lowered scoring.essential_minimum"},
		},
		{
			reason: "a threshold that rises as far as the essential minimum rises alone if the criterion is important",
			base:   important("2.0"),
			head:   append(important("3.5"), minimum, "essential_minimum: 3.5"),
			want:   []string{"major raised criteria[scope].threshold", "patch raised scoring.essential_minimum"},
		},
		{
			reason: "one that falls from it falls alone",
			base:   important("3.0"),
			head:   append(important("2.0"), minimum, "essential_minimum: 1.0"),
			want:   []string{"minor lowered criteria[scope].threshold", "patch lowered scoring.essential_minimum"},
		},
		{
			reason: "a threshold above the essential minimum hides that it rises",
			head:   []string{scope, "threshold: 4.0", minimum, "essential_minimum: 3.5"},
			want:   []string{"major raised criteria[scope].threshold", "patch raised scoring.essential_minimum"},
		},
		{
			reason: "and that it falls",
			base:   []string{scope, "threshold: 4.0"},
			head:   []string{scope, "threshold: 2.0", minimum, "essential_minimum: 1.0"},
			want:   []string{"minor lowered criteria[scope].threshold", "patch lowered scoring.essential_minimum"},
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
			reason: "a copy of a text that stays where it is did not move",
			head:   []string{"1: No goal is named.", "1: A goal is hinted at."},
			want:   []string{"minor reworded criteria[clarity].anchors.1"},
		},
		{
			reason: "nor did one whose copy changes",
			base:   anchors("None.", "None.", "Some.", "Most.", "All."),
			head:   anchors("None.", "Few.", "Some.", "Most.", "All."),
			want:   []string{"minor reworded criteria[clarity].anchors.2"},
		},
		{
			reason: "nor one whose copy differs in its punctuation, as it does now",
			base:   anchors("None.", "None!", "Some.", "Most.", "All."),
			head:   anchors("None", "Few.", "Some.", "Most.", "All."),
			want:   []string{"minor reworded criteria[clarity].anchors.1", "minor reworded criteria[clarity].anchors.2"},
		},
		{
			reason: "texts that move are no other scale if the rest is new",
			head:   anchors("A goal is hinted at.", "No goal is named.", "Three.", "Four.", "Five."),
			want: []string{
				"major moved criteria[clarity].anchors.1", "major moved criteria[clarity].anchors.2", "minor reworded criteria[clarity].anchors.3",
				"minor reworded criteria[clarity].anchors.4", "minor reworded criteria[clarity].anchors.5",
			},
		},
		{
			reason: "examples are no scale",
			head:   []string{"score_1: Make", "score_1: Please make", "score_3: Renew", "score_3: Please renew", "score_5: As a reader", "score_5: As one who reads"},
			want: []string{
				"minor reworded criteria[clarity].examples.score_1", "minor reworded criteria[clarity].examples.score_3",
				"minor reworded criteria[clarity].examples.score_5",
			},
		},
		{
			reason: "a text without words did not come from an example that is new",
			head:   []string{"score_1: Fools did this.\n", "score_1: \"?!\"\n      score_3: Look.\n"},
			want:   []string{"minor reworded criteria[tone].examples.score_1", "minor added criteria[tone].examples.score_3"},
		},
		{
			reason: "in a group without a class for moved texts, each text is compared with its own",
			base:   []string{"reason: Too coarse.", "reason: story_quality_v3"},
			head:   []string{"replaced_by: story_quality_v2", "replaced_by: story_quality_v3"},
			want:   []string{"patch reworded deprecated.reason", "patch changed deprecated.replaced_by"},
		},
		{
			reason: "an element with the content of another keeps its name",
			base:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [x]}\n  - {name: b, fail_patterns: [y]}\n"},
			head:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [y]}\n  - {name: b, fail_patterns: [x]}\n"},
			want:   []string{"major changed negative_criteria[a].fail_patterns[0]", "major changed negative_criteria[b].fail_patterns[0]"},
		},
		{
			reason: "other patterns take the places of those before, in order",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, b, c]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [x, y, c]"},
			want:   []string{"major changed negative_criteria[assumptions].fail_patterns[0]", "major changed negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "but not of one that stays",
			base:   []string{"fail_patterns: [assume]", "fail_patterns: [a, c]"},
			head:   []string{"fail_patterns: [assume]", "fail_patterns: [x, y, c]"},
			want:   []string{"major changed negative_criteria[assumptions].fail_patterns[0]", "major added negative_criteria[assumptions].fail_patterns[1]"},
		},
		{
			reason: "one name does not replace two, though all else is the same",
			base:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: a, fail_patterns: [x]}\n  - {name: b, fail_patterns: [x]}\n"},
			head:   []string{"negative_criteria:\n", "negative_criteria:\n  - {name: c, fail_patterns: [x]}\n"},
			want:   []string{"major added negative_criteria[c]", "minor removed negative_criteria[a]", "minor removed negative_criteria[b]"},
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
			reason: "what is only reported fails nothing",
			head:   []string{"fail_patterns: [BTW]", "fail_patterns: [FYI, PS]\n    ignore_case: true"},
			want: []string{
				"minor changed negative_criteria[asides].fail_patterns[0]", "minor added negative_criteria[asides].fail_patterns[1]",
				"minor changed negative_criteria[asides].ignore_case",
			},
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
			reason: "one above that decides",
			base:   []string{"  pass_threshold: 3.25\n", ""},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.8"},
			want:   []string{"major added scoring.pass_threshold"},
		},
		{
			reason: "minimums that fall can leave a pass_threshold that guards nothing new",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.0"},
			head:   []string{"threshold: 3.5", "threshold: 3.0", "pass_threshold: 3.25", "pass_threshold: 2.5"},
			want:   []string{"minor lowered criteria[clarity].threshold", "patch raised scoring.pass_threshold"},
		},
		{
			reason: "weights that keep their proportions count as before, also by default",
			base:   []string{"relative_weight: 2", "relative_weight: 0.2", scope, "relative_weight: 0.1\n    " + scope, "weight: important\n", "weight: important\n    relative_weight: 0.1\n"},
			want:   []string{"patch raised criteria[clarity].relative_weight", "patch raised criteria[scope].relative_weight", "patch raised criteria[tone].relative_weight"},
		},
		{
			reason: "one that is scaled alone does not",
			base:   []string{"relative_weight: 2", "relative_weight: 1"},
			head:   []string{"relative_weight: 2", "relative_weight: 1.000001"},
			want:   []string{"major raised criteria[clarity].relative_weight"},
		},
		{
			reason: "nor does one that is doubled, however small it is",
			base:   []string{"relative_weight: 2", "relative_weight: 0.000000000001"},
			head:   []string{"relative_weight: 2", "relative_weight: 0.000000000002"},
			want:   []string{"major raised criteria[clarity].relative_weight"},
		},
		{
			reason: "an explicit 1 is the default",
			base:   []string{"    relative_weight: 2\n", ""},
			head:   []string{"relative_weight: 2", "relative_weight: 1.0"},
		},
		{
			reason: "without a pass_threshold, weights decide nothing",
			base:   []string{"  pass_threshold: 3.25\n", ""},
			head:   []string{"  pass_threshold: 3.25\n", "", "relative_weight: 2", "relative_weight: 3"},
			want:   []string{"patch raised criteria[clarity].relative_weight"},
		},
		{
			reason: "one that the minimums guarantee, with both weights",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.75"},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.75", "relative_weight: 2", "relative_weight: 3"},
			want:   []string{"patch raised criteria[clarity].relative_weight"},
		},
		{
			reason: "with the old weights only, so that it decides now",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.75"},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.75", "relative_weight: 2", "relative_weight: 1.5"},
			want:   []string{"major lowered criteria[clarity].relative_weight"},
		},
		{
			reason: "with the new ones only, so that it no longer decides",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.75", "relative_weight: 2", "relative_weight: 1.5"},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.75"},
			want:   []string{"minor raised criteria[clarity].relative_weight"},
		},
		{
			reason: "a threshold that other weights guarantee raises nothing",
			base:   []string{"pass_threshold: 3.25", "pass_threshold: 2.5"},
			head:   []string{"pass_threshold: 3.25", "pass_threshold: 2.9", "relative_weight: 2", "relative_weight: 3"},
			want:   []string{"patch raised criteria[clarity].relative_weight", "patch raised scoring.pass_threshold"},
		},
		{
			reason: "a criterion that comes with other weights",
			base:   []string{"name: scope", "name: size"},
			head:   []string{"relative_weight: 2", "relative_weight: 4", "Whether it fits", "Where it fits"},
			want:   []string{"major raised criteria[clarity].relative_weight", "major added criteria[scope]", "major removed criteria[size]"},
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
		t.Run(tt.reason, func(t *testing.T) { tt.run(t, "rubric.yaml") })
	}
}

func TestRuleSets(t *testing.T) {
	test{
		reason: "a weight that follows from the severity changes with it, which the severity says",
		head:   []string{"description: Names are plural.\n    severity: warn", "description: Names are plural.\n    severity: fail"},
		want:   []string{"major raised rules[a.style.naming].severity"},
	}.run(t, "ruleset.yaml")
}
