package calibration

import (
	"fmt"
	"strings"
	"testing"
)

// TestCounted: of imported runs with the same answers, only one counts.
func TestCounted(t *testing.T) {
	type recorded struct {
		run, model string
		imported   bool
		scores     string // of the items a, b, …
	}
	for _, tt := range []struct {
		reason string
		runs   []recorded
		want   string
	}{
		{"imported twice", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "m", true, "123"}}, "2026-01-01"},
		{"imported three times", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "m", true, "123"}, {"2026-01-15", "m", true, "123"}}, "2026-01-01"},
		{"another answer", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "m", true, "124"}}, "2026-01-01 2026-01-08"},
		{"asked twice", []recorded{{"2026-01-01", "m", false, "123"}, {"2026-01-08", "m", false, "123"}}, "2026-01-01 2026-01-08"},
		{"asked, then imported", []recorded{{"2026-01-01", "m", false, "123"}, {"2026-01-08", "m", true, "123"}}, "2026-01-01"},
		{"imported with an earlier date than asked", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "m", false, "123"}}, "2026-01-08"},
		{"with some answers left out", []recorded{{"2026-01-01", "m", true, "1234"}, {"2026-01-08", "m", true, "12 4"}}, "2026-01-01"},
		{"with answers to new items", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "m", true, "1234"}}, "2026-01-01"},
		{"no answer in common", []recorded{{"2026-01-01", "m", true, "12"}, {"2026-01-08", "m", true, "  34"}}, "2026-01-01 2026-01-08"},
		{"another judge", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "n", true, "123"}}, "2026-01-01 2026-01-08"},
		{"a run between", []recorded{{"2026-01-01", "m", true, "123"}, {"2026-01-08", "m", true, "321"}, {"2026-01-15", "m", true, "123"}}, "2026-01-01 2026-01-08"},
	} {
		j := &Judge{Name: "j"}
		for _, r := range tt.runs {
			for i, score := range r.scores {
				if score != ' ' {
					j.Answers = append(j.Answers, Answer{Run: r.run, Date: r.run, Model: r.model, Imported: r.imported, Item: fmt.Sprint(i), Repeat: 1, Scores: map[string]float64{"clarity": float64(score - '0')}})
				}
			}
		}
		var names []string
		for _, run := range j.CountedRuns() {
			names = append(names, run.Name)
			if original := j.OriginalRun(&run); original.Name != run.Name {
				t.Errorf("%s: run %s counts, and its original is %s", tt.reason, run.Name, original.Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want || j.NewestRun().Name != names[len(names)-1] {
			t.Errorf("%s: %s count, and the newest is %s, want %s", tt.reason, got, j.NewestRun().Name, tt.want)
		}
		for _, run := range j.Runs() {
			if original := j.OriginalRun(&run); !strings.Contains(tt.want, original.Name) {
				t.Errorf("%s: the original of run %s is %s, which does not count", tt.reason, run.Name, original.Name)
			}
		}
	}
}

func TestSameRaters(t *testing.T) {
	got := fmt.Sprint(SameRaters([]string{"b", "a.", "A", "a", "r1", "r-1", "r1.5", "r15", "bob"}))
	if want := "[[A a a.] [r-1 r1]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
