package printer

import (
	"cmp"
	"io"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output of JSON. It increases
// with changes that break programs that read the output.
const SchemaVersion = 1

type jsonDiff struct {
	SchemaVersion int            `json:"schema_version"`
	Documents     []jsonDocument `json:"documents"`
	Evidence      []jsonEvidence `json:"evidence,omitempty"`
	// Yanked are the versions that the head yanks, and those to which constraints fall back.
	Yanked []change.Fallback `json:"yanked,omitempty"`
	// Measured is what the datasets say that changed.
	Measured []calibration.NumbersChange `json:"measured,omitempty"`
	Library  struct {
		Class       schema.Class    `json:"class"`
		BaseVersion render.Optional `json:"base_version"`
		NextVersion render.Optional `json:"next_version"`
	} `json:"library"`
	Replay *replay.Replay `json:"replay"` // null if not requested
}

type jsonDocument struct {
	ID              string                  `json:"id"`
	Kind            render.Optional         `json:"kind"`
	Status          diff.Status             `json:"status"`
	BaseVersion     render.Optional         `json:"base_version"`
	HeadVersion     render.Optional         `json:"head_version"`
	Class           schema.Class            `json:"class"`
	RequiredVersion render.Optional         `json:"required_version"`
	OK              bool                    `json:"ok"`
	Accepted        []string                `json:"accepted,omitempty"` // the reasons of exceptions
	Changes         render.List[jsonChange] `json:"changes"`
}

type jsonEvidence struct {
	Dataset  string          `json:"dataset"`
	Item     string          `json:"item"`
	File     string          `json:"file"`
	Message  string          `json:"message"`
	Accepted render.Optional `json:"accepted"` // the reason of an exception, or null
}

type jsonChange struct {
	Kind    compat.Kind  `json:"kind"`
	Path    string       `json:"path"` // names elements: "criteria[clarity].threshold"
	Class   schema.Class `json:"class"`
	Base    *value       `json:"base"` // null if this side has no value
	Head    *value       `json:"head"`
	Message string       `json:"message"`
}

// value is one side of a change.
type value struct {
	Text string `json:"value"`
	// Revision is the hash of its commit, or "" in a folder.
	Revision string `json:"revision"`
	File     string `json:"file"`
	source.Position
}

func valueIn(e *change.Edition, v *compat.Value) *value {
	switch {
	case v == nil:
		return nil
	case e.Doc == nil: // it can't be read
		return &value{v.Text, e.Commit.Hash, e.Path, source.Position{Line: 1, Column: 1}}
	}
	return &value{v.Text, e.Commit.Hash, e.Doc.File.Path, e.Doc.File.Position(v.Span.Start)}
}

// JSON writes a comparison, the library's version, and a replay, which can be nil, as
// one object that conforms to schema/diff-output.schema.json.
func JSON(w io.Writer, c *diff.Comparison, r change.Release, played *replay.Replay) error {
	out := jsonDiff{
		SchemaVersion: SchemaVersion,
		Documents:     make([]jsonDocument, len(c.Documents)),
		Yanked:        c.Fallbacks,
		Measured:      c.Measured,
		Replay:        played,
	}
	out.Library.Class, out.Library.BaseVersion, out.Library.NextVersion = r.Class, render.Optional(r.Last), render.Optional(r.Next)
	for _, v := range c.Evidence {
		one := jsonEvidence{v.ID, v.Item, v.At.File, v.Message, ""}
		if v.Accepted != nil {
			one.Accepted = render.Optional(v.Accepted.Reason)
		}
		out.Evidence = append(out.Evidence, one)
	}
	for i, d := range c.Documents {
		out.Documents[i] = jsonDocument{
			ID: d.ID, Status: d.Status, BaseVersion: render.Optional(d.Base.Version), HeadVersion: render.Optional(d.Head.Version),
			Class: d.Class, RequiredVersion: render.Optional(d.Required), OK: d.Fits, Accepted: d.Accepted,
		}
		if kind := cmp.Or(d.Head.Kind, d.Base.Kind); kind != nil {
			out.Documents[i].Kind = render.Optional(kind.Name)
		}
		for _, one := range d.Changes {
			out.Documents[i].Changes = append(out.Documents[i].Changes, jsonChange{
				one.Kind, one.Path, one.Class, valueIn(&d.Base, one.Base), valueIn(&d.Head, one.Head), one.Message,
			})
		}
	}
	return render.WriteJSON(w, out)
}
