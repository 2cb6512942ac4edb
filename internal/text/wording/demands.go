package wording

import (
	"slices"
	"strconv"
	"strings"
)

// isAdverb reports whether a word only says how something is done.
func isAdverb(word string) bool {
	return strings.HasSuffix(word, "ly") || word == "well" || word == "very" || word == "also" ||
		word == "then" || word == "both"
}

// secondDemand finds a second demand after "and" or "while".
func (s sentence) secondDemand() (Place, bool) {
	for i := 1; i < len(s.words)-1; i++ {
		link := s.words[i].word
		if link != "and" && link != "while" {
			continue
		}
		v := i + 1
		for v < len(s.words)-1 && isAdverb(s.words[v].word) {
			v++
		}
		w := s.words[v].word
		if link == "while" {
			if strings.HasSuffix(w, "ing") && w != "during" {
				return s.place(i, v+1), true
			}
			continue
		}
		if s.isDemand(v) && !s.isSameDemand(i, w) {
			return s.place(i, v+1), true
		}
	}
	return Place{}, false
}

// isDemand reports whether a word after "and" is a verb: one of those that criteria use, or in the form of
// one, with an object after it.
func (s sentence) isDemand(v int) bool {
	t, next := &s.words[v], s.word(v+1)
	switch {
	case slices.Contains(auxiliaries, t.word):
		return t.word == "does"
	case next == "not", next == "of":
		return false // "position and state of each block"
	case s.isExplained(v):
		return false
	case t.knownKind()&demand != 0:
		return true
	case !slices.Contains(determiners, next) || t.knownKind()&(idle|absent|number|article) != 0:
		return false
	case strings.HasSuffix(t.word, "s") && !strings.HasSuffix(t.word, "ss"):
		return !s.asks()
	}
	return t.knownKind()&verb != 0 && s.asks() && !s.has("to", 0, v)
}

// isExplained reports whether a verb belongs to words that explain the demand before it: to a
// clause, "a function that finds the primes and adds them", to a purpose, "to analyze the data and
// deliver a table", or to participles, "giving the reasons and showing their order".
func (s sentence) isExplained(v int) bool {
	word := s.words[v].word
	if strings.HasSuffix(word, "ing") {
		return s.participle(v) >= 0
	}
	if !s.asks() {
		return false
	}
	isOfClause := strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
	return isOfClause || s.has("to", 0, v) && !isAdverb(s.word(v-1)) && !strings.Contains(s.words[v-1].between, ",")
}

// participle returns the place of a participle that begins after a comma and before a word, or -1.
func (s sentence) participle(before int) int {
	return slices.IndexFunc(s.words[:before], func(t token) bool {
		return isComma(t.between) && strings.HasSuffix(t.word, "ing") && !slices.Contains(prepositions, t.word)
	})
}

// prepositions end like a participle.
var prepositions = strings.Fields("including regarding concerning during following excluding")

// asks reports whether a sentence is a question with a verb that has no ending: "Does it name".
func (s sentence) asks() bool {
	switch s.words[0].word {
	case "does", "do", "did", "can", "could", "should", "will", "would", "must", "may":
		return true
	}
	return false
}

// isSameDemand reports whether the word before "and" is a verb, too, so that both have one object.
func (s sentence) isSameDemand(and int, w string) bool {
	t, before := &s.words[and-1], s.word(and-2)
	switch before {
	case "to", "can", "must", "should", "will", "may", "who", "that", "which":
		return true
	}
	if t.knownKind()&demand != 0 {
		return true
	}
	// "Does the script sort and list", "Sorts and lists"
	isAfterSubject := s.asks() && and == 4 && slices.Contains(determiners, s.word(1)) && t.knownKind()&verb != 0
	isFirst := and == 1 && strings.HasSuffix(t.word, "s") == strings.HasSuffix(w, "s") && t.knownKind()&verb != 0
	return isAfterSubject || isFirst
}

// conjunctions join the items of a list.
var conjunctions = strings.Fields("and yet but plus")

// secondProperty finds a second property in a list: "clear and accurate", "clear, short and
// accurate". Nouns can have something between them: "the accuracy of the figures and the tone".
func (s sentence) secondProperty() (Place, bool) {
	l := propertyList{last: [2]int{none, none}, named: none}
	end := s.participle(len(s.words)) // what follows explains what is before
	if end < 0 || !s.asks() {
		end = len(s.words)
	}
	for i := range s.words[:end] {
		t := &s.words[i]
		if slices.Contains(conjunctions, t.word) {
			l.isLinked = true
			continue
		}
		if strings.ContainsAny(t.between, ",/&") {
			l.isLinked = true
		}
		property, ok := propertyOf(t.word)
		isArticle := t.knownKind()&article != 0 && t.word != "of" && t.word != "in" && l.isLinked
		switch {
		case ok && l.continues(property):
			return t.Place, true
		case !ok && (isArticle || isAdverb(t.word)):
			continue
		case ok:
			l.add(property)
		case !l.isLinked:
			l.last = [2]int{none, none}
		}
		l.isLinked = false
	}
	return Place{}, false
}

// propertyList is a list of properties as far as it is read.
type propertyList struct {
	last     [2]int // the property before, with its form
	named    int    // the line of the last noun
	isLinked bool   // whether the next word is linked with what is before
}

// continues reports whether a property is another one than those before it in the list.
func (l *propertyList) continues(property [2]int) bool {
	sameForm := l.last[0] != none && property[0] != l.last[0] && property[1] == l.last[1]
	bothNouns := property[1] == noun && l.named != none && property[0] != l.named
	return l.isLinked && (sameForm || bothNouns)
}

func (l *propertyList) add(property [2]int) {
	l.last = property
	if property[1] == noun {
		l.named = property[0]
	}
}

// noun is the place of a noun in a line of properties, and none is no line.
const noun, none = 2, -1

// propertyOf returns the line of a property, and its form. A noun such as "scalability" that no line has is a
// property of its own, which its length tells apart well enough.
func propertyOf(word string) (property [2]int, ok bool) {
	if property, ok = lexicon().properties[word]; ok {
		return property, true
	}
	if slices.Contains(things, word) {
		return property, false
	}
	for _, ending := range []string{"ness", "bility", "ivity", "icity", "ality"} {
		if len(word) > len(ending)+2 && strings.HasSuffix(word, ending) {
			return [2]int{-2 - len(word), noun}, true
		}
	}
	return property, false
}

// things are nouns that end like a property and are none.
var things = strings.Fields(`business witness illness wilderness fitness harness activity ability capability liability
	responsibility probability possibility electricity publicity personality nationality municipality hospitality quality`)

// thirdAdjective finds a list of three adjectives: "professional, warm, and free of jargon".
func (s sentence) thirdAdjective() (Place, bool) {
	for i := 0; i+3 < len(s.words); i++ {
		second, third := i+1, i+3
		if s.word(i+2) != "and" || !isComma(s.words[second].between) || strings.TrimLeft(s.words[i+2].between, ", ") != "" {
			continue
		}
		after := s.word(third + 1)
		isEnd := after == "" || lexicon().kinds[after]&idle != 0
		different, merits := map[string]bool{}, 0
		for _, k := range []int{i, second, third} {
			if isAdjective(s.word(k)) || s.word(k) == "free" && after == "of" {
				different[meaning(s.word(k))] = true
			}
			if s.words[k].knownKind()&merit != 0 {
				merits++
			}
		}
		if len(different) >= 2 && (isEnd || merits >= 2) {
			return s.place(i, third+1), true
		}
	}
	return Place{}, false
}

// meaning returns the same for words that mean much the same.
func meaning(word string) string {
	if property, ok := lexicon().properties[word]; ok {
		return strconv.Itoa(property[0])
	}
	return word
}

func isComma(between string) bool { return strings.TrimSpace(between) == "," }

// isAdjective reports whether a word says what something is like.
func isAdjective(word string) bool {
	known := lexicon()
	if property, ok := known.properties[word]; ok {
		return property[1] == 0
	}
	if known.kinds[word]&(merit|flaw) != 0 && !strings.HasSuffix(word, "ly") {
		return true
	}
	for _, ending := range []string{"ful", "ive", "able", "ible", "ous", "less", "ed"} {
		if strings.HasSuffix(word, ending) && len(word) > len(ending)+2 {
			return true
		}
	}
	return false
}
