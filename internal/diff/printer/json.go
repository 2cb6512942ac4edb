package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output of JSON. It increases
// with changes that break programs that read the output.
const SchemaVersion = 1

type jsonDiff struct {
	SchemaVersion int            `json:"schema_version"`
	Documents     []jsonDocument `json:"documents"`
	Library       jsonLibrary    `json:"library"`
	Replay        *jsonReplay    `json:"replay"` // null if not requested
}

type jsonDocument struct {
	ID              string        `json:"id"`
	Kind            *string       `json:"kind"`
	Status          diff.Status   `json:"status"`
	BaseVersion     *string       `json:"base_version"`
	HeadVersion     *string       `json:"head_version"`
	Class           schema.Class  `json:"class"`
	RequiredVersion *string       `json:"required_version"`
	OK              bool          `json:"ok"`
	Changes         []diff.Change `json:"changes"`
}

type jsonLibrary struct {
	Class       schema.Class `json:"class"`
	BaseVersion *string      `json:"base_version"`
	NextVersion *string      `json:"next_version"`
}

// JSON writes a comparison, the library's version, and a replay, which can be nil, as
// one object that conforms to schema/diff-output.schema.json.
func JSON(w io.Writer, c *diff.Comparison, r diff.Release, played *replay.Replay) error {
	out := jsonDiff{
		SchemaVersion: SchemaVersion,
		Documents:     make([]jsonDocument, len(c.Documents)),
		Library:       jsonLibrary{r.Class, render.OrNull(r.Last), render.OrNull(r.Next)},
		Replay:        replayJSON(played),
	}
	for i := range c.Documents {
		d := &c.Documents[i]
		out.Documents[i] = jsonDocument{
			ID: d.ID, Kind: render.OrNull(d.Kind), Status: d.Status,
			BaseVersion: render.OrNull(d.BaseVersion), HeadVersion: render.OrNull(d.HeadVersion),
			Class: d.Class, RequiredVersion: render.OrNull(d.Required), OK: d.Fits, Changes: render.OrEmpty(d.Changes),
		}
	}
	return render.WriteJSON(w, out)
}
