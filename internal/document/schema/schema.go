// Package schema defines a kind of document once, as data: a tree of fields with
// their types, limits, defaults, meaning, and the effect of a change on a verdict.
// From that data it derives the structural checks, the canonical JSON, and the
// JSON Schema for editors. The reference page and the tables of the clients are
// generated from it in internal/dev/generated.
//
// It is independent of rubrics: the tables are in package document.
package schema

// Shape is the basic form of a value. The zero Shape is invalid.
type Shape uint8

// The shapes that a value can have.
const (
	Text    Shape = iota + 1 // a text
	Choice                   // one of a few words
	Number                   // a decimal number
	Integer                  // a whole number
	Flag                     // true or false
	Object                   // fields with fixed keys
	List                     // elements of one type
	Map                      // texts under keys that the author chooses
)

// String names the shape as messages and the reference do.
func (s Shape) String() string {
	return [...]string{
		"invalid", "text", "word", "number", "whole number", "true or false", "group of keys",
		"list", "group of keys",
	}[s]
}

func (s Shape) article() string {
	if s == Flag || s == Text {
		return s.String()
	}
	return "a " + s.String()
}

// Value is the type of a value: its shape and its limits. Only the fields that
// apply to the shape are read.
type Value struct {
	Shape Shape
	// Noun is the word for the value or the element: "criterion".
	Noun string

	// Pattern restricts a Text, or the keys of a Map. Nil allows any. An Object with an Elem can
	// have other keys of this form.
	Pattern *Pattern
	// Blank allows a Text of spaces only. An empty text is never allowed.
	Blank bool
	// Verbatim says that a Text is for programs, or is what an artifact can contain, so that
	// a marker such as TODO can be the right text.
	Verbatim bool
	// Min is the smallest Number or Integer, or the fewest elements of a List.
	Min float64
	// Above excludes Min itself from a Number.
	Above bool
	// Max is the largest Number or Integer, the longest Text in characters, or
	// the most entries of a List or Map. 0 means no limit.
	Max float64

	// Options are the words of a Choice. If their order matters to a verdict, the
	// strictest comes first.
	Options []Option
	// IfNumber is the advice for a number instead of a word of a Choice, or "".
	IfNumber string

	// Fields are the keys of an Object, in the usual order.
	Fields []Field
	// Open allows other keys in an Object, with any value.
	Open bool
	// OneOf names keys of an Object of which exactly one is required. Those that are also in
	// Together can appear with each other.
	OneOf, Together []string
	// Variant is the key of an Object whose word selects one of the Variants, which
	// are Objects with the additional fields.
	Variant  string
	Variants map[string]*Value

	// IsCommand says that a List is a program and its arguments.
	IsCommand bool

	// Elem is the type of the elements of a List or Map, and of the other keys of an Object.
	Elem *Value
	// Identity is the key that identifies the elements of a List, such as "name".
	// If it is empty, an element is identified by its own text.
	Identity string
}

// Option is one word of a Choice.
type Option struct {
	Word string
	Doc  string
}

// Pattern is a restriction of a text.
type Pattern struct {
	// Expr is a regular expression for the whole text that means the same in Go
	// and ECMAScript.
	Expr string
	// Says completes the sentence "… must be".
	Says string
	// Suggest returns the matching text that a text without a match was probably
	// meant to be, or "". It can be nil.
	Suggest func(string) string
}

// Field is one key of an Object.
type Field struct {
	Key string
	// Doc says in one sentence what the value means. It is the hover text in
	// editors, the text of the reference, and the end of messages.
	Doc string
	// Value is the type.
	Value *Value
	// Required reports whether the key is required.
	Required bool
	// Default is the JSON text of the value that an absent optional key has, or
	// "". The canonical form omits the key if it has this value, so a default must
	// never change. An empty list, group, or map is always a default.
	Default string
	// Derive gives an absent single value, as it is written, from the other fields of
	// its object, or "" if it can't. The canonical form includes it.
	Derive func(sibling func(key string) string) string
	// Judge reports whether a judge reads the field or a field inside it.
	Judge bool
	// Spec is the requirement that the field serves, such as "RL-05".
	Spec string
	// Class is the possible effect of each change of the field on a verdict.
	Class Classes
}

// Find returns the field with that key, or nil.
func Find(fields []Field, key string) *Field {
	for i := range fields {
		if fields[i].Key == key {
			return &fields[i]
		}
	}
	return nil
}

// EmptyIsAbsent reports whether a value without elements or keys means the same as
// an absent key.
func (v *Value) EmptyIsAbsent() bool {
	switch v.Shape {
	case List, Map:
		return true
	case Object:
		for i := range v.Fields {
			if v.Fields[i].Required {
				return false
			}
		}
		return len(v.Fields) > 0
	}
	return false
}
