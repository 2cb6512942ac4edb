package printer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// TestWhatDoesNotFitIsFirst in Markdown: a document of a low class before one of a higher class, and
// evidence without an exception before evidence with one. What flips follows, with words.
func TestWhatDoesNotFitIsFirst(t *testing.T) {
	base := &holdings.Library{Name: "a"}
	c := &diff.Comparison{
		Step: &change.Step{Comparison: &comparison.Comparison{Bases: []*holdings.Library{base}, Tip: base, Head: base}},
		Documents: []diff.DocumentDiff{
			{ID: "fits_v1", Status: diff.Modified, Class: schema.Major, Fits: true},
			{ID: "misfits_v1", Status: diff.Modified, Class: schema.Minor, Advice: "Change the version."},
		},
		Evidence: []diff.Evidence{
			{Item: "1", File: "accepted.jsonl", Message: "m", Accepted: "why"},
			{Item: "2", File: "lost.jsonl", Message: "m"},
		},
	}
	flips := []replay.Flip{{Item: "7", To: replay.ToPass, Reasons: []replay.Reason{{Message: "why"}}}}
	played := &replay.Replay{Rubrics: []replay.Rubric{{ID: "fits_v1", Recordings: []replay.Recording{{Source: replay.Labels, Name: "people", Items: 9, Replayed: 9, Flips: flips}}}}}
	var b bytes.Buffer
	must.Do(t, Markdown(&b, c, played))
	at := 0
	for _, part := range []string{"1 version does not fit", "1 of 9 recorded verdicts flips, 1 to pass", "| `misfits_v1`", "Change the version", "| `fits_v1`", "lost.jsonl", "accepted.jsonl", "### Verdicts", "item `7` **passes now**"} {
		found := strings.Index(b.String()[at:], part)
		if found < 0 {
			t.Fatalf("%q is not there, or too early, in:\n%s", part, b.String())
		}
		at += found
	}
}
