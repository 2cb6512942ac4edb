package wording

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

//go:embed ranks.txt
var ranks string

// scaleWords are the words and phrases for levels of work, from the worst (0) to the best (1); words
// that say nothing beside them; and those that are names of levels only beside others, as in a table.
type scaleWords struct {
	values map[string]float64
	// degrees can weaken the word after them.
	about, beside, degrees map[string]bool
}

var scaleLexicon = sync.OnceValue(func() scaleWords {
	known := scaleWords{map[string]float64{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for line := range strings.Lines(ranks) {
		name, list, _ := strings.Cut(line, ":")
		value, err := strconv.ParseFloat(name, 64)
		for _, phrase := range strings.Fields(list) {
			phrase = strings.ReplaceAll(phrase, "-", " ")
			switch {
			case err == nil:
				known.values[phrase] = value
			case name == "about":
				known.about[phrase] = true
			case name == "degree":
				known.degrees[phrase] = true
			default:
				known.beside[phrase] = true
			}
		}
	}
	return known
})

// schoolGrade is a letter for a grade.
var schoolGrade = lazy.Expr(`^([A-F])([+-]?)$`)

// schoolGradeOf returns the letter and the sign of a school grade, or nil.
func schoolGradeOf(name string) []string {
	const longest = len("B+")
	if name = strings.Trim(name, " *_`"); len(name) > longest {
		return nil // as nearly always
	}
	return schoolGrade().FindStringSubmatch(name)
}

// longestName is how many words a name of a level has.
const longestName = 5

// Rank returns how good the work is that a name of a level stands for, from the worst (0) to the
// best (1), such as "Very good", "partially met", "does not meet expectations", and "B+". It
// reports false for a name that is not known.
func Rank(name string) (float64, bool) {
	if m := schoolGradeOf(name); m != nil {
		return 1 - 0.18*float64(m[1][0]-'A') + map[string]float64{"+": 0.05, "-": -0.05}[m[2]], true
	}
	words := slices.Collect(Read(name).Words())
	if len(words) == 0 || len(words) > longestName {
		return 0, false
	}
	known := scaleLexicon()
	if value, ok := known.values[strings.Join(words, " ")]; ok {
		return value, true
	}
	r, ok := readRank(words)
	if !ok || len(r.values) == 0 {
		return 0, false
	}
	return r.value(), true
}

// rank is what the words of a name say of work.
type rank struct {
	values []float64
	// degree is a share such as that of "partly", or 1.
	degree           float64
	denied, stressed bool
}

// readRank reads the words of a name. It reports false for a word that is not known.
func readRank(words []string) (r rank, ok bool) {
	known := scaleLexicon()
	r.degree = 1
	for i := 0; i < len(words); i++ {
		w, next := words[i], ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if value, ok := known.values[w+" "+next]; ok {
			r.values = append(r.values, value)
			i++
			continue
		}
		value, ok := known.values[w]
		switch {
		case ok && known.degrees[w] && next != "" && !known.about[next]:
			r.degree = value
		case ok:
			r.values = append(r.values, value)
		case known.about[w]:
		case slices.Contains(denials, w):
			r.denied = true
		case slices.Contains(stresses, w):
			r.stressed = true
		default:
			return r, false
		}
	}
	return r, true
}

var (
	denials  = strings.Fields("not doesn't isn't cannot")
	stresses = strings.Fields("very extremely highly strongly")
)

// value is that of the worst word, with the degree, a denial, or stress.
func (r *rank) value() float64 {
	value := slices.Min(r.values)
	if value < 0.5 {
		value = 1 - (1-value)*r.degree // "partly wrong" is better than "wrong"
	} else {
		value *= r.degree
	}
	switch {
	case r.denied && value > 0.5:
		return 0.05
	case r.stressed:
		value += (value - 0.5) / 4
	}
	return value
}

// IsGrade reports whether a name stands for how good a work is, even at the beginning of a text:
// "Excellent" and "Partially met", but not "Always", which can begin a rule.
func IsGrade(name string) bool {
	_, known := Rank(name)
	return known && !scaleLexicon().beside[strings.Join(slices.Collect(Read(name).Words()), " ")]
}
