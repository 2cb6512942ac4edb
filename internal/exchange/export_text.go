package exchange

import (
	"encoding/json"
	"strings"
	texttemplate "text/template"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// shownInMarkdown are the keys with a place of their own in the templates.
var shownInMarkdown = []string{
	"rubric_id", "ruleset_id", "name", "version", "artifact_type", "description", "criteria", "negative_criteria", "rules",
	"scoring", "deprecated",
}

func rubricMarkdown(d *Document, _ *rubric.Rubric) (map[string]string, []Loss, error) {
	return markdown(d, &document.Rubric, "rubric.md")
}

func ruleSetMarkdown(d *Document) (map[string]string, []Loss, error) {
	return markdown(d, &document.RuleSet, "ruleset.md")
}

// markdown has the whole document.
func markdown(d *Document, kind *document.Kind, name string) (map[string]string, []Loss, error) {
	details, err := document.Details(kind, d.Data, shownInMarkdown...)
	if err != nil {
		return nil, nil, err
	}
	var values map[string]any
	if err := json.Unmarshal(d.Data, &values); err != nil {
		return nil, nil, err
	}
	text, err := execute(name, map[string]any{"Reference": d.reference(), "Document": values, "Details": details})
	return map[string]string{d.ID + ".md": text}, nil, err
}

// execute fills a template. Its functions make text of a document inert.
func execute(name string, data any) (string, error) {
	parsed, err := texttemplate.New(name).Funcs(texttemplate.FuncMap{
		"asked":    askedText,
		"negative": func(n rubric.NegativeCriterion) string { return withoutTemplates(indented(n)) },
		"indent": func(by int, text string) string {
			return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", by))
		},
		"code":    render.Code,
		"cell":    render.Cell,
		"number":  render.Number,
		"plain":   plainLines,
		"fenced":  fenced,
		"json":    func(v any) string { return strings.TrimSpace(line(v)) },
		"pointer": func(c rubric.Criterion) *rubric.Criterion { return &c },
	}).Parse(template(name + ".tmpl"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = parsed.Execute(&b, data)
	return b.String(), err
}

// plainLines is text in Markdown, without markup, on one line of the source.
func plainLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = render.Plain(line)
	}
	return strings.Join(lines, "<br>")
}

// fenced is a text in a fenced code block, whose fence does not occur in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = sanitize.Line(line)
	}
	return fence + "text\n" + strings.Join(lines, "\n") + "\n" + fence
}
