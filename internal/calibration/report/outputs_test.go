package report

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/render"
)

// TestTablesFitATerminal: with the longest names, a table has at most 80 columns on a terminal, and
// the whole names in a file.
func TestTablesFitATerminal(t *testing.T) {
	m := small()
	m.criteria = []string{strings.Repeat("a", 60), strings.Repeat("b", 60)}
	m.raters = []string{strings.Repeat("r", 60), strings.Repeat("s", 60)}
	v := m.report()
	terminal, file := render.Text{Options: render.TextOptions{Columns: 80}}, render.Text{}
	for _, rows := range [][][]string{v.CriteriaRows(), v.PersonRows()} {
		for line := range strings.Lines(terminal.Table(rows)) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		if all := file.Table(rows); !strings.Contains(all, m.criteria[0]) {
			t.Errorf("a name is cut in a file:\n%s", all)
		}
	}
}

// TestEveryOutputSaysTheSame: the sentences of the view are in the text, in Markdown, and on a page,
// with the model, the attempts, the table of verdicts, and that raters are pseudonyms.
func TestEveryOutputSaysTheSame(t *testing.T) {
	v := small().report()
	var text, markdown bytes.Buffer
	must.Do(t, Text(&text, []*View{v}, render.TextOptions{}))
	must.Do(t, Markdown(&markdown, []*View{v}))
	marks := regexp.MustCompile("<[^>]*>|[`*]")
	plain := func(s string) string { return html.UnescapeString(marks.ReplaceAllString(s, "")) }
	sentences := append([]string{v.Next, "model my-judge", "12 attempts", message("verdict", v), "Raters are pseudonyms"}, v.Answer...)
	for _, c := range v.Conditions {
		sentences = append(sentences, c.Reason)
	}
	for name, output := range map[string]string{"text": text.String(), "Markdown": strings.ReplaceAll(markdown.String(), `\`, ""), "the page": drawn(t, v)} {
		for _, sentence := range sentences {
			if !strings.Contains(plain(output), plain(sentence)) {
				t.Errorf("%s lacks: %s", name, sentence)
			}
		}
	}
}
