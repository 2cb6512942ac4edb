package calibration

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

const codeJSON = yamltree.CodeJSON

var byteOrderMark = []byte("\ufeff")

// lines calls check with the text, without line end, and the number of each line of a
// JSON Lines file that is not blank. check returns problems with spans in the line.
func (l *loader) lines(f *source.File, check func(text []byte, number int) []source.Problem) {
	count := 0
	report := func(p source.Problem) {
		if count++; count <= mostProblems {
			l.report(f, p)
		}
	}
	for number := 1; number <= f.LineCount(); number++ {
		span := f.LineSpan(number)
		text := f.Data[span.Start:span.End]
		if number == 1 && bytes.HasPrefix(text, byteOrderMark) {
			report(source.Problem{
				Code: yamltree.CodeEncoding, Span: source.Span{End: len(byteOrderMark)},
				Message: "The file starts with a byte order mark. Save it as UTF-8 without one.",
			})
			text, span.Start = text[len(byteOrderMark):], len(byteOrderMark)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if len(text) > document.MaxLineBytes {
			report(source.Problem{
				Code: CodeTooLong,
				Span: source.Span{Start: span.Start, End: span.Start + firstCharacter(text)},
				Message: fmt.Sprintf("The line has %d bytes, more than the limit of %d. Shorten its texts.",
					len(text), document.MaxLineBytes),
			})
			continue
		}
		for _, p := range check(text, number) {
			report(moved(p, span.Start))
		}
	}
	if count > mostProblems {
		last := &l.problems[len(l.problems)-1]
		l.report(f, source.Problem{Code: last.Code, Span: last.Span, Message: fmt.Sprintf("There are %d more problems in this file. Fix the listed problems first.", count-mostProblems)})
	}
}

func firstCharacter(text []byte) int {
	_, size := utf8.DecodeRune(text)
	return size
}

// InJSON rewrites a message of schema.Check about YAML for JSON, where to remove the
// line would remove the item.
func InJSON(message string) string { return inJSON.Replace(message) }

var inJSON = strings.NewReplacer(
	"Write each key on its own line, indented, and without a dash:", "Write its keys in braces:",
	"or remove the line if it is not needed", "or leave the key out",
)

// moved converts a problem in a line to a problem in its file. It drops fixes: an edit
// of a label or an answer is never a matter of form.
func moved(p source.Problem, by int) source.Problem {
	p.Fix, p.Message = nil, InJSON(p.Message)
	p.Span = source.Span{Start: p.Span.Start + by, End: p.Span.End + by}
	related := make([]source.Related, len(p.Related))
	for i, r := range p.Related {
		r.Span = source.Span{Start: r.Span.Start + by, End: r.Span.End + by}
		related[i] = r
	}
	p.Related = related
	return p
}

// parse parses a line and checks it against a table. ok reports whether it is valid.
func parse(f *source.File, text []byte, k *document.Kind) (d *document.Document, ok bool) {
	d = document.ParseLine(source.NewFile(f.Path, text), k)
	return d, d.Valid() && len(d.Problems) == 0
}
