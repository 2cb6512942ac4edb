package table

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Fold normalizes case, white space, and underscores of a heading.
func Fold(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(heading, ByteOrderMark)), func(r rune) bool { return r == '_' || strings.ContainsRune(" \t\r\n\u00a0", r) })
	return strings.Join(words, "_")
}

// Columns returns the first column with each meaning, and the columns whose meaning is "". The
// problems, with a code, are second columns with a meaning, which of precedes in messages.
func (t *Table) Columns(code, of string, meaning func(heading string) string) (at map[string]int, unread []int, problems []source.Problem) {
	at = map[string]int{}
	name := func(c Cell) string { return schema.Quote(strings.TrimSpace(c.Text)) }
	for i, c := range t.Header.Cells {
		m := meaning(c.Text)
		first, twice := at[m]
		switch {
		case m == "":
			unread = append(unread, i)
		case twice:
			other := t.Header.Cells[first]
			problems = append(problems, source.Problem{
				Code: code, Span: c.Span, Message: fmt.Sprintf("The columns %s and %s both have the %s%s. Remove one of them.", name(other), name(c), of, m),
				Related: []source.Related{{Span: other.Span, Message: "the other column"}},
			})
		default:
			at[m] = i
		}
	}
	return at, unread, problems
}
