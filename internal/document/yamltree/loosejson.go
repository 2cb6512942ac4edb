package yamltree

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Notation is a notation of JSON.
type Notation int

// Each notation has what the one before it has.
const (
	JSON  Notation = iota // RFC 8259
	JSONC                 // comments, and a comma after the last element
	JSON5                 // https://spec.json5.org
)

// maxLooseDepth is the maximum nesting of a loose file of JSON.
const maxLooseDepth = 1000

// ParseLooseJSON reads the value of a file from outside a library in a notation of JSON. As for
// ParseLoose, the limits on size and characters are those of Parse, and repeated keys are a problem.
// Without a value, at least one problem says why.
func ParseLooseJSON(f *source.File, notation Notation) (*Loose, []source.Problem) {
	if problems := CheckText(f); len(problems) > 0 {
		return nil, problems
	}
	if notation == JSON && !json.Valid(f.Data) {
		problem := invalidJSON("file", f.Data)
		if loose, _ := ParseLooseJSON(f, JSONC); loose != nil {
			problem.Message = "JSON has no comments, and no comma after the last element. Remove them, or name the file .jsonc or .json5."
		}
		return nil, []source.Problem{problem}
	}
	r := &looseJSONReader{file: f, text: string(f.Data), notation: notation, last: source.Position{Line: 1, Column: 1}}
	r.space()
	if r.at == len(r.text) && !r.failed {
		return nil, []source.Problem{emptyFile()}
	}
	value := r.value(1)
	r.space()
	if r.at < len(r.text) {
		r.fail(CodeSecondDocument, "Extra content after the first value: only one value is allowed. Remove the rest.")
	}
	if r.failed {
		return nil, r.problems
	}
	return value, inOrder(r.problems)
}

// looseJSONReader reads values. After a failure, it is at the end of the text.
type looseJSONReader struct {
	file     *source.File
	text     string
	at       int // the next byte
	notation Notation
	failed   bool
	problems []source.Problem

	// last is the position of the byte at lastAt.
	last   source.Position
	lastAt int
}

// fail stops reading.
func (r *looseJSONReader) fail(code, message string) {
	if !r.failed {
		r.problems = []source.Problem{refuse(code, oneCharacter(r.file.Data, r.at), "%s", message)}
		r.failed, r.at = true, len(r.text)
	}
}

// failUnexpected fails at the next character.
func (r *looseJSONReader) failUnexpected(expected string) {
	found := "the end of the file"
	if r.at < len(r.text) {
		found = shown(r.file.Data[r.at : r.at+oneCharacter(r.file.Data, r.at).Len()])
	}
	r.fail(CodeJSON, "Expected "+expected+", got "+found+".")
}

// position is the position of the next byte.
func (r *looseJSONReader) position() source.Position {
	for _, c := range r.text[r.lastAt:r.at] {
		r.last.Column++
		if c == '\n' {
			r.last = source.Position{Line: r.last.Line + 1, Column: 1}
		}
	}
	r.lastAt = r.at
	return r.last
}

// take moves behind a text if it is next, and reports whether it is.
func (r *looseJSONReader) take(text string) bool {
	if !strings.HasPrefix(r.text[r.at:], text) {
		return false
	}
	r.at += len(text)
	return true
}

// space moves to the next character that is not in a comment or a space.
func (r *looseJSONReader) space() {
	for r.at < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[r.at:])
		switch {
		case strings.ContainsRune(" \t\r\n", c),
			r.notation == JSON5 && (unicode.IsSpace(c) && c != '\u0085' || c == '\ufeff'):
			r.at += size
		case r.notation > JSON && strings.HasPrefix(r.text[r.at:], "//"):
			r.at += len(r.text[r.at:]) - len(afterLine(r.text[r.at:], r.notation))
		case r.notation > JSON && strings.HasPrefix(r.text[r.at:], "/*"):
			end := strings.Index(r.text[r.at+2:], "*/")
			if end < 0 {
				r.fail(CodeJSON, `This comment has no end: expected "*/".`)
				return
			}
			r.at += 2 + end + 2
		default:
			return
		}
	}
}

// afterLine is the text from the end of its first line on.
func afterLine(text string, notation Notation) string {
	ends := "\r\n"
	if notation == JSON5 {
		ends = "\r\n\u2028\u2029"
	}
	end := strings.IndexAny(text, ends)
	if end < 0 {
		return ""
	}
	return text[end:]
}

func (r *looseJSONReader) value(depth int) *Loose {
	r.space()
	n := &Loose{Kind: Scalar, Type: String, At: r.position()}
	switch {
	case depth > maxLooseDepth:
		r.fail(CodeDepth, tooDeep(r.file, r.at, maxLooseDepth).Message)
	case r.take("{"):
		n.Kind, n.keys = Mapping, map[string]*Loose{}
		r.elements("}", func() { r.entry(n, depth) })
	case r.take("["):
		n.Kind = Sequence
		r.elements("]", func() { n.Items = append(n.Items, r.value(depth+1)) })
	case r.atQuote():
		n.Value = r.readQuoted()
	default:
		r.readPlain(n)
	}
	return n
}

// elements reads elements, with commas between them, up to the closing bracket.
func (r *looseJSONReader) elements(closing string, read func()) {
	for r.space(); !r.failed && !r.take(closing); r.space() {
		read()
		r.space()
		if !r.take(",") && !strings.HasPrefix(r.text[r.at:], closing) {
			r.failUnexpected("a comma or " + closing)
		}
	}
}

func (r *looseJSONReader) entry(n *Loose, depth int) {
	start, at := r.at, r.position()
	key := r.key()
	r.space()
	if !r.take(":") {
		r.failUnexpected("a colon after the key")
	}
	if value := r.value(depth + 1); !r.failed && !n.add(LooseEntry{key, at, value}) && len(r.problems) < maxRepeated {
		r.problems = append(r.problems, refuse(CodeDuplicateKey, source.Span{Start: start, End: start},
			"The key %s is repeated. Remove all but one: some programs use the first, others the last.", shown([]byte(key))))
	}
}

func (r *looseJSONReader) key() string {
	if r.atQuote() {
		return r.readQuoted()
	}
	word := r.word()
	if r.notation < JSON5 || !identifier().MatchString(word) {
		r.failUnexpected("a key in double quotation marks")
		return ""
	}
	r.at += len(word)
	var key string
	if err := json.Unmarshal([]byte(`"`+word+`"`), &key); err != nil || !plainName().MatchString(key) {
		r.fail(CodeJSON, "The key "+shown([]byte(word))+" is not a name. Write it in quotation marks.")
	}
	return key
}

// word is the text up to the next space, comment, quotation mark, or sign between values.
func (r *looseJSONReader) word() string {
	isEnd := func(c rune) bool { return strings.ContainsRune("{}[],:/\"'", c) || unicode.IsSpace(c) || c == '\ufeff' }
	if end := strings.IndexFunc(r.text[r.at:], isEnd); end >= 0 {
		return r.text[r.at : r.at+end]
	}
	return r.text[r.at:]
}

var (
	// identifier is a name of ECMAScript 5.1 in which characters can be escaped.
	identifier = lazy.Expr(`^(?:[\pL\p{Nl}$_]|\\u[0-9A-Fa-f]{4})(?:[\pL\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$_\x{200c}\x{200d}]|\\u[0-9A-Fa-f]{4})*$`)
	plainName  = lazy.Expr(`^[\pL\p{Nl}$_][\pL\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$_\x{200c}\x{200d}]*$`)
	number     = lazy.Expr(`^[+-]?(?:Infinity|NaN|0[xX][0-9A-Fa-f]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$`)
)

// readPlain reads a number, true, false, or null.
func (r *looseJSONReader) readPlain(n *Loose) {
	n.Value = r.word()
	switch {
	case n.Value == "null":
		n.Type = Null
	case n.Value == "true" || n.Value == "false":
		n.Type = Bool
	case n.Value != "" && (json.Valid([]byte(n.Value)) || r.notation == JSON5 && number().MatchString(n.Value)):
		n.Type = Float
	default:
		r.failUnexpected("a value")
	}
	if !r.failed {
		r.at += len(n.Value)
	}
}
