package printer

import (
	_ "embed" // the template and the style sheet
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

var (
	//go:embed changes.html
	changesPart string
	//go:embed diff.css
	diffStyle string

	changesTemplate = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("changes").Funcs(template.FuncMap{
			"line": sanitize.Line, "lines": render.Lines,
			"groups": changeGroups, "minimums": movedMinimums, "classOf": classOf, "words": changedWords, "element": elementOf,
			"number": render.Number, "at": scores.Coordinate,
		}).Parse(changesPart))
	})
)

// Style is the style sheet of calibrations and comparisons in a page, and of their
// pictures.
func Style() string { return render.PageStyle + diffStyle }

// Changes is the part of a page about one document that differs, below a second-level
// heading, without advice for its author.
func Changes(d *diff.DocumentDiff) (template.HTML, error) {
	var b strings.Builder
	err := changesTemplate().Execute(&b, d)
	return template.HTML(b.String()), err // html/template escaped its content
}

type changeGroup struct {
	Name    string
	Changes []compat.MeaningChange
}

// changeGroups groups changes by their effect: on verdicts, on what a judge reads, and
// the rest. Empty groups are omitted.
func changeGroups(d *diff.DocumentDiff) []changeGroup {
	groups := []changeGroup{{Name: "Scores and verdicts"}, {Name: "What a judge reads"}, {Name: "Everything else"}}
	for _, c := range inOrder(d.Changes) {
		_, _, texts := textsOf(&c)
		at := 0
		switch {
		case c.Class == schema.Patch || c.Class == schema.None:
			at = 2
		case c.Class == schema.Minor && texts:
			at = 1
		}
		groups[at].Changes = append(groups[at].Changes, c)
	}
	return slices.DeleteFunc(groups, func(g changeGroup) bool { return len(g.Changes) == 0 })
}

// changedWords is the comparison by words of a change of texts, nil for other changes.
func changedWords(c *compat.MeaningChange) []textdiff.Part {
	before, after, ok := textsOf(c)
	if !ok {
		return nil
	}
	return shortened(textdiff.Words(before, after))
}

// scores is the axis of minimums.
var scores = render.Scale{Low: rubric.MinScore, High: rubric.MaxScore}

// movedMinimum is a minimum that differs between two versions of a rubric.
type movedMinimum struct {
	Name          string
	Before, After float64
}

// movedMinimums are in the order of the rubric after the change.
func movedMinimums(doc *diff.DocumentDiff) []movedMinimum {
	if doc.Base.Doc == nil || doc.Head.Doc == nil || doc.Base.Doc.Rubric() == nil || doc.Head.Doc.Rubric() == nil {
		return nil
	}
	before, after := doc.Base.Doc.Rubric(), doc.Head.Doc.Rubric()
	old := map[string]float64{}
	for i := range before.Criteria {
		old[before.Criteria[i].Name] = before.Minimum(&before.Criteria[i])
	}
	var moved []movedMinimum
	for i := range after.Criteria {
		name, now := after.Criteria[i].Name, after.Minimum(&after.Criteria[i])
		if then, both := old[name]; both && then != now {
			moved = append(moved, movedMinimum{name, then, now})
		}
	}
	return moved
}
