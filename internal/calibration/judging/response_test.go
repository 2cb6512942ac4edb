package judging

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

var asked = []string{"clarity", "scope"}

func TestReadResponse(t *testing.T) {
	for _, tt := range []struct {
		reason, output string
		want           *response
		err            string
	}{
		{"whole numbers", `{"scores":{"clarity":4,"scope":1}}`, &response{Scores: map[string]float64{"clarity": 4, "scope": 1}}, ""},
		{"fractions, a model, white space, keys of its own", " \n" + `{"scores":{"clarity":4.25,"scope":5.0},"model":"m","why":["x"]}` + "\n\n", &response{Scores: map[string]float64{"clarity": 4.25, "scope": 5}, Model: "m"}, ""},
		{"no model to ask", `{"unavailable":"503"}`, &response{Unavailable: "503"}, ""},
		{"no model to ask, but scores", `{"unavailable":"503","scores":{"clarity":4,"scope":1}}`, nil, `Keep one of "scores"`},
		{"nothing", "", nil, "the standard output is empty"},
		{"white space", " \n", nil, "the standard output is empty"},
		{"prose", "4 and 1", nil, "the standard output must be exactly one JSON object"},
		{"a torn object", `{"scores":{"clarity":4,"sco`, nil, "the standard output must be exactly one JSON object"},
		{"no object", `[4, 1]`, nil, "not a list"},
		{"no scores", `{"clarity":4,"scope":1}`, nil, "scores"},
		{"a score as text", `{"scores":{"clarity":"4","scope":1}}`, nil, "clarity"},
		{"a list, which is told in the words of JSON", `{"scores":[4,1]}`, nil, "Write its keys in braces: "},
		{"null", "null", nil, "The response is empty"},
		{"no number", `{"scores":{"clarity":null,"scope":1}}`, nil, `the score of "clarity" is null: expected a number from 1 to 5. A judge that has no score for an item answers {"error": "REASON"}`},
		{"no scores, in another form", `{"scores":null}`, nil, `"scores" is null: expected a number`},
		{"null beside a score that is wrong", `{"scores":{"clarity":7,"scope":null}}`, nil, `the score of "scope" is null`},
		{"null where nothing is required", `{"scores":{"clarity":4,"scope":1},"model":null}`, nil, `"model" is null. Write its value after the colon, or leave the key out`},
		{"a score above the scale", `{"scores":{"clarity":5.01,"scope":1}}`, nil, "from 1.0 to 5.0"},
		{"a score below the scale", `{"scores":{"clarity":4,"scope":0}}`, nil, "from 1.0 to 5.0"},
		{"two scores for a criterion", `{"scores":{"clarity":4,"clarity":5,"scope":1}}`, nil, "appears twice"},
		{"half of a surrogate pair in a reason", `{"scores":{"clarity":4,"scope":1},"reasons":{"clarity":"\udc00"}}`, nil, "half of a surrogate pair"},
		{"a missing score", `{"scores":{"clarity":4}}`, nil, "it has no score for scope"},
		{"no score at all", `{"scores":{}}`, nil, "it has no score for clarity and scope"},
		{"a criterion that was not asked", `{"scores":{"clarity":4,"scope":1,"tone":2}}`, nil, `it has a score for "tone", which was not requested`},
		{"a misspelled criterion", `{"scores":{"clarty":4,"scope":1}}`, nil, `it has a score for "clarty", which was not requested. Did you mean "clarity"?`},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			got, err := readResponse([]byte(tt.output), asked)
			if tt.err != "" {
				if err == nil || got != nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %v, error %v, want %q", got, err, tt.err)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// For any output of a judge, there is a valid score for each requested criterion, or a
// reason.
func FuzzReadResponse(f *testing.F) {
	f.Add([]byte(`{"scores":{"clarity":4,"scope":1},"model":"m"}`))
	f.Add([]byte(`{"scores":{"clarity":4e0,"scope":1.5,"scope":2}}`))
	f.Add([]byte(`{"scores":{"clarity":1e999,"scope":-1}}`))
	f.Add([]byte("\xef\xbb\xbf{}"))
	f.Add([]byte("{\"scores\":{\"\xff\":4}}"))
	f.Fuzz(func(t *testing.T, output []byte) {
		r, err := readResponse(output, asked)
		if err != nil {
			if r != nil || err.Error() == "" {
				t.Fatalf("a response %v beside the error %q", r, err)
			}
			return
		}
		if r.Unavailable != "" {
			return
		}
		if len(r.Scores) != len(asked) {
			t.Fatalf("the scores %v for %q", r.Scores, output)
		}
		for _, name := range asked {
			if score, ok := r.Scores[name]; !ok || !(score >= 1 && score <= 5) {
				t.Fatalf("%s has %v for %q", name, score, output)
			}
		}
	})
}

// TestAnswerThatIsTooLongIsAFailure: what a judge may write can take more space in the file
// than a line may have. The file could not be read again.
func TestAnswerThatIsTooLongIsAFailure(t *testing.T) {
	j := must.Get(OpenJournal(filepath.Join(t.TempDir(), "j.jsonl")))(t)
	defer j.Close()
	r := &Run{Plan: Plan{Name: "x"}, subject: &calibration.Subject{}, journal: j, attempts: map[key][]calibration.Answer{}}
	q := question{&calibration.Item{ID: "i1"}, 1, 1}
	long := "x" + strings.Repeat("\u2028", maxOutput/3-100)
	for _, output := range []string{`{"scores":{"clarity":4,"scope":1},"reasons":{"clarity":"` + long + `"}}`, `{"unavailable":"` + long + `"}`} {
		res, err := readResponse([]byte(output), asked)
		if err != nil || len(output) > maxOutput {
			t.Fatal(err)
		}
		var f *Failure
		if res.Unavailable != "" {
			f = &Failure{Reason: res.Unavailable, Unavailable: true}
		}
		f, err = r.record(q, res, f)
		if err != nil || f == nil || f.Reason != "the answer takes more than 1024 KiB" {
			t.Errorf("the failure is %v, error %v", f, err)
		}
	}
	if data, err := j.Data(); err != nil || len(data) > 1000 {
		t.Errorf("the file has %d bytes, error %v", len(data), err)
	}
}
