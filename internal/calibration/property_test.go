package calibration

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

var (
	anID   = rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9_.-]{0,10}`)
	aText  = rapid.String().Filter(regexp.MustCompile(schema.NotBlank.Expr).MatchString)
	aScore = rapid.Map(rapid.IntRange(100, 500), func(n int) float64 { return float64(n) / 100 })
	aName  = rapid.SampledFrom([]string{"clarity", "brevity"})
)

func anItem(id string) *rapid.Generator[Item] {
	return rapid.Custom(func(t *rapid.T) Item {
		return Item{
			ID: id, Artifact: aText.Draw(t, "artifact"),
			Inputs: rapid.MapOfN(rapid.SampledFrom([]string{"task", "ticket.title"}), aText, -1, 2).Draw(t, "inputs"),
			Labels: rapid.MapOfN(anID, rapid.MapOfN(aName, aScore, -1, 2), -1, 3).Draw(t, "labels"),
		}
	})
}

func anAnswer(item string, repeat int) *rapid.Generator[Answer] {
	return rapid.Custom(func(t *rapid.T) Answer {
		a := Answer{Run: "x", Item: item, Repeat: repeat, Model: "m-1", Date: "2026-11-21", Digest: digestA}
		switch rapid.IntRange(0, 2).Draw(t, "outcome") {
		case 0:
			a.Error = aText.Draw(t, "error")
		case 1:
			a.Unavailable, a.Attempt = aText.Draw(t, "unavailable"), rapid.SampledFrom([]int{0, 2, 3}).Draw(t, "attempt")
		default:
			a.Scores = rapid.MapOfN(aName, aScore, 1, 2).Draw(t, "scores")
		}
		return a
	})
}

func written[T any](t *rapid.T, all []T) string {
	var b strings.Builder
	for _, v := range all {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

// TestWhatIsWrittenIsLoaded: items and answers with any texts that are not blank survive a
// round trip.
func TestWhatIsWrittenIsLoaded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(anID, 1, 4, rapid.ID).Draw(t, "ids")
		var items []Item
		var answers []Answer
		for _, id := range ids {
			items = append(items, anItem(id).Draw(t, "item"))
			for repeat := range rapid.IntRange(0, 2).Draw(t, "repeats") {
				answers = append(answers, anAnswer(id, repeat+1).Draw(t, "answer"))
			}
		}
		d, problems, err := Load(dataset(goodHead, written(t, items), written(t, answers), ""), "d")
		if err != nil || len(problems) > 0 {
			t.Fatalf("%v %q", err, told(problems))
		}
		places := cmp.Options{cmpopts.IgnoreFields(Item{}, "Line", "Span"), cmpopts.IgnoreFields(Answer{}, "File", "Line"), cmpopts.EquateEmpty()}
		if diff := cmp.Diff(items, d.Items, places); diff != "" {
			t.Errorf("items (-written +loaded):\n%s", diff)
		}
		if len(answers) > 0 {
			if diff := cmp.Diff(answers, d.Judges[0].Answers, places); diff != "" {
				t.Errorf("answers (-written +loaded):\n%s", diff)
			}
		}
	})
}
