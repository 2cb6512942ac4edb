package regex

import (
	"errors"
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds for optional items and repetitions with a limit.
const (
	mostWays   = 1 << 24
	mostRounds = 8 // that are optional
	mostJoins  = 8
)

// Part is a part of a pattern, in bytes: At is the first byte, End is the byte after
// the last.
type Part struct{ At, End int }

// automaton has the paths of an engine through an expression as written: package syntax
// simplifies (?:a|a)* to a* and (?:a+)+ to a+.
type automaton struct {
	work   int // that is left
	states []state
	starts int // the first states: where a search begins, after each kind of character
	sets   [][]rune
	loops  bool    // there are repetitions without limit
	ways   float64 // at most as many ways lead through the expression
}

// state has just read a character.
type state struct {
	set  int // of characters
	kind kind
	part Part // of the pattern
	next []arc
	// certain says that there is a match here, whatever follows.
	certain bool
}

// arc leads to a state by a character of its set.
type arc struct {
	to   int
	part Part // the repetition that it continues, or that of the state
}

// piece is the automaton of a part of an expression.
type piece struct {
	first, last []end
	empty       []condition // the ways through it without a character
	ways        float64     // at most
}

// end is a state at the beginning or the end of a piece, and the positions in between.
type end struct {
	state int
	looks condition
}

// nothing is the piece of an empty expression.
func emptyPiece() piece { return piece{empty: []condition{unconditional}, ways: 1} }

// builder reads the tokens of an expression.
type builder struct {
	automaton
	text    string
	tokens  []token
	at      int // the next token
	flags   syntax.Flags
	kinds   [kinds][]rune  // of characters, as far as positions distinguish them
	numbers map[string]int // of the sets
}

// newBuilder splits an expression into its tokens, and a quotation into its characters.
func newBuilder(pattern string, flags syntax.Flags, work int) *builder {
	b := &builder{automaton: automaton{work: work}, text: pattern, flags: flags, numbers: map[string]int{}}
	b.kinds[other] = []rune{0, unicode.MaxRune}
	for t := range tokensOf(pattern) {
		if t.Kind == positionToken {
			b.kinds = runesOf
		}
		if t.Kind != quotedToken {
			b.tokens = append(b.tokens, t)
			continue
		}
		start := t.Start + len(`\Q`)
		for i, r := range strings.TrimSuffix(pattern[start:t.End], `\E`) {
			b.tokens = append(b.tokens, token{
				Kind: literalToken, Start: start + i, End: start + i + utf8.RuneLen(r), Char: r,
			})
		}
	}
	return b
}

func (b *builder) build() {
	var start []end
	for k := range kinds {
		if k == edge || b.kinds[k] != nil {
			start = append(start, b.add(state{kind: k}))
		}
	}
	b.starts = len(start)
	whole := b.alternation()
	b.connect(start, whole.first, nil)
	b.ways = whole.ways
	for _, l := range whole.last {
		s := &b.states[l.state]
		s.certain = s.certain || l.looks.isCertain(s.kind)
	}
}

func (b *builder) add(s state) end {
	b.spend(10)
	b.states = append(b.states, s)
	return end{len(b.states) - 1, unconditional}
}

// sees reports whether the token after a number of others has a kind.
func (b *builder) sees(k tokenKind, after int) bool {
	return b.at+after < len(b.tokens) && b.tokens[b.at+after].Kind == k
}

func (b *builder) alternation() piece {
	words := map[letter][]end{}
	all := b.sequence(words)
	for b.sees(barToken, 0) {
		b.at++
		p := b.sequence(words)
		all = piece{
			append(all.first, p.first...), append(all.last, p.last...),
			atMostTwice(append(all.empty, p.empty...)), all.ways + p.ways,
		}
	}
	return all
}

func (b *builder) sequence(words map[letter][]end) piece {
	all := b.word(words)
	for b.at < len(b.tokens) && !b.sees(barToken, 0) && !b.sees(closingToken, 0) {
		start := b.at
		p := b.atom()
		after := b.at + 1
		if b.sees(repeatToken, 0) {
			p = b.repeat(p, Part{b.tokens[start].Start, b.tokens[b.at].End}, func() piece {
				b.at = start
				return b.atom()
			})
			b.at = after
		}
		all = b.join(all, p)
	}
	return all
}

// letter is a character of a word, after another state.
type letter struct{ after, set int }

// word reads the literal characters with which an alternative begins. Alternatives share
// the states of equal beginnings, so that long lists of words have few arcs.
func (b *builder) word(words map[letter][]end) piece {
	p, from := emptyPiece(), -1
	for b.sees(literalToken, 0) && !b.sees(repeatToken, 1) {
		l := letter{from, b.number(b.runes(b.tokens[b.at]))}
		ends := words[l]
		if ends == nil {
			ends = slices.Clip(b.character(b.tokens[b.at]).last)
			words[l] = ends
			b.connect(p.last, ends, nil)
			if from < 0 {
				p.first = ends
			}
		}
		p.last, p.empty, from = ends, nil, ends[0].state
		b.at++
	}
	return p
}

// atom reads what a repetition can follow, or a change of flags.
func (b *builder) atom() piece {
	t, outside := b.tokens[b.at], b.flags
	b.at++
	switch t.Kind {
	case openToken:
		b.flags = t.Flags(b.flags)
		p := b.alternation()
		b.at++
		b.flags = outside
		return p
	case flagGroupToken:
		b.flags = t.Flags(b.flags)
		return emptyPiece()
	case positionToken:
		return piece{empty: []condition{conditionOf(t.Name, b.flags)}, ways: 1}
	}
	return b.character(t)
}

// character adds the states of a token that matches one character: one for each kind of
// character that positions distinguish.
func (b *builder) character(t token) piece {
	runes, p := b.runes(t), piece{ways: 1}
	for k, all := range b.kinds {
		if of := both(runes, all); len(of) > 0 {
			p.first = append(p.first, b.add(state{set: b.number(of), kind: kind(k), part: Part{t.Start, t.End}}))
		}
	}
	p.last = slices.Clone(p.first)
	return p
}

// repeat repeats a piece, of which again makes copies. A round that is not required ends
// the repetition if it is empty: Python tries one, ECMAScript does not.
func (b *builder) repeat(p piece, loop Part, again func() piece) piece {
	least, most := b.tokens[b.at].Least, b.tokens[b.at].Most
	if p.ways == 1 && most-least > mostRounds || math.Pow(p.ways, float64(most))*float64(most-least+1) > mostWays {
		most = -1
	}
	first := true
	round := func() piece {
		if !first {
			p = again()
		}
		first = false
		return p
	}
	all, rest, required := emptyPiece(), emptyPiece(), least
	if most < 0 {
		required-- // the last one is in the loop
	}
	for range required {
		all = b.join(all, round())
	}
	for range most - least {
		p := round()
		none := atMostTwice(append(p.empty, unconditional))
		p.empty = nil
		rest = b.join(p, rest)
		rest.empty, rest.ways = none, rest.ways+1
	}
	if most < 0 {
		rest = round()
		b.connect(rest.last, rest.first, &loop)
		b.loops, rest.ways = true, 2*rest.ways
		if least > 0 {
			rest.empty = atMostTwice(append(rest.empty, rest.empty...))
		} else {
			rest.empty = atMostTwice(append(rest.empty, unconditional))
		}
	}
	return b.join(all, rest)
}

func (b *builder) join(p, q piece) piece {
	b.connect(p.last, q.first, nil)
	b.spend(len(p.empty)*len(q.first) + len(q.empty)*len(p.last))
	all := piece{first: after(p.empty, q.first, p.first), last: after(q.empty, p.last, q.last), ways: p.ways * q.ways}
	for _, looks := range p.empty {
		for _, more := range q.empty {
			all.empty = append(all.empty, looks&more)
		}
	}
	all.empty = atMostTwice(all.empty)
	return all
}

// after adds ends to a list, for each way to them without a character.
func after(empty []condition, ends, to []end) []end {
	for _, looks := range empty {
		for _, e := range ends {
			to = append(to, end{e.state, e.looks & looks})
		}
	}
	if len(empty) > 1 {
		return atMostTwice(to)
	}
	return to
}

// atMostTwice removes what is in a list more than twice: two paths are enough.
func atMostTwice[T comparable](list []T) []T {
	seen := map[T]int{}
	return slices.DeleteFunc(list, func(x T) bool {
		seen[x]++
		return seen[x] > 2
	})
}

// connect adds the arcs from the end of a piece to the beginning of the next one, which
// may be another round of a loop.
func (b *builder) connect(last, first []end, loop *Part) {
	b.spend(2 * len(last) * len(first))
	for _, l := range last {
		from := &b.states[l.state]
		for _, f := range first {
			to := &b.states[f.state]
			if !(l.looks & f.looks).holds(from.kind, to.kind) {
				continue
			}
			part := to.part
			if loop != nil {
				part = *loop
			}
			from.next = append(from.next, arc{f.state, part})
		}
	}
}

// errTooComplex is the cause of a panic if there is no work left.
var errTooComplex = errors.New("the expression is too complex")

func (a *automaton) spend(work int) {
	if a.work -= work; a.work < 0 {
		panic(errTooComplex)
	}
}
