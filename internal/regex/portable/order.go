package portable

import "github.com/rubric-library/rubric-library/internal/regex/token"

// order says where the ways to match no text at all stand among the ways in
// which a part of an expression can match, in the order in which engines try
// them. JavaScript goes on trying when a round of a repetition matched nothing,
// and the others leave the repetition: that shows where a way with text comes
// after one without, unless the repetition is lazy: then leaving it at once was
// tried before.
type order uint8

const (
	always   order = iota // every way takes some text
	never                 // no way takes any text
	atLast                // the ways without text come after all the others
	anywhere              // a way with text comes after one without
)

// then is the order of a part followed by another.
func (o order) then(next order) order {
	switch {
	case o == always || next == always:
		return always
	case o == never:
		return next
	case next == never, o == atLast && next == atLast:
		return o
	}
	return anywhere
}

// or is the order of a part with another as its alternative.
func (o order) or(next order) order {
	switch {
	case o == always && next == never:
		return atLast
	case o == always:
		return next
	case next == never:
		return o
	}
	return anywhere
}

// repeated is the order of a part that is repeated.
func (o order) repeated(t token.Token) order {
	optional := t.Least == 0
	varies := t.Least != t.Most
	switch {
	case t.Most == 0:
		return never
	case o == never, o == always && !optional:
		return o
	case o == anywhere, t.Lazy && varies:
		return anywhere
	}
	return atLast
}
