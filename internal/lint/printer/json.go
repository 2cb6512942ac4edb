package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output. It increases with changes that break
// programs that read the output.
const SchemaVersion = 1

type jsonReport struct {
	SchemaVersion int                 `json:"schema_version"`
	Base          *jsonBase           `json:"base"` // null if compared with nothing
	Findings      []jsonFinding       `json:"findings"`
	Exceptions    []*change.Exception `json:"exceptions"`
	Summary       lint.Summary        `json:"summary"`
}

type jsonBase struct {
	MergeBase  string   `json:"merge_base"` // the first of MergeBases, or empty
	MergeBases []string `json:"merge_bases"`
	Target     string   `json:"target"`
	Name       string   `json:"name"`
	Reason     string   `json:"reason"`
}

type jsonFinding struct {
	Rule        string        `json:"rule"`
	Severity    string        `json:"severity"`
	Revision    string        `json:"revision"` // the commit in an audit, otherwise empty
	File        string        `json:"file"`
	Line        int           `json:"line"`
	Column      int           `json:"column"`
	EndLine     int           `json:"end_line"`
	EndColumn   int           `json:"end_column"`
	ID          string        `json:"id"`
	Pointer     string        `json:"pointer"`
	Message     string        `json:"message"`
	Spec        string        `json:"spec"`
	Related     []jsonRelated `json:"related"`
	Fixable     bool          `json:"fixable"`
	Fingerprint string        `json:"fingerprint"`
}

type jsonRelated struct {
	Revision string `json:"revision"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Message  string `json:"message"`
}

// JSON writes the report as one object that conforms to schema/lint-output.schema.json. A
// finding about a whole file has line and column 1.
func JSON(w io.Writer, r *lint.Report) error {
	out := jsonReport{
		SchemaVersion: SchemaVersion,
		Findings:      make([]jsonFinding, len(r.Findings)),
		Exceptions:    render.OrEmpty(r.Exceptions),
		Base:          baseOf(r.Base),
		Summary:       r.Summary,
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		j := jsonFinding{
			Rule: f.Rule.ID, Severity: f.Severity.String(), Revision: f.Revision, File: f.File,
			Line: max(1, f.Start.Line), Column: max(1, f.Start.Column),
			EndLine: max(1, f.End.Line), EndColumn: max(1, f.End.Column),
			ID: f.ID, Pointer: f.Pointer, Message: f.Message, Spec: f.Spec,
			Related: []jsonRelated{}, Fixable: f.Fix != nil, Fingerprint: f.Fingerprint,
		}
		for _, rel := range f.Related {
			j.Related = append(j.Related, jsonRelated{
				Revision: rel.Revision, File: rel.File, Line: max(1, rel.Start.Line), Column: max(1, rel.Start.Column), Message: rel.Message,
			})
		}
		out.Findings[i] = j
	}
	return render.WriteJSON(w, out)
}

func baseOf(b *change.Base) *jsonBase {
	if b == nil {
		return nil
	}
	j := &jsonBase{MergeBases: append([]string{}, b.MergeBases...), Target: b.Tip, Name: b.Target, Reason: b.Why}
	if len(b.MergeBases) > 0 {
		j.MergeBase = b.MergeBases[0]
	}
	return j
}
