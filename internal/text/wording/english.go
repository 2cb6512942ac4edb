package wording

import (
	_ "embed"
	"strings"
)

// SaysNothing reports whether an English text only grades and describes nothing
// observable: it has words, and all of them are grades, common words, words for what is
// graded, or in name, the name of the criterion.
func SaysNothing(t Text, name string) bool {
	graded := false
	var names Text
	for w := range t.Words() {
		kind := lexicon[w] &^ article
		if kind == 0 {
			if names.Len == 0 {
				names = Read(name)
			}
			if !names.has(w) {
				return false
			}
		}
		graded = graded || kind&(grade|degree) != 0
	}
	return graded
}

// OnlyDegree reports whether two English texts differ only in words of degree, such as
// "mostly" and "fully". Texts that are the same, or have only such words, do not count.
func OnlyDegree(a, b Text) bool {
	if Same(a, b) {
		return false
	}
	alike := 0
	for {
		v, w := a.skipDegree(), b.skipDegree()
		if v != w {
			return false
		}
		if v == "" {
			return alike > 1
		}
		alike++
	}
}

// has reports whether the text has a word.
func (t Text) has(word string) bool {
	for w := range t.Words() {
		if w == word {
			return true
		}
	}
	return false
}

// skipDegree removes from a text everything up to the first word that is not an
// article, grade, or degree, and returns that word, "" if there is none. "And" is such
// a word: a text with "or" instead is another text.
func (t *Text) skipDegree() string {
	for w := range t.Words() {
		t.joined = t.joined[1+len(w):]
		t.Len--
		if lexicon[w]&(grade|degree|article) == 0 {
			return w
		}
	}
	return ""
}

// kind is what the lexicon knows about a word: one or more of the following.
type kind uint8

const (
	grade   kind = 1 << iota // how good something is, but not what it is
	degree                   // how much
	article                  // doesn't matter in a comparison of texts
	idle                     // common, or general for what is graded
)

//go:embed words.txt
var words string

// lexicon has the kinds of all words that have no meaning by themselves.
var lexicon = func() map[string]kind {
	kinds := map[string]kind{"grade": grade, "degree": degree, "idle": idle, "article": article}
	all := map[string]kind{}
	for line := range strings.Lines(words) {
		name, list, _ := strings.Cut(line, ":")
		for word := range strings.FieldsSeq(list) {
			all[word] |= kinds[name]
		}
	}
	return all
}()

// Set returns the set of the words separated by | in the lists.
func Set(lists ...string) map[string]bool {
	words := map[string]bool{}
	for _, list := range lists {
		for word := range strings.SplitSeq(list, "|") {
			words[word] = true
		}
	}
	return words
}
