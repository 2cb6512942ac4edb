package bundlefile

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Words are what a search covers of a document.
type Words struct {
	id     string
	places func() []place // folded once
}

// WordsOf returns the words of a document from its line.
func WordsOf(l *IndexLine) *Words {
	return &Words{l.ID, sync.OnceValue(func() []place { return placesOf(l) })}
}

// Found is a document that a search found.
type Found struct {
	// Index is its index in the searched list.
	Index int
	// Score ranks the documents that one search found; it has no other meaning.
	Score int
	// Matched are the places where the words were found, such as "name" or
	// "criteria[clarity]".
	Matched []string
	// Partial means that no document has all the words, and that this one has the most.
	Partial bool
}

// place is a text that a search covers: its words, each between spaces.
type place struct {
	name   string
	weight int
	text   string
}

// The score of a word in a place is the weight of the place times one of these.
// docs/bundle.md defines the search; the clients and the site compute the same.
const (
	gradeTypo = 1 + iota
	gradeInside
	gradeBeginning
	gradeWord

	// wholeID is added if the words of the query are those of the ID.
	wholeID = 100
	// typoLength is the number of characters from which a word can have a typo.
	typoLength = 4
	// insideLength is the number of ASCII characters from which a word is found inside others, and
	// countedLength that from which it counts if no document has all the words.
	insideLength  = 4
	countedLength = 3
	// maxWords is the number of words that count, so that a query can't take long.
	maxWords = 16
)

// generic are words that no author has to write for a search to find the document.
var generic = []string{"rubric", "ruleset"}

// Search returns the documents that contain every word of a query, in any order, best first, and by
// ID among equals; if there is none, those that contain the most, of which short words don't count
// and rare ones rank higher. A query that begins with "ID@VERSION" is a reference, of which only
// the ID counts. Generic words and those that every document has don't count, unless the query has
// no others. A query without words finds every document with a score of 0.
func Search(documents []*Words, query string) []Found {
	if reference().MatchString(query) {
		query, _, _ = strings.Cut(query, "@")
	}
	text := fold(query)
	columns := columnsOf(documents, searchedIn(text))
	var matches []Found
	most := 1
	for i, d := range documents {
		f := Found{Index: i, Matched: []string{}}
		if text != "" && d.places()[0].text == text {
			f.Score = wholeID
		}
		n := 0
		f.Partial = slices.ContainsFunc(columns, func(c column) bool { return !isPlace(c.places[i]) })
		for _, c := range columns {
			p := c.places[i]
			if !isPlace(p) {
				continue
			}
			if f.Partial {
				p.weight *= c.missing
			}
			f.add(p)
			if !isShorter(c.word, countedLength) {
				n++
			}
		}
		if !f.Partial {
			n = maxWords + 1
		}
		if n > most {
			matches, most = nil, n
		}
		if n == most {
			matches = append(matches, f)
		}
	}
	slices.SortFunc(matches, func(a, b Found) int {
		return cmp.Or(b.Score-a.Score, cmp.Compare(documents[a.Index].id, documents[b.Index].id))
	})
	return matches
}

// searchedIn returns the words of a folded query that are searched for.
func searchedIn(text string) []string {
	words := strings.Fields(text)
	isGeneric := func(word string) bool { return slices.Contains(generic, word) }
	return slices.DeleteFunc(words[:min(len(words), maxWords)], isGeneric)
}

// column has the best place of a word in each document, and the number of documents without it.
type column struct {
	word    string
	places  []place
	missing int
}

// columnsOf returns the columns of the words that count.
func columnsOf(documents []*Words, words []string) []column {
	known := sync.OnceValue(func() map[string]bool { return wordsOf(documents) })
	var columns []column
	for _, word := range words {
		places := bestPlaces(documents, word, contains)
		// Numbers and versions that differ in a digit are different.
		mayHaveTypo := utf8.RuneCountInString(word) >= typoLength && !strings.ContainsFunc(word, unicode.IsNumber)
		if mayHaveTypo && !slices.ContainsFunc(places, isPlace) {
			near := similar(word, known())
			places = bestPlaces(documents, word, func(text, _ string) int {
				if slices.ContainsFunc(near, func(word string) bool { return strings.Contains(text, word) }) {
					return gradeTypo
				}
				return 0
			})
		}
		c := column{word: word, places: places}
		for _, p := range places {
			if !isPlace(p) {
				c.missing++
			}
		}
		columns = append(columns, c)
	}
	everywhere := func(c column) bool { return len(documents) > 1 && c.missing == 0 }
	if telling := slices.DeleteFunc(slices.Clone(columns), everywhere); len(telling) > 0 {
		return telling
	}
	return columns
}

// reference matches "ID@" before a version, a constraint, a digest, or nothing, but not an owner,
// such as @acme/search or search@acme.example.
var reference = lazy.Expr(`^[ \t\r\n]*[^ \t\r\n@]+@[ \t\r\n]*(?:[vV]?[0-9]|[\^~<>=!*#]|$)`)

func (m *Found) add(p place) {
	m.Score += p.weight
	if !slices.Contains(m.Matched, p.name) {
		m.Matched = append(m.Matched, p.name)
	}
}

func isPlace(p place) bool { return p.weight > 0 }

// bestPlaces returns the first place with the highest score of a word in each document,
// with that score as its weight, which is 0 if the word is not there.
func bestPlaces(documents []*Words, word string, grade func(text, word string) int) []place {
	best := make([]place, len(documents))
	for i, d := range documents {
		for _, p := range d.places() {
			if score := p.weight * grade(p.text, word); score > best[i].weight {
				best[i] = place{name: p.name, weight: score}
			}
		}
	}
	return best
}

// isShorter reports whether a word has fewer characters than a length, all of ASCII.
func isShorter(word string, length int) bool {
	return len(word) < length && utf8.RuneCountInString(word) == len(word)
}

func contains(text, word string) int {
	switch {
	case !strings.Contains(text, word):
		return 0
	case strings.Contains(text, " "+word+" "):
		return gradeWord
	case strings.Contains(text, " "+word):
		return gradeBeginning
	case isShorter(word, insideLength):
		return 0 // it is inside too many words
	}
	return gradeInside
}

// wordsOf returns the different words of all documents. They are far fewer than all words.
func wordsOf(documents []*Words) map[string]bool {
	words := map[string]bool{}
	for _, d := range documents {
		for _, p := range d.places() {
			for word := range strings.FieldsSeq(p.text) {
				words[word] = true
			}
		}
	}
	return words
}

// similar returns the known words that are a typo away, and the pairs of known words that the
// word joins, between spaces.
func similar(word string, known map[string]bool) []string {
	var near []string
	for other := range known {
		if oneEdit([]rune(word), []rune(other)) {
			near = append(near, " "+other+" ")
		}
	}
	for i := range word {
		if known[word[:i]] && known[word[i:]] {
			near = append(near, " "+word[:i]+" "+word[i:]+" ")
		}
	}
	return near
}

// oneEdit reports whether two different words are one character apart, which is added,
// missing, or another, or have two adjacent characters swapped.
func oneEdit(a, b []rune) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) == 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// placesOf returns the places of a document, the ID first.
func placesOf(l *IndexLine) []place {
	places := []place{
		{"id", 6, fold(l.ID)}, {"artifact_type", 5, fold(l.ArtifactType)}, {"name", 4, fold(l.Name)},
		{"description", 2, fold(l.Description)},
		{"keywords", 5, fold(l.Keywords)}, {"owner", 3, fold(l.Owner)},
	}
	for _, p := range l.Parts {
		name := p.List + "[" + p.Name + "]"
		places = append(places, place{name, 3, fold(p.Name)}, place{name, 1, fold(p.Text)})
	}
	return places
}

// folded has the characters whose lowercase is not what people type, or is not one
// character in every language.
var folded = map[rune]string{'ß': "ss", 'ẞ': "ss", 'ς': "σ", 'İ': "i", 'ı': "i"}

// fold returns the words of a text in lowercase NFC and in the singular, each between
// spaces, or "". A word is a sequence of letters, marks, and numbers. The result does not
// depend on the language, and each character is folded by itself, so other programs can do
// the same.
func fold(text string) string {
	out := make([]byte, 1, len(text)+2)
	out[0] = ' '
	for _, r := range norm.NFC.String(text + " ") {
		if special, ok := folded[r]; ok {
			out = append(out, special...)
		} else if unicode.In(r, unicode.L, unicode.M, unicode.N) {
			out = utf8.AppendRune(out, unicode.ToLower(r))
		} else if out[len(out)-1] != ' ' {
			out = append(singular(out), ' ')
		}
	}
	if len(out) == 1 {
		return ""
	}
	return string(out)
}

// singular removes the plural ending of English from the last word. Words of fewer than four
// characters, such as "ids", are too short to tell.
func singular(text []byte) []byte {
	word := text[bytes.LastIndexByte(text, ' ')+1:]
	switch {
	case utf8.RuneCount(word) < 4 || !bytes.HasSuffix(word, []byte("s")) || bytes.HasSuffix(word, []byte("ss")):
		return text
	case bytes.HasSuffix(word, []byte("ies")):
		return append(text[:len(text)-3], 'y')
	case bytes.HasSuffix(word, []byte("sses")), bytes.HasSuffix(word, []byte("shes")),
		bytes.HasSuffix(word, []byte("ches")), bytes.HasSuffix(word, []byte("xes")), bytes.HasSuffix(word, []byte("zes")):
		return text[:len(text)-2]
	}
	return text[:len(text)-1]
}
