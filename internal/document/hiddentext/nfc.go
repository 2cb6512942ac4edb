package hiddentext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// NotNFC returns a problem for each text of a file that is not in the normal form NFC,
// at its first such character.
func NotNFC(d *document.Document) []source.Problem {
	if d == nil || d.Tree == nil || norm.NFC.IsNormal(d.File.Data) && bytes.IndexByte(d.File.Data, '\\') < 0 {
		return nil
	}
	var problems []source.Problem
	d.Tree.Root.EachScalar(func(n *yamltree.Node, isKey bool) {
		if norm.NFC.IsNormalString(n.Value) {
			return
		}
		if odd := unusual(n.Value); len(odd) > 0 {
			problems = append(problems, composing(d.Tree, n, isKey, odd))
		}
	})
	return problems
}

// segment is a part of a text that NFC writes differently.
type segment struct {
	start, end int
	nfc        string
}

// unusual returns the parts of a text that NFC writes differently. A part is a unit
// that can change: a character and the marks that follow it.
func unusual(text string) []segment {
	var found []segment
	for start := 0; start < len(text); {
		end := start
		for end == start || end < len(text) && !norm.NFC.PropertiesString(text[end:]).BoundaryBefore() {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		part := text[start:end]
		nfc := rubric.Normalize(part)
		if nfc != part && !strings.HasPrefix(part, "\r") {
			found = append(found, segment{start, end, nfc})
		}
		start = end
	}
	return found
}

// composing returns the problem of a text with at least one such part. No fix changes
// a key, because another key could already have the new name, or makes an unquoted
// text start with a character of YAML syntax.
func composing(t *yamltree.Tree, n *yamltree.Node, isKey bool, odd []segment) source.Problem {
	first := odd[0]
	span := t.Inside(n, first.start, first.end)
	at := schema.PathAt(t.Root, span.Start)
	p := source.Problem{
		Code: CodeNotNFC, Span: span, Pointer: at.Pointer(), Path: at.String(),
		Message: fmt.Sprintf("Write %s instead of %s%s: they look the same, but are different texts to a program.",
			codePoints(first.nfc), codePoints(n.Value[first.start:first.end]), others(len(odd)-1)),
	}
	if isKey || first.nfc == "`" && n.Style == yamltree.Plain {
		return p
	}
	p.Fix = fixOf(t, n, odd)
	return p
}

// mostEdits is the maximum number of parts in a fix of such a text.
const mostEdits = 100

// fixOf writes the parts of a text in NFC. It returns nil for many parts in a text
// with escapes or folded lines, whose places take long to find.
func fixOf(t *yamltree.Tree, n *yamltree.Node, odd []segment) *source.Fix {
	whole := t.Inside(n, 0, len(n.Value))
	verbatim := t.File.Text(whole) == n.Value
	if !verbatim && len(odd) > mostEdits {
		return nil
	}
	fix := &source.Fix{Message: "replace the characters with their usual form", Rewrites: true}
	for _, s := range odd {
		span := source.Span{Start: whole.Start + s.start, End: whole.Start + s.end}
		if !verbatim {
			span = t.Inside(n, s.start, s.end)
		}
		fix.Edits = append(fix.Edits, source.Edit{Span: span, Text: s.nfc})
	}
	return fix
}

func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (and one more in this text)"
	}
	return fmt.Sprintf(" (and %d more in this text)", n)
}

// codePoints shows a text with the code points of its first characters.
func codePoints(text string) string {
	const most = 4
	var numbers []string
	for _, r := range text {
		if len(numbers) == most {
			numbers = append(numbers, "…")
			break
		}
		numbers = append(numbers, fmt.Sprintf("U+%04X", r))
	}
	return schema.Quote(text) + " (" + strings.Join(numbers, " ") + ")"
}
