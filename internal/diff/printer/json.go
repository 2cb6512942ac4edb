package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output of JSON. It grows when a
// program that reads the output would break.
const SchemaVersion = 1

type jsonDiff struct {
	SchemaVersion int            `json:"schema_version"`
	Documents     []jsonDocument `json:"documents"`
	Library       jsonLibrary    `json:"library"`
	Replay        *jsonReplay    `json:"replay"` // null: not asked for
}

type jsonDocument struct {
	ID              string       `json:"id"`
	Kind            *string      `json:"kind"`
	Status          diff.Status  `json:"status"`
	BaseVersion     *string      `json:"base_version"`
	HeadVersion     *string      `json:"head_version"`
	Class           *string      `json:"class"`
	RequiredVersion *string      `json:"required_version"`
	OK              bool         `json:"ok"`
	Changes         []jsonChange `json:"changes"`
}

type jsonChange struct {
	Kind    string     `json:"kind"`
	Path    string     `json:"path"`
	Class   *string    `json:"class"`
	Base    *jsonValue `json:"base"`
	Head    *jsonValue `json:"head"`
	Message string     `json:"message"`
}

type jsonValue struct {
	Value    string `json:"value"`
	Revision string `json:"revision"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

type jsonLibrary struct {
	Class       *string `json:"class"`
	BaseVersion *string `json:"base_version"`
	NextVersion *string `json:"next_version"`
}

// JSON writes a comparison, what follows for the library's version and a
// replay, or nil, as one object, as schema/diff-output.schema.json describes it.
func JSON(w io.Writer, c *diff.Comparison, r diff.Release, played *replay.Replay) error {
	out := jsonDiff{
		SchemaVersion: SchemaVersion,
		Documents:     make([]jsonDocument, len(c.Documents)),
		Library:       jsonLibrary{render.OrNull(r.Class.String()), render.OrNull(r.Last), render.OrNull(r.Next)},
		Replay:        replayJSON(played),
	}
	for i := range c.Documents {
		out.Documents[i] = documentJSON(&c.Documents[i])
	}
	return render.WriteJSON(w, out)
}

func documentJSON(d *diff.Document) jsonDocument {
	j := jsonDocument{
		ID: d.ID, Kind: render.OrNull(d.Kind), Status: d.Status,
		BaseVersion: render.OrNull(d.BaseVersion), HeadVersion: render.OrNull(d.HeadVersion),
		Class: render.OrNull(d.Class.String()), RequiredVersion: render.OrNull(d.Required), OK: d.Fits,
		Changes: make([]jsonChange, len(d.Changes)),
	}
	for i, c := range d.Changes {
		j.Changes[i] = jsonChange{
			Kind: string(c.Kind), Path: c.Path, Class: render.OrNull(c.Class.String()),
			Base: valueJSON(c.Base), Head: valueJSON(c.Head), Message: c.Message,
		}
	}
	return j
}

func valueJSON(v *diff.Value) *jsonValue {
	if v == nil {
		return nil
	}
	return &jsonValue{v.Text, v.Revision, v.File, v.At.Line, v.At.Column}
}
