package report

import (
	_ "embed" // the messages
	"fmt"
	"io"
	"strings"
	"sync"
	"text/template"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

var (
	//go:embed messages.txt
	messages string

	messageTemplate = sync.OnceValue(func() *template.Template {
		t := template.New("").Option("missingkey=error")
		return template.Must(t.Funcs(template.FuncMap{
			"line": sanitize.Line, "list": func(words []string) string { return sanitize.Line(strings.Join(words, ", ")) },
			"join":  func(words []string) string { return strings.Join(words, ", ") },
			"count": render.Count, "number": render.Number, "percent": percentOf,
			"tenths":        func(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) },
			"most":          func() int { return labels.MostCharacters },
			"demonstration": Demonstration, "code": render.Code, "cell": render.Cell, "plain": render.Plain,
			"lines":   lines,
			"message": func(name string, data any) string { return executed(t, name, data) },
			"style":   func(a decide.Answer) string { return styles[outcomes[a]] },
			"answers": Words,
			"words":   func(o decide.Outcome) string { return outcomeWords[o] },
			"score":   score, "beginning": beginning,
		}).Parse(messages))
	})
)

// message is a message without a line end.
func message(name string, data any) string { return executed(messageTemplate(), name, data) }

func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

func executed(t *template.Template, name string, data any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the template does not fit the data
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Say writes what a command did: import, scores, sheet, or rate. The template of that name in
// messages.txt lists the data.
func Say(w io.Writer, name string, data map[string]any) error {
	_, err := io.WriteString(w, message(name, data)+"\n")
	return err
}
