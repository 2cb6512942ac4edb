package yamltree

import (
	"bytes"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// NodeKind is the shape of a Node. The zero NodeKind is invalid.
type NodeKind uint8

const (
	// Mapping is a list of keys with values.
	Mapping NodeKind = iota + 1
	// Sequence is a list of values.
	Sequence
	// Scalar is a single value, such as a text or a number.
	Scalar
)

// Type is the type of a scalar in the core schema of YAML 1.2 (section 10.3.2 of
// its specification). Quoted and block scalars are always String. Mappings and
// sequences have the zero Type.
type Type uint8

const (
	// String is a text.
	String Type = iota + 1
	// Integer is a whole number, such as 12, 0o14 or 0xC.
	Integer
	// Float is any other number, including .inf and .nan.
	Float
	// Bool is true or false.
	Bool
	// Null is null, ~, or nothing.
	Null
)

// Style is how a value is written.
type Style uint8

const (
	// Plain is a scalar without quotes.
	Plain Style = iota + 1
	// SingleQuoted is a scalar in single quotes.
	SingleQuoted
	// DoubleQuoted is a scalar in double quotes, with escapes.
	DoubleQuoted
	// Literal is a block scalar after |, which keeps its line breaks.
	Literal
	// Folded is a block scalar after >, which joins its lines.
	Folded
	// Block is a mapping or sequence by indentation.
	Block
	// Flow is a mapping or sequence in brackets.
	Flow
)

// Node is one value of a file. Callers must not change it.
type Node struct {
	Kind  NodeKind
	Type  Type
	Style Style
	// Ambiguous reports whether parsers of YAML 1.1, such as PyYAML or Psych, read a
	// plain scalar as another type or value than parsers of 1.2: no, 010, 1_000,
	// 12:30, 2024-01-31.
	Ambiguous bool

	parent int32 // column of what is around a scalar, as of a level

	// Value is the text of a scalar without quotes, escapes, indentation, and
	// folding. Nothing else is changed, so 1.10 stays "1.10".
	Value string
	// Span is the place of the value, including quotes and brackets. A block scalar
	// extends from its | or > to the end of its last line of text, and a mapping or
	// sequence by indentation from its first key or - to the end of its last value.
	// An empty value has an empty span right after the colon or the dash.
	Span source.Span
	// Entries are the keys and values of a mapping in the order of the file,
	// including repeated keys.
	Entries []KeyValue
	// Items are the values of a sequence.
	Items []*Node
}

// KeyValue is one key of a mapping with its value. The key is always a scalar.
type KeyValue struct {
	Key, Value *Node
}

// Get returns the value of the first entry whose key has the text key. It returns
// nil if there is no such entry, or if n is nil or not a mapping.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Value == key {
			return e.Value
		}
	}
	return nil
}

// Comment is one comment.
type Comment struct {
	// Span extends from the # to the end of the line, without the line ending.
	Span source.Span
	// Text is the text after the #, without surrounding blanks.
	Text string
}

// Tree is the content of one file.
type Tree struct {
	File *source.File
	Root *Node
	// Comments are all comments of a file of YAML in order.
	Comments []Comment
}

// Text is the value of a scalar, or "" if n is nil or not a scalar.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.Value
}

// List has the values of a sequence. It is empty if n is nil or not a sequence.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// IsTrue reports whether n reads as true.
func (n *Node) IsTrue() bool { return strings.EqualFold(n.Text(), "true") }

// EachScalar calls do for the keys and single values of a tree in order. A nil node
// has none.
func (n *Node) EachScalar(do func(n *Node, isKey bool)) {
	if n == nil {
		return
	}
	for _, e := range n.Entries {
		do(e.Key, true)
		e.Value.EachScalar(do)
	}
	for _, item := range n.Items {
		item.EachScalar(do)
	}
	if n.Kind == Scalar {
		do(n, false)
	}
}

// IsEscaped reports whether a text has escapes.
func (t *Tree) IsEscaped(n *Node) bool {
	return n.Style == DoubleQuoted && bytes.IndexByte(t.File.Data[n.Span.Start:n.Span.End], '\\') >= 0
}

// The numbers of YAML 1.2's core schema.
var (
	integer12 = lazy.Expr(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	float12   = lazy.Expr(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?` +
		`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// agreed is the numbers of YAML 1.2 that parsers of 1.1 read as the same number. It
// excludes these: in 1.1, a leading 0 makes an octal number (but 07 is 7), 0o is
// unknown, an exponent needs a point and a sign, and PyYAML reads no sign before a
// point.
var agreed = lazy.Expr(`^(?:[-+]?(?:[1-9][0-9]*|0+[0-7]?)|0x[0-9a-fA-F]+` +
	`|(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?` +
	`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)

// old11 is the numbers, times, and dates of YAML 1.1 that are text in 1.2, in the
// widest sense of its type repository (yaml.org/type), of PyYAML, and of Ruby's Psych,
// which also reads 1,000 as a number.
var old11 = lazy.Expr(`^(?:` +
	`[-+]?0b[01_]+` + // binary
	`|[-+]?0x[0-9a-fA-F_]+` +
	`|[-+]?[0-9](?:[0-9_]|,[0-9])*` + // 1_000, and octal 0_17
	`|[-+]?(?:[0-9](?:[0-9_]|,[0-9])*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?` +
	`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?` + // base 60
	`|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?` +
	`(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?` +
	`)$`)

// resolve returns the type of a plain scalar in YAML 1.2, and reports whether parsers
// of YAML 1.1 read something else.
func resolve(text string) (t Type, ambiguous bool) {
	if text == "" {
		return Null, false
	}
	switch c := text[0]; {
	case '0' <= c && c <= '9', c == '.', c == '+', c == '-':
		return resolveNumber(text)
	case len(text) <= len("false"):
		return resolveWord(text)
	}
	return String, false
}

func resolveNumber(text string) (t Type, ambiguous bool) {
	if len(text) == 1 && '0' <= text[0] && text[0] <= '9' {
		return Integer, false // the keys of all anchors
	}
	switch {
	case integer12().MatchString(text):
		return Integer, !agreed().MatchString(text)
	case float12().MatchString(text):
		return Float, !agreed().MatchString(text)
	}
	return String, old11().MatchString(text)
}

// resolveWord recognizes the words of YAML 1.2 in their three spellings. YAML 1.1 has
// more words, and Ruby accepts any mix of uppercase and lowercase.
func resolveWord(text string) (t Type, ambiguous bool) {
	switch text {
	case "null", "Null", "NULL", "~":
		return Null, false
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool, false
	}
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n",
		"=", "<<": // two types that only 1.1 has: default value and merge
		return String, true
	}
	return String, false
}
