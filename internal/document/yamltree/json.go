package yamltree

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// CodeJSON is the problem of a file that is not JSON.
const CodeJSON = "json-syntax"

// halfPair is the message for half of a surrogate pair.
const halfPair = `This escape is half of a surrogate pair, which is not a character. Write the character itself, or both halves, such as \ud83d\ude00.`

// ParseJSON reads JSON of at most limit bytes as Parse reads YAML. noun is the word for what
// contains the JSON, such as "file" or "line". Not all JSON is YAML: surrogate escapes and
// indentation with tabs are not. Repeated keys are a problem that still gives a tree, as in YAML.
// Half of a surrogate pair is a problem. A number keeps its digits as written.
func ParseJSON(noun string, f *source.File, limit int) (*Tree, []source.Problem) {
	if f.Size() > limit {
		return nil, []source.Problem{refuse(CodeTooLarge, source.Span{},
			"The %s has %d bytes: at most %d are allowed. Shorten its texts.", noun, f.Size(), limit)}
	}
	if i := invalidUTF8(f.Data); i >= 0 {
		return nil, []source.Problem{
			refuse(CodeEncoding, source.Span{Start: i, End: i + 1}, "This is not UTF-8. Save the file as UTF-8."),
		}
	}
	if !json.Valid(f.Data) {
		return nil, []source.Problem{invalidJSON(noun, f.Data)}
	}
	if i := jsontext.HalfPair(f.Data); i >= 0 {
		return nil, []source.Problem{refuse(CodeEncoding, source.Span{Start: i, End: i + len(`\u0000`)}, halfPair)}
	}
	r := &jsonReader{text: string(f.Data), deep: -1}
	root := r.value(1)
	if r.deep >= 0 {
		return nil, []source.Problem{deepJSON(f.Data, r.deep)}
	}
	return &Tree{File: f, Root: root}, inOrder(duplicateKeys(f, root))
}

// ParseWritten reads JSON that this program wrote, in one pass and without a check of its syntax.
// From anything else it makes a tree that means nothing, or none, so the caller has to write the
// tree again and compare the bytes.
func ParseWritten(f *source.File) *Tree {
	if !utf8.Valid(f.Data) {
		return nil
	}
	r := &jsonReader{text: string(f.Data), deep: -1}
	root := r.value(1)
	if r.isCut {
		return nil
	}
	return &Tree{File: f, Root: root}
}

// invalidUTF8 is the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\uFFFD")) {
			return i
		}
	}
	return -1
}

// jsonReader builds nodes from valid JSON. Any other text gives some nodes, too.
type jsonReader struct {
	text  string
	at    int  // the next byte
	deep  int  // the bracket that is nested too deeply, where reading stopped, or -1
	isCut bool // the text ended, or reading stopped, in a value
}

// next moves to the next value or bracket, and returns its first byte, or 0 at the end of the text.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	r.isCut = true
	return 0
}

func (r *jsonReader) value(depth int) *Node {
	switch first := r.next(); first {
	case '{', '[':
		return r.group(depth)
	case '"':
		return r.string()
	default:
		return r.readPlain(first)
	}
}

func (r *jsonReader) string() *Node {
	start, escaped := r.at, false
	for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at, escaped = r.at+1, true
		}
	}
	if r.at >= len(r.text) {
		r.at, r.isCut = len(r.text), true
		return &Node{Kind: Scalar, Type: String, Span: source.Span{Start: start, End: r.at}}
	}
	r.at++
	n := &Node{
		Kind: Scalar, Type: String, Style: DoubleQuoted, Span: source.Span{Start: start, End: r.at},
		Value: r.text[start+1 : r.at-1],
	}
	if escaped {
		_ = json.Unmarshal([]byte(r.text[start:r.at]), &n.Value) // in valid JSON, it has no error
	}
	return n
}

// readPlain reads a number, true, false, or null.
func (r *jsonReader) readPlain(first byte) *Node {
	start := r.at
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n,:]}", r.text[r.at]) < 0 {
		r.at++
	}
	n := &Node{
		Kind: Scalar, Type: Integer, Style: Plain, Span: source.Span{Start: start, End: r.at},
		Value: r.text[start:r.at],
	}
	switch {
	case first == 't' || first == 'f':
		n.Type = Bool
	case first == 'n':
		n.Type = Null
	case strings.ContainsAny(n.Value, ".eE"):
		n.Type = Float
	}
	return n
}

// group reads an object or an array.
func (r *jsonReader) group(depth int) *Node {
	n := &Node{Kind: Sequence, Style: Flow, Span: source.Span{Start: r.at}}
	if depth > MaxDepth {
		r.deep, r.at, r.isCut = r.at, len(r.text), true
		return n
	}
	if r.text[r.at] == '{' {
		n.Kind = Mapping
	}
	r.at++
	for end := r.next(); end != '}' && end != ']' && !r.isCut; end = r.next() {
		if n.Kind == Sequence {
			n.Items = append(n.Items, r.value(depth+1))
		} else {
			key := r.value(depth + 1)
			n.Entries = append(n.Entries, KeyValue{key, r.value(depth + 1)})
		}
	}
	if !r.isCut {
		r.at++
	}
	n.Span.End = r.at
	return n
}

func deepJSON(data []byte, i int) source.Problem {
	return refuse(CodeDepth, oneCharacter(data, i),
		"The nesting is too deep here: at most %d levels of lists and objects are allowed. Reduce the nesting.", MaxDepth)
}

// invalidJSON reports why data is not JSON.
func invalidJSON(noun string, data []byte) source.Problem {
	at, reason := 0, ""
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, new(any))); ok {
		at, reason = max(int(syntax.Offset)-1, 0), syntax.Error()
	}
	here := oneCharacter(data, min(at, len(data)))
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return emptyFile()
	case strings.Contains(reason, "max depth"):
		return deepJSON(data, here.Start)
	case strings.Contains(reason, "after top-level value"):
		return refuse(CodeSecondDocument, here, "Extra content after the first value: only one value is allowed. Remove the rest.")
	case bytes.HasPrefix(data[here.Start:], []byte("\ufeff")):
		return refuse(CodeEncoding, here, "Remove the invisible byte order mark (U+FEFF): JSON does not allow it.")
	case strings.Contains(reason, "unexpected end"):
		return refuse(CodeJSON, source.Span{Start: len(data), End: len(data)},
			"The %s ends in the middle of a value: a bracket or quotation mark is not closed, or the %[1]s is truncated.", noun)
	}
	return refuse(CodeJSON, here, "Invalid JSON: unexpected %s. Check for a missing comma, an extra comma, or a missing quotation mark.",
		shown(data[here.Start:here.End]))
}
