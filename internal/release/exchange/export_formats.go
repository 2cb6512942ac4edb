package exchange

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	texttemplate "text/template"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/clients/python"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/release/printer"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// templates has the files that are the same for every document, and those that show its
// text. Code is only in the former: it reads the document from a file of data.
//
//go:embed templates
var templates embed.FS

func template(name string) string {
	data, err := templates.ReadFile("templates/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(data)
}

// documentName is the file with the canonical form, whose SHA-256 is the document digest.
const documentName = "rubric.json"

// ownPrompt says that the target's prompt is part of the judge.
var ownPrompt = Loss{What: "The judge gets another prompt than in a calibration: calibrate the judge with this prompt."}

// asked is what promptfoo's judge reads about a criterion.
type asked struct {
	Criterion   string          `json:"criterion"`
	Description string          `json:"description"`
	Score       string          `json:"score"`
	Anchors     rubric.Anchors  `json:"anchors"`
	Examples    rubric.Examples `json:"examples"`
}

func promptfoo(d *library.Document) (map[string]string, []Loss) {
	if d.RuleSet != nil {
		return promptfooRules(d)
	}
	losses := []Loss{
		ownPrompt,
		{What: "promptfoo asks for each criterion in a separate call and does not enforce the answer schema. It counts an answer without a score as 1 or 0: 1 is the lowest score, and 0 fails the test."},
		{What: "A variable of a test that is named `rubric` or `output` replaces what the judge reads."},
	}
	return map[string]string{
		"promptfooconfig.yaml": execute("promptfooconfig.yaml", map[string]any{
			"Reference": d.Reference.String(), "Rubric": d.Rubric,
		}),
		"verdict.mjs":       template("verdict.mjs"),
		"rubric-bundle.mjs": javascript.Source,
		documentName:        string(d.JSON()),
	}, losses
}

// askedText is JSON in which nothing is part of a template: promptfoo renders templates in a
// configuration more than once, and a rubric could read its environment.
func askedText(c rubric.Criterion) string {
	return withoutTemplates(indented(asked{
		c.Name, c.Description, "an integer from 1 to 5: the number of the anchor that fits best", c.Anchors, c.Examples,
	}))
}

// templateMark is what begins or ends a part of a Nunjucks template.
var templateMark = regexp.MustCompile(`\{[{%#]|[}%#]\}`)

// withoutTemplates escapes the braces within strings of indented JSON that could be part of a
// template. The value of the JSON stays the same.
func withoutTemplates(text string) string {
	escape := strings.NewReplacer("{", `\u007b`, "}", `\u007d`)
	for templateMark.MatchString(text) { // the marks of {{{ overlap
		text = templateMark.ReplaceAllStringFunc(text, escape.Replace)
	}
	return text
}

func inspect(d *library.Document) (map[string]string, []Loss) {
	return map[string]string{
		"scorer.py":        template("scorer.py"),
		"rubric_bundle.py": python.Source,
		documentName:       string(d.JSON()),
	}, []Loss{ownPrompt}
}

// deepEval gives a description also as the only evaluation step: without steps, a model would
// write some.
func deepEval(d *library.Document) (map[string]string, []Loss) {
	return map[string]string{
		"metrics.json":     execute("metrics.json", map[string]any{"Rubric": d.Rubric}),
		"metrics.py":       template("metrics.py"),
		"rubric_bundle.py": python.Source,
		documentName:       string(d.JSON()),
	}, []Loss{ownPrompt, {What: "The examples of scores are left out: the format has no place for them."}}
}

// rubricSpec gives each criterion its share of all relative weights. The format requires an
// instruction; that of the template is the one of its own converters.
func rubricSpec(d *library.Document) (map[string]string, []Loss) {
	spec := execute("rubric-spec.json", map[string]any{"Reference": d.Reference.String(), "Rubric": d.Rubric})
	losses := []Loss{{"The thresholds of criteria, and whether a criterion is essential, are only metadata: the score is a weighted mean.", true}}
	if d.Rubric.Scoring != (rubric.Scoring{}) {
		losses = append(losses, Loss{"The minimums under scoring are left out.", true})
	}
	if len(d.Rubric.NegativeCriteria) > 0 {
		losses = append(losses, Loss{"The negative criteria are left out.", true})
	}
	return map[string]string{d.Reference.ID + ".json": spec}, append(losses, ownPrompt)
}

// partOnly says that a format leaves the verdict to a client by intention.
var partOnly = Loss{What: "It has only what concerns the judge. Compute the verdict with a client of the library."}

func answerSchema(d *library.Document) (map[string]string, []Loss) {
	return map[string]string{"answer.schema.json": indented(d.Rubric.AnswerSchema())}, []Loss{partOnly}
}

func judgeView(d *library.Document) (map[string]string, []Loss) {
	return map[string]string{"judge-view.json": indented(d.Rubric.JudgeView())}, []Loss{partOnly}
}

// indented is the JSON of a value with escapes for what does not print, and a line end.
func indented(v any) string {
	data, err := render.JSON(v)
	if err != nil {
		panic(fmt.Sprintf("%T has no JSON: %v", v, err)) // the types are those of this package
	}
	return string(data)
}

// line is the JSON of a value on one line.
func line(v any) string {
	var b bytes.Buffer
	_ = json.Compact(&b, []byte(indented(v))) // it is JSON
	return strings.TrimSpace(b.String())
}

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
	text := execute(name, map[string]any{
		"Reference": d.Reference.String(), "Document": values, "Details": details, "Passing": printer.WhenPasses(d),
		"Minimums": raisedMinimums(d.Rubric),
	})
	return map[string]string{d.Reference.ID + ".md": text}, []Loss{}
}

// raisedMinimums are the minimums of the criteria of a rubric that essential_minimum raises above the
// threshold.
func raisedMinimums(r *rubric.Rubric) map[string]float64 {
	minimums := map[string]float64{}
	if r == nil {
		return minimums
	}
	for i := range r.Criteria {
		if c := &r.Criteria[i]; r.Minimum(c) > c.Threshold {
			minimums[c.Name] = r.Minimum(c)
		}
	}
	return minimums
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
		"share": func(r *rubric.Rubric, c rubric.Criterion) string {
			all := 0.0
			for i := range r.Criteria {
				all += r.Criteria[i].Counts()
			}
			return line(c.Counts() / all)
		},
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

// blockMark is what could begin a list, a heading, or an action of GitLab, such as /close, if it
// begins a paragraph.
var blockMark = regexp.MustCompile(`^(?:[-+=/]|[0-9]+[.)])`)

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
