package schema

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// The problems that a structural check reports.
const (
	CodeUnknownKey   = "unknown-key"
	CodeMissingKey   = "missing-key"
	CodeWrongType    = "wrong-type"
	CodeInvalidValue = "invalid-value"
	CodeBlankText    = "blank-text"
	CodeAmbiguous    = "ambiguous-text"
)

// Check compares a tree with its type and returns every structural problem, in
// file order within each object. noun is the word for the whole document, such as
// "rubric". Repeated keys are not checked: the parser reports them, and the first
// one counts.
func Check(v *Value, root *yamltree.Node, noun string) []source.Problem {
	c := checker{root: v, noun: noun, empty: map[*Path]*emptyTexts{}}
	c.value(v, root, scope{name: "The " + noun})
	return c.problems
}

type checker struct {
	root     *Value
	noun     string
	problems []source.Problem
	empty    map[*Path]*emptyTexts // by the element of a list that they are in
}

// emptyTexts are the empty values of one element, such as a criterion, which are one problem.
type emptyTexts struct {
	problem  int // its index
	names    []string
	optional bool
}

// blank reports an empty value: alone, or with those before it in the same element.
func (c *checker) blank(s scope, span source.Span, is string) {
	element := s.path.element()
	e, reported := c.empty[element], len(c.problems)
	if element == nil || e == nil {
		c.report(s, CodeBlankText, span, nil, "%s is %s. %s%s", s.subject(), is, s.advice(), s.meaning())
		if len(c.problems) == reported {
			return
		}
		e = &emptyTexts{problem: reported}
		c.empty[element] = e
	}
	e.names = append(e.names, s.subject())
	e.optional = e.optional || s.field == nil || !s.field.Required
	if n := len(e.names); n > 1 {
		e.names[n-1] = strings.ToLower(e.names[n-1][:1]) + e.names[n-1][1:]
		end := ": they are required."
		if e.optional {
			end = ", or remove the lines that are not needed."
		}
		c.problems[e.problem].Message = Or(e.names, "and") + " are empty. Write their values after the colons" + end
	}
}

// scope is the context of a value in messages about it.
type scope struct {
	path  *Path
	field *Field      // the nearest, which gives the name, the advice, and the meaning
	name  string      // of the value in messages, if it is not the value of the field
	blank string      // what to do if that value is empty
	spec  string      // the requirement of the nearest field that has one
	at    source.Span // used if the value has no extent

	// identity is the key that tells the elements of a list apart, in an element or under
	// that key, and others are the elements.
	identity string
	others   []*yamltree.Node
}

// subject is the name of the value in messages: the key of its field in quotes, or the
// noun of the value if the key alone says little.
func (s scope) subject() string {
	switch {
	case s.name != "":
		return s.name
	case s.field.Value.Shape == Text && s.field.Value.Noun != "":
		return strings.ToUpper(s.field.Value.Noun[:1]) + s.field.Value.Noun[1:]
	}
	return Quote(s.field.Key)
}

// advice is what to do if the value is empty.
func (s scope) advice() string {
	switch {
	case s.name != "":
		return s.blank
	case s.field.Required:
		return fmt.Sprintf("Write %s after the colon: it is required.", s.field.Value.Expected())
	}
	return fmt.Sprintf("Write %s after the colon, or remove the line if it is not needed.", s.field.Value.Expected())
}

// meaning is the meaning of the field, as the end of a message.
func (s scope) meaning() string {
	if s.field == nil || s.field.Doc == "" {
		return ""
	}
	return " Meaning: " + s.field.Doc
}

const adviceOptional = "Write its value after the colon, or remove the line if it is not needed."

// Expected describes the values of a single value: "a number from 1.0 to 5.0".
func (v *Value) Expected() string {
	switch v.Shape {
	case Choice:
		return Or(quoted(v.words()), "or")
	case Number, Integer:
		return "a number " + v.limits()
	case Flag:
		return v.Shape.String()
	}
	return "its value"
}

// mostProblems is how many problems of one document are reported.
const mostProblems = 2000

func (c *checker) report(s scope, code string, span source.Span, fix *source.Fix, format string, args ...any) {
	if len(c.problems) >= mostProblems {
		return
	}
	if span.Len() == 0 {
		span = s.at
	}
	c.problems = append(c.problems, source.Problem{
		Code: code, Span: span, Pointer: s.path.Pointer(), Path: s.path.String(),
		Message: fmt.Sprintf(format, args...), Spec: s.spec, Fix: fix,
	})
}

func (c *checker) value(v *Value, n *yamltree.Node, s scope) {
	kind, check := yamltree.Scalar, c.scalar
	switch v.Shape {
	case Object:
		kind, check = yamltree.Mapping, c.object
	case Map:
		kind, check = yamltree.Mapping, c.entries
	case List:
		kind, check = yamltree.Sequence, c.list
	}
	if c.is(v, n, kind, s) {
		check(v, n, s)
	}
}

func (v *Value) form() string {
	var keys []string
	for _, f := range v.Fields {
		keys = append(keys, f.Key)
	}
	if len(keys) == 0 {
		keys = []string{"key"}
	}
	return strings.Join(keys[:min(len(keys), 5)], ": …, ") + ": …"
}

// is reports a value of the wrong kind, and an empty one.
func (c *checker) is(v *Value, n *yamltree.Node, kind yamltree.NodeKind, s scope) bool {
	if n.Kind == yamltree.Scalar && n.Type == yamltree.Null {
		if kind == yamltree.Scalar {
			c.blank(s, n.Span, "empty")
		} else {
			c.report(s, CodeWrongType, n.Span, nil, "%s is empty. %s%s", s.subject(), s.advice(), s.meaning())
		}
		return false
	}
	if n.Kind == kind {
		return true
	}
	found := map[yamltree.NodeKind]string{
		yamltree.Mapping: "a group of keys", yamltree.Sequence: "a list", yamltree.Scalar: "a single value",
	}[n.Kind]
	span := n.Span
	if n.Kind != yamltree.Scalar && s.at.Len() > 0 {
		span = s.at // a whole group or list would be a screenful of carets
	}
	want := v.Shape.article()
	if v.Shape == Choice {
		want = Or(quoted(v.words()), "or")
	}
	switch kind {
	case yamltree.Mapping:
		want = "a group of keys"
		found += ". Write each key on its own line, indented, and without a dash: " + v.form()
	case yamltree.Sequence:
		found += v.asList(n)
	case yamltree.Scalar:
		isItem := s.name != "" // on the line of its dash
		if text := asText(n, isItem); text != "" && v.Shape == Text && v.Pattern == nil {
			found += ". Put the whole text in quotes: " + text
		}
	}
	c.report(s, CodeWrongType, span, nil, "%s must be %s, not %s.%s", s.subject(), want, found, s.meaning())
	return false
}

func (c *checker) list(v *Value, n *yamltree.Node, s scope) {
	if len(n.Items) < int(v.Min) {
		c.report(s, CodeInvalidValue, n.Span, nil,
			"%s is an empty list: at least one %s is required.%s", s.subject(), noun(v.Elem), s.meaning())
	}
	if v.Max > 0 && len(n.Items) > int(v.Max) {
		c.report(s, CodeInvalidValue, n.Items[int(v.Max)].Span, nil,
			"%s has %d elements: at most %.0f are allowed.", s.subject(), len(n.Items), v.Max)
	}
	for i, item := range c.ofAnother(v, c.splitJoined(v, n.Items, s), s) {
		if len(c.problems) >= mostProblems {
			return
		}
		if item == nil {
			continue
		}
		elem := s
		elem.identity, elem.others = v.Identity, n.Items
		elem.path = s.path.Elem(i, Identity(v, item), v.Elem.Noun)
		elem.name, elem.blank = "This "+noun(v.Elem), "Write it after the dash, or remove the dash."
		if elem.at = firstPlace(item); elem.at.Len() == 0 {
			elem.at = source.Span{Start: item.Span.Start - 1, End: item.Span.Start} // the dash
		}
		c.value(v.Elem, item, elem)
	}
}

// firstPlace is where a value begins: its first key or element, or the whole
// single value.
func firstPlace(n *yamltree.Node) source.Span {
	switch {
	case len(n.Entries) > 0:
		return n.Entries[0].Key.Span
	case len(n.Items) > 0:
		return firstPlace(n.Items[0])
	}
	return n.Span
}

// Identity is the text that identifies an element of the list v, or "".
func Identity(v *Value, elem *yamltree.Node) string {
	if v.Identity == "" {
		return ""
	}
	return elem.Get(v.Identity).Text()
}

func noun(v *Value) string { return cmp.Or(v.Noun, v.Shape.String()) }

func (c *checker) entries(v *Value, n *yamltree.Node, s scope) {
	if v.Max > 0 && len(n.Entries) > int(v.Max) {
		c.report(s, CodeInvalidValue, n.Entries[int(v.Max)].Key.Span, nil,
			"%s has %d keys: at most %.0f are allowed.", s.subject(), len(n.Entries), v.Max)
	}
	for _, e := range n.Entries {
		entry := scope{
			path: s.path.Key(e.Key.Value, ""), name: Quote(e.Key.Value), blank: adviceOptional,
			spec: s.spec, at: e.Key.Span,
		}
		c.matches(v.Pattern, e.Key, entry, "This key")
		c.value(v.Elem, e.Value, entry)
	}
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Quote(w)
	}
	return out
}

// Or joins words with a conjunction, as a sentence does: "a, b, or c".
func Or(words []string, conjunction string) string {
	last, comma := len(words)-1, ""
	if last < 1 {
		return strings.Join(words, "")
	}
	if last > 1 {
		comma = ","
	}
	return strings.Join(words[:last], ", ") + comma + " " + conjunction + " " + words[last]
}
