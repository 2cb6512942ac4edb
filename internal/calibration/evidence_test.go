package calibration

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// loaded reads the dataset d of texts.
func loaded(t interface{ Fatal(...any) }, head, items, answers, history string) *Dataset {
	d, _, err := Load(dataset(head, items, answers, history), "d")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRewrites(t *testing.T) {
	head := goodHead + accepted("a", "b")
	history := lines(`{"n":1}`, `{"n":2}`)
	base := loaded(t, head, goodItems, goodAnswers, history)
	other := func(text string, edits ...string) string { return strings.NewReplacer(edits...).Replace(text) }
	all := strings.SplitAfter(goodAnswers, "\n")
	tests := []struct {
		reason                        string
		dataset, items, answers, past string
		want                          string // the items
	}{
		{"nothing", head, goodItems, goodAnswers, history, ""},
		{"what is said about the dataset", "description: Two.\n" + head, goodItems, goodAnswers, history, ""},
		{"an item that no run answered", head, other(goodItems, "Three.", "Four."), goodAnswers, history, ""},
		{"a tag", head, other(goodItems, `"artifact":"Two."`, `"artifact":"Two.","tags":["x"]`), goodAnswers, history, ""},
		{"a label more", head, other(goodItems, `{"clarity":5}`, `{"brevity":1,"clarity":5}`), goodAnswers, history, ""},
		{"the default of a split", head, other(goodItems, `"artifact":"Two."`, `"artifact":"Two.","split":"test"`), goodAnswers, history, ""},
		{"a run that was accepted", goodHead + accepted("a", "c", "b", "d"), goodItems, goodAnswers, history, ""},
		{"nothing that a file of an earlier program says", head, goodItems, goodAnswers, "no JSON", ""},
		{"not even that file", head, goodItems, goodAnswers, "", ""},
		{"a text", head, other(goodItems, "One.", "Won."), goodAnswers, history, "i1"},
		{"the inputs", head, other(goodItems, "Count.", "Add."), goodAnswers, history, "i2"},
		{"the split", head, other(goodItems, `"artifact":"Two."`, `"artifact":"Two.","split":"dev"`), goodAnswers, history, "i2"},
		{"a label", head, other(goodItems, `"brevity":2`, `"brevity":3`), goodAnswers, history, "i1"},
		{"no label", head, other(goodItems, `,"brevity":2`, ""), goodAnswers, history, "i1"},
		{"an answer", head, goodItems, other(goodAnswers, "2.5", "2"), history, "i1"},
		{"no answer", head, goodItems, all[0] + all[1], history, "i2"},
		{"another order", head, goodItems, all[2] + all[0] + all[1], history, "i2"},
		{"no judge", head, goodItems, "", history, "i1 i2"},
		{"who labeled", other(head, "people", "authors"), goodItems, goodAnswers, history, "dataset.yaml"},
		{"the wording that was labeled", other(head, digestA, digestB), goodItems, goodAnswers, history, "dataset.yaml"},
		{"a run that was not accepted", goodHead + accepted("a"), goodItems, goodAnswers, history, "dataset.yaml"},
		{"another run that was accepted last", goodHead + accepted("b", "a"), goodItems, goodAnswers, history, "dataset.yaml"},
	}
	for _, tt := range tests {
		if got := itemsOf(Rewrites(base, nil, loaded(t, tt.dataset, tt.items, tt.answers, tt.past), nil)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
	if got := itemsOf(Rewrites(base, nil, nil, nil)); got != "dataset.yaml" {
		t.Errorf("without the dataset: got %q", got)
	}
	if got := itemsOf(Rewrites(base, nil, nil, map[string]bool{"a_v1": true})); got != "" {
		t.Errorf("without the dataset of a retired rubric: got %q", got)
	}
	fresh := loaded(t, head, goodItems, "", "")
	changed := other(goodItems, "One.", "Won.")
	if got := itemsOf(Rewrites(fresh, nil, loaded(t, head, changed, "", ""), nil)); got != "" {
		t.Errorf("before the first run: got %q", got)
	}
	for where, got := range map[string][]Rewrite{
		"in the same change": Rewrites(fresh, nil, loaded(t, head, changed, goodAnswers, ""), nil),
		"on the target":      Rewrites(fresh, base, loaded(t, head, changed, "", ""), nil),
	} {
		if itemsOf(got) != "i1" {
			t.Errorf("after a run %s: got %q", where, itemsOf(got))
		}
	}
}

// TestRecordedRunsDoNotGrow: a recorded run gets the answers that it lacks until another one
// follows, but never more repeats.
func TestRecordedRunsDoNotGrow(t *testing.T) {
	const scores = `"scores":{"clarity":4}`
	other := func(line string, edits ...string) string { return strings.NewReplacer(edits...).Replace(line) }
	once := lines(answer(`"item":"i1"`, scores), answer(`"item":"i2"`, `"error":"none"`))
	twice := lines(answer(`"item":"i1","repeats":2`, scores))
	later := other(answer(`"item":"i1"`, scores), `"x"`, `"y"`, "11-21", "11-28") + "\n"
	more := func(what string) string { return lines(answer(what, scores)) }
	tests := []struct{ reason, base, target, added, want string }{
		{"an answer that lacks", once, "", more(`"item":"i3"`), ""},
		{"another run", once, "", later, ""},
		{"a repeat", once, "", more(`"item":"i2","repeat":2`), "i2"},
		{"a repeat of an item that has no answer", once, "", more(`"item":"i3","repeat":2`), "i3"},
		{"a number of repeats", once, "", more(`"item":"i3","repeats":2`), "i3"},
		{"a repeat that was planned", twice, "", more(`"item":"i1","repeat":2,"repeats":2`), ""},
		{"a repeat that was not", twice, "", more(`"item":"i1","repeat":3,"repeats":2`), "i1"},
		{"a repeat as others have", once + more(`"item":"i1","repeat":2`), "", more(`"item":"i2","repeat":2`), ""},
		{"an answer that lacks in a run that was followed", once + later, "", more(`"item":"i3"`), "i3"},
		{"or is by now", once, once + later, more(`"item":"i3"`), "i3"},
		{"an answer of the target", once, once + later + more(`"item":"i3"`), later + more(`"item":"i3"`), ""},
		{"an answer that lacks in the last run", later + once, "", other(more(`"item":"i3"`), `"x"`, `"y"`, "11-21", "11-28"), ""},
		{"the first answers in a file that was empty", "", "\n", once, ""},
	}
	for _, tt := range tests {
		load := func(answers string) *Dataset { return loaded(t, goodHead, goodItems, answers, "") }
		got := Rewrites(load(tt.base), load(tt.target), load(tt.base+tt.added), nil)
		if itemsOf(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, itemsOf(got), tt.want)
		}
		for _, r := range got {
			if line := strings.Count(tt.base, "\n") + 1; !r.Final || r.At.Start.Line != line {
				t.Errorf("%s: final is %v, in line %d, want line %d", tt.reason, r.Final, r.At.Start.Line, line)
			}
		}
	}
}

func itemsOf(found []Rewrite) string {
	var items []string
	for _, r := range found {
		items = append(items, r.Item)
	}
	return strings.Join(items, " ")
}

// TestEveryLossIsFound: lines that are removed, changed, or moved are found, and added ones
// are not.
func TestEveryLossIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := rapid.SliceOfNDistinct(rapid.IntRange(0, 99), 0, 8, rapid.ID[int]).Draw(t, "old")
		now := rapid.SliceOfN(rapid.IntRange(0, 99), 0, 12).Draw(t, "now")
		if rapid.Bool().Draw(t, "adds") {
			now = slices.Clone(old)
			for range rapid.IntRange(0, 4).Draw(t, "more") {
				now = slices.Insert(now, rapid.IntRange(0, len(now)).Draw(t, "at"), rapid.IntRange(100, 199).Draw(t, "new"))
			}
		}
		texts := func(list []int) (out [][]byte) {
			for _, n := range list {
				out = append(out, []byte{byte(n)})
			}
			return out
		}
		rest := old
		for _, n := range now { // the definition of a subsequence
			if len(rest) > 0 && rest[0] == n {
				rest = rest[1:]
			}
		}
		if got := lost(texts(old), texts(now)); (len(got) > 0) != (len(rest) > 0) {
			t.Fatalf("%v became %v: the lost lines are %v", old, now, got)
		}
	})
}

// accepted is the end of a dataset.yaml in which an owner accepted some runs.
func accepted(runs ...string) string {
	text := "accepted:\n"
	for _, run := range runs {
		text += fmt.Sprintf("  - {judge: j, model: m-1, repeats: 1, run: %s, date: \"2026-11-21\", reason: It is as good.}\n", run)
	}
	return text
}
