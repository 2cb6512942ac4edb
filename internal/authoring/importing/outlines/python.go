package outlines

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PythonString is a string of a Python module, with its parts joined.
type PythonString struct {
	// Names are those of the argument, the key, the variable, or the function that has the string,
	// from the innermost.
	Names []string
	Text  string
	Line  int
}

// pythonLexer finds the strings of a Python module. It never runs anything: what an f-string
// computes stays in braces. It reads any text in linear time.
type pythonLexer struct {
	text string
	at   int
	line int

	// open are the names around each open bracket. name is that of the next string, and scope that
	// of the function or class.
	open         []string
	name, scope  string
	word         string // the last name or keyword
	annotated    string // a name with a type
	isDefinition bool   // whether the next word is the name of a function or class

	strings []PythonString
}

// PythonStrings returns the strings of a module that are texts, also of one that Python would not
// accept.
func PythonStrings(text string) []PythonString {
	l := &pythonLexer{text: text, line: 1}
	for l.at < len(l.text) {
		l.next()
	}
	return l.strings
}

func (l *pythonLexer) rest() string { return l.text[l.at:] }

// peek is the next byte, or 0 at the end.
func (l *pythonLexer) peek() byte {
	if l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

// skip moves past some bytes.
func (l *pythonLexer) skip(n int) {
	n = min(n, len(l.text)-l.at)
	l.line += strings.Count(l.text[l.at:l.at+n], "\n")
	l.at += n
}

// next moves past a token.
func (l *pythonLexer) next() {
	if prefix, quote := stringStart(l.rest()); quote != "" {
		l.stringToken(prefix, quote)
		return
	}
	c := l.peek()
	switch {
	case c == '#':
		l.skip(lineEnd(l.rest()))
	case c == '\n':
		l.skip(1)
		if len(l.open) == 0 {
			l.name, l.annotated = "", ""
		}
	case isWordByte(c):
		l.wordToken()
	case strings.IndexByte("([{)]},", c) >= 0:
		l.bracket(c)
	case c == ':' && len(l.open) == 0:
		l.annotated = l.word
		l.skip(1)
	case c == '=':
		l.assignment()
	case strings.IndexByte("!<>", c) >= 0 && strings.HasPrefix(l.rest()[1:], "="): // no assignment
		l.skip(2)
	default:
		_, size := utf8.DecodeRuneInString(l.rest())
		l.skip(size)
	}
}

// bracket moves past a bracket, or past a comma in brackets, after which names begin anew.
func (l *pythonLexer) bracket(c byte) {
	last := len(l.open) - 1
	switch {
	case c == ',':
		l.name = ""
		if last >= 0 {
			l.name = l.open[last]
		}
	case strings.IndexByte("([{", c) >= 0:
		if len(l.open) < mostOpen {
			l.open = append(l.open, l.name)
		}
	case last >= 0:
		l.name, l.open = l.open[last], l.open[:last]
	}
	l.skip(1)
}

// mostOpen is how many open brackets count.
const mostOpen = 100

func (l *pythonLexer) wordToken() {
	n := 0
	for n < len(l.rest()) && isWordByte(l.rest()[n]) {
		n++
	}
	word := l.rest()[:n]
	switch {
	case l.isDefinition:
		l.scope, l.isDefinition, l.name = word, false, word
	case word == "def" || word == "class":
		l.isDefinition = true
	case word == "return":
		l.name = l.scope
	}
	l.word = word
	l.skip(n)
}

func (l *pythonLexer) assignment() {
	if strings.HasPrefix(l.rest(), "==") {
		l.skip(2)
		return
	}
	l.name = l.word
	if l.annotated != "" && len(l.open) == 0 {
		l.name = l.annotated
	}
	l.annotated = ""
	l.skip(1)
}

func isWordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// stringStart returns the letters before a string at the beginning of a text, and its quote, which
// is "" if there is no string.
func stringStart(text string) (prefix, quote string) {
	n := 0
	for n < len(text) && n < 3 && strings.IndexByte("rbuftRBUFT", text[n]) >= 0 {
		n++
	}
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		if strings.HasPrefix(text[n:], quote) {
			return strings.ToLower(text[:n]), quote
		}
	}
	return "", ""
}

// stringToken reads a string with those that Python joins to it.
func (l *pythonLexer) stringToken(prefix, quote string) {
	line := l.line
	var text strings.Builder
	isText := true
	for quote != "" {
		l.skip(len(prefix) + len(quote))
		text.WriteString(l.content(prefix, quote))
		isText = isText && !strings.Contains(prefix, "b")
		l.toNextPart()
		prefix, quote = stringStart(l.rest())
	}
	whole := text.String()
	if strings.HasPrefix(strings.TrimLeft(l.rest(), " \t"), ":") && len(l.open) > 0 && !strings.Contains(whole, "\n") {
		l.name = whole // the key of a value
		return
	}
	if isText {
		l.strings = append(l.strings, PythonString{l.names(), dedented(whole), line})
	}
}

// names are the names around the next string.
func (l *pythonLexer) names() (all []string) {
	for _, name := range append(slices.Clone(l.open), l.name) {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) == 0 && l.scope != "" {
		all = append(all, l.scope)
	}
	slices.Reverse(all)
	return all
}

// toNextPart moves to the string that Python joins to the one before: the next token, or the one
// after a plus. Line ends count only outside of brackets.
func (l *pythonLexer) toNextPart() {
	at, line := l.at, l.line
	for plus := false; l.at < len(l.text); {
		c := l.peek()
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.skip(1)
		case c == '\n' && len(l.open) > 0:
			l.skip(1)
		case strings.HasPrefix(l.rest(), "\\\n"):
			l.skip(2)
		case strings.HasPrefix(l.rest(), "\\\r\n"):
			l.skip(3)
		case c == '#' && len(l.open) > 0:
			l.skip(lineEnd(l.rest()))
		case c == '+' && !plus && !strings.HasPrefix(l.rest(), "+="):
			plus = true
			l.skip(1)
		default:
			if _, quote := stringStart(l.rest()); quote == "" {
				l.at, l.line = at, line
			}
			return
		}
	}
	l.at, l.line = at, line
}

func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// content reads the content of a string after its quote, and the quote that ends it. A string of
// one line that is not closed ends with its line.
func (l *pythonLexer) content(prefix, quote string) string {
	raw, formatted := strings.Contains(prefix, "r"), strings.ContainsAny(prefix, "ft")
	var b strings.Builder
	for l.at < len(l.text) {
		c := l.peek()
		switch {
		case strings.HasPrefix(l.rest(), quote):
			l.skip(len(quote))
			return b.String()
		case c == '\n' && len(quote) == 1:
			return b.String()
		case c == '\\' && raw:
			b.WriteString(l.take(min(2, len(l.rest()))))
		case c == '\\':
			l.escape(&b)
		case formatted && (strings.HasPrefix(l.rest(), "{{") || strings.HasPrefix(l.rest(), "}}")):
			b.WriteByte(c)
			l.skip(2)
		case formatted && c == '{':
			b.WriteString(l.take(expression(l.rest())))
		case c == '\r':
			l.skip(1)
		default:
			n := strings.IndexAny(l.rest()[1:], "\\\n\r{}\"'")
			if n < 0 {
				n = len(l.rest()) - 1
			}
			b.WriteString(l.take(n + 1))
		}
	}
	return b.String()
}

// take moves past some bytes, and returns them.
func (l *pythonLexer) take(n int) string {
	text := l.rest()[:n]
	l.skip(n)
	return text
}

// longestExpression is the length of the longest expression in braces.
const longestExpression = 512

// expression is the length of an expression in braces with the braces around it, or 1 if it does
// not end.
func expression(text string) int {
	text = text[:min(len(text), longestExpression)]
	open := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.IndexByte("{[(", c) >= 0:
			open++
		case strings.IndexByte("}])", c) >= 0:
			if open--; open == 0 {
				return i + 1
			}
		case c == '"' || c == '\'':
			n := nested(text[i:])
			if n == 0 {
				return 1
			}
			i += n
			continue
		}
		i++
	}
	return 1
}

// nested is the length of a string in an expression, or 0 if it does not end.
func nested(text string) int {
	_, quote := stringStart(text)
	for i := len(quote); i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\\':
			i++
		case text[i] == '\n' && len(quote) == 1:
			return 0
		}
	}
	return 0
}

// escapes are the escapes of one letter that are texts.
var escapes = map[byte]string{'n': "\n", 't': "\t", '\\': `\`, '\'': "'", '"': `"`, '\n': ""}

// escape reads an escape. One for a character that texts do not have stays as written, and so
// does the name of a character.
func (l *pythonLexer) escape(b *strings.Builder) {
	if len(l.rest()) < 2 {
		b.WriteString(l.take(len(l.rest())))
		return
	}
	c := l.rest()[1]
	if text, ok := escapes[c]; ok {
		b.WriteString(text)
		l.skip(2)
		return
	}
	if strings.HasPrefix(l.rest()[1:], "\r\n") {
		l.skip(3)
		return
	}
	from, digits, base := 2, map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], 16
	if isOctal(c) {
		from, digits, base = 1, 1, 8
		for digits < 3 && from+digits < len(l.rest()) && isOctal(l.rest()[from+digits]) {
			digits++
		}
	}
	if digits == 0 || len(l.rest()) < from+digits {
		_, size := utf8.DecodeRuneInString(l.rest()[1:])
		b.WriteString(l.take(1 + size))
		return
	}
	n, err := strconv.ParseUint(l.rest()[from:from+digits], base, 32)
	written := l.take(from + digits)
	if err == nil && n <= utf8.MaxRune && isText(rune(n)) {
		written = string(rune(n))
	}
	b.WriteString(written)
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

// isText reports whether texts can have a character.
func isText(char rune) bool {
	return utf8.ValidRune(char) && (char >= ' ' && char != 0x7F || char == '\n' || char == '\t')
}

// dedented is a text without the space that all of its lines but the first begin with, and without
// blank lines around it.
func dedented(text string) string {
	text = strings.ReplaceAll(text, "\r", "")
	first, others, found := strings.Cut(text, "\n")
	if !found {
		return strings.TrimSpace(text)
	}
	margin := -1
	for line := range strings.Lines(others) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if margin < 0 || indent < margin {
			margin = indent
		}
	}
	out := []string{first}
	for line := range strings.Lines(others) {
		line = strings.TrimRight(line, " \t\n")
		out = append(out, line[min(max(margin, 0), len(line)):])
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
