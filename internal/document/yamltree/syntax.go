package yamltree

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The messages for invalid YAML. Each says what to write instead.

func mistake(span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: CodeSyntax, Span: span, Message: fmt.Sprintf(format, args...)}
}

// excerptLen is how many characters of the file a message repeats.
const excerptLen = 50

// excerpt is the text as a message shows it: on one line, shortened, and with the
// codes of invisible characters.
func excerpt(text []byte) string {
	var b strings.Builder
	n := 0
	for _, r := range string(text) {
		switch {
		case n == excerptLen:
			return b.String() + "…"
		case r < utf8.RuneSelf && isSpace(byte(r)):
			r = ' '
			fallthrough
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "U+%04X", r)
		}
		n++
	}
	return b.String()
}

// shown is the excerpt in quotes.
func shown(text []byte) string { return strconv.Quote(excerpt(text)) }

func tabIndent(data []byte, i int) source.Problem {
	tabs := len(data[i:]) - len(bytes.TrimLeft(data[i:], "\t"))
	return mistake(source.Span{Start: i, End: i + tabs},
		"Replace the tab with spaces: YAML allows only spaces for indentation.")
}

// oddIndent reports the space at i, which begins the text of its line and is not a space of
// YAML, such as a no-break space; false if there is none.
func oddIndent(data []byte, i int) (source.Problem, bool) {
	r, _ := utf8.DecodeRune(data[i:])
	rest := bytes.TrimLeftFunc(data[i:], func(r rune) bool { return unicode.Is(unicode.Zs, r) })
	if r == ' ' || !unicode.Is(unicode.Zs, r) {
		return source.Problem{}, false
	}
	return mistake(source.Span{Start: i, End: len(data) - len(rest)},
		"Replace the no-break or other special spaces here (U+%04X) with spaces: YAML allows only these for indentation.", r), true
}

func unclosedQuote(data []byte, i int) source.Problem {
	hint := ""
	if data[i] == '\'' {
		hint = " Write an apostrophe inside single quotes twice ('')."
	}
	return mistake(oneCharacter(data, i),
		"This quote is never closed. Add %c at the end of the text.%s", data[i], hint)
}

func unknownEscape(data []byte, i int) source.Problem {
	span := source.Span{Start: i, End: oneCharacter(data, i+1).End}
	escape := excerpt(data[span.Start:span.End])
	n := hexDigits[data[span.End-1]]
	if n == 0 {
		return mistake(span, "%s is not a valid escape in double quotes. Use single quotes, which keep a backslash: '…%s…'.",
			escape, escape)
	}
	digits := 0
	for digits < n && span.End < len(data) && strings.IndexByte("0123456789abcdefABCDEF", data[span.End]) >= 0 {
		digits++
		span.End++
	}
	if digits < n {
		return mistake(span, "%s must be followed by %d digits (0-9, a-f). For a backslash in the text, use single quotes"+
			" instead of double quotes.", escape, n)
	}
	return mistake(span, "%s is not a valid character. Write the character itself, without a backslash.",
		excerpt(data[span.Start:span.End]))
}

// textAfter reports the text at i, which follows the complete value last.
func textAfter(f *source.File, last source.Span, i int) source.Problem {
	rest := restOfLine(f.Data, i)
	text := shown(f.Data[rest.Start:rest.End])
	first := f.Data[last.Start]
	isQuote := first == '"' || first == '\''
	switch {
	case bytes.HasPrefix(f.Data[i:], []byte("//")):
		return mistake(rest, slashes)
	case isQuote && bytes.IndexByte(f.Data[last.Start:last.End], '\n') >= 0:
		p := mistake(oneCharacter(f.Data, last.Start),
			"This quote is not closed until line %d, before %s. Close it where its text ends.", f.Position(last.End).Line, text)
		p.Related = []source.Related{{Span: source.Span{Start: last.End - 1, End: last.End}, Message: "closed here"}}
		return p
	case isQuote && f.Data[i] == ':':
		return mistake(rest, "Put a space after the colon.")
	case first == '"':
		return mistake(rest, `The text ends at the quote before %s. Put all of it in quotes, and write a quote inside it as \".`, text)
	case first == '\'':
		return mistake(rest, "The text ends at the quote before %s. Put all of it in quotes, and write an apostrophe"+
			" inside it twice ('').", text)
	case first == '[' || first == '{':
		return mistake(rest, "%s can't follow the closing bracket. If the whole value is text, put it in quotes.", text)
	}
	return mistake(rest, "%s can't follow the value before it. Remove it, or indent it like the lines it belongs to.", text)
}

const slashes = "Comments start with #, not //. Replace the two slashes with #."

// comparison matches what is greater than a number.
var comparison = lazy.Expr(`^>=? ?[-+$€£]?[0-9]`)

func reservedStart(data []byte, i int) source.Problem {
	if rest := restOfLine(data, i); comparison().Match(data[rest.Start:rest.End]) {
		return mistake(oneCharacter(data, i),
			"Put the text in quotes%s. At its start, > means that a text follows on the next lines.",
			quoted(data[rest.Start:rest.End]))
	}
	if data[i] == '|' || data[i] == '>' {
		return mistake(oneCharacter(data, i),
			"After %c, the text must start on the next line. Move it there, or put it in quotes if it starts with %c.", data[i], data[i])
	}
	return mistake(oneCharacter(data, i), "Text can't start with \"%c\". Put it in quotes.", data[i])
}

// secondColon reports the colon after a text that is itself the value of a key. In a block, the text
// continues in the lines that are indented deeper than col.
func secondColon(f *source.File, text source.Span, colon, col int, inFlow bool) source.Problem {
	data := f.Data
	whole := data[text.Start:restOfLine(data, text.Start).End]
	if end := bytes.IndexAny(whole, ",]}"); inFlow && end >= 0 {
		whole = whole[:end]
	}
	if colon+1 == lineEnd(data, colon) && bytes.IndexByte(whole, ' ') < 0 && !inFlow {
		return mistake(source.Span{Start: colon, End: colon + 1},
			"Remove this colon, or put the whole value in quotes if it ends with one: %s.", quote(excerpt(whole)))
	}
	line, lines := f.Position(text.Start).Line, ""
	if last := lastLineOf(f, line, col); !inFlow && last > line {
		lines = fmt.Sprintf(", from line %d to line %d,", line, last)
		whole = []byte(strings.Join(strings.Fields(string(data[text.Start:f.LineSpan(last).End])), " "))
	}
	return mistake(source.Span{Start: colon, End: colon + 1},
		"This is the second colon with a space after it, so the value is ambiguous. Put the whole value%s in quotes%s.",
		lines, quoted(whole))
}

// lastLineOf is the last of the lines after a line that are indented deeper than col.
func lastLineOf(f *source.File, line, col int) int {
	last := line
	for n := line + 1; n <= f.LineCount(); n++ {
		span := f.LineSpan(n)
		text := strings.TrimLeft(f.Text(span), " ")
		switch {
		case text == "":
			continue
		case span.Len()-len(text) <= col || text[0] == '#':
			return last
		}
		last = n
	}
	return last
}

// quoted is a text in quotes after a colon, or nothing if the message would repeat only a part of it.
func quoted(text []byte) string {
	const longest = 120
	if utf8.RuneCount(text) > longest || bytes.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ""
	}
	return ": " + quote(string(text))
}

// quote puts a text in the quotes that need the least change.
func quote(text string) string {
	if strings.ContainsAny(text, `"\`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return strconv.Itoa(n) + " spaces"
}

func longKey(span source.Span) source.Problem {
	return mistake(span, "This key is too long: YAML allows %d characters. Shorten it, or put all of it"+
		" in quotes if it is text.", maxKey)
}

func missingKey(i int) source.Problem {
	return mistake(source.Span{Start: i, End: i + 1},
		"There is no key before this colon. Add one, or put the text in quotes if it starts with a colon.")
}

// missingDash reports the line of i, which has no dash where a list has its dashes.
// closed is what the line closed, such as the keys of the last item.
func missingDash(f *source.File, i int, list *level, closed []*level) source.Problem {
	span, start := restOfLine(f.Data, i), f.Position(list.start)
	if len(closed) == 0 || closed[len(closed)-1].kind != ':' {
		return mistake(span, "The list that begins in line %d has a dash before each item, but this line has none."+
			" Add a dash and a space before it, or indent it like the lines it belongs to.", start.Line)
	}
	first := closed[len(closed)-1].start
	key := f.Position(first)
	name, _, _ := strings.Cut(f.Text(restOfLine(f.Data, first)), ":")
	switch {
	case strings.HasPrefix(f.Text(span), name+":"):
		return mistake(span, "This line has no dash, but %s begins a list item, as in line %d. Add a dash and a space before it.",
			shown([]byte(name)), key.Line)
	case isDigit(f.Data[i]) && isDigit(f.Data[first]):
		return mistake(span, "Line %d has a dash, but this line has none: these are the keys of one group, not a list. Remove the dash in line %[1]d.", key.Line)
	}
	return mistake(span, "This line is indented with %s, but the keys of the list item in line %d are indented with %[3]s. Indent it with %[3]s."+
		" If it begins a new item, add a dash and a space before it.", spaces(f.Position(i).Column-1), key.Line,
		spaces(key.Column-1))
}

// keyAt is the key that begins at i, or "".
func keyAt(f *source.File, i int) string {
	name, _, found := strings.Cut(f.Text(restOfLine(f.Data, i)), ":")
	if !found {
		return ""
	}
	return name
}

// firstDash reports the keys of the first item of a list, which have no dash. The next item begins
// with the dash at i.
func firstDash(f *source.File, keys *level, i int) source.Problem {
	first, dash := oneLineKey(f, keys.start), f.Position(i)
	advice := fmt.Sprintf("Replace the space in column %d with a dash", dash.Column)
	if keys.col < dash.Column+len("-") { // the keys have no room for a dash
		advice = fmt.Sprintf("Write a dash and a space before it, and begin its other lines with %s more", spaces(len("- ")))
	}
	p := mistake(first,
		"A dash is missing before %s: the next item of its list has one, in line %d. %s.",
		shown([]byte(f.Text(first))), dash.Line, advice)
	p.Related = []source.Related{{Span: oneCharacter(f.Data, i), Message: "the next item"}}
	return p
}

func oneLineKey(f *source.File, i int) source.Span {
	return source.Span{Start: i, End: i + len(strings.TrimRight(keyAt(f, i), " "))}
}

// itemWithoutDash reports the line of i, which follows a complete text in quotes in a list.
func itemWithoutDash(f *source.File, i int, list *level) source.Problem {
	start := f.Position(list.start)
	return mistake(restOfLine(f.Data, i), "A dash is missing before this. Begin the line with %s, a dash, and a space, as in line %d."+
		" If it continues the text above, put it inside the quotes there.", spaces(start.Column-1), start.Line)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// strayIndent reports the line of i, whose indentation matches none of the lines
// above that it can belong to: those where near start. afterValue says that it
// follows a complete value.
func strayIndent(f *source.File, i int, near []*level, afterValue bool) source.Problem {
	var fits []string
	var related []source.Related
	for _, n := range near {
		fits = append(fits, fmt.Sprintf("%s like line %d", spaces(n.col), f.Position(n.start).Line))
		related = append(related, source.Related{
			Span: oneCharacter(f.Data, n.start), Message: "indented with " + spaces(n.col),
		})
	}
	more := ""
	if afterValue {
		more = " If it continues the text above, put it inside the quotes there or indent it like that text."
	}
	p := mistake(restOfLine(f.Data, i), "This line is indented with %s, which matches no line above. Indent it with %s.%s",
		spaces(f.Position(i).Column-1), strings.Join(fits, " or "), more)
	p.Related = related
	return p
}

func unclosedBracket(data []byte, i int) source.Problem {
	return mistake(oneCharacter(data, i),
		"This bracket is never closed. Add %c where its content ends, or put the text in quotes if it starts with a bracket.",
		closing(data[i]))
}

// closing is the bracket that closes open: in ASCII, two further on.
func closing(open byte) byte { return open + 2 }
