package calibration

import (
	"bytes"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/internal/source"
	"github.com/rubric-library/rubric-library/internal/yamltree"
)

// splitLines are the spans of the lines of a file, without line ends.
func splitLines(f *source.File) []source.Span {
	if len(f.Data) == 0 {
		return nil
	}
	lines := make([]source.Span, 0, f.LineCount())
	for n := 1; n <= f.LineCount(); n++ {
		lines = append(lines, f.LineSpan(n))
	}
	return lines
}

// lines checks each line of a JSON Lines file by a table and hands the right ones
// to take, which returns what else is wrong with it, with spans in the line. Blank
// lines are skipped.
func (l *loader) lines(f *source.File, k *document.Kind, take func(d *document.Document, line int) []source.Problem) error {
	count := 0
	for i, span := range splitLines(f) {
		text := f.Data[span.Start:span.End]
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		problems := l.line(f, k, text, i+1, take)
		for _, p := range problems {
			if count++; count > mostProblems {
				l.report(f, source.Problem{Code: p.Code, Span: span, Message: fmt.Sprintf("There are more than %d problems in this file; those from line %d on are not shown.", mostProblems, i+1)})
				return nil
			}
			p.Span.Start += span.Start
			p.Span.End += span.Start
			for j := range p.Related {
				p.Related[j].Span.Start += span.Start
				p.Related[j].Span.End += span.Start
			}
			l.report(f, p)
		}
	}
	return nil
}

// line checks one line.
func (l *loader) line(f *source.File, k *document.Kind, text []byte, number int, take func(d *document.Document, line int) []source.Problem) []source.Problem {
	if len(text) > maxLine {
		return []source.Problem{{Code: CodeTooLong, Message: fmt.Sprintf("The line has %d bytes, more than the %d that are read.", len(text), maxLine)}}
	}
	d := document.ParseRun(source.NewFile(f.Path+".json", text), k)
	if !d.Valid() || len(d.Problems) > 0 {
		return d.Problems
	}
	return take(d, number)
}

// answerKey is what tells answers of a judge apart.
type answerKey struct {
	run, item string
	repeat    int
}

// checkAnswer is what is wrong with an answer besides its structure. first has the
// first answer of each run.
func (l *loader) checkAnswer(d *document.Document, a *Answer, before int, first map[string]Answer) []source.Problem {
	var problems []source.Problem
	report := func(key, code, format string, args ...any) {
		span := source.Span{}
		if n := d.Root().Get(key); n != nil {
			span = n.Span
		}
		problems = append(problems, source.Problem{Code: code, Span: span, Message: fmt.Sprintf(format, args...)})
	}
	if before > 0 {
		report("item", CodeDuplicate, "Run %s has an answer %d for %s in line %d already. Number the repeats, or remove one.", schema.Quote(a.Run), a.Repeat, schema.Quote(a.Item), before)
	}
	if _, ok := l.known.items[a.Item]; !ok && l.known.items != nil {
		report("item", CodeUnknown, "There is no item %s in %s. Put it back, or remove the answer.", schema.Quote(a.Item), ItemsFile)
	}
	for _, e := range entries(d.Root().Get("scores")) {
		if _, ok := l.known.criteria[e.Key.Value]; !ok && l.known.criteria != nil {
			problems = append(problems, source.Problem{Code: CodeUnknown, Span: e.Key.Span, Message: l.unknownCriterion(e.Key.Value)})
		}
	}
	f, known := first[a.Run]
	if !known {
		first[a.Run] = *a
		return problems
	}
	for _, same := range []struct{ key, got, want string }{{"model", a.Model, f.Model}, {"date", a.Date, f.Date}, {"digest", a.Digest, f.Digest}} {
		if same.got != same.want {
			report(same.key, CodeMixedRun, "Run %s has the %s %s in line %d, and %s here. All answers of a run have the same: give these another run.",
				schema.Quote(a.Run), same.key, schema.Quote(same.want), f.Line, schema.Quote(same.got))
		}
	}
	return problems
}

func entries(n *yamltree.Node) []yamltree.Entry {
	if n == nil {
		return nil
	}
	return n.Entries
}
