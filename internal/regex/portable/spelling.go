package portable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/regex/token"
)

// escaped finds escapes for one character that not all languages know, or that
// they read otherwise.
func (c *checker) escaped(t token.Token, inClass bool) {
	engines := c.refusing(t, inClass)
	if len(engines) == 0 {
		return
	}
	d := refused(t, Escape, engines...)
	if d.Portable = written(t.Char); inClass {
		d.Portable = writtenInClass(t.Char)
	}
	c.add(d)
}

// refusing are the engines that refuse an escape for one character. Python reads
// a number of two digits as a reference to a bracket.
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

// syntaxCharacters are those that every language takes behind a backslash.
const syntaxCharacters = `^$\.*+?()[]{}|/`

// written is a character as it can stand outside of brackets in every language;
// "" if there is no such spelling.
func written(r rune) string {
	if strings.ContainsRune(`^$\.*+?()[]{}|`, r) {
		return `\` + string(r)
	}
	return plainly(r)
}

// writtenInClass is a character as it can stand in square brackets in every
// language, whatever stands beside it.
func writtenInClass(r rune) string {
	switch {
	case strings.ContainsRune(`^\[]-|`, r):
		return `\` + string(r)
	case r == '&' || r == '~' || r == ':':
		return fmt.Sprintf(`\x%02X`, r)
	}
	return plainly(r)
}

// plainly is a character itself, where it can be seen, or its number.
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
