package wording

import (
	"slices"
	"strings"
)

// token is a word of a sentence, in lowercase, with its place and what is between it and the word before.
type token struct {
	word, between string
	Place
}

// knownKind returns what the lexicon knows about the word.
func (t *token) knownKind() kind { return lexicon().kinds[t.word] }

// sentence are the words up to a sign that ends it. After is the sign before it, such as ";", or "".
type sentence struct {
	words []token
	after string
}

// sentencesOf splits a text into sentences, and sentences at semicolons.
func sentencesOf(text string) (all []sentence) {
	s, end, inside := sentence{}, 0, 0 // how many brackets are open
	for from, to := nextWord(text, 0); from < to; from, to = nextWord(text, to) {
		between := text[end:from]
		inside += strings.Count(between, "(") - strings.Count(between, ")")
		if i := strings.IndexAny(between, ".?!;"); i >= 0 && len(s.words) > 0 && (inside <= 0 || between[i] != ';') {
			all = append(all, s)
			s = sentence{after: between[i : i+1]}
		}
		s.words = append(s.words, token{fold(text[from:to]), between, Place{from, to}})
		end = to
	}
	if len(s.words) > 0 {
		all = append(all, s)
	}
	return all
}

// secondPart finds a second demand ("and explains why", "while avoiding jargon"), a second clause
// ("the total is right and the date is named"), a second property ("clear and accurate"), and what
// the first semicolon adds to the first sentence. Two demands in a row, "extracts and lists the dates", count as one.
func secondPart(text string) (Place, bool) {
	all := sentencesOf(text)
	for i, s := range all {
		switch {
		case i == 0, s.after == ";" && i == 1:
		case s.after == ";" || !s.demands():
			continue
		}
		if s.after == ";" && s.isAnother(all[i-1]) {
			return s.place(0, len(s.words)), true
		}
		first := Place{}
		for _, find := range findings {
			if at, found := find(s); found && (first.End == 0 || at.Start < first.Start) {
				first = at
			}
		}
		if first.End > 0 {
			return first, true
		}
	}
	return Place{}, false
}

// findings are the ways in which a sentence can ask for a second thing.
var findings = []func(sentence) (Place, bool){
	sentence.secondProperty, sentence.thirdAdjective, sentence.secondDemand, sentence.secondClause, sentence.addition,
}

// demands reports whether a sentence after the first one asks for something, too. Others say what the words of
// the first one mean.
func (s sentence) demands() bool {
	first := &s.words[0]
	return first.knownKind()&demand != 0 || slices.Contains(auxiliaries, first.word) ||
		slices.Contains(questioning, first.word)
}

// place returns the place of some of the words.
func (s sentence) place(from, to int) Place {
	return Place{s.words[from].Start, s.words[to-1].End}
}

// word returns a word, or "" beyond the ends.
func (s sentence) word(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i].word
}

var (
	auxiliaries = strings.Fields("is are was were has have does do did can could must should will would may")
	questioning = strings.Fields("what which who whose how why where when whether that if")
	determiners = strings.Fields(`a an the its their each every no any all both this these those it them
		what which who how why where when whether that`)
	// instructions begin what tells a judge how to score, or explains the words before.
	instructions = strings.Fields(`ignore do don't count treat accept penalize penalise score consider note
		e i for that this these those so otherwise if when only see use such rate judge give read assume not
		because which where but and or`)
)

// isFinite reports whether a word can be the verb of a clause.
func (t *token) isFinite() bool {
	return slices.Contains(auxiliaries, t.word) || t.knownKind()&(demand|verb) != 0
}

// isAnother reports whether what follows a semicolon is another demand, and neither an instruction nor
// more about what the part before it names.
func (s sentence) isAnother(before sentence) bool {
	if len(s.words) < 3 || len(before.words) < 2 || slices.Contains(instructions, s.words[0].word) {
		return false
	}
	v := 1 + slices.IndexFunc(s.words[1:], func(t token) bool { return t.isFinite() })
	if v < 1 {
		return false
	}
	if first := s.words[0].word; first == "the" || first == "they" || first == "it" {
		for _, t := range s.words[:v] {
			isSame := func(other token) bool { return unitOf(other.word) == unitOf(t.word) }
			if t.knownKind()&(idle|article) == 0 && slices.ContainsFunc(before.words, isSame) {
				return false
			}
		}
	}
	return true
}

// secondClause finds a second clause with a subject of its own, after "and".
func (s sentence) secondClause() (Place, bool) {
	for i := 1; i < len(s.words)-1; i++ {
		if s.words[i].word != "and" && s.words[i].word != "plus" {
			continue
		}
		if end := s.clauseAfter(i); end > 0 {
			return s.place(i, end), true
		}
	}
	return Place{}, false
}

// clauseAfter is the end of the beginning of a second clause after the word at and, or 0.
func (s sentence) clauseAfter(and int) (end int) {
	switch next := s.word(and + 1); next {
	case "that", "if", "whether":
		if s.has(next, 1, and) {
			return and + 2
		}
	case "must", "should":
		if s.has(next, 0, and) {
			return and + 2
		}
	case "it", "they":
		v := and + 2
		if v < len(s.words) && (s.words[v].isFinite() || strings.HasSuffix(s.words[v].word, "s")) && s.hasVerb(and) {
			return v + 1
		}
		return 0
	}
	if v := s.verbAfter(and + 1); v > 0 && s.hasVerb(and) {
		return v + 1
	}
	if s.isElliptical(and) {
		return len(s.words)
	}
	return 0
}

// has reports whether a word is between two places.
func (s sentence) has(word string, from, to int) bool {
	return slices.ContainsFunc(s.words[from:to], func(t token) bool { return t.word == word })
}

// subjectReach is how many words a subject has at most.
const subjectReach = 4

// verbAfter returns the place of the auxiliary after a subject that begins at a word, or 0.
func (s sentence) verbAfter(from int) int {
	for i := from; i < len(s.words) && i <= from+subjectReach; i++ {
		w := s.words[i].word
		switch {
		case i > from && slices.Contains(auxiliaries, w):
			return i
		case slices.Contains(questioning, w), slices.Contains(auxiliaries, w), w == "and", w == "not",
			i > from && strings.ContainsAny(s.words[i].between, ",:("):
			return 0
		case s.words[i].knownKind()&idle != 0 && !slices.Contains(determiners, w) && w != "of" &&
			!slices.Contains(commonNouns, w):
			return 0
		}
	}
	return 0
}

// hasVerb reports whether the clause that ends before a word has a verb. The first word of a question is not
// enough, as in "Are the cause and the effect named", and neither is a verb before "that".
func (s sentence) hasVerb(end int) bool {
	found := false
	for i := range s.words[:end] {
		t := &s.words[i]
		switch {
		case slices.Contains(questioning, t.word):
			found = false
		case i > 0 && t.isFinite(), i == 0 && t.knownKind()&(demand|verb) != 0 && !slices.Contains(auxiliaries, t.word):
			found = true
		}
	}
	return found
}

// isElliptical reports whether the rest of a question after "and" lacks its verb, which is that of the
// question: "Is the total right and the date named?"
func (s sentence) isElliptical(and int) bool {
	switch s.words[0].word {
	case "is", "are", "was", "were":
		last := len(s.words) - 1
		return last >= and+3 && slices.Contains(determiners, s.word(and+1)) && isAdjective(s.word(and-1)) &&
			isAdjective(s.word(last))
	}
	return false
}

// comparing are words after "as well as" that make it a comparison.
var comparing = strings.Fields("it they them you possible can any expected before")

// addition finds what "as well as" adds.
func (s sentence) addition() (Place, bool) {
	for i := 1; i+3 < len(s.words); i++ {
		if s.word(i) != "as" || s.word(i+1) != "well" || s.word(i+2) != "as" || s.has("each", 0, i) || s.has("every", 0, i) {
			continue
		}
		next, noun := s.word(i+3), i+3
		switch {
		case slices.Contains(comparing, next):
			continue
		case slices.Contains(determiners, next):
			noun++
		}
		after := s.word(noun + 1)
		isComparison := strings.HasSuffix(after, "s") && lexicon().kinds[after]&idle == 0 ||
			slices.Contains(auxiliaries, after)
		if noun < len(s.words) && !isComparison {
			return s.place(i, noun+1), true
		}
	}
	return Place{}, false
}
