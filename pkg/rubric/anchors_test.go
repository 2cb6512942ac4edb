package rubric_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestAnchorsUnmarshalJSON(t *testing.T) {
	const want = "anchors need the keys 1 to 5, each with a text, and no others: "
	tests := []struct {
		reason string
		json   string
		want   string // the error, or part of that of encoding/json; empty: accepted
	}{
		{"the order of keys means nothing", `{"5":"e","4":"d","3":"c","2":"b","1":"a"}`, ""},
		{"everything wrong is named at once", `{"0":"z","1":"a","2":"b","3":"c","4":"d","x":"f"}`, want + `no text for 5; unknown keys "0", "x"`},
		{"01 is not 1", `{"01":"a","2":"b","3":"c","4":"d","5":"e"}`, want + `no text for 1; unknown keys "01"`},
		{"null is not a text", `{"1":"a","2":"b","3":null,"4":"d","5":"e"}`, want + "no text for 3"},
		{"null would leave all five empty", `null`, want + "no text for 1, 2, 3, 4, 5"},
		{"a list is not an object", `["a","b","c","d","e"]`, "cannot unmarshal array"},
		{"a number is not a text", `{"1":1,"2":"b","3":"c","4":"d","5":"e"}`, "cannot unmarshal number"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			before := rubric.Anchors{"old 1", "old 2", "old 3", "old 4", "old 5"}
			got := before
			err := json.Unmarshal([]byte(tt.json), &got)
			if tt.want == "" {
				if diff := cmp.Diff(rubric.Anchors{"a", "b", "c", "d", "e"}, got); err != nil || diff != "" {
					t.Fatalf("error %v, anchors (-want +got):\n%s", err, diff)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
			if got != before {
				t.Errorf("a refused object changed the anchors to %q", got)
			}
		})
	}
}

func TestAnchorsAt(t *testing.T) {
	anchors := rubric.Anchors{"worst", "poor", "acceptable", "good", "best"}
	for score, want := range map[int]string{1: "worst", 3: "acceptable", 5: "best"} {
		if got := anchors.At(score); got != want {
			t.Errorf("At(%d) is %q, want %q", score, got, want)
		}
	}
	for _, score := range []int{0, 6} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("At(%d) gave a text for a score that does not exist", score)
				}
			}()
			anchors.At(score)
		}()
	}
}

// Accepted anchors have five texts and survive a round trip.
func FuzzAnchorsUnmarshalJSON(f *testing.F) {
	f.Add([]byte(`{"1":"a","2":"b","3":"c","4":"d","5":"e"}`))
	f.Add([]byte(`{"1":"\ud800","2":"<&>","3":"","4":"d","5":"e","1":"again"}`))
	f.Add([]byte(`{"1":"a"}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{} {`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got rubric.Anchors
		if err := got.UnmarshalJSON(data); err != nil {
			if got != (rubric.Anchors{}) {
				t.Fatalf("refused with %v, but changed to %q", err, got)
			}
			return
		}
		var texts map[string]string
		if err := json.Unmarshal(data, &texts); err != nil || len(texts) != 5 {
			t.Fatalf("accepted %q: %v", data, err)
		}
		var again rubric.Anchors
		if err := json.Unmarshal(encode(t, got), &again); err != nil || again != got {
			t.Fatalf("%q became %q: %v", got, again, err)
		}
	})
}
