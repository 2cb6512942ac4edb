package schema

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Operator matches an argument that is one only without a shell: a pipe, a redirection, or what joins
// two commands.
var Operator = lazy.Expr(`^(?:[|&;]|\|\||&&|\|&|(?:[0-9]|&)?>>?(?:&[0-9]|[\w./-]+)?|<{1,3})$`)

// Command is the list of a program and its arguments that a shell would make of a text, in YAML.
// It is "" if the quotes of the text don't match, or if it is more than one program.
func Command(text string) string {
	words, ok := wordsOf(text)
	if !ok || len(words) == 0 {
		return ""
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		if Operator().MatchString(word) || word != strings.TrimRight(word, ";") {
			return ""
		}
		style := yamltree.DoubleQuoted
		if strings.ContainsAny(word, `"\`) {
			style = yamltree.SingleQuoted
		}
		quoted[i] = yamltree.Quote(word, style)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// wordsOf splits a text as a shell does, and reports whether its quotes match.
func wordsOf(text string) (words []string, ok bool) {
	var word strings.Builder
	var quote byte
	inWord := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text) && (quote == 0 || strings.IndexByte("\"\\$`", text[i+1]) >= 0):
			i++
			word.WriteByte(text[i])
			inWord = true
		case quote == 0 && (c == '"' || c == '\''):
			quote, inWord = c, true
		case quote == 0 && strings.IndexByte(" \t\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, quote == 0
}
