// Package hiddentext finds in the files of a library what people do not see:
// characters that do not show, and texts that are not in the normal form NFC.
package hiddentext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/invisible"
)

const (
	Code       = "hidden-text"
	CodeNotNFC = "not-nfc"
)

// Find returns a problem for each run of hidden characters of a file, whether
// they stand in it as they are or as escapes. What a file must not hold at all is
// left to the rule of encoding.
func Find(d *document.Document) []source.Problem {
	if d == nil || bytes.IndexByte(d.File.Data, 0) >= 0 || d.File.Size() > yamltree.MaxBytes {
		return nil // no text, or not to be read
	}
	s := hiddenScan{file: d.File}
	if d.Tree != nil {
		s.root = d.Tree.Root
		for _, n := range escapedTexts(d.Tree) {
			s.raw(n.Span.Start)
			s.at = n.Span.End
			s.report(invisible.Find(n.Value), func(from, to int) source.Span { return d.Tree.Inside(n, from, to) })
		}
	}
	s.raw(len(d.File.Data))
	return s.problems
}

// escapedTexts are the texts with escapes, in the order of the file.
func escapedTexts(t *yamltree.Tree) []*yamltree.Node {
	if bytes.IndexByte(t.File.Data, '\\') < 0 {
		return nil
	}
	var found []*yamltree.Node
	t.Root.EachScalar(func(n *yamltree.Node, _ bool) {
		if n.Style == yamltree.DoubleQuoted && bytes.IndexByte(t.File.Data[n.Span.Start:n.Span.End], '\\') >= 0 {
			found = append(found, n)
		}
	})
	return found
}

// hiddenScan goes through a file once, from its beginning to its end.
type hiddenScan struct {
	file     *source.File
	root     *yamltree.Node // nil if the file has no tree
	at       int            // where the rest of the file begins
	problems []source.Problem
}

// raw looks at the rest of the file as it is written, up to an offset.
func (s *hiddenScan) raw(end int) {
	start := s.at
	s.at = end
	found := slices.DeleteFunc(invisible.Find(string(s.file.Data[start:end])), func(c invisible.Character) bool {
		// The rule of encoding finds these where they stand in a file as they are.
		return c.Kind == invisible.Control || c.Kind == invisible.LineEnd || c.Rune == 0xfeff || c.Rune == 0xfffe || c.Rune == 0xffff
	})
	s.report(found, func(from, to int) source.Span { return source.Span{Start: start + from, End: start + to} })
}

// mostHidden is how many runs of hidden characters are looked for in a file. It is
// more than are listed, so that the reader learns that there are more.
const mostHidden = 200

// report adds a problem for each run of characters of one kind.
func (s *hiddenScan) report(found []invisible.Character, place func(from, to int) source.Span) {
	for len(found) > 0 && len(s.problems) < mostHidden {
		n := 1
		for n < len(found) && found[n].Start == found[n-1].End && found[n].Kind == found[0].Kind {
			n++
		}
		span := place(found[0].Start, found[n-1].End)
		at := schema.PathAt(s.root, span.Start)
		s.problems = append(s.problems, source.Problem{
			Code: Code, Span: span, Pointer: at.Pointer(), Path: at.String(),
			Message: fmt.Sprintf("%s. %s%s", Describe(found[:n], "Remove the hidden"), Why[found[0].Kind], aside(s.file, span, found[:n])),
		})
		found = found[n:]
	}
}

// Describe says what a run of hidden characters is, after the words that tell
// what to do about it.
func Describe(run []invisible.Character, verb string) string {
	text := fmt.Sprintf("%s U+%04X (%s)", verb, run[0].Rune, invisible.Name(run[0].Rune))
	switch more := len(run) - 1; more {
	case 0:
		return text
	case 1:
		return text + " and the hidden character after it"
	default:
		return fmt.Sprintf("%s and the %d hidden characters after it", text, more)
	}
}

// aside is a sentence that helps to see where a run comes from, or "": the text
// that tags repeat, or the escape that was meant as a backslash and a letter.
func aside(f *source.File, span source.Span, run []invisible.Character) string {
	if c := run[0]; c.Kind == invisible.Control && f.Data[span.Start] == '\\' && strings.ContainsRune("\a\b\v\f", c.Rune) {
		return " If a backslash is meant, write it twice, or use single quotes."
	}
	var b strings.Builder
	for _, c := range run {
		if r := c.Rune - 0xe0000; c.Kind == invisible.Tag && ' ' <= r && r <= '~' {
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return " Here it reads " + schema.Quote(b.String()) + "."
}

// Why says what each kind of hidden characters does.
var Why = map[invisible.Kind]string{
	invisible.Bidi:         "Such a character shows text in another order than a judge reads it.",
	invisible.ZeroWidth:    "Nobody sees such a character, and to a judge it makes another word.",
	invisible.Joiner:       "Nobody sees a joiner between these characters, and to a judge it makes another word.",
	invisible.Filler:       "Such a character looks like a space or like nothing, and to a judge it is neither.",
	invisible.Tag:          "Nobody sees tags, and a judge can read a message in them.",
	invisible.Variation:    "Nobody sees a selector after this character, and a message can be hidden in several.",
	invisible.Format:       "Nobody sees such a character here, and programs differ in what they make of it.",
	invisible.Private:      "Such a character shows something else on each system, and nothing on most.",
	invisible.Noncharacter: "It stands for nothing, and programs refuse it or drop it.",
	invisible.Control:      "Nobody sees such a character, and it can make a program or a terminal act.",
	invisible.LineEnd:      "Some programs start a new line at it, others do not.",
}
