package exchange

import (
	"bytes"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/clients/python"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
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

// Losses that several targets have.
var (
	ownPrompt = Loss{What: "The judge gets another prompt than in a calibration: calibrate the judge with this prompt."}
	noExample = Loss{What: "The examples of scores are left out: the format has no place for them."}
)

// unscored lists the rules of the verdict that a format without them loses.
func unscored(r *rubric.Rubric, thresholds bool) []Loss {
	var losses []Loss
	add := func(lost bool, what string) {
		if lost {
			losses = append(losses, Loss{what, true})
		}
	}
	add(thresholds, "The thresholds and weights of criteria are left out.")
	add(r.Scoring != rubric.Scoring{}, "The minimums under scoring are left out.")
	add(len(r.NegativeCriteria) > 0, "The negative criteria are left out.")
	return losses
}

// asked is what promptfoo's judge reads about a criterion.
type asked struct {
	Criterion   string          `json:"criterion"`
	Description string          `json:"description"`
	Score       string          `json:"score"`
	Anchors     rubric.Anchors  `json:"anchors"`
	Examples    rubric.Examples `json:"examples"`
}

func promptfoo(d *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	config, err := execute("promptfooconfig.yaml", map[string]any{"Document": d, "Reference": d.reference(), "Rubric": r})
	return map[string]string{
			"promptfooconfig.yaml": config,
			"verdict.mjs":          template("verdict.mjs"),
			"rubric-bundle.mjs":    javascript.Source,
			documentName:           string(d.Data),
		}, []Loss{
			ownPrompt,
			{What: "promptfoo asks for each criterion in a separate call and does not enforce the answer schema. It counts an answer without a score as 1 or 0: 1 is the lowest score, and 0 fails the test."},
			{What: "A variable of a test that is named `rubric` or `output` replaces what the judge reads."},
		}, err
}

// askedText is what promptfoo's judge reads about a criterion, as JSON in which nothing is
// the beginning of a template: promptfoo renders templates in a configuration more than
// once, and a rubric could read its environment.
func askedText(c *rubric.Criterion) string {
	return withoutTemplates(indented(asked{
		c.Name, c.Description, "an integer from 1 to 5: the number of the anchor that fits best", c.Anchors, c.Examples,
	}))
}

// withoutTemplates escapes the braces within strings of indented JSON that could begin a
// Nunjucks template. The value of the JSON stays the same.
func withoutTemplates(text string) string {
	var b strings.Builder
	for i, c := range text {
		if c == '{' && i+1 < len(text) && strings.IndexByte("{%#", text[i+1]) >= 0 {
			b.WriteString(`\u007b`)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func inspect(d *Document, _ *rubric.Rubric) (map[string]string, []Loss, error) {
	return map[string]string{
		"scorer.py":        template("scorer.py"),
		"rubric_bundle.py": python.Source,
		documentName:       string(d.Data),
	}, []Loss{ownPrompt}, nil
}

// geval has the arguments of a GEval metric.
type geval struct {
	Name string `json:"name"`
	// Criteria and EvaluationSteps are the same text: without steps, a model would write
	// some.
	Criteria        string        `json:"criteria"`
	EvaluationSteps []string      `json:"evaluation_steps"`
	Rubric          []gevalRubric `json:"rubric"`
	// Threshold is on a scale from 0 to 1.
	Threshold float64 `json:"threshold"`
}

type gevalRubric struct {
	ScoreRange      [2]int `json:"score_range"`
	ExpectedOutcome string `json:"expected_outcome"`
}

func deepEval(d *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	metrics := make([]geval, len(r.Criteria))
	for i := range r.Criteria {
		c := &r.Criteria[i]
		m := geval{c.Name, c.Description, []string{c.Description}, nil, (r.Minimum(c) - rubric.MinScore) / (rubric.MaxScore - rubric.MinScore)}
		for score := 1; score <= 5; score++ {
			m.Rubric = append(m.Rubric, gevalRubric{[2]int{score, score}, c.Anchors.At(score)})
		}
		metrics[i] = m
	}
	return map[string]string{
		"metrics.json":     indented(metrics),
		"metrics.py":       template("metrics.py"),
		"rubric_bundle.py": python.Source,
		documentName:       string(d.Data),
	}, []Loss{ownPrompt, noExample}, nil
}

// scoreRubric is the rubric object of Prometheus, with the keys of BiGGen-Bench.
type scoreRubric struct {
	Criteria string `json:"criteria"`
	One      string `json:"score1_description"`
	Two      string `json:"score2_description"`
	Three    string `json:"score3_description"`
	Four     string `json:"score4_description"`
	Five     string `json:"score5_description"`
}

func prometheus(d *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	type row struct {
		ID          string      `json:"id"`
		Rubric      string      `json:"rubric"`
		ScoreRubric scoreRubric `json:"score_rubric"`
	}
	var rows strings.Builder
	for _, c := range r.Criteria {
		a := c.Anchors
		rows.WriteString(line(row{c.Name, d.reference(), scoreRubric{c.Description, a[0], a[1], a[2], a[3], a[4]}}))
	}
	return map[string]string{d.ID + ".jsonl": rows.String()}, append(unscored(r, true), ownPrompt, noExample), nil
}

func rubricSpec(d *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	type object = map[string]any
	criteria := make([]object, len(r.Criteria))
	for i, c := range r.Criteria {
		anchors := make([]object, len(c.Anchors))
		for j, text := range c.Anchors {
			anchors[j] = object{"value": j + 1, "label": text}
		}
		examples := []object{{"score": 1, "output": c.Examples.Score1}, {"score": 3, "output": c.Examples.Score3}, {"score": 5, "output": c.Examples.Score5}}
		if c.Examples.Score3 == "" {
			examples = append(examples[:1], examples[2])
		}
		criteria[i] = object{
			"criterion_id": c.Name, "label": c.Name, "description": c.Description, "scale_type": "ordinal",
			"weight": 1 / float64(len(r.Criteria)), "anchors": anchors, "examples": examples,
			"metadata": object{"weight": c.Weight, "threshold": c.Threshold},
		}
	}
	spec := object{
		"version": "auraone-rubric-v1", "rubric_id": d.ID, "label": r.Name, "tie_break_rule": "none", "criteria": criteria,
		// The format requires an instruction, and this one is that of its own converters.
		"judge_prompt_contract": object{
			"instruction": "Score each criterion from the anchors.", "output_format": "json", "required_fields": []string{"criterion_id", "score"},
		},
		"provenance": object{"source": d.reference(), "created_by": "unknown", "created_at": "", "synthetic": false},
	}
	if r.Description != "" {
		spec["description"] = r.Description
	}
	losses := []Loss{{"The thresholds of criteria, and whether a criterion is essential, are only metadata: the score is a weighted mean.", true}}
	return map[string]string{d.ID + ".json": indented(spec)}, append(append(losses, unscored(r, false)...), ownPrompt), nil
}

// partOnly says that a format leaves the verdict to a client by intention.
var partOnly = Loss{What: "It has only what concerns the judge. Compute the verdict with a client of the library."}

func answerSchema(_ *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	return map[string]string{"answer.schema.json": indented(r.AnswerSchema())}, []Loss{partOnly}, nil
}

func judgeView(_ *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	return map[string]string{"judge-view.json": indented(r.JudgeView())}, []Loss{partOnly}, nil
}

func rubricCSV(d *Document, r *rubric.Rubric) (map[string]string, []Loss, error) {
	rows := [][]string{{"criterion", "description", "weight", "threshold", "1", "2", "3", "4", "5", "score_1", "score_3", "score_5"}}
	for _, c := range r.Criteria {
		row := append([]string{c.Name, c.Description, string(c.Weight), render.Number(c.Threshold)}, c.Anchors[:]...)
		rows = append(rows, append(row, c.Examples.Score1, c.Examples.Score3, c.Examples.Score5))
	}
	losses := append(unscored(r, false), Loss{What: "Keys outside the criteria, such as the description and the metadata, are left out."})
	return table(d, rows, losses)
}

func ruleSetCSV(d *Document) (map[string]string, []Loss, error) {
	var s ruleset.RuleSet
	if err := json.Unmarshal(d.Data, &s); err != nil {
		return nil, nil, err
	}
	rows := [][]string{{"description", "severity", "weight", "phase", "check"}}
	for _, r := range s.Rules {
		rows = append(rows, []string{r.Description, string(r.Severity), render.Number(r.Weight), string(r.Phase), r.Check})
	}
	return table(d, rows, []Loss{
		{"The pass threshold is left out.", true},
		{"Materialized checks are left out: a person or a model answers each check.", true},
		{What: "The IDs of rules, and keys outside the rules, are left out."},
	})
}

// table is a CSV file in which no cell is a formula for a spreadsheet.
func table(d *Document, rows [][]string, losses []Loss) (map[string]string, []Loss, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	defused := false
	for _, row := range rows {
		for i, cell := range row {
			row[i] = labels.Defuse(cell)
			defused = defused || row[i] != cell
		}
		if err := w.Write(row); err != nil {
			return nil, nil, err
		}
	}
	if defused {
		losses = append(losses, Loss{What: "Cells that a spreadsheet could read as a formula start with an apostrophe."})
	}
	w.Flush()
	return map[string]string{d.ID + ".csv": b.String()}, losses, nil
}

// indented is the JSON of a value with escapes for what does not print, and a line end.
func indented(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("%T has no JSON: %v", v, err)) // the types are those of this package
	}
	return string(sanitize.JSON(b.Bytes()))
}

// line is the JSON of a value on one line.
func line(v any) string {
	var b bytes.Buffer
	_ = json.Compact(&b, []byte(indented(v))) // it is JSON
	return b.String() + "\n"
}
