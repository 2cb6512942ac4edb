package yamltree

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

const (
	byteOrderMark = '\uFEFF'
	notUTF8       = -1 // stands for any byte that is not part of a character
)

// oddCharacter is a kind of character that a file must not hold.
type oddCharacter struct {
	char  rune
	first source.Span
	count int
}

// CheckText reports what keeps a file from being read as a text, whatever is
// written in it: that it is too large, not UTF-8, or holds characters that readers
// differ about. CRLF line ends are none of that.
func CheckText(f *source.File) []source.Problem {
	if f.Size() > MaxBytes {
		return []source.Problem{tooLarge(f.Size())}
	}
	problems, _ := checkEncoding(f)
	return problems
}

// checkEncoding reports each kind of character that must not stand in a file
// once, at its first place. Nothing of such a file is read further, because
// readers differ in what they make of it. It also counts the CRLF line ends.
func checkEncoding(f *source.File) (problems []source.Problem, crlf int) {
	if bytes.HasPrefix(f.Data, []byte("\xFF\xFE")) || bytes.HasPrefix(f.Data, []byte("\xFE\xFF")) {
		return []source.Problem{{
			Code:    CodeEncoding,
			Span:    source.Span{Start: 0, End: 2},
			Message: "The file is UTF-16, which is not read here. Save it as UTF-8.",
		}}, 0
	}
	var odd []oddCharacter
	for i := 0; i < len(f.Data); {
		b := f.Data[i]
		if ' ' <= b && b <= '~' || b == '\n' || b == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(f.Data[i:])
		switch {
		case b == '\r' && i+1 < len(f.Data) && f.Data[i+1] == '\n':
			crlf++
		case r == utf8.RuneError && size == 1:
			odd = count(odd, notUTF8, source.Span{Start: i, End: i + 1})
		case !allowed(r):
			odd = count(odd, r, source.Span{Start: i, End: i + size})
		}
		i += size
	}
	if isBinary(odd) {
		return []source.Problem{{
			Code:    CodeEncoding,
			Span:    odd[0].first,
			Message: "This is no text: the file holds bytes that no text has. Put a text in its place, or delete it.",
		}}, 0
	}
	for _, o := range odd {
		problems = append(problems, o.problem(f))
	}
	return problems, crlf
}

// isBinary tells whether a file is no text at all, so that a list of all that is
// odd in it helps nobody.
func isBinary(odd []oddCharacter) bool {
	return len(odd) > 3 && slices.ContainsFunc(odd, func(o oddCharacter) bool { return o.char == 0 })
}

// allowed is the printable characters of YAML 1.2 (production c-printable)
// without those that some readers take for a line end or leave out.
func allowed(r rune) bool {
	switch {
	case r < 0xA0: // CR, DEL and the control characters; the caller took the rest
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
		p.Message = fmt.Sprintf("Byte 0x%02X%s is not UTF-8 text. Save the file as UTF-8.", f.Data[o.first.Start], o.others())
	case byteOrderMark:
		p.Message = fmt.Sprintf("Remove the invisible byte order mark (U+FEFF)%s: some readers take it for a part of the text.",
			o.others())
		if o.first.Start == 0 {
			p.Fix = &source.Fix{
				Message: "remove the byte order mark from the start of the file",
				Edits:   []source.Edit{{Span: o.first}},
			}
		}
	case '\r', '\u0085', '\u2028', '\u2029':
		p.Message = fmt.Sprintf("Replace the invisible U+%04X%s by a space or a line break: some readers start a new line at it,"+
			" others do not.", o.char, o.others())
	default:
		p.Message = fmt.Sprintf("Remove the invisible control character U+%04X%s: a text file must not hold it.", o.char, o.others())
	}
	return p
}

// others says how often the character stands in the file besides.
func (o oddCharacter) others() string {
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
		Message: lines + " the way Windows writes it (CRLF). Let every line end with a line feed alone (LF)," +
			" so that the file is the same on every machine.",
		Fix: &source.Fix{Message: "end every line with LF", Edits: edits},
	}
}
