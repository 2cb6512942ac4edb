package document

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

const (
	CodeHiddenText = "hidden-text"  // text that people do not see
	CodeNotNFC     = "not-nfc"      // in an ID, a name, or a pattern
	CodeText       = "text-not-nfc" // in any other text
)

// HiddenText returns a problem for each run of hidden characters of a file, literal or
// escaped. The encoding rule reports characters that a file must not contain at all.
func HiddenText(d *Document) []source.Problem {
	if d == nil || bytes.IndexByte(d.File.Data, 0) >= 0 || d.File.Size() > yamltree.MaxBytes {
		return nil // no text, or not to be read
	}
	s := hiddenScan{file: d.File}
	if d.Tree != nil {
		s.root = d.Tree.Root
		for _, n := range escapedTexts(d.Tree) {
			s.scanRaw(n.Span.Start)
			s.at = n.Span.End
			found := sanitize.FindHidden(n.Value)
			if escape := lostBackslash(d.File.Text(n.Span)); escape != "" {
				s.backslash(n, escape)
				found = slices.DeleteFunc(found, func(c sanitize.HiddenCharacter) bool {
					return strings.ContainsRune("\a\b\v\f\r\x00\x1b", c.Rune)
				})
			}
			s.report(found, func(from, to int) source.Span { return d.Tree.SpanInside(n, from, to) })
		}
	}
	s.scanRaw(len(d.File.Data))
	return s.problems
}

// lostBackslash returns the first escape of a text in double quotes that was meant as a backslash and
// a letter, as written, or "": one of a hidden character, as in the pattern "\bword\b", or one in a
// path of Windows, such as "C:\temp".
func lostBackslash(text string) string {
	for i := 1; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		next := text[i+1]
		if strings.IndexByte("abvf", next) >= 0 || strings.IndexByte("tnr0e", next) >= 0 && inPath(text, i) {
			return text[i : i+2]
		}
		i++
	}
	return ""
}

// inPath reports whether the backslash at i belongs to a path of Windows: it follows a drive, or a
// text that begins with two backslashes. A line break after Q: is not one.
func inPath(text string, i int) bool {
	if strings.HasPrefix(text, `"\\`) && i > 3 && isLetter(text[i-1]) {
		return true
	}
	drive := i > 2 && text[i-1] == ':' && isLetter(text[i-2]) && !isLetter(text[i-3])
	return drive && (text[i+1] != 'n' || strings.IndexByte("aqAQ", text[i-2]) < 0 && 'a' <= text[i+2] && text[i+2] <= 'z')
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// otherEscapes matches escapes that single quotes would not keep.
var otherEscapes = lazy.Expr(`(?:^|[^\\])(?:\\\\)*\\[^\\"abvftnre0]`)

// longestShown is how long a text can be that is shown as it should be written.
const longestShown = 80

// backslash reports a text in double quotes whose escape was meant as a backslash and a letter.
func (s *hiddenScan) backslash(n *yamltree.Node, escape string) {
	at := schema.PathAt(s.root, n.Span.Start)
	text := s.file.Text(n.Span)
	advice := "Use single quotes, which keep a backslash"
	if strings.HasPrefix(text, `"\\`) && strings.Count(text, `\\`) == 1 {
		text = `"\\` + text[1:] // the two backslashes of a share
	}
	single := "'" + strings.NewReplacer(`\\`, `\`, `\"`, `"`, "'", "''").Replace(text[1:len(text)-1]) + "'"
	switch {
	case otherEscapes().MatchString(text) && !searchedKey().MatchString(at.String()):
		advice = `Write \` + escape + ", with two backslashes"
	case utf8.RuneCountInString(single) <= longestShown && !strings.Contains(single, "\n"):
		advice += ": " + single
	}
	s.problems = append(s.problems, source.Problem{
		Code: CodeHiddenText, Span: n.Span, Pointer: at.Pointer(), Path: at.String(),
		Message: fmt.Sprintf("In double quotes, %s is not a backslash and a letter, but one character that nobody sees. %s.", escape, advice),
	})
}

// escapedTexts returns the texts with escapes, in the order of the file.
func escapedTexts(t *yamltree.Tree) []*yamltree.Node {
	if bytes.IndexByte(t.File.Data, '\\') < 0 {
		return nil
	}
	var found []*yamltree.Node
	t.Root.EachScalar(func(n *yamltree.Node, _ bool) {
		if t.IsEscaped(n) {
			found = append(found, n)
		}
	})
	return found
}

// hiddenScan goes through a file once, from start to end.
type hiddenScan struct {
	file     *source.File
	root     *yamltree.Node // nil if the file has no tree
	at       int            // where the rest of the file begins
	problems []source.Problem
}

// scanRaw scans the rest of the file as written, up to an offset.
func (s *hiddenScan) scanRaw(end int) {
	start := s.at
	s.at = end
	found := slices.DeleteFunc(sanitize.FindHidden(string(s.file.Data[start:end])), func(c sanitize.HiddenCharacter) bool {
		// The encoding rule reports these if they are literal in a file.
		return c.Kind == sanitize.Control || c.Kind == sanitize.LineEnd || c.Rune == 0xfeff || c.Rune == 0xfffe ||
			c.Rune == 0xffff
	})
	s.report(found, func(from, to int) source.Span { return source.Span{Start: start + from, End: start + to} })
}

// mostHidden is the maximum number of runs of hidden characters found in a file. It
// exceeds the number that is listed, so that the reader learns that there are more.
const mostHidden = 200

// report adds a problem for each run of characters of one kind.
func (s *hiddenScan) report(found []sanitize.HiddenCharacter, place func(from, to int) source.Span) {
	for len(found) > 0 && len(s.problems) < mostHidden {
		n := 1
		for n < len(found) && found[n].Start == found[n-1].End && found[n].Kind == found[0].Kind {
			n++
		}
		span := place(found[0].Start, found[n-1].End)
		at := schema.PathAt(s.root, span.Start)
		s.problems = append(s.problems, source.Problem{
			Code: CodeHiddenText, Span: span, Pointer: at.Pointer(), Path: at.String(),
			Message: fmt.Sprintf("%s. %s%s", DescribeHidden(found[:n], "Remove the hidden"), WhyHidden[found[0].Kind], spelled(found[:n])),
		})
		found = found[n:]
	}
}

// DescribeHidden names a run of hidden characters, after the words that say what to do about
// it.
func DescribeHidden(run []sanitize.HiddenCharacter, verb string) string {
	text := fmt.Sprintf("%s U+%04X (%s)", verb, run[0].Rune, sanitize.CharacterName(run[0].Rune))
	switch more := len(run) - 1; more {
	case 0:
		return text
	case 1:
		return text + " and the hidden character after it"
	default:
		return fmt.Sprintf("%s and the %d hidden characters after it", text, more)
	}
}

// spelled returns the text that tags spell, in a sentence, or "".
func spelled(run []sanitize.HiddenCharacter) string {
	var b strings.Builder
	for _, c := range run {
		if r := c.Rune - 0xe0000; c.Kind == sanitize.Tag && ' ' <= r && r <= '~' {
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return " It spells " + schema.Quote(b.String()) + "."
}

// WhyHidden says what each kind of hidden character does.
var WhyHidden = map[sanitize.HiddenKind]string{
	sanitize.Bidi:         "It shows text in a different order than a judge reads it.",
	sanitize.ZeroWidth:    "It is invisible, and to a judge it makes a different word.",
	sanitize.Joiner:       "A joiner is invisible between these characters, and to a judge it makes a different word.",
	sanitize.Filler:       "It looks like a space or like nothing, and to a judge it is neither.",
	sanitize.Tag:          "Tags are invisible, and a judge can read a message in them.",
	sanitize.Variation:    "A selector is invisible after this character, and several can hide a message.",
	sanitize.Format:       "It is invisible here, and programs interpret it differently.",
	sanitize.Private:      "It looks different on each system, and is invisible on most.",
	sanitize.Noncharacter: "It has no meaning, and programs reject or remove it.",
	sanitize.Control:      "It is invisible, and can trigger actions in a program or a terminal.",
	sanitize.LineEnd:      "Some programs start a new line at it, and others do not.",
}

// NotNFC returns a problem for each text of a file that is not in the normal form NFC,
// at its first such character.
func NotNFC(d *Document) []source.Problem {
	if d == nil || d.Tree == nil {
		return nil
	}
	var problems []source.Problem
	EachNotNFC(d.Tree, func(n *yamltree.Node, isKey bool) {
		path := schema.PathAt(d.Tree.Root, n.Span.Start)
		searched := searchedKey().MatchString(path.String())
		if odd := unusual(n.Value, searched); len(odd) > 0 {
			p := composing(d.Tree, n, isKey, odd)
			p.Code = CodeText
			if isKey || searched || namedKey().MatchString(path.String()) {
				p.Code = CodeNotNFC
			}
			problems = append(problems, p)
		}
	})
	return problems
}

// searchedKey and namedKey match the paths of what is searched for in artifacts, and of IDs and
// names.
var (
	searchedKey = lazy.Expr(`(^|\.)(fail_patterns\[[^.]*|pattern|literal)$`)
	namedKey    = lazy.Expr(`(^|\.)(name|id|rubric_id|ruleset_id|artifact_type)$`)
)

// segment is a part of a text that NFC writes differently.
type segment struct {
	start, end int
	nfc        string
}

// unusual returns the parts of a text that NFC writes differently. A part is a unit
// that can change: a character and the marks that follow it. Letters that keyboards write as one
// character, and NFC as two, are ordinary in several scripts, but an artifact never has them in
// the form in which it is searched.
func unusual(text string, searched bool) []segment {
	var found []segment
	for start := 0; start < len(text); {
		end := start
		for end == start || end < len(text) && !norm.NFC.PropertiesString(text[end:]).BoundaryBefore() {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		part := text[start:end]
		nfc := rubric.Normalize(part)
		if nfc != part && !strings.HasPrefix(part, "\r") && (searched || split(part) != nfc) {
			found = append(found, segment{start, end, nfc})
		}
		start = end
	}
	return found
}

// split returns a text in which NFC only splits characters.
func split(text string) string {
	var b strings.Builder
	for _, r := range text {
		if nfc := norm.NFC.String(string(r)); utf8.RuneCountInString(nfc) > 1 {
			b.WriteString(nfc)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// composing returns the problem of a text with at least one such part. No fix changes
// a key, because another key could already have the new name, or makes an unquoted
// text start with a character of YAML syntax.
func composing(t *yamltree.Tree, n *yamltree.Node, isKey bool, odd []segment) source.Problem {
	first := odd[0]
	span := t.SpanInside(n, first.start, first.end)
	at := schema.PathAt(t.Root, span.Start)
	p := source.Problem{
		Span: span, Pointer: at.Pointer(), Path: at.String(),
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
	whole := t.SpanInside(n, 0, len(n.Value))
	verbatim := t.File.Text(whole) == n.Value
	if !verbatim && len(odd) > mostEdits {
		return nil
	}
	fix := &source.Fix{Message: "replace the characters with their usual form"}
	for _, s := range odd {
		span := source.Span{Start: whole.Start + s.start, End: whole.Start + s.end}
		if !verbatim {
			span = t.SpanInside(n, s.start, s.end)
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
