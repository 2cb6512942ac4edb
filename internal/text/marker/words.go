package marker

import (
	_ "embed"
	"strings"
	"sync"
)

// says reports whether the words after a marker are a remark or an order, and not the rest of
// a sentence with the marker as its subject, or as a part of it.
func (r *reader) says() bool {
	words := clause(r.rest)
	if len(words) == 0 {
		return true
	}
	first := words[0]
	switch {
	case r.last == "lorem ipsum":
		return isFiller(strings.Fields(strings.ToLower(r.rest)))
	case r.last == "todo" && !r.upper: // "todo" is a word in other languages, and in "a todo list"
		return r.English && is(orders, first)
	case !isLetter(first) || isOrder(words):
		return true
	case !r.English:
		return len(words) <= mostOfRemark
	case isVerb(words, 0):
		return isQuestion(r.rest)
	case is(plurals, first):
		return false
	case isCompound(words):
		return false
	case r.last == "?":
		return false // who asks gives the order in brackets or after a sign
	}
	if r.Title && !is(determiners, first) && !is(stops, first) && !is(prepositions, first) {
		return false
	}
	return !hasVerb(words)
}

// isOrder reports whether words begin with an order, such as "test this", and not with a noun that
// is also one, such as "test cases".
func isOrder(words []string) bool {
	return is(orders, words[0]) && !(is(nouns, words[0]) && len(words) > 1 && !is(determiners, words[1]))
}

// isCompound reports whether words begin with a noun that another word continues.
func isCompound(words []string) bool {
	return is(nouns, words[0]) && len(words) > 1 && isLetter(words[1]) && !is(determiners, words[1]) &&
		!is(prepositions, words[1])
}

// mostOfRemark is how many words after a marker are a remark in a language whose verbs are unknown.
const mostOfRemark = 2

// clause returns the words up to the end of the first clause, in lowercase.
func clause(text string) []string {
	if end := strings.IndexAny(text, ".:;!?\n,"); end >= 0 {
		text = text[:end]
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i, w := range words {
		words[i] = strings.Trim(w, signs)
	}
	return words
}

// isVerb reports whether a word is a verb after a subject in the singular.
func isVerb(words []string, i int) bool {
	return is(third, words[i]) || is(participles, words[i]) && i < len(words)-1
}

// isQuestion reports whether the first clause of a text is a question.
func isQuestion(text string) bool {
	end := strings.IndexAny(text, ".:;!?\n,")
	return end >= 0 && text[end] == '?'
}

// hasVerb reports whether a finite verb follows the subject that words begin with. A pronoun, a
// conjunction, or a determiner without a preposition ends the subject: what is before it is an
// order.
func hasVerb(words []string) bool {
	for i, w := range words {
		after := ""
		if i > 0 {
			after = words[i-1]
		}
		switch {
		case isVerb(words, i), i > 0 && is(base, w) && strings.HasSuffix(after, "s"):
			return true
		case is(stops, w), is(determiners, w) && !is(prepositions, after):
			return false
		}
	}
	return false
}

// isFiller reports whether all words are of the filler text in Latin.
func isFiller(words []string) bool {
	for _, w := range words {
		if w = strings.Trim(w, signs); w != "" && !is(latin, w) {
			return false
		}
	}
	return true
}

//go:embed words.txt
var wordList string

// lists are the words of the list by their kind.
var lists = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(wordList) {
		kind, words, _ := strings.Cut(line, ":")
		for _, w := range strings.Fields(words) {
			if all[kind] == nil {
				all[kind] = map[string]bool{}
			}
			all[kind][w] = true
		}
	}
	return all
})

// The kinds of words.
const (
	third        = "third"       // verbs that can follow a subject in the singular
	participles  = "participles" // with more words after them
	base         = "base"        // verbs that can follow a subject in the plural
	nouns        = "nouns"       // those of which a marker is a part, such as "TODO list"
	plurals      = "plurals"     // the same in the plural
	orders       = "orders"      // verbs with which authors remind themselves of what to do
	determiners  = "determiners" // can be in a subject only after a preposition
	stops        = "stops"       // can't be in a subject
	prepositions = "prepositions"
	latin        = "latin" // filler text
)

func is(kind, word string) bool { return lists()[kind][word] }
