package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// The words for what is not YAML. Each says what to write instead.

func mistake(span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: CodeSyntax, Span: span, Message: fmt.Sprintf(format, args...)}
}

// excerptLen is how many characters of the file a message repeats.
const excerptLen = 50

// excerpt is the text as a message can show it: on one line, not too long, and
// with what can't be seen as its code.
func excerpt(text []byte) string {
	var b strings.Builder
	n := 0
	for _, r := range string(text) {
		switch {
		case n == excerptLen:
			return b.String() + "…"
		case isSpaceRune(r):
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

// shown is the excerpt in quotes that no YAML has.
func shown(text []byte) string { return "“" + excerpt(text) + "”" }

func isSpaceRune(r rune) bool { return r < utf8.RuneSelf && isSpace(byte(r)) }

// restOfLine is the span from i to the end of its line, without blanks.
func restOfLine(data []byte, i int) source.Span {
	rest := bytes.TrimRight(data[i:lineEnd(data, i)], " \t")
	return source.Span{Start: i, End: i + len(rest)}
}

// oneCharacter is the span of the character at i.
func oneCharacter(data []byte, i int) source.Span {
	_, size := utf8.DecodeRune(data[i:])
	return source.Span{Start: i, End: i + size}
}

func tabIndent(data []byte, i int) source.Problem {
	tabs := len(data[i:]) - len(bytes.TrimLeft(data[i:], "\t"))
	return mistake(source.Span{Start: i, End: i + tabs},
		"Replace the tab by spaces: YAML indents with spaces only.")
}

func unclosedQuote(data []byte, i int) source.Problem {
	hint := ""
	if data[i] == '\'' {
		hint = " An apostrophe inside of single quotes is written twice ('')."
	}
	return mistake(oneCharacter(data, i),
		"This quote is never closed. Write %c at the end of the text, too.%s", data[i], hint)
}

func unknownEscape(data []byte, i int) source.Problem {
	span := source.Span{Start: i, End: oneCharacter(data, i+1).End}
	escape := excerpt(data[span.Start:span.End])
	n := hexDigits[data[span.End-1]]
	if n == 0 {
		return mistake(span, "%s means nothing in double quotes. Use single quotes, which leave a backslash as it is: '…%s…'.",
			escape, escape)
	}
	digits := 0
	for digits < n && span.End < len(data) && hexValue(data[span.End:span.End+1]) >= 0 {
		digits++
		span.End++
	}
	if digits < n {
		return mistake(span, "%s needs %d digits (0-9, a-f) after it. For a backslash in the text, use single quotes"+
			" instead of double ones.", escape, n)
	}
	return mistake(span, "%s is not a character. Write the character itself, without a backslash.",
		excerpt(data[span.Start:span.End]))
}

// textAfter words what is wrong with the text at i, which follows the complete
// value last.
func textAfter(f *source.File, last source.Span, i int) source.Problem {
	rest := restOfLine(f.Data, i)
	text := shown(f.Data[rest.Start:rest.End])
	first := f.Data[last.Start]
	isQuote := first == '"' || first == '\''
	switch {
	case isQuote && bytes.IndexByte(f.Data[last.Start:last.End], '\n') >= 0:
		p := mistake(oneCharacter(f.Data, last.Start),
			"This quote is closed only in line %d, before %s. Close it where its text ends.", f.Position(last.End).Line, text)
		p.Related = []source.Related{{Span: source.Span{Start: last.End - 1, End: last.End}, Message: "closed here"}}
		return p
	case isQuote && f.Data[i] == ':':
		return mistake(rest, "Put a space after the colon.")
	case first == '"':
		return mistake(rest, `The text ends at the quote before %s. Put all of it in quotes, and write a quote inside of it as \".`, text)
	case first == '\'':
		return mistake(rest, "The text ends at the quote before %s. Put all of it in quotes, and write an apostrophe"+
			" inside of it twice ('').", text)
	case first == '[' || first == '{':
		return mistake(rest, "%s can't follow the closing bracket. If all of it is one text, put it in quotes.", text)
	}
	return mistake(rest, "%s can't follow the value before it. Remove it, or indent it like the lines that it belongs to.", text)
}

func reservedStart(data []byte, i int) source.Problem {
	if data[i] == '|' || data[i] == '>' {
		return mistake(oneCharacter(data, i),
			"After %c the text starts on the next line. Move it there, or put it in quotes if it really starts with %c.", data[i], data[i])
	}
	return mistake(oneCharacter(data, i), "A text can't start with “%c”. Put it in quotes.", data[i])
}

// secondColon words what is wrong with the colon behind a text that is itself
// the value of a key.
func secondColon(data []byte, text source.Span, colon int, inFlow bool) source.Problem {
	whole := data[text.Start:restOfLine(data, text.Start).End]
	if end := bytes.IndexAny(whole, ",]}"); inFlow && end >= 0 {
		whole = whole[:end]
	}
	return mistake(source.Span{Start: colon, End: colon + 1},
		"This is the second colon with a space after it, so it is unclear what the text is. Put all of it in quotes: %s.",
		quote(excerpt(whole)))
}

// quote puts a text in the quotes that need the least change.
func quote(text string) string {
	if strings.ContainsAny(text, `"\`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}

// keyOnLines words what is wrong with a text of several lines before a colon.
// atKey tells whether it starts where a key can stand.
func (c *checker) keyOnLines(span source.Span, atKey bool) source.Problem {
	f, parent := c.f, c.parent()
	switch first := f.Data[span.Start]; {
	case first == '"' || first == '\'':
		return mistake(oneCharacter(f.Data, span.Start),
			"This quote is closed only in line %d. Close it where its text ends; a key has to stand on one line.",
			f.Position(span.End).Line)
	case atKey:
		return missingColon(f.Data, restOfLine(f.Data, span.Start))
	}
	lastLine := span.Start + bytes.LastIndexByte(f.Data[span.Start:span.End], '\n') + 1
	key := skipBlanks(f.Data, lastLine)
	line := f.Position(span.Start).Line
	for _, p := range c.popped {
		if p.kind == ':' && p.col == key-lastLine {
			start := skipBlanks(f.Data, f.LineSpan(line).Start)
			return mistake(restOfLine(f.Data, start), "This line is indented with %s, but line %d above and the line below with %[3]s. Indent it with %[3]s.",
				spaces(f.Position(start).Column-1), f.Position(p.start).Line, spaces(p.col))
		}
	}
	return mistake(source.Span{Start: key, End: span.End},
		"This line is indented deeper than line %d, so it reads as more of the text there. Indent it with %s;"+
			" or, if it is more of the text, put all of the text in quotes.",
		line, spaces(max(parent, 0)))
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return strconv.Itoa(n) + " spaces"
}

func longKey(span source.Span) source.Problem {
	return mistake(span, "This key is longer than the %d characters that YAML allows. Shorten it, or put all of it"+
		" in quotes if it is a text.", maxKey)
}

func missingKey(i int) source.Problem {
	return mistake(source.Span{Start: i, End: i + 1},
		"There is no key before this colon. Write one, or put the text in quotes if it starts with a colon.")
}

// tightColon is a key and a value without the space between; http://x is none.
var tightColon = regexp.MustCompile(`^([^\s:]+):([^/].*)$`)

func missingColon(data []byte, span source.Span) source.Problem {
	line := source.Span{Start: span.Start, End: min(span.End, restOfLine(data, span.Start).End)}
	text := data[line.Start:line.End]
	if m := tightColon.FindSubmatch(text); m != nil {
		return mistake(line, "Put a space after the colon: %s: %s", excerpt(m[1]), excerpt(m[2]))
	}
	return mistake(line, "A key has to stand here, and %s has no colon after it. Add the colon, or indent the line"+
		" if it belongs to the one above.", shown(text))
}

// missingDash words what is wrong with the line of i, which stands where a list
// has its dashes. popped is what it closed, such as the keys of the last item.
func missingDash(f *source.File, i int, list frame, popped []frame) source.Problem {
	span, start := restOfLine(f.Data, i), f.Position(list.start)
	if len(popped) == 0 || popped[len(popped)-1].kind != ':' {
		return mistake(span, "The list that begins in line %d has a dash before each item, and this line has none."+
			" Write a dash and a space before it, or indent it like the lines that it belongs to.", start.Line)
	}
	first := popped[len(popped)-1].start
	key := f.Position(first)
	name, _, _ := strings.Cut(f.Text(restOfLine(f.Data, first)), ":")
	switch {
	case strings.HasPrefix(f.Text(span), name+":"):
		return mistake(span, "This line has no dash, and %s begins an item of the list, as in line %d. Write a dash and a space before it.",
			shown([]byte(name)), key.Line)
	case isDigit(f.Data[i]) && isDigit(f.Data[first]):
		return mistake(span, "Line %d has a dash, and this line has none: these are the keys of one group, not a list. Remove the dash in line %[1]d.", key.Line)
	}
	return mistake(span, "This line is indented with %s, but the keys of the list item in line %d with %[3]s. Indent it with %[3]s."+
		" If it begins an item of its own, write a dash and a space before it.", spaces(f.Position(i).Column-1), key.Line, spaces(key.Column-1))
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func dashBesideKeys(i int) source.Problem {
	return mistake(source.Span{Start: i, End: i + 1},
		"A list item can't stand beside keys. Remove the dash if this is one of the keys. If it is a list item, indent it below its key.")
}

func dashAfterKey(data []byte, i int) source.Problem {
	return mistake(restOfLine(data, i),
		"A list starts on a line of its own. Move it to the next line, or put it in quotes if it is a text.")
}

// strayIndent words what is wrong with the line of i, which is not indented
// like any of the lines above that it can belong to: those where near start.
// afterValue tells that it follows a complete value.
func strayIndent(f *source.File, i int, near []frame, afterValue bool) source.Problem {
	var fits []string
	var related []source.Related
	for _, n := range near {
		fits = append(fits, fmt.Sprintf("%s like line %d", spaces(n.col), f.Position(n.start).Line))
		related = append(related, source.Related{Span: oneCharacter(f.Data, n.start), Message: "indented with " + spaces(n.col)})
	}
	more := ""
	if afterValue {
		more = " If it is more of the text above, put it inside of the quotes there or indent it like that text."
	}
	p := mistake(restOfLine(f.Data, i), "This line is indented with %s, which fits no line above. Indent it with %s.%s",
		spaces(f.Position(i).Column-1), strings.Join(fits, " or "), more)
	p.Related = related
	return p
}

func unclosedBracket(data []byte, i int) source.Problem {
	return mistake(oneCharacter(data, i),
		"This bracket is never closed. Write %c where its content ends; or, if a text starts with it, put the text in quotes.",
		closing(data[i]))
}

// closing is the bracket that closes open: in ASCII, two further on.
func closing(open byte) byte { return open + 2 }

func wrongBracket(data []byte, i, open int) source.Problem {
	p := mistake(oneCharacter(data, i), "This bracket is %c, but %c has to close the one that was opened last. Write that one.",
		data[i], closing(data[open]))
	p.Related = []source.Related{{Span: oneCharacter(data, open), Message: "opened here"}}
	return p
}

func missingComma(data []byte, i int) source.Problem {
	return mistake(oneCharacter(data, i), "Put a comma before this: commas separate what stands in brackets."+
		" If it is more of the text before, put all of the text in quotes.")
}

func emptyItem(i int) source.Problem {
	return mistake(source.Span{Start: i, End: i + 1},
		"There is nothing before this comma. Remove it, or put the text in quotes if it starts with a comma.")
}

func dashInBrackets(i int) source.Problem {
	return mistake(source.Span{Start: i, End: i + 1},
		"In brackets, commas separate the items, not dashes. Remove the dash, or put the text in quotes if it starts with one.")
}

func questionMark(data []byte, i int) source.Problem {
	return mistake(source.Span{Start: i, End: i + 1},
		"Put the text with this question mark in quotes: in brackets, a question mark means something else to YAML.")
}

// libraryError takes an error of yaml.v3 apart into line and text.
var libraryError = regexp.MustCompile(`(?s)^(?:yaml: )?(?:line ([0-9]+): )?(.*)$`)

// unknownMistake is for an error of yaml.v3 whose cause explain doesn't find.
func unknownMistake(f *source.File, err error) source.Problem {
	if errors.Is(err, errReaderFault) {
		return mistake(f.LineSpan(1),
			"The file could not be read. This is a fault of this program, not of the file: please report it, with the file.")
	}
	m := libraryError.FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(m[1])
	return mistake(f.LineSpan(max(line, 1)), "The file is not YAML in this line or just above: %s.", excerpt([]byte(m[2])))
}
