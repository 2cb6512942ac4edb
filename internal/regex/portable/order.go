package portable

import "github.com/rubric-library/rubric-library/internal/regex/token"

// order says where the empty matches are among the possible matches of a part of an
// expression, in the order in which engines try them. JavaScript keeps trying after an
// empty round of a repetition, while the other engines leave the repetition. The
// difference is visible if a nonempty match comes after an empty one, unless the
// repetition is lazy and therefore tried to leave first.
type order uint8

const (
	always   order = iota // every match is nonempty
	never                 // every match is empty
	atLast                // the empty matches come after all others
	anywhere              // a nonempty match comes after an empty one
)

// then returns the order of a part followed by another.
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

// or returns the order of a part with another as its alternative.
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

// repeated returns the order of a repeated part.
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
