package printer

import (
	_ "embed" // the template
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

//go:embed verdicts.html
var verdictsPart string

var verdictsTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("verdicts").Funcs(template.FuncMap{
		"line": sanitize.Line, "count": render.Count, "next": func(i int) int { return i + 1 },
	}).Parse(verdictsPart))
})

// mostTexts is how many texts a list shows at once.
const mostTexts = 100

// Labeled is what a page shows of a labeled text.
type Labeled struct {
	Title string
	// Link is the address of the text, or "".
	Link string
}

// verdictsPage is what the template shows of a recording.
type verdictsPage struct {
	Name, Verdicts string
	Unknown        string // why the recording can't tell, or ""
	Remarks        []string
	// Lists are the texts whose verdict flips, in lists of mostTexts.
	Lists [][]flippedText
}

type flippedText struct {
	Labeled
	Item, Reason string
	ToPass       bool
}

// Verdicts is the part of a page on how many labeled texts change their verdict, below a
// second-level heading. texts are those that the page may show, by item; without it, there are only
// counts. What judges answered is always only counted.
func Verdicts(r *replay.Rubric, texts func(item string) Labeled) (template.HTML, error) {
	page := struct {
		*replay.Rubric
		Recordings []verdictsPage
	}{Rubric: r}
	labelsFirst := slices.Clone(r.Recordings)
	slices.SortStableFunc(labelsFirst, func(a, b replay.Recording) int {
		return strings.Compare(string(b.Source), string(a.Source)) // labels, then judges
	})
	for _, rec := range labelsFirst {
		name := capital(recordingName(&rec, sanitize.Line))
		shown := verdictsPage{Name: name, Verdicts: verdicts(&rec), Unknown: string(rec.Indication)}
		if rec.Indication == "" {
			shown.Remarks = remarks(&rec)
		}
		if rec.Source == replay.Labels && texts != nil {
			shown.Lists = flippedTexts(rec.Flips, texts)
		}
		page.Recordings = append(page.Recordings, shown)
	}
	var b strings.Builder
	err := verdictsTemplate().Execute(&b, page)
	return template.HTML(b.String()), err // html/template escaped its content
}

func flippedTexts(flips []replay.Flip, texts func(item string) Labeled) (lists [][]flippedText) {
	for part := range slices.Chunk(flips, mostTexts) {
		var list []flippedText
		for _, f := range part {
			list = append(list, flippedText{texts(f.Item), f.Item, reasons(&f), f.To == replay.ToPass})
		}
		lists = append(lists, list)
	}
	return lists
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
