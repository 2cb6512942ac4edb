package regex

import (
	"regexp/syntax"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// MaxDepth is the maximum depth of nested groups. Python fails on more, depending on the
// stack depth of the caller.
const MaxDepth = 100

// escapes matches escapes, and first those for classes of Unicode.
var escapes = lazy.Expr(`\\(?:[pP](?:[A-Za-z]|\{\^?[A-Za-z _-]+\})|(?s:.))`)

// Valid reports whether a text is an expression in the syntax of package regexp, with at most
// MaxDepth nested groups and no name of a group twice: other engines refuse these, and so do
// earlier clients. Names of Unicode classes are not looked up, because each version of Unicode
// adds more.
func Valid(text string) bool {
	depth, names := 0, map[string]bool{}
	for t := range tokensOf(text) {
		switch t.Kind {
		case openToken:
			depth++
			if _, name, named := strings.Cut(t.Group, "<"); named {
				if names[name] {
					return false
				}
				names[name] = true
			}
		case closingToken:
			depth--
		}
		if depth > MaxDepth {
			return false
		}
	}
	known := escapes().ReplaceAllStringFunc(text, func(escape string) string {
		if len(escape) > 2 && (escape[1] == 'p' || escape[1] == 'P') {
			return `\pZ`
		}
		return escape
	})
	_, err := syntax.Parse(known, syntax.Perl)
	return err == nil
}
