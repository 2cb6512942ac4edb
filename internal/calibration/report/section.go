package report

import (
	_ "embed" // the templates
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

var (
	//go:embed section.html
	section string

	// The templates sanitize every text with line; html/template escapes it.
	templates = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("section").Funcs(template.FuncMap{
			"line": sanitize.Line, "prose": render.Prose, "says": message,
			"mark":        func(o decide.Outcome) string { return outcomeMarks[o] },
			"words":       func(o decide.Outcome) string { return outcomeWords[o] },
			"tone":        Tone,
			"answers":     Words,
			"next":        func(i int) int { return i + 1 },
			"percent":     percentOf,
			"correlation": correlationPicture, "bias": biasPicture, "isSquare": isSquare, "shade": shade, "verdicts": squareOf,
		}).Parse(section))
	})
)

// outcomeMarks accompany words and numbers: color is never the only signal.
var outcomeMarks = map[decide.Outcome]string{
	decide.Met: "✓", decide.NotMet: "✕", decide.Undecided: "?", decide.CannotTell: "?",
}

// filled is the result of a template, whose text html/template escaped.
func filled(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// Section is the part of a page about a report, below a second-level heading. It needs no data
// about single items, so it can be drawn from the statistics in a bundle.
func Section(v *View) (template.HTML, error) { return filled("section", v) }

// picture shows a statistic with its interval on an axis. It has no text: the number is next to it.
// The template "picture" draws it.
type picture struct {
	render.Scale
	agreement.Estimate
	Outcome decide.Outcome // its color; "" for none
	// Limits are the numbers that the interval is compared with.
	Limits []float64
}

func correlationPicture(e agreement.Estimate, o decide.Outcome, target float64) *picture {
	return &picture{render.Scale{Low: -0.2, High: 1}, e, o, []float64{target}}
}

func biasPicture(e agreement.Estimate, o decide.Outcome, most float64) *picture {
	return &picture{render.Scale{Low: -2, High: 2}, e, o, []float64{-most, most}}
}

// shade returns how dark a number in a table of counts is shown, from 0 to 5. Only 0 has shade 0.
func shade(n int, counts [][]int) int {
	most := slices.Max(slices.Concat(counts...))
	if n <= 0 || most <= 0 {
		return 0
	}
	return 1 + min(4, (n*5-1)/most)
}

// isSquare reports whether there is a count for each pair of levels, which a bundle
// made by another program does not guarantee.
func isSquare(counts [][]int) bool {
	const levels = 5
	return len(counts) == levels && !slices.ContainsFunc(counts, func(row []int) bool { return len(row) != levels })
}
