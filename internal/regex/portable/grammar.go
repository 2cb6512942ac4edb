package portable

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Token is a part of an expression in the grammar by which bundles are verified.
type Token struct {
	Kind string
	// Pattern finds the token where it is anchored. Go, Python, and ECMAScript with
	// the flag u read it alike.
	Pattern string
}

// escaped is what stands for one character, from its backslash on.
const escaped = `\\(?:[aftnrv]|0[0-7]{0,2}|[1-7][0-7]{1,2}|x[0-9A-Fa-f]{2}|x\{0*(?:10[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,5})\}|` +
	`[\x00-/:-@\[-\x60{-\x7f])`

// escapedSet is the same for several characters. The names of Unicode's classes are
// not looked up: each version of Unicode has more of them.
const escapedSet = `\\(?:[dDsSwW]|[pP](?:[A-Za-z]|\{\^?[A-Za-z _-]+\}))`

// Tokens are the parts of an expression; the first that fits counts.
var Tokens = []Token{
	{"part", `[^\\[(){}|*+?.^$]+`},
	{"repeat", `(?:[*+?]|\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\})\??`},
	{"flags", `\(\?[imsU]*(?:-[imsU]+)?\)`},
	{"open", `\((?:\?(?:P?<([0-9A-Za-z_]+)>|[imsU]*(?:-[imsU]+)?:))?`},
	{"close", `\)`},
	{"bar", `\|`},
	{"class", `\[\^?`},
	{"quote", `\\Q`},
	{"part", `\\[AbBz]|[.^$}{]|` + escapedSet + `|` + escaped},
}

// Members are the parts of square brackets, in the same way.
var Members = []Token{
	{"set", `\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]|` + escapedSet},
	{"character", escaped + `|[^\\]`},
}

// The limits of an expression: groups within each other, and how often repetitions
// within each other repeat together.
const (
	MaxDepth  = 100
	MaxRepeat = 1000
)

// compiledTokens and compiledMembers are compiled when they are first needed: most
// commands never do.
var (
	compiledTokens  = sync.OnceValue(func() []*regexp.Regexp { return compileTokens(Tokens) })
	compiledMembers = sync.OnceValue(func() []*regexp.Regexp { return compileTokens(Members) })
)

func compileTokens(tokens []Token) []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(tokens))
	for i, t := range tokens {
		out[i] = regexp.MustCompile(`^(?:` + t.Pattern + `)`)
	}
	return out
}

// match is the first token that fits at the beginning of a text, with what its
// brackets found; the kind is "" if none fits.
func match(tokens []Token, compiled []*regexp.Regexp, text string) (kind string, found []string) {
	for i, re := range compiled {
		if found := re.FindStringSubmatch(text); found != nil {
			return tokens[i].Kind, found
		}
	}
	return "", []string{""}
}

// group is an open group, or the whole expression.
type group struct {
	// times is how often the repetitions in it repeat together, at most; last is the
	// same for the last part, which a repetition would repeat.
	times, last int
	there       bool // there is a last part
	repeated    bool // it was just repeated
}

func (g *group) add(times int) {
	g.times, g.last, g.there = max(g.times, g.last), times, true
}

// Valid tells whether a text is an expression: the syntax of package regexp, without
// looking up names of Unicode's classes, and within the limits. What an engine can
// hold in memory is not looked at. The clients in other languages have the same
// function, so that none of them takes a document that another one refuses.
func Valid(text string) bool {
	open, names := []group{{times: 1, last: 1}}, map[string]bool{}
	for text != "" {
		kind, found := match(Tokens, compiledTokens(), text)
		text = text[len(found[0]):]
		g := &open[len(open)-1]
		again := g.repeated
		g.repeated = false
		switch kind {
		case "part":
			g.add(1)
		case "class":
			end := classEnd(text)
			if end < 0 {
				return false
			}
			g.add(1)
			text = text[end:]
		case "quote":
			quoted, rest, _ := strings.Cut(text, `\E`)
			if quoted != "" {
				g.add(1)
			}
			text = rest
		case "repeat":
			if !g.there || again || !g.repeat(found) {
				return false
			}
		case "open":
			if len(open) > MaxDepth || names[found[1]] {
				return false
			}
			names[found[1]] = found[1] != ""
			open = append(open, group{times: 1, last: 1})
		case "close":
			if len(open) == 1 {
				return false
			}
			open = open[:len(open)-1]
			open[len(open)-1].add(max(g.times, g.last))
		case "bar":
			g.add(1)
			g.there = false
		case "flags":
		default:
			return false
		}
	}
	return len(open) == 1
}

// repeat repeats the last part, and tells whether it may be.
func (g *group) repeat(found []string) bool {
	g.repeated = true
	if found[1] == "" {
		return true // * + ?
	}
	least := upTo(found[1])
	most := least
	if found[3] != "" {
		most = upTo(found[3])
	}
	switch {
	case least > most:
		return false
	case most == 0 && found[2] != ",":
		g.last = 1
	default:
		g.last *= max(most, 1)
	}
	return g.last <= MaxRepeat
}

// upTo reads a number. Those beyond what a repetition can say are all the same one.
func upTo(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil && n <= MaxRepeat {
		return n
	}
	return MaxRepeat + 1
}

// classEnd is the place behind square brackets, of which the first is read; -1 if they
// are wrong.
func classEnd(text string) int {
	lastName := strings.LastIndex(text, ":]")
	at := 0
	for first := true; first || !strings.HasPrefix(text[at:], "]"); first = false {
		kind, found := match(Members, compiledMembers(), text[at:])
		if kind == "" || kind == "character" && strings.HasPrefix(text[at:], "[:") && lastName >= at+2 {
			return -1
		}
		at += len(found[0])
		if kind == "set" || !strings.HasPrefix(text[at:], "-") || strings.HasPrefix(text[at:], "-]") || text[at:] == "-" {
			continue
		}
		kind, high := match(Members[1:], compiledMembers()[1:], text[at+1:])
		if kind == "" || codeOf(high[0]) < codeOf(found[0]) {
			return -1
		}
		at += 1 + len(high[0])
	}
	return at + 1
}

// codeOf is the code point that a character in square brackets stands for.
func codeOf(char string) rune {
	digits, isEscape := strings.CutPrefix(char, `\`)
	r, _ := utf8.DecodeRuneInString(digits)
	if !isEscape {
		return r
	}
	if at := strings.IndexRune("abtnvfr", r); at >= 0 {
		return rune(7 + at)
	}
	base := 8
	if r == 'x' {
		base, digits = 16, strings.Trim(digits, "x{}")
	}
	if n, err := strconv.ParseInt(digits, base, 32); err == nil {
		return rune(n)
	}
	return r
}
