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
const (
	tabIndents     = "Replace the tab by spaces: YAML indents with spaces only."
	blankMissing   = "Put a space after the colon."
	blockStart     = "After | or > the text starts on the next line. Move it there, or put it in quotes if it really starts with this sign."
	colonTwice     = "This is the second colon with a space after it, so it is unclear what the text is. Put the whole text in quotes."
	keyTooLong     = "This key is longer than the 1024 characters that YAML allows. Shorten it, or put all of it in quotes if it is a text."
	keyMissing     = "There is no key before this colon. Write one, or put the text in quotes if it starts with a colon."
	dashMissing    = "The lines above are a list, so this one has to start with a dash and a space, too. Add them, or indent the line like those that it belongs to."
	dashBesideKeys = "A list item can't stand beside keys. Indent it below the key that it belongs to."
	dashAfterKey   = "A list starts on a line of its own. Move it to the next line, or put it in quotes if it is a text."
	commaMissing   = "Put a comma before this: commas separate what stands in brackets. If it is more of the text before, put all of the text in quotes."
	itemMissing    = "There is nothing before this comma. Remove it, or put the text in quotes if it starts with a comma."
	dashInBrackets = "In brackets, commas separate the items, not dashes. Remove the dash, or put the text in quotes if it starts with one."
	questionMark   = "Put the text with this question mark in quotes: in brackets, a question mark means something else to YAML."
)

func mistake(span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: CodeSyntax, Span: span, Message: fmt.Sprintf(format, args...)}
}

// mistakeAt is a mistake of the character at i.
func mistakeAt(data []byte, i int, format string, args ...any) source.Problem {
	return mistake(oneCharacter(data, i), format, args...)
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

func unclosedQuote(data []byte, i int) source.Problem {
	return mistakeAt(data, i, "This quote is never closed. Write %c at the end of the text, too. An apostrophe inside of single quotes is written twice ('').", data[i])
}

// unknownEscape words what is wrong with the backslash at i, which starts no
// character that YAML knows. Its digits, if it has any, are in the span.
func unknownEscape(data []byte, i int) source.Problem {
	span := source.Span{Start: i, End: oneCharacter(data, i+1).End}
	for n := hexDigits[data[i+1]]; n > 0 && span.End < len(data) && hexValue(data[span.End:span.End+1]) >= 0; n-- {
		span.End++
	}
	return mistake(span, "%s means nothing in double quotes. For a backslash in the text, use single quotes;"+
		" for a character, write the character itself.", excerpt(data[span.Start:span.End]))
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
		p := mistakeAt(f.Data, last.Start,
			"This quote is closed only in line %d, before %s. Close it where its text ends.", f.Position(last.End).Line, text)
		p.Related = []source.Related{{Span: source.Span{Start: last.End - 1, End: last.End}, Message: "closed here"}}
		return p
	case isQuote && f.Data[i] == ':':
		return mistake(rest, blankMissing)
	case isQuote:
		return mistake(rest, "The text ends at the quote before %s. Put all of it in quotes, and write a quote inside of it as"+
			` \", or an apostrophe inside of single quotes twice ('').`, text)
	}
	return mistake(rest, "%s can't follow the value before it. If all of it is one text, put it in quotes; or else remove it,"+
		" or indent it like the lines that it belongs to.", text)
}

func reservedStart(data []byte, i int) source.Problem {
	if data[i] == '|' || data[i] == '>' {
		return mistakeAt(data, i, blockStart)
	}
	return mistakeAt(data, i, "A text can't start with “%c”. Put it in quotes.", data[i])
}

// keyOnLines words what is wrong with a text of several lines before a colon.
// atKey tells whether it starts where a key can stand, parent is the column of
// the keys around it.
func keyOnLines(f *source.File, span source.Span, atKey bool, parent int) source.Problem {
	switch first := f.Data[span.Start]; {
	case first == '"' || first == '\'':
		return mistakeAt(f.Data, span.Start,
			"This quote is closed only in line %d. Close it where its text ends; a key has to stand on one line.",
			f.Position(span.End).Line)
	case atKey:
		return missingColon(f.Data, restOfLine(f.Data, span.Start))
	}
	lastLine := span.Start + bytes.LastIndexByte(f.Data[span.Start:span.End], '\n') + 1
	return mistake(source.Span{Start: skipBlanks(f.Data, lastLine), End: span.End},
		"This line is indented deeper than line %d, so it reads as more of the text there. Indent it with %s;"+
			" or, if it is more of the text, put all of the text in quotes.",
		f.Position(span.Start).Line, spaces(max(parent, 0)))
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return strconv.Itoa(n) + " spaces"
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

// strayIndent words what is wrong with the line of i, which is not indented
// like any of the lines above that it can belong to: those where near start.
func strayIndent(f *source.File, i int, near ...frame) source.Problem {
	var fits []string
	var related []source.Related
	for _, n := range near {
		fits = append(fits, fmt.Sprintf("%s like line %d", spaces(n.col), f.Position(n.start).Line))
		related = append(related, source.Related{Span: oneCharacter(f.Data, n.start), Message: "indented with " + spaces(n.col)})
	}
	p := mistake(restOfLine(f.Data, i), "This line is indented with %s, which fits no line above. Indent it with %s;"+
		" or, if it is more of the text above, put all of the text in quotes.",
		spaces(f.Position(i).Column-1), strings.Join(fits, " or "))
	p.Related = related
	return p
}

func unclosedBracket(data []byte, i int) source.Problem {
	return mistakeAt(data, i,
		"This bracket is never closed. Write %c where its content ends; or, if a text starts with it, put the text in quotes.",
		closing(data[i]))
}

// closing is the bracket that closes open: in ASCII, two further on.
func closing(open byte) byte { return open + 2 }

func wrongBracket(data []byte, i, open int) source.Problem {
	p := mistakeAt(data, i, "This bracket is %c, but %c has to close the one that was opened last. Write that one.",
		data[i], closing(data[open]))
	p.Related = []source.Related{{Span: oneCharacter(data, open), Message: "opened here"}}
	return p
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
