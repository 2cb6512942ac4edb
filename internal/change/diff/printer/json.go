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

// Diff is the output of JSON.
type Diff struct {
	SchemaVersion int `json:"schema_version"`
	// Documents are the documents whose files differ, matched by ID. Unreadable documents come
	// first, then the others by descending class and by ID. Equal files are not listed.
	Documents []Document `json:"documents"`
	// Evidence are the changes of recorded evidence of calibration, which only an exception
	// accepts.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Yanked are the versions that the head yanks, and those to which constraints fall back.
	Yanked []change.Fallback `json:"yanked,omitempty"`
	// Measured is what the datasets that changed say, before and after.
	Measured []calibration.NumbersChange `json:"measured,omitempty"`
	// Library is the result for the library as a whole.
	Library change.Release `json:"library"`
	// Replay has the verdicts on recorded scores under both sides of each changed rubric. null:
	// --replay was not used.
	Replay *replay.Replay `json:"replay"`
}

// Document is a document whose file differs.
type Document struct {
	// ID is the ID, or an empty text if the file has none.
	ID string `json:"id"`
	// Kind is null if the file does not state it.
	Kind render.Optional `json:"kind"`
	// Status is the kind of difference. moved: the same document in another file. unchanged: the
	// file differs, but not its meaning or its version.
	Status diff.Status `json:"status"`
	// BaseVersion is null if the document is not in the base.
	BaseVersion render.Optional `json:"base_version"`
	// HeadVersion is null if the document is not in the head.
	HeadVersion render.Optional `json:"head_version"`
	// Class is the highest class of the changes; minor for an added document, major for a
	// removed one. null: the document can't be read.
	Class schema.Class `json:"class"`
	// RequiredVersion is the lowest version that fits; for a new document that skips its first
	// version, that version. null: any version fits, or there is nothing to compare with.
	RequiredVersion render.Optional `json:"required_version"`
	// OK is whether the version in the head fits. For a removed document, whether the ledger or
	// an exception lists it. Never true for an unreadable document.
	OK bool `json:"ok"`
	// Accepted are the reasons for which exceptions accept what does not fit.
	Accepted []string `json:"accepted,omitempty"`
	// Changes are the changes, highest class first; empty for documents that were added, or
	// removed with an entry in the ledger.
	Changes render.List[Change] `json:"changes"`
}

// Evidence is a change of recorded evidence of calibration.
type Evidence struct {
	Dataset string `json:"dataset"`
	// Item is the ID of the item, or dataset.yaml or history.jsonl.
	Item    string `json:"item"`
	File    string `json:"file"`
	Message string `json:"message"`
	// Accepted is the reason of the exception, or null.
	Accepted render.Optional `json:"accepted"`
}

// Change is a difference in meaning.
type Change struct {
	// Kind is how a value changed. raised means stricter, lowered less strict. unreadable: the
	// only change of an unreadable document. gone: the only change of a document that was removed
	// without an entry in the ledger. unclassified: an error of the tool.
	Kind compat.Kind `json:"kind"`
	// Path is the path, with the names of elements: criteria[clarity].threshold. Empty for the
	// document as a whole.
	Path string `json:"path"`
	// Class is what the change can do. major: something that passed can fail, the set of scores
	// changed, the scale is reversed, or a search no longer finds the document. minor: nothing that
	// passed can fail, but a judge reads different text or something that failed can pass. patch:
	// neither a judge nor the verdict uses it. none: the meaning is the same. null: unknown.
	Class schema.Class `json:"class"`
	// Base is null if the base has no value.
	Base *Value `json:"base"`
	// Head is null if the head has no value.
	Head *Value `json:"head"`
	// Message is the change and its effect, in a sentence.
	Message string `json:"message"`
}

// Value is the value on one side of a change and its place; the place of a default is the first
// key of its group.
type Value struct {
	// Text is a text, a number, the name of an element, or JSON for groups and lists.
	Text string `json:"value"`
	// Revision is the full hash of the commit that contains it; empty for a folder.
	Revision string `json:"revision"`
	File     string `json:"file"`
	source.Position
}

func valueIn(e *change.Edition, v *compat.Value) *Value {
	switch {
	case v == nil:
		return nil
	case e.Doc == nil: // it can't be read
		return &Value{v.Text, e.Commit.Hash, e.Path, source.Position{Line: 1, Column: 1}}
	}
	return &Value{v.Text, e.Commit.Hash, e.Doc.File.Path, e.Doc.File.Position(v.Span.Start)}
}

// JSON writes a comparison, the library's version, and a replay, which can be nil, as
// one object that conforms to schema/diff-output.schema.json.
func JSON(w io.Writer, c *diff.Comparison, r change.Release, played *replay.Replay) error {
	out := Diff{
		SchemaVersion: SchemaVersion,
		Documents:     make([]Document, len(c.Documents)),
		Yanked:        c.Fallbacks,
		Measured:      c.Measured,
		Library:       r,
		Replay:        played,
	}
	for _, v := range c.Evidence {
		one := Evidence{v.ID, v.Item, v.At.File, v.Message, ""}
		if v.Accepted != nil {
			one.Accepted = render.Optional(v.Accepted.Reason)
		}
		out.Evidence = append(out.Evidence, one)
	}
	for i, d := range c.Documents {
		out.Documents[i] = Document{
			ID: d.ID, Status: d.Status, BaseVersion: render.Optional(d.Base.Version), HeadVersion: render.Optional(d.Head.Version),
			Class: d.Class, RequiredVersion: render.Optional(d.Required), OK: d.Fits, Accepted: d.Accepted,
		}
		if kind := cmp.Or(d.Head.Kind, d.Base.Kind); kind != nil {
			out.Documents[i].Kind = render.Optional(kind.Name)
		}
		for _, one := range d.Changes {
			out.Documents[i].Changes = append(out.Documents[i].Changes, Change{
				one.Kind, one.Path, one.Class, valueIn(&d.Base, one.Base), valueIn(&d.Head, one.Head), one.Message,
			})
		}
	}
	return render.WriteJSON(w, out)
}
