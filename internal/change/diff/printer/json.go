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
		Class       schema.Class `json:"class"`
		BaseVersion *string      `json:"base_version"`
		NextVersion *string      `json:"next_version"`
	} `json:"library"`
	Replay *jsonReplay `json:"replay"` // null if not requested
}

type jsonDocument struct {
	ID              string       `json:"id"`
	Kind            *string      `json:"kind"`
	Status          diff.Status  `json:"status"`
	BaseVersion     *string      `json:"base_version"`
	HeadVersion     *string      `json:"head_version"`
	Class           schema.Class `json:"class"`
	RequiredVersion *string      `json:"required_version"`
	OK              bool         `json:"ok"`
	Accepted        []string     `json:"accepted,omitempty"` // the reasons of exceptions
	Changes         []jsonChange `json:"changes"`
}

type jsonEvidence struct {
	Dataset  string  `json:"dataset"`
	Item     string  `json:"item"`
	File     string  `json:"file"`
	Message  string  `json:"message"`
	Accepted *string `json:"accepted"` // the reason of an exception, or null
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
		Replay:        replayJSON(played),
	}
	out.Library.Class, out.Library.BaseVersion, out.Library.NextVersion = r.Class, render.OrNull(r.Last), render.OrNull(r.Next)
	for _, v := range c.Evidence {
		one := jsonEvidence{v.ID, v.Item, v.At.File, v.Message, nil}
		if v.Accepted != nil {
			one.Accepted = &v.Accepted.Reason
		}
		out.Evidence = append(out.Evidence, one)
	}
	for i, d := range c.Documents {
		out.Documents[i] = jsonDocument{
			ID: d.ID, Status: d.Status, BaseVersion: render.OrNull(d.Base.Version), HeadVersion: render.OrNull(d.Head.Version),
			Class: d.Class, RequiredVersion: render.OrNull(d.Required), OK: d.Fits, Accepted: d.Accepted, Changes: []jsonChange{},
		}
		if kind := cmp.Or(d.Head.Kind, d.Base.Kind); kind != nil {
			out.Documents[i].Kind = &kind.Name
		}
		for _, one := range d.Changes {
			out.Documents[i].Changes = append(out.Documents[i].Changes, jsonChange{
				one.Kind, one.Path, one.Class, valueIn(&d.Base, one.Base), valueIn(&d.Head, one.Head), one.Message,
			})
		}
	}
	return render.WriteJSON(w, out)
}

type jsonReplay struct {
	Missing *string            `json:"missing"`
	Rubrics []jsonReplayRubric `json:"rubrics"`
}

type jsonReplayRubric struct {
	ID         string          `json:"id"`
	Replaces   *string         `json:"replaces"`
	Dataset    *string         `json:"dataset"`
	Missing    *string         `json:"missing"`
	Reworded   []string        `json:"reworded"`
	Repeat     []jsonRun       `json:"repeat"`
	Recordings []jsonRecording `json:"recordings"`
}

type jsonRun struct {
	Judge string `json:"judge"`
	Run   string `json:"run"`
	Model string `json:"model"`
}

type jsonRecording struct {
	Source     replay.Source    `json:"source"`
	Name       string           `json:"name"`
	Run        *string          `json:"run"`
	Model      *string          `json:"model"`
	Items      int              `json:"items"`
	Replayed   int              `json:"replayed"`
	Unscored   []string         `json:"unscored"`
	Lost       []string         `json:"lost"`
	Indication *string          `json:"indication"`
	Flips      []jsonFlip       `json:"flips"`
	Criteria   []replay.Outcome `json:"criteria"`
}

type jsonFlip struct {
	Item    string           `json:"item"`
	To      string           `json:"to"`
	Reasons []jsonFlipReason `json:"reasons"`
}

type jsonFlipReason struct {
	Kind    replay.Kind `json:"kind"`
	Name    *string     `json:"name"`
	Message string      `json:"message"`
}

func replayJSON(r *replay.Replay) *jsonReplay {
	if r == nil {
		return nil
	}
	j := &jsonReplay{Missing: render.OrNull(r.Missing), Rubrics: []jsonReplayRubric{}}
	for _, rubric := range r.Rubrics {
		out := jsonReplayRubric{
			ID: rubric.ID, Replaces: render.OrNull(rubric.Replaces), Dataset: render.OrNull(rubric.Dataset), Missing: render.OrNull(rubric.Missing),
			Reworded: render.OrEmpty(rubric.Reworded), Repeat: []jsonRun{}, Recordings: []jsonRecording{},
		}
		for _, rec := range repeat(&rubric) {
			out.Repeat = append(out.Repeat, jsonRun{rec.Name, rec.Run, rec.Model})
		}
		for _, rec := range rubric.Recordings {
			out.Recordings = append(out.Recordings, recordingJSON(&rec))
		}
		j.Rubrics = append(j.Rubrics, out)
	}
	return j
}

func recordingJSON(rec *replay.Recording) jsonRecording {
	j := jsonRecording{
		Source: rec.Source, Name: rec.Name, Run: render.OrNull(rec.Run), Model: render.OrNull(rec.Model),
		Items: rec.Items, Replayed: rec.Replayed, Unscored: render.OrEmpty(rec.Unscored), Lost: render.OrEmpty(rec.Lost),
		Indication: render.OrNull(rec.Indication), Flips: []jsonFlip{}, Criteria: render.OrEmpty(rec.Criteria),
	}
	for _, f := range rec.Flips {
		flip := jsonFlip{Item: f.Item, To: "fail"}
		if f.Passes {
			flip.To = "pass"
		}
		for _, r := range f.Reasons {
			flip.Reasons = append(flip.Reasons, jsonFlipReason{r.Kind, render.OrNull(r.Name), r.Message})
		}
		j.Flips = append(j.Flips, flip)
	}
	return j
}
