package compat

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

func TestOneIDOfTwoKinds(t *testing.T) {
	rubric := parse(t, []byte(read(t, "rubric.yaml")))
	ruleSet := parse(t, []byte(edit(t, read(t, "ruleset.yaml"), "ruleset_id: api_design_v1", "ruleset_id: story_quality_v1")))
	for _, tt := range []struct {
		base, head *document.Document
		want       MeaningChange
	}{
		{rubric, ruleSet, MeaningChange{
			Kind: Changed, Path: "ruleset_id", Class: schema.Major,
			Message: "Turns the rubric into a rule set: consumers of the rubric can no longer use it.",
		}},
		{ruleSet, rubric, MeaningChange{
			Kind: Changed, Path: "rubric_id", Class: schema.Major,
			Message: "Turns the rule set into a rubric: consumers of the rule set can no longer use it.",
		}},
	} {
		tt.want.Base = &Value{Text: tt.base.Kind.Noun, Span: tt.base.Root().Get(tt.base.Kind.IDKey).Span}
		tt.want.Head = &Value{Text: tt.head.Kind.Noun, Span: tt.head.Root().Get(tt.head.Kind.IDKey).Span}
		if diff := cmp.Diff([]MeaningChange{tt.want}, Compare(tt.base, tt.head)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestValuesShowBothSides holds what is shown of a value and where.
func TestValuesShowBothSides(t *testing.T) {
	type shown struct{ base, at, head, in string } // the text and what is written at the place
	for _, tt := range []struct {
		reason, file string
		edits        []string
		want         shown
		path         string
	}{
		{"a number with a decimal point", "rubric.yaml", []string{"threshold: 3.5", "threshold: 4"},
			shown{"3.5", "3.5", "4.0", "4"}, "criteria[clarity].threshold"},
		{"a text as it reads", "rubric.yaml", []string{"reason: Too coarse.", `reason: "Too \"coarse\"."`},
			shown{"Too coarse.", "Too coarse.", `Too "coarse".`, `"Too \"coarse\"."`}, "deprecated.reason"},
		{"a default at the group that it belongs to", "rubric.yaml", []string{"    effect: report\n", ""},
			shown{"report", "report", "fail", "name"}, "negative_criteria[asides].effect"},
		{"what follows from others too", "ruleset.yaml", []string{"    weight: 3\n", ""},
			shown{"3.0", "3", "2.0", "id"}, "rules[a.correctness.endpoints].weight"},
		{"what went, in the base", "rubric.yaml", []string{"  owner: team_red\n", ""},
			shown{"team_red", "team_red", "", ""}, "metadata.owner"},
		{"a text in a map as it reads", "rubric.yaml", []string{"owner: team_red", `owner: '"red"'`},
			shown{"team_red", "team_red", `"red"`, `'"red"'`}, "metadata.owner"},
		{"an element by its name", "rubric.yaml", []string{"  - name: assumptions\n    fail_patterns: [assume]\n", ""},
			shown{"assumptions", "assumptions", "", ""}, "negative_criteria[assumptions]"},
		{"a group as its content", "rubric.yaml", []string{"deprecated:\n  reason: Too coarse.\n  replaced_by: story_quality_v2\n", ""},
			shown{`{"reason":"Too coarse.","replaced_by":"story_quality_v2"}`, "reason: Too coarse.\n  replaced_by: story_quality_v2", "", ""}, "deprecated"},
		{"an order by the names", "rubric.yaml", []string{"negative_criteria:\n", "negative_criteria:\n  - name: assumptions\n    fail_patterns: [assume]\n", "  - name: assumptions\n    fail_patterns: [assume]\n  - name: asides", "  - name: asides"},
			shown{"vague, assumptions, asides", "", "assumptions, vague, asides", ""}, "negative_criteria"},
		{"an order of texts as the list", "ruleset.yaml", []string{"[spectral, lint]", "[lint, spectral]"},
			shown{`["spectral","lint"]`, "", `["lint","spectral"]`, ""}, "rules[a.correctness.endpoints].checks[2].command"},
	} {
		text := read(t, tt.file)
		base, head := parse(t, []byte(text)), parse(t, []byte(edit(t, text, tt.edits...)))
		changes := Compare(base, head)
		c := changes[len(changes)-1]
		got := shown{}
		if c.Base != nil {
			got.base, got.at = c.Base.Text, base.File.Text(c.Base.Span)
		}
		if c.Head != nil {
			got.head, got.in = c.Head.Text, head.File.Text(c.Head.Span)
		}
		if c.Kind == Reordered { // the places are the whole lists
			got.at, got.in = "", ""
		}
		if got != tt.want || c.Path != tt.path {
			t.Errorf("%s:\ngot  %+v at %s\nwant %+v at %s", tt.reason, got, c.Path, tt.want, tt.path)
		}
	}
}

// TestMessagesOfSpecialChanges has those that the walk of the tables does not
// make.
func TestMessagesOfSpecialChanges(t *testing.T) {
	const scope = "threshold: 2.0 # hidden by essential_minimum"
	for _, tt := range []struct {
		reason string
		edits  []string
		want   string
	}{
		{"a threshold that is hidden", []string{scope, "threshold: 2.5"},
			`Raises the threshold of "scope" from 2.0 to 2.5: its minimum stays 3.0, so no verdict changes.`},
		{"one that comes out", []string{scope, "threshold: 4.0"},
			`Raises the threshold of "scope" from 2.0 to 4.0: its minimum rises from 3.0 to 4.0, so work that passed can now fail.`},
		{"one that goes below", []string{"threshold: 3.5", "threshold: 2.0"},
			`Lowers the threshold of "clarity" from 3.5 to 2.0: its minimum falls from 3.5 to 3.0, so work that failed can now pass.`},
		{"a minimum of several criteria", []string{"essential_minimum: 3.0", "essential_minimum: 4.5"},
			`Raises essential_minimum of the rubric from 3.0 to 4.5: the minimum of "clarity" and "scope" rises, so work that passed can now fail.`},
		{"a minimum of none", []string{"weight: essential\n    threshold: 2.0 #", "weight: important\n    threshold: 2.0 #", "essential_minimum: 3.0", "essential_minimum: 3.5"},
			`Raises essential_minimum of the rubric from 3.0 to 3.5: no criterion's minimum changes, so no verdict changes.`},
		{"a pass_threshold that is hidden on both sides", []string{"threshold: 3.5", "threshold: 5.0", "threshold: 2.0 #", "threshold: 4.0 #", "pass_threshold: 3.25", "pass_threshold: 3"},
			`Lowers pass_threshold of the rubric from 3.25 to 3.0: the minimums of the criteria guarantee it, so no verdict changes.`},
		{"a weight that stands alone", []string{"relative_weight: 2", "relative_weight: 2.5"},
			`Raises relative_weight of "clarity" from 2.0 to 2.5: the criteria count differently in the overall score, so work that passed can now fail.`},
		{"all weights", []string{"relative_weight: 2", "relative_weight: 3", scope, "relative_weight: 1.5\n    " + scope, "threshold: 3.0", "relative_weight: 1.5\n    threshold: 3.0"},
			`Raises relative_weight of "scope" from 1.0 to 1.5: the weights keep their proportions, so no score changes.`},
		{"a weight without effect", []string{"relative_weight: 2", "relative_weight: 3", "pass_threshold: 3.25\n", "pass_threshold: 2.75\n"},
			`Raises relative_weight of "clarity" from 2.0 to 3.0: the overall score no longer decides, so work that failed can now pass.`},
		{"a pattern that repeats another", []string{"[assume]", "[assume, assume]"},
			`Adds the pattern "assume" to fail_patterns of "assumptions": another pattern is the same, so no verdict changes.`},
		{"a pattern that is only reported", []string{"[BTW]", "[BTW, FYI]"},
			`Adds the pattern "FYI" to fail_patterns of "asides": its hits are only reported, so nothing fails.`},
		{"a reported criterion that goes", []string{"  - name: asides\n    fail_patterns: [BTW]\n    effect: report\n", ""},
			`Removes negative criterion "asides": its hits are only reported, so nothing fails.`},
		{"a reported criterion with another name", []string{"name: asides", "name: notes"},
			`Renames negative criterion "asides" to "notes": hits are reported under another name.`},
		{"another ID", []string{"rubric_id: story_quality_v1", "rubric_id: story_v1"},
			`Renames the rubric to "story_v1": consumers that ask for the old ID no longer find it.`},
	} {
		text := read(t, "rubric.yaml")
		var got []string
		for _, c := range Compare(parse(t, []byte(text)), parse(t, []byte(edit(t, text, tt.edits...)))) {
			got = append(got, c.Message)
			if word := jargon.FindString(c.Message); word != "" {
				t.Errorf("%q mentions %q", c.Message, word)
			}
		}
		if !strings.Contains(strings.Join(got, "\n"), tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, strings.Join(got, "\n     "), tt.want)
		}
	}
}

// TestWhatNoClassCoversIsReported holds that a gap in a table is seen, as a
// fault of the tool, and never taken for no change.
func TestWhatNoClassCoversIsReported(t *testing.T) {
	text := read(t, "rubric.yaml")
	base, head := parse(t, []byte(text)), parse(t, []byte(edit(t, text, "name: Story quality", "name: Stories")))

	table := document.Rubric.Table
	changes := compare(without(table, "name"), base, head)
	if got := lines(changes); len(got) != 1 || got[0] != "patch unclassified" {
		t.Errorf("a field that the walk does not know gives %q", got)
	}

	classless := *table
	classless.Fields = slices.Clone(table.Fields)
	schema.Find(classless.Fields, "name").Class = schema.Classes{}
	changes = append(changes, compare(&classless, base, head)...)
	if got := lines(changes[1:]); len(got) != 1 || got[0] != "patch unclassified name" {
		t.Errorf("a field without a class gives %q", got)
	}
	for _, c := range changes {
		if !strings.Contains(c.Message, "bug in the tool") || jargon.MatchString(c.Message) {
			t.Errorf("the message is %q", c.Message)
		}
	}
}
