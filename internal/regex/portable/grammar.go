package portable

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Token is a part of an expression in the grammar that verifies bundles.
type Token struct {
	Kind string
	// Pattern matches the token at its beginning. Go, Python, and ECMAScript with the
	// flag u read it the same way.
	Pattern string
}

// escaped matches an escape for one character.
const escaped = `\\(?:[aftnrv]|0[0-7]{0,2}|[1-7][0-7]{1,2}|x[0-9A-Fa-f]{2}|x\{0*(?:10[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,5})\}|` +
	`[\x00-/:-@\[-\x60{-\x7f])`

// escapedSet matches an escape for several characters. The names of Unicode classes are
// not looked up, because each version of Unicode adds more.
const escapedSet = `\\(?:[dDsSwW]|[pP](?:[A-Za-z]|\{\^?[A-Za-z _-]+\}))`

// Tokens are the parts of an expression; the first that matches applies.
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

// Members are the parts of a character class, in the same way.
var Members = []Token{
	{"set", `\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]|` + escapedSet},
	{"character", escaped + `|[^\\]`},
}

// The limits of an expression: the depth of groups, and the product of nested repetition
// counts.
const (
	MaxDepth  = 100
	MaxRepeat = 1000
)

// compiledTokens and compiledMembers are compiled on first use, because most commands
// don't need them.
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

// match returns the first token that matches at the beginning of a text, with its
// submatches; the kind is "" if none matches.
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
	// times is the largest product of nested repetition counts in it; last is the same
	// for the last part, which a following repetition repeats.
	times, last int
	there       bool // there is a last part
	repeated    bool // it was just repeated
}

func (g *group) add(times int) {
	g.times, g.last, g.there = max(g.times, g.last), times, true
}

// Valid reports whether a text is a valid expression within the limits, in the syntax of
// package regexp but without looking up names of Unicode classes. It does not check the
// memory that an engine needs. The clients in other languages have the same function, so
// that they all accept the same documents.
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

// repeat repeats the last part and reports whether that is allowed.
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

// upTo reads a number. Numbers above the limit of repetitions all give the same value.
func upTo(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil && n <= MaxRepeat {
		return n
	}
	return MaxRepeat + 1
}

// classEnd returns the place after a character class, whose opening bracket was read;
// -1 if it is malformed.
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

// codeOf returns the code point of a character in a class.
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
