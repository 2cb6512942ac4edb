package yamltree

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

const (
	byteOrderMark = '\uFEFF'
	notUTF8       = -1 // stands for any byte that is not part of a character
)

// oddCharacter is a character that is not allowed in a file.
type oddCharacter struct {
	char  rune
	first source.Span
	count int
}

// CheckText reports why a file can't be read as text, in any format: it is too large,
// not UTF-8, or has characters that parsers treat differently. CRLF line endings are
// not reported.
func CheckText(f *source.File) []source.Problem {
	problems, _ := checkText(f)
	return problems
}

// checkText reports each character that is not allowed in a file once, at its
// first place. Such a file is not read further, because parsers disagree about it. It
// also counts the CRLF line endings.
func checkText(f *source.File) (problems []source.Problem, crlf int) {
	if whole := checkWhole(f); whole != nil {
		return []source.Problem{*whole}, 0
	}
	odd, crlf := oddCharacters(f.Data)
	// Several odd characters with zero bytes: a list of them would not help.
	if len(odd) > 3 && slices.ContainsFunc(odd, func(o oddCharacter) bool { return o.char == 0 }) {
		return []source.Problem{{
			Code:    CodeEncoding,
			Span:    odd[0].first,
			Message: "This is not a text file: it has bytes that text never has. Replace it with a text file, or delete it.",
		}}, 0
	}
	for _, o := range odd {
		problems = append(problems, o.problem(f))
	}
	return problems, crlf
}

// checkWhole reports what its size or its first bytes say against a file, or returns nil.
func checkWhole(f *source.File) *source.Problem {
	if f.Size() > MaxBytes {
		tooLarge := refuse(CodeTooLarge, source.Span{},
			"The file has %d bytes: at most %d (%d KiB) are allowed. Split the file, or shorten its texts.",
			f.Size(), MaxBytes, MaxBytes>>10)
		return &tooLarge
	}
	if bytes.HasPrefix(f.Data, []byte("\xFF\xFE")) || bytes.HasPrefix(f.Data, []byte("\xFE\xFF")) {
		utf16 := refuse(CodeEncoding, source.Span{Start: 0, End: 2}, "The file is UTF-16. Save it as UTF-8.")
		return &utf16
	}
	return nil
}

// oddCharacters finds the characters that are not allowed, in the order of their first places,
// and counts the CRLF line endings.
func oddCharacters(data []byte) (odd []oddCharacter, crlf int) {
	for i := 0; i < len(data); {
		b := data[i]
		if ' ' <= b && b <= '~' || b == '\n' || b == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case b == '\r' && i+1 < len(data) && data[i+1] == '\n':
			crlf++
		case r == utf8.RuneError && size == 1:
			odd = count(odd, notUTF8, source.Span{Start: i, End: i + 1})
		case !allowed(r):
			odd = count(odd, r, source.Span{Start: i, End: i + size})
		}
		i += size
	}
	return odd, crlf
}

// allowed is the printable characters of YAML 1.2 (production c-printable)
// without those that some parsers read as a line ending or omit.
func allowed(r rune) bool {
	switch {
	case r < 0xA0: // CR, DEL, and the control characters; the caller handled the rest
		return false
	case r == '\u2028', r == '\u2029', r == byteOrderMark, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}

func count(odd []oddCharacter, char rune, span source.Span) []oddCharacter {
	for i := range odd {
		if odd[i].char == char {
			odd[i].count++
			return odd
		}
	}
	return append(odd, oddCharacter{char, span, 1})
}

func (o oddCharacter) problem(f *source.File) source.Problem {
	p := source.Problem{Code: CodeEncoding, Span: o.first}
	switch o.char {
	case notUTF8:
		p.Message = fmt.Sprintf("Byte 0x%02X%s is not UTF-8 text. Save the file as UTF-8.", f.Data[o.first.Start], o.countOthers())
	case byteOrderMark:
		p.Message = fmt.Sprintf("Remove the invisible byte order mark (U+FEFF)%s: some programs read it as part of the text.",
			o.countOthers())
		if o.first.Start == 0 {
			p.Fix = &source.Fix{
				Message: "remove the byte order mark from the start of the file",
				Edits:   []source.Edit{{Span: o.first}},
			}
		}
	case '\r', '\u0085', '\u2028', '\u2029':
		p.Message = fmt.Sprintf("Replace the invisible U+%04X%s with a space or a line break: some programs start a new line at it,"+
			" others do not.", o.char, o.countOthers())
	default:
		p.Message = fmt.Sprintf("Remove the invisible control character U+%04X%s: text files must not contain it.",
			o.char, o.countOthers())
	}
	return p
}

// countOthers says how often the character appears in other places of the file.
func (o oddCharacter) countOthers() string {
	switch o.count {
	case 1:
		return ""
	case 2:
		return " (here and in one other place)"
	}
	return fmt.Sprintf(" (here and in %d other places)", o.count-1)
}

// lineEndings reports that count lines of f end with CRLF.
func lineEndings(f *source.File, count int) source.Problem {
	edits := make([]source.Edit, 0, count)
	for i, b := range f.Data {
		if b == '\r' { // a lone one was refused before
			edits = append(edits, source.Edit{Span: source.Span{Start: i, End: i + 1}})
		}
	}
	lines := fmt.Sprintf("%d lines end", count)
	if count == 1 {
		lines = "One line ends"
	}
	return source.Problem{
		Code: CodeLineEndings,
		Span: edits[0].Span,
		Message: lines + " with CRLF, the Windows line ending. End every line with LF, so that the file" +
			" is the same on every machine.",
		Fix: &source.Fix{Message: "end every line with LF", Edits: edits},
	}
}

// Quote writes a text in quotes, on one line, such that Parse reads the same text.
// The style SingleQuoted is used if it can represent the text, and DoubleQuoted, which
// is also JSON, otherwise. Bytes that are not UTF-8 become U+FFFD.
func Quote(text string, style Style) string {
	if style == SingleQuoted && utf8.ValidString(text) && !strings.ContainsFunc(text, escaped) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	data, _ := jsontext.Encode(text, "", "") // encoding a string never fails
	return string(Escape(data))
}

// QuoteVisibly is Quote in double quotes, with all characters visible and without effect on a
// terminal.
func QuoteVisibly(text string) string {
	return string(sanitize.YAML([]byte(Quote(text, DoubleQuoted))))
}

// QuotePattern is QuoteVisibly in single quotes, where a pattern needs no escapes, if possible.
func QuotePattern(pattern string) string {
	single := Quote(pattern, SingleQuoted)
	if string(sanitize.YAML([]byte(single))) != single {
		return QuoteVisibly(pattern)
	}
	return single
}

// Escape escapes the characters of JSON text that are not allowed in a file. The
// result is equivalent, because JSON has none of them outside strings.
func Escape(text []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(text) {
		if r >= ' ' && escaped(r) {
			fmt.Fprintf(&out, `\u%04x`, r) // none is beyond U+FFFF
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}

// escaped reports whether a character is allowed in a file only as an escape, or would
// start a line.
func escaped(r rune) bool { return r < ' ' || r > '~' && !allowed(r) }
