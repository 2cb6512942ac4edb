package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
)

// SchemaVersion is the schema_version of the output. It increases with changes that break
// programs that read the output.
const SchemaVersion = 1

// Report is a lint.Report as JSON.
type Report struct {
	SchemaVersion int `json:"schema_version"`
	// Base is the base of the comparison; null if there was none.
	Base *Base `json:"base"`
	// Findings are sorted by file and place.
	Findings []Finding `json:"findings"`
	// Exceptions are the exceptions that accepted a finding.
	Exceptions []*holdings.Exception `json:"exceptions"`
	// Drafts are the changed drafts that keep their versions because no release carried them.
	Drafts []change.Draft `json:"drafts,omitempty"`
	// Ignored are the first 100 documents and settings that were not checked because Git
	// ignores them.
	Ignored []string `json:"ignored"`
	// Statistics count the findings of each lint rule, most first. Absent without --statistics.
	Statistics []RuleCount  `json:"statistics,omitzero"`
	Summary    lint.Summary `json:"summary"`
}

// Base is a change.Base as JSON.
type Base struct {
	// MergeBase is the commit at which the branch left the target: the first of
	// merge_bases, or empty.
	MergeBase  string   `json:"merge_base"`
	MergeBases []string `json:"merge_bases"`
	// Target is the tip of the target; empty if there is none.
	Target string `json:"target"`
	// Name is the name of the target.
	Name string `json:"name"`
	// Reason says why this is the target.
	Reason string `json:"reason"`
	// IgnoredTags are the release tags that do not count, and are higher than the target. Absent if
	// there are none.
	IgnoredTags []IgnoredTag `json:"ignored_tags,omitempty"`
}

// IgnoredTag is a release tag that does not count.
type IgnoredTag struct {
	Name string `json:"name"`
	// Problem says why it does not count.
	Problem string `json:"problem"`
}

// Finding is a lint.Finding as JSON.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Place
	// ID is the ID of the document; empty if unknown.
	ID string `json:"id"`
	// Pointer is the JSON pointer (RFC 6901) of the value.
	Pointer string `json:"pointer"`
	Message string `json:"message"`
	// Spec is the violated requirement, or empty.
	Spec    string    `json:"spec"`
	Related []Related `json:"related"`
	Fixable bool      `json:"fixable"`
	// Fingerprint identifies the finding, even if lines move.
	Fingerprint string `json:"fingerprint"`
}

// Place is a source.Location as JSON. That of a whole file is the beginning of its first line.
type Place struct {
	// Revision is the commit that contains the file; empty for the library that was checked.
	Revision string `json:"revision"`
	// File is the path relative to the library, with slashes.
	File string `json:"file"`
	Line int    `json:"line"`
	// Column counts characters, from 1.
	Column  int `json:"column"`
	EndLine int `json:"end_line"`
	// EndColumn is the column after the last character.
	EndColumn int `json:"end_column"`
}

// Related is another place that explains a finding.
type Related struct {
	Place
	Message string `json:"message"`
}

// JSON writes the report as one object that conforms to schema/lint-output.schema.json.
func JSON(w io.Writer, r *lint.Report) error {
	out := Report{
		SchemaVersion: SchemaVersion, Findings: []Finding{}, Exceptions: render.OrEmpty(r.Exceptions), Drafts: r.Drafts,
		Ignored: render.OrEmpty(r.Ignored), Statistics: ruleCounts(r.Statistics), Summary: r.Summary,
	}
	if b := r.Base; b != nil {
		out.Base = &Base{MergeBases: render.OrEmpty(b.MergeBases), Target: b.Tip, Name: b.Target, Reason: b.Why}
		if len(b.MergeBases) > 0 {
			out.Base.MergeBase = b.MergeBases[0]
		}
		for _, tag := range b.Ignored {
			out.Base.IgnoredTags = append(out.Base.IgnoredTags, IgnoredTag{tag.Name, tag.Problem})
		}
	}
	for _, f := range r.Findings {
		j := Finding{
			Rule: f.Rule.ID, Severity: f.Severity.String(), Place: placeOf(f.Location), ID: f.ID, Pointer: f.Pointer,
			Message: f.Message, Spec: f.Spec, Related: []Related{}, Fixable: f.Fix != nil, Fingerprint: f.Fingerprint,
		}
		for _, rel := range f.Related {
			j.Related = append(j.Related, Related{placeOf(rel.Location), rel.Message})
		}
		out.Findings = append(out.Findings, j)
	}
	return render.WriteJSON(w, out)
}

func placeOf(l source.Location) Place {
	return Place{
		l.Revision, l.File,
		max(1, l.Start.Line), max(1, l.Start.Column), max(1, l.End.Line), max(1, l.End.Column),
	}
}
