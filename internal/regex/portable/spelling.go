package portable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/regex/token"
)

// escaped finds escapes for one character that languages refuse or read differently.
func (c *checker) escaped(t token.Token, inClass bool) {
	engines := c.refusing(t, inClass)
	if len(engines) == 0 {
		return
	}
	portable := written(t.Char)
	if inClass {
		portable = writtenInClass(t.Char)
	}
	c.add(refused(t, Escape, engines...), portable, "")
}

// refusing returns the engines that refuse an escape for one character. Python reads a
// number of two digits as a backreference.
func (c *checker) refusing(t token.Token, inClass bool) []Engine {
	text := c.text[t.Start+1 : t.End]
	followed := t.End < len(c.text) && isDigit(c.text[t.End])
	switch first := text[0]; {
	case strings.HasPrefix(text, "x{"):
		return []Engine{Python, JavaScript}
	case text == "0" && !followed:
		return nil
	case isDigit(first):
		if t.Char > 0o377 || first != '0' && len(text) == 2 && !inClass {
			return []Engine{Python, JavaScript}
		}
		return []Engine{JavaScript}
	case strings.Contains("xfnrtv", string(rune(first))):
		return nil
	case strings.IndexByte(syntaxCharacters, first) >= 0, inClass && first == '-':
		return nil
	}
	return []Engine{JavaScript}
}

// syntaxCharacters are the characters that every language accepts after a backslash.
const syntaxCharacters = `^$\.*+?()[]{}|/`

// written returns a spelling of a character outside classes that works in every
// language; "" if there is none.
func written(r rune) string {
	if strings.ContainsRune(`^$\.*+?()[]{}|`, r) {
		return `\` + string(r)
	}
	return plainly(r)
}

// writtenInClass returns a spelling of a character in a class that works in every
// language, whatever is next to it.
func writtenInClass(r rune) string {
	switch {
	case strings.ContainsRune(`^\[]-|`, r):
		return `\` + string(r)
	case r == '&' || r == '~' || r == ':':
		return fmt.Sprintf(`\x%02X`, r)
	}
	return plainly(r)
}

// plainly returns a visible character itself, or the number of any other character.
func plainly(r rune) string {
	switch {
	case r == '\t':
		return `\t`
	case r == '\n':
		return `\n`
	case r >= ' ' && r <= '~':
		return string(r)
	case r <= 0xFF:
		return fmt.Sprintf(`\x%02X`, r)
	case utf8.ValidRune(r) && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && norm.NFC.IsNormalString(string(r)):
		return string(r)
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
