package yamltree

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// CodeJSON is the problem of a file that is not JSON.
const CodeJSON = "json-syntax"

// ParseJSON reads JSON of at most limit bytes as Parse reads YAML. noun is the word for what
// contains the JSON, such as "file" or "line". Not all
// JSON is YAML: surrogate escapes and indentation with tabs are not. Repeated keys
// are a problem that still gives a tree, as in YAML. A number keeps its digits as
// written.
func ParseJSON(noun string, f *source.File, limit int) (*Tree, []source.Problem) {
	if f.Size() > limit {
		return nil, []source.Problem{refuse(CodeTooLarge, source.Span{},
			"The %s has %d bytes: at most %d are allowed. Shorten its texts.", noun, f.Size(), limit)}
	}
	if i := invalidUTF8(f.Data); i >= 0 {
		return nil, []source.Problem{refuse(CodeEncoding, source.Span{Start: i, End: i + 1}, "This is not UTF-8. Save the file as UTF-8.")}
	}
	r := &jsonReader{noun: noun, data: f.Data, tokens: json.NewDecoder(bytes.NewReader(f.Data))}
	r.tokens.UseNumber()
	root, err := r.value(1)
	rest := bytes.TrimLeft(f.Data[r.tokens.InputOffset():], " \t\r\n")
	if err == nil && len(rest) > 0 {
		r.at, err = len(f.Data)-len(rest), errJSONMore
	}
	if err != nil {
		return nil, []source.Problem{r.explain(err)}
	}
	return &Tree{File: f, Root: root}, inOrder(duplicateKeys(root))
}

// invalidUTF8 is the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\uFFFD")) {
			return i
		}
	}
	return -1
}

// jsonReader builds nodes from the tokens of encoding/json.
type jsonReader struct {
	noun   string // for what contains the JSON
	data   []byte
	tokens *json.Decoder
	at     int // where the last token began
}

var (
	errJSONDepth = errors.New("nested too deeply")
	errJSONMore  = errors.New("more than one value")
)

// next returns a token and the bytes that it is written with.
func (r *jsonReader) next() (json.Token, source.Span, error) {
	// The decoder checks the commas and colons.
	r.at = int(r.tokens.InputOffset())
	for r.at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[r.at]) >= 0 {
		r.at++
	}
	token, err := r.tokens.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return token, source.Span{Start: r.at, End: int(r.tokens.InputOffset())}, err
}

func (r *jsonReader) value(depth int) (*Node, error) {
	token, span, err := r.next()
	if err != nil {
		return nil, err
	}
	scalar := &Node{Kind: Scalar, Style: Plain, Span: span, Value: string(r.data[span.Start:span.End])}
	switch token := token.(type) {
	case json.Delim:
		if depth > MaxDepth {
			return nil, errJSONDepth
		}
		return r.group(token, span, depth)
	case string:
		scalar.Type, scalar.Style, scalar.Value = String, DoubleQuoted, token
	case json.Number:
		scalar.Type = Integer
		if bytes.ContainsAny([]byte(token), ".eE") {
			scalar.Type = Float
		}
	case bool:
		scalar.Type = Bool
	case nil:
		scalar.Type = Null
	}
	return scalar, nil
}

// group reads an object or an array after its opening bracket.
func (r *jsonReader) group(open json.Delim, span source.Span, depth int) (*Node, error) {
	n := &Node{Kind: Sequence, Style: Flow, Span: span}
	if open == '{' {
		n.Kind = Mapping
	}
	for r.tokens.More() {
		first, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if n.Kind == Sequence {
			n.Items = append(n.Items, first)
			continue
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.Entries = append(n.Entries, Entry{Key: first, Value: value})
	}
	_, end, err := r.next()
	n.Span.End = end.End
	return n, err
}

// explain reports why there is no tree.
func (r *jsonReader) explain(err error) source.Problem {
	at := r.at
	var whole any
	// The decoder's offsets are those of its tokens; those of Unmarshal are exact.
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(r.data, &whole)); ok && !errors.Is(err, errJSONMore) {
		at = max(int(syntax.Offset)-1, 0)
		if strings.Contains(syntax.Error(), "unexpected end") {
			err = io.ErrUnexpectedEOF
		}
	}
	here := oneCharacter(r.data, min(at, len(r.data)))
	switch {
	case len(bytes.TrimSpace(r.data)) == 0:
		return emptyFile()
	case errors.Is(err, errJSONDepth):
		return refuse(CodeDepth, here, "The nesting is too deep here: at most %d levels of lists and objects are allowed. Reduce the nesting.", MaxDepth)
	case errors.Is(err, errJSONMore):
		return refuse(CodeSecondDocument, here, "Extra content after the first value: only one value is allowed. Remove the rest.")
	case bytes.HasPrefix(r.data[here.Start:], []byte("\ufeff")):
		return refuse(CodeEncoding, here, "Remove the invisible byte order mark (U+FEFF): JSON does not allow it.")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return refuse(CodeJSON, source.Span{Start: len(r.data), End: len(r.data)}, "The %s ends in the middle of a value: a bracket or quotation mark is not closed, or the %[1]s is truncated.", r.noun)
	}
	return refuse(CodeJSON, here, "Invalid JSON: unexpected %s. Check for a missing comma, an extra comma, or a missing quotation mark.",
		shown(r.data[here.Start:here.End]))
}
