package wording

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestDirectionOfAnchors(t *testing.T) {
	for _, test := range []struct {
		why     string
		anchors []string
	}{
		{"faults and praise", []string{"The claims are wrong.", "Some claims are wrong.", "The claims are accurate and complete."}},
		{"faults, and their denial", []string{"There are many errors.", "There are some minor errors.", "There are no errors."}},
		{"a denial, and none", []string{"No price is named.", "The price is named."}},
		{"what fails", []string{"It fails to name an owner.", "It names an owner for each step."}},
		{"none, some, and all", []string{"None of the steps has an owner.", "Half of the steps have an owner.", "All of the steps have an owner."}},
		{"none of what is wanted, and parts that lack something", []string{"No goal is named.", "A goal is hinted at.", "One goal is named without a reason.", "Each goal is named, one without a reason.", "Each goal is named with its reason."}},
		{"shares", []string{"0 % of the tests pass.", "50 % of the tests pass.", "100 % of the tests pass."}},
		{"counts", []string{"1 of 4 parts is there.", "2 of 4 parts are there.", "4 of 4 parts are there."}},
		{"counts of faults", []string{"4 errors", "2 errors", "1 error"}},
		{"neither, nor", []string{"Neither the price nor the date is named.", "Only the price is named.", "Both are named."}},
		{"free of faults", []string{"It is rude and confusing.", "It is free of insults."}},
		{"does not miss", []string{"It misses the deadline and the owner.", "It does not miss anything."}},
	} {
		var texts []Text
		for _, anchor := range test.anchors {
			texts = append(texts, Read(anchor))
		}
		if d := Direction(texts...); d <= 0.1 {
			t.Errorf("%s: the direction is %.2f, want above 0.1", test.why, d)
		}
		slices.Reverse(texts)
		if d := Direction(texts...); d >= -0.1 {
			t.Errorf("%s: in the opposite order, the direction is %.2f, want below -0.1", test.why, d)
		}
	}
	for _, anchors := range [][]string{{"a"}, {"red", "blue"}, {"at most 20 lines", "20 to 40 lines", "more than 40 lines"}, {"", ""}} {
		var texts []Text
		for _, anchor := range anchors {
			texts = append(texts, Read(anchor))
		}
		if d := Direction(texts...); d != 0 {
			t.Errorf("%q: the direction is %.2f, want 0", anchors, d)
		}
	}
}

// short are criteria in the styles of many authors, each with its anchors from the worst to the
// best.
const short = `Uses jargon throughout|A few unexplained terms|No jargon
Three or more broken links|One or two broken links|Zero broken links
Reader must guess the next step|Next step is implied|Next step is spelled out
Rambling, over 300 words|Somewhat wordy|Tight, under 100 words
Refund amount not stated|Amount stated without date|Amount and date stated
The agent blames the customer|The agent stays neutral|The agent takes responsibility
Leaks personal data|Masks some personal data|Masks all personal data
Code does not compile|Compiles but tests fail|Compiles and all tests pass
No citations|One citation|Two citations|Three or more citations
Answer is a guess|Answer is supported by one source|Answer is supported by several sources
Ignores the question|Answers part of the question|Answers the whole question
Hostile|Cold|Neutral|Friendly|Warm and welcoming
Not reproducible|Reproducible with effort|Reproducible by a single command
Dose is wrong|Dose is right, units missing|Dose and units are right
0-24% of fields filled|25-49% of fields filled|50-74% of fields filled|75-100% of fields filled
Under 50% of claims verified|50-89% of claims verified|90% or more of claims verified
0 of 5 required sections|1-2 of 5 required sections|3-4 of 5 required sections|5 of 5 required sections
never|sometimes|always
Contains invented facts|Contains unverified facts|Every fact is verifiable
Title missing|Title generic|Title names the change and the reason
Violates the policy|Follows the policy with gaps|Follows the policy
Sarcastic or dismissive|Flat|Empathetic
More than 5 typos|1 to 5 typos|No typos
Hard to follow|Can be followed with effort|Easy to follow
The plan has no owner or date|The plan has an owner or a date|The plan has an owner and a date
Unsafe advice|Safe, but without a warning|Safe, with a warning
80 % or more of the calls are redundant|40 % of the calls are redundant|No call is redundant
Many steps are missing|Some steps are missing|No step is missing
Contradicts the source|Goes beyond the source|Sticks to the source
Style guide ignored|Style guide partly applied|Style guide applied
Mentions a competitor by name|Hints at a competitor|Never mentions competitors
Translation changes the meaning|Meaning kept, style stilted|Meaning and style kept
Asks for information that was already given|Asks once for known information|Asks only for what is unknown
Does not open|Opens with warnings|Opens without warnings
The user gives up|The user succeeds after help|The user succeeds alone`

// TestDirectionOfShortAnchors: of the last five, the words say nothing or the opposite, because a
// denial alone does not say what is wanted.
func TestDirectionOfShortAnchors(t *testing.T) {
	for n, line := range strings.Split(short, "\n") {
		var texts []Text
		for anchor := range strings.SplitSeq(line, "|") {
			texts = append(texts, Read(anchor))
		}
		if d := Direction(texts...); n < 30 && d <= 0.1 || n > 30 && d < -0.1 {
			t.Errorf("%s: the direction is %.2f", line, d)
		}
	}
}

// TestDirectionOfRealAnchors measures texts that nobody here wrote, in both orders. The words were
// chosen after reading every second of these criteria; the others are as good.
func TestDirectionOfRealAnchors(t *testing.T) {
	f, err := os.Open("../../../../shared/data/biggen-bench/rubrics.jsonl")
	if err != nil {
		t.Skip("the data is not here")
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	const against = 0.1 // at which an import stops
	found, wrong, all := 0, 0, 0
	for ; s.Scan(); all++ {
		var row struct{ Anchors map[string]string }
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		var texts []Text
		for score := lowest; score <= highest; score++ {
			texts = append(texts, Read(row.Anchors[fmt.Sprint(score)]))
		}
		switch d := Direction(texts...); {
		case d > against:
			found++
		case d < -against:
			wrong++
		}
	}
	t.Logf("of %d reversed criteria, %d are found; of %[1]d upright ones, %[3]d seem to be reversed", all, found, wrong)
	if all != 510 || found < 490 || wrong > 3 {
		t.Errorf("of %d reversed criteria, %d are found; of %[1]d upright ones, %[3]d seem to be reversed", all, found, wrong)
	}
}
