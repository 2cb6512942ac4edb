package wording

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// SaysNothing reports whether an English text only grades and describes nothing
// observable: it has words, and all of them are grades, comparisons with another score,
// feelings of a person, common words, words for what is graded, or in name, the name of the
// criterion.
func SaysNothing(t Text, name string) bool {
	var graded kind
	var names Text
	kinds := lexicon().kinds
	people, unknown := false, "" // a word before "would", which is a person if that is followed by a feeling
	for w := range t.Words() {
		kind := kinds[w] & (grade | degree | idle | relative | feeling)
		if unknown != "" && w != "would" {
			return false
		}
		unknown = ""
		switch {
		case kind != 0 || isOneScore(w):
		case kinds[w]&person != 0:
			people = true
		default:
			if names.Len == 0 {
				names = Read(name)
			}
			if strings.Contains(names.joined, " "+w+" ") {
				break
			}
			if people || graded != idle || kinds[w]&(general|demand) != 0 {
				return false
			}
			people, unknown = true, w
		}
		graded |= kind
	}
	return unknown == "" && graded&feeling != 0 || !people && graded&(grade|degree|relative) != 0
}

// isOneScore reports whether a word is a score from 1 to 5.
func isOneScore(w string) bool { return len(w) == 1 && '1' <= w[0] && w[0] <= '5' }

// kind is what the lexicon knows about a word: one or more of the following.
type kind uint32

const (
	grade   kind = 1 << iota // how good something is, but not what it is
	degree                   // how much
	article                  // doesn't matter in a comparison of texts
	idle                     // common, or general for what is graded
	vague                    // a degree or grade in texts that have other words, too
	general                  // general for what an artifact does and has
	demand                   // what a criterion can require an artifact to do
	absent                   // says that something is missing
	number
	relative  // compares with another score
	person    // who reads the work
	feeling   // of a person about the work
	quality   // a property, as a noun
	merit     // what good work is like
	flaw      // what bad work is like
	little    // makes a flaw small
	denial    // says that something is not there
	lacking   // is a denial and a fault: "lacks", but not "no"
	wholeness // says that all of something is there
	verb      // can be the verb of a clause, and some are nouns, too
)

//go:embed words.txt
var words string

// knowledge is what the program knows about English words.
type knowledge struct {
	kinds map[string]kind
	// properties have the place of a word in the lists of properties: its line, and its
	// form as an adjective, adverb, or noun. Words of one line mean much the same.
	properties map[string][2]int
	// levels are the quantifiers, from none (0) to all (1).
	levels map[string]float64
}

var lexicon = sync.OnceValue(func() knowledge {
	kinds := map[string]kind{
		"grade": grade, "degree": degree, "idle": idle, "article": article,
		"vague": vague, "general": general, "demand": demand, "absent": absent, "number": number,
		"relative": relative, "person": person, "feeling": feeling, "quality": quality,
		"merit": merit, "flaw": flaw, "small": little, "denial": denial, "lacking": lacking, "whole": wholeness, "verb": verb,
	}
	known := knowledge{map[string]kind{}, map[string][2]int{}, map[string]float64{}}
	line := 0
	for text := range strings.Lines(words) {
		line++
		name, list, _ := strings.Cut(text, ":")
		for form, word := range strings.Fields(list) {
			if kind, ok := kinds[name]; ok {
				known.kinds[word] |= kind
				continue
			}
			if level, err := strconv.ParseFloat(strings.TrimPrefix(name, "level "), 64); err == nil {
				known.levels[word] = level
				continue
			}
			for synonym := range strings.SplitSeq(word, ",") {
				known.properties[synonym] = [2]int{line, form}
			}
		}
	}
	known.turnAround()
	return known
})

// turnAround adds the words for good work with a prefix of denial, such as "unclear": they are flaws.
func (k *knowledge) turnAround() {
	for _, word := range wordsOfKind(k.kinds, merit) {
		for _, prefix := range [...]string{"un", "in", "im", "ir", "non", "dis", "mis"} {
			if k.kinds[prefix+word]&(merit|flaw|denial) == 0 {
				k.kinds[prefix+word] |= flaw
			}
		}
	}
}

// wordsOf returns the words of a kind.
func wordsOf(k kind) []string { return wordsOfKind(lexicon().kinds, k) }

func wordsOfKind(kinds map[string]kind, k kind) (words []string) {
	for word, of := range kinds {
		if of&k != 0 {
			words = append(words, word)
		}
	}
	return words
}

// Place is a part of a text, from byte Start up to byte End.
type Place struct{ Start, End int }
