// Package importing reads rubrics and checklists in the formats of other tools.
//
// It promises: each text of a criterion is in the draft as the file has it, except for line ends and
// outer blanks; each key and column that has no place in a draft is listed with the reason, up to 100
// different ones; and weights, thresholds, anchors, and examples that the file does not have are not
// invented. It reads nothing but the file in memory.
package importing

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/outlines"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/promptfoo"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/sheets"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Options, Imported, and Remark are those of package intake, which has what all formats share.
type (
	Options  = intake.Options
	Imported = intake.Imported
	Remark   = intake.Remark
)

// Formats are the names of the formats.
var Formats = []string{
	"criteria", "promptfoo", "deepeval", "prometheus", "rubric-spec", "ragas", "csv", "markdown", "prompt",
}

// Read reads the documents of a file. With problems, the result is nil.
func Read(f *source.File, o Options) (*Imported, []source.Problem) {
	r := intake.NewReader(f, o)
	if o.Format == "" {
		recognize(r)
	}
	if len(r.Problems) == 0 {
		readAs(r)
	}
	if len(r.Problems) == 0 {
		for _, root := range r.Roots {
			r.Rest(root, "", "")
		}
		r.Finish()
	}
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return &r.Imported, nil
}

// readAs reads the file in its format.
func readAs(r *intake.Reader) {
	switch {
	case !slices.Contains(Formats, r.Format):
		r.Refuse("The format must be %s, got %s.", schema.Or(Formats, "or"), schema.Quote(r.Format))
	case r.GroupBy != "" && (r.ID != "" || slices.Contains([]string{"markdown", "deepeval", "prompt"}, r.Format)):
		r.Refuse("--group-by names the key with the ID of each rubric. Omit it with --id, and for a %s file, which is one document.", r.Format)
	case r.Format == "markdown":
		outlines.ReadMarkdown(r)
	case r.Format == "prompt":
		outlines.ReadPrompt(r)
	case r.Format == "csv":
		sheets.ReadTable(r)
	case r.Format == "promptfoo":
		promptfoo.ReadTests(r)
	case r.Format != "criteria" && r.AsksForRules():
		r.Refuse("A %s file has scores, so it can't become a rule set, whose rules pass or fail. Use --as rubric.", r.Format)
	default:
		r.Objects()
	}
}
