package normalize

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// The fields of a rule that are treated in a special way here.
const (
	idKey       = "id"
	severityKey = "severity"
	weightKey   = "weight"
	phaseKey    = "phase"
	checkKey    = "check"
)

// Row is one shorthand row: what stands in it, each with its place.
type Row struct {
	// Where names the row within a sentence: "row 3 of the table in line 12",
	// "rule 2".
	Where string
	// Alone tells that the file holds this one rule and no list of rules.
	Alone bool

	// value is the row as a group of keys. What a table holds is made into one.
	value *yamltree.Node
	// columns are the names of a table's columns by field; nil outside tables.
	columns map[string]string
	// broken tells that a problem of the row was reported when it was read.
	broken bool
}

// Field is the text of a field of the row, as it stands there, with its place.
// It is false where the row doesn't have the field, or a list or group there.
func (r Row) Field(name string) (text string, span source.Span, ok bool) {
	n := r.value.Get(name)
	if n == nil || n.Kind != yamltree.Scalar {
		return "", source.Span{}, false
	}
	return n.Value, n.Span, true
}

// ID is the rule's ID as it stands in the row, right or wrong; "" if there is
// none.
func (r Row) ID() string {
	id, _ := r.text(idKey)
	return id
}

func (r Row) text(name string) (string, bool) {
	text, _, ok := r.Field(name)
	return text, ok
}

// at is where a problem of the whole row is shown: its ID, or what stands first.
func (r Row) at() source.Span {
	if _, span, ok := r.Field(idKey); ok && span.Len() > 0 {
		return span
	}
	switch span := r.value.Span; {
	case len(r.value.Entries) > 0:
		return r.value.Entries[0].Key.Span
	case span.Len() == 0:
		return source.Span{Start: span.Start - 1, End: span.Start} // the dash of an empty element
	default:
		return span
	}
}

// prefix is how a message about a field of the row begins, so that the row is
// found without counting lines. path is the field, or begins with it.
func (r Row) prefix(path string) string {
	inTable := r.columns != nil
	switch column, ok := r.columns[path]; {
	case ok:
		short, _, _ := strings.Cut(r.Where, " of ")
		return fmt.Sprintf("%s, column %s: ", capital(short), schema.Quote(column))
	case inTable || r.ID() == "":
		return capital(r.Where) + ": "
	}
	return ""
}

// place is where a field belongs, within a sentence.
func (r Row) place(field string) string {
	switch column, ok := r.columns[field]; {
	case ok:
		return "in the column " + schema.Quote(column)
	case r.columns != nil:
		return "in a column " + schema.Quote(capital(field))
	}
	return "under " + schema.Quote(field)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// entry is a key with its text as a node that shows at one place.
func entry(key string, t yamltree.Type, text string, span source.Span) yamltree.Entry {
	style := yamltree.DoubleQuoted
	if t != yamltree.String {
		style = yamltree.Plain
	}
	return yamltree.Entry{
		Key:   &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Style: yamltree.Plain, Value: key, Span: span},
		Value: &yamltree.Node{Kind: yamltree.Scalar, Type: t, Style: style, Value: text, Span: span},
	}
}

func isBlank(text string) bool { return trim(text) == "" }

// trim takes blanks away, the invisible byte order mark among them.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}
