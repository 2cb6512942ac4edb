package importing

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// recognize sets the format of a file from its content, and from its name where the content leaves it open.
func recognize(r *intake.Reader) {
	switch data := bytes.TrimSpace(bytes.TrimPrefix(r.File.Data, []byte("\uFEFF"))); {
	case slices.Contains(unread, r.Extension()):
		r.Refuse("A file of the type %s is not read: expected CSV, Markdown, YAML, JSON, or plain text. Save it as one of these.", r.Extension())
	case slices.Contains([]string{".md", ".markdown", ".mdx"}, r.Extension()):
		recognizedAs(r, "markdown", "a checklist or a rubric in Markdown")
	case slices.Contains([]string{".csv", ".tsv"}, r.Extension()), bytes.HasPrefix(data, []byte("sep=")):
		recognizedAs(r, "csv", "a table")
	case r.Extension() == ".txt" && listOrTable().Match(data):
		recognizedAs(r, "markdown", "a checklist or a rubric in Markdown")
	case slices.Contains([]string{".txt", ".py", ".prompt", ".tmpl", ".j2", ".jinja", ".jinja2"}, r.Extension()):
		recognizedAs(r, "prompt", "a prompt")
	case r.IsJSON() || slices.Contains([]string{".yaml", ".yml"}, r.Extension()):
		recognizeValues(r)
	case strings.Contains(firstLine(data), "\t") ||
		strings.Count(firstLine(data), ",")+strings.Count(firstLine(data), ";") > 1 &&
			!bytes.ContainsAny(data[:min(1, len(data))], "#-*"):
		recognizedAs(r, "csv", "a table")
	default:
		recognizedAs(r, "markdown", "a checklist or a rubric in Markdown")
	}
}

// unread are types of files with rubrics that no format reads.
var unread = []string{".toml", ".xml", ".html", ".htm", ".docx", ".odt", ".rtf", ".pdf", ".xlsx", ".xls", ".ods"}

// listOrTable matches a box or the line below the headings of a table, which prompts rarely have.
var listOrTable = lazy.Expr(`(?m)^\s*(?:(?:[-*+]|[0-9]+[.)])\s+)?(?:\[[ xX\x{00A0}]?\]|[☐☑☒])\s|^\s*\|?\s*:?-{3,}:?\s*\|`)

func firstLine(data []byte) string {
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

// recognizeValues tells the formats in YAML and JSON apart.
func recognizeValues(r *intake.Reader) {
	syntax := "YAML"
	if r.IsJSON() {
		syntax = "JSON"
	}
	file := r.File
	values := r.Parse()
	r.File, r.Roots = file, nil
	if len(values) > 1 && syntax == "JSON" {
		syntax = "JSON Lines"
	}
	switch {
	case len(r.Problems) > 0:
	case slices.ContainsFunc(values, isPromptfoo):
		recognizedAs(r, "promptfoo", "a configuration or tests of promptfoo in "+syntax)
	case slices.ContainsFunc(values, isGEval):
		recognizedAs(r, "deepeval", "GEval metrics in "+syntax)
	default:
		recognizedAs(r, "criteria", "criteria in "+syntax)
	}
}

func recognizedAs(r *intake.Reader, format, words string) {
	r.Format, r.Imported.Recognized = format, words
}

// isPromptfoo reports whether a value has tests with assertions.
func isPromptfoo(v intake.Value) bool {
	asserts := func(n *yamltree.Node) bool { return n.Get("assert") != nil }
	return v.Get("defaultTest") != nil || v.Get("assertionTemplates") != nil ||
		v.Get("tests") != nil && (v.Get("prompts") != nil || v.Get("providers") != nil) ||
		asserts(v.Node) || slices.ContainsFunc(append(v.Items, v.Get("tests").List()...), asserts)
}

// isGEval reports whether a value has metrics with steps or ranges of scores.
func isGEval(v intake.Value) bool {
	of := func(n *yamltree.Node) bool {
		levels := n.Get("rubric").List()
		return n.Get("evaluation_steps") != nil || n.Get("evaluationSteps") != nil ||
			len(levels) > 0 && (levels[0].Get("expected_outcome") != nil || levels[0].Get("expectedOutcome") != nil)
	}
	return of(v.Node) || slices.ContainsFunc(v.Items, of) ||
		slices.ContainsFunc(v.Entries, func(e yamltree.KeyValue) bool { return slices.ContainsFunc(e.Value.Items, of) })
}
