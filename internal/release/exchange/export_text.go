package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	texttemplate "text/template"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// markdown has the whole document.
func markdown(d *library.Document) (map[string]string, []Loss) {
	kind, name := &document.Rubric, "rubric.md"
	if d.RuleSet != nil {
		kind, name = &document.RuleSet, "ruleset.md"
	}
	details, err := document.Details(kind, d.JSON())
	var values map[string]any
	if err = errors.Join(err, json.Unmarshal(d.JSON(), &values)); err != nil {
		panic(err) // the document was decoded before
	}
	text := execute(name, map[string]any{"Reference": d.Reference.String(), "Document": values, "Details": details})
	return map[string]string{d.Reference.ID + ".md": text}, []Loss{}
}

// execute fills a template. Its functions make text of a document inert.
func execute(name string, data any) string {
	parsed := texttemplate.Must(texttemplate.New(name).Funcs(texttemplate.FuncMap{
		"asked":    askedText,
		"negative": func(n rubric.NegativeCriterion) string { return withoutTemplates(indented(n)) },
		"indent": func(by int, text string) string {
			return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", by))
		},
		"code":   render.Code,
		"number": render.Number,
		"plain":  plainLines,
		"fenced": fenced,
		"json":   line,
		"score":  func(index int) int { return index + 1 },
		// GEval reports a score from 0 to 1.
		"threshold": func(r *rubric.Rubric, c rubric.Criterion) string {
			return line((r.Minimum(&c) - rubric.MinScore) / (rubric.MaxScore - rubric.MinScore))
		},
	}).Parse(template(name + ".tmpl")))
	var b strings.Builder
	if err := parsed.Execute(&b, data); err != nil {
		panic(err) // the template is part of the program, and the document valid
	}
	return b.String()
}

// blockMark is what could begin a list or a heading if it begins a paragraph.
var blockMark = regexp.MustCompile(`^(?:[-+=]|[0-9]+[.)])`)

// plainLines is text in Markdown, without markup, on one line of the source.
func plainLines(text string) string {
	line := render.EachLine(strings.TrimSpace(text), "<br>", render.Plain)
	if end := len(blockMark.FindString(line)); end > 0 {
		return fmt.Sprintf("%s&#%d;%s", line[:end-1], line[end-1], line[end:])
	}
	return line
}

// fenced is a text in a fenced code block, whose fence does not occur in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + render.EachLine(text, "\n", sanitize.Line) + "\n" + fence
}
