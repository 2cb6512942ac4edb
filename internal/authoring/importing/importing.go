// Package importing reads rubrics and checklists in the formats of other tools.
//
// It promises: each text of a criterion is in the draft as the file has it; each key and
// column that has no place in a draft is listed with the reason; and weights, thresholds,
// anchors, and examples that the file does not have are not invented.
package importing

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Formats are the names of the formats.
var Formats = []string{"criteria", "promptfoo", "deepeval", "prometheus", "rubric-spec", "ragas", "csv", "markdown", "prompt"}

// Read reads the documents of a file. With problems, there are none.
func Read(f *source.File, o Options) (*Imported, []source.Problem) {
	r := newReader(f, o)
	if o.Format == "" {
		recognize(r)
	}
	if len(r.problems) == 0 {
		readAs(r)
	}
	if len(r.problems) == 0 {
		for _, root := range r.roots {
			r.rest(root, "", "")
		}
		r.finish()
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return &r.imported, nil
}

// readAs reads the file in its format.
func readAs(r *reader) {
	switch {
	case !slices.Contains(Formats, r.Format):
		r.refuse("The format must be %s, got %s.", schema.Or(Formats, "or"), schema.Quote(r.Format))
	case r.GroupBy != "" && (r.ID != "" || slices.Contains([]string{"markdown", "deepeval", "prompt"}, r.Format)):
		r.refuse("--group-by names the key with the ID of each rubric. Omit it with --id, and for a %s file, which is one document.", r.Format)
	case r.Format == "markdown":
		readMarkdown(r)
	case r.Format == "prompt":
		readPrompt(r)
	case r.Format == "csv":
		readTable(r)
	case r.Format == "promptfoo":
		readTests(r)
	case r.Format != "criteria" && r.asksForRules():
		r.refuse("A %s file has scores, so it can't become a rule set, whose rules pass or fail. Use --as rubric.", r.Format)
	default:
		r.objects()
	}
}
