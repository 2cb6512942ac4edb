package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output of JSON. It increases
// with changes that break programs that read the output.
const SchemaVersion = 1

// Diff is the output of JSON.
type Diff struct {
	SchemaVersion int `json:"schema_version"`
	// Documents are the documents whose files differ, matched by ID. Unreadable documents come
	// first, then the others by descending class and by ID. Equal files are not listed.
	Documents render.List[diff.DocumentDiff] `json:"documents"`
	// Evidence are the changes of recorded evidence of calibration, which only an exception
	// accepts.
	Evidence []diff.Evidence `json:"evidence,omitempty"`
	// Yanked are the versions that the head yanks or withdraws, and those to which constraints fall
	// back.
	Yanked []change.Fallback `json:"yanked,omitempty"`
	// Measured is what the datasets that changed say, before and after.
	Measured []report.NumbersChange `json:"measured,omitempty"`
	// Library is the result for the library as a whole.
	Library change.Release `json:"library"`
	// Replay has the verdicts on recorded scores under both sides of each changed rubric. null:
	// --replay was not used.
	Replay *replay.Replay `json:"replay"`
}

// JSON writes a comparison, the library's version, and a replay, which can be nil, as
// one object that conforms to schema/diff-output.schema.json.
func JSON(w io.Writer, c *diff.Comparison, r change.Release, played *replay.Replay) error {
	return render.WriteJSON(w, Diff{SchemaVersion, c.Documents, c.Evidence, c.Fallbacks, c.Measured, r, played})
}
