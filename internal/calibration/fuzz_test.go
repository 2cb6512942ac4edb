package calibration

import (
	"testing"
	"unicode/utf8"
)

// checkLoaded checks that problems have a message and a position in their file, and that
// the loaded data is valid.
func checkLoaded(t *testing.T, head, items, answers string) {
	t.Helper()
	d, problems, err := Load(dataset(head, items, answers, ""), "d")
	if err != nil {
		if head != "" {
			t.Fatal(err)
		}
		return
	}
	for _, p := range problems {
		if p.Message == "" || p.Code == "" || !utf8.ValidString(p.Message) {
			t.Errorf("a problem without words: %+v", p.Problem)
		}
		if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(p.File.Data) {
			t.Errorf("%s: the place %v is outside of the file", p.Message, p.Span)
		}
	}
	ids := map[string]bool{}
	for _, item := range d.Items {
		if ids[item.ID] {
			t.Errorf("the item %q is taken twice", item.ID)
		}
		ids[item.ID] = true
		for rater, labels := range item.Labels {
			for criterion, label := range labels {
				if label < 1 || label > 5 || rater == "" || criterion == "" {
					t.Errorf("the label %g of %q for %q is taken", label, rater, criterion)
				}
			}
		}
	}
	for _, j := range d.Judges {
		checkAnswers(t, &j)
	}
}

func checkAnswers(t *testing.T, j *Judge) {
	t.Helper()
	taken := map[answerKey]bool{}
	for _, run := range j.Runs() {
		for _, a := range run.Answers {
			key := answerKey{a.Run, a.Item, a.Repeat, 0}
			if taken[key] || a.Digest != run.Digest || a.Model != run.Model || a.Date != run.Date || a.Repeat < 1 {
				t.Errorf("the answer %+v is taken in the run %+v", a, run)
			}
			taken[key] = true
			if (a.Error == "") == (len(a.Scores) == 0) {
				t.Errorf("the answer %+v has both scores and an error, or neither", a)
			}
			for _, score := range a.Scores {
				if !(score >= 1 && score <= 5) {
					t.Errorf("the score %v is taken", score)
				}
			}
		}
	}
}

func FuzzDataset(f *testing.F) {
	f.Add(goodHead)
	f.Add(head("reaffirmed:\n  - {criterion: clarity, digest: \"" + digestB + "\", date: \"2026-11-21\", reason: A typo.}\n"))
	f.Add("applies_to: [a_v1, a_v1]\ncriteria: []\n")
	f.Fuzz(func(t *testing.T, head string) { checkLoaded(t, head, goodItems, goodAnswers) })
}

func FuzzItems(f *testing.F) {
	f.Add(goodItems)
	f.Add("\ufeff" + goodItems + goodItems)
	f.Add("{\"id\":\"i1\",\"artifact\":\"\\ud800\",\"labels\":{\"a@b\":{\"clarity\":1e0}}}\r\n\r\n[]")
	f.Fuzz(func(t *testing.T, items string) { checkLoaded(t, goodHead, items, goodAnswers) })
}

func FuzzAnswers(f *testing.F) {
	f.Add(goodAnswers)
	f.Add(lines(answer(`"item":"i1"`, `"scores":{}`), answer(`"item":"i1"`, `"error":"x"`, `"repeat":1.0`)))
	f.Fuzz(func(t *testing.T, answers string) { checkLoaded(t, goodHead, goodItems, answers) })
}
