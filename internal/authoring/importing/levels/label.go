package levels

import (
	"math"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The parts of a label.
const (
	numeral = `[0-9]{1,3}(?:[.,][0-9]{1,2})?`
	// A score can be a range, be out of a maximum, and have a unit.
	scored = `(?:(?:score|level|rating|grade|tier|band|stage|rank|points?)(?:\s+of)?[\s:#]*)?(` + numeral + `)(?:\s*(?:-|–|—|to|or)\s*(` + numeral + `))?` +
		`(?:\s*(?:/|out\s+of)\s*` + numeral + `)?\s*(?:points?|pts?\.?|marks?|stars?|percent|%)?`
	dash = `\s*[:=]\s*|\s+[-–—]+\s+|\s*[–—]\s*|\s*\n\s*`
)

var (
	scoreLabel = lazy.Expr(`(?i)^` + scored + `$`)
	// scoreThenName and nameThenScore are labels with both, such as "5 - Excellent",
	// "5 (excellent)", "Excellent (5 points)", and "Excellent 5".
	scoreThenName = lazy.Expr(`(?i)^` + scored + `(?:(?:` + dash + `|\s+)([^()0-9]+)|\s*\(([^()]+)\))$`)
	nameThenScore = lazy.Expr(`(?i)^([^()0-9]+?)(?:(?:` + dash + `|\s*,\s*|\s+)` + scored + `|\s*\(\s*` + scored + `\s*\))$`)
	starLabel     = lazy.Expr(`^(?:★{1,10}☆{0,9}|⭐{1,10})\x{FE0F}?$`)
	// symbols are signs before and markup around a label.
	symbols = lazy.Expr(`^[^\pL\pN★⭐("]+|[\s*_:=–—-]+$`)
)

// ReadLabel reads a text that is nothing but the name of a level: a score, a range of scores, or
// a word that grades, or a score and a name.
func ReadLabel(text string) (Level, bool) {
	if len(text) > mostLabel {
		return Level{}, false
	}
	text = strings.TrimSpace(symbols().ReplaceAllString(strings.NewReplacer("*", "", "_", " ").Replace(text), ""))
	if m := scoreLabel().FindStringSubmatch(text); m != nil {
		return between(m[1], m[2]), true
	}
	if starLabel().MatchString(text) {
		return Score(float64(strings.Count(text, "★")+strings.Count(text, "⭐")), ""), true
	}
	if isGrade(text) {
		return Named(text, ""), true
	}
	if m := scoreThenName().FindStringSubmatch(text); m != nil && (m[4] != "" || isGrade(m[3])) {
		l := between(m[1], m[2])
		l.Name = strings.TrimSpace(m[3] + m[4])
		return l, true
	}
	if m := nameThenScore().FindStringSubmatch(text); m != nil && isGrade(m[1]) {
		l := between(m[2]+m[4], m[3]+m[5])
		l.Name = strings.TrimSpace(m[1])
		return l, true
	}
	return Level{}, false
}

// mostLabel is the length of the longest label.
const mostLabel = 60

// between is a level from a low to a high score, which is "" for a single score.
func between(low, high string) Level {
	l := Level{Low: parsed(low), High: parsed(high)}
	if math.IsNaN(l.High) {
		l.High = l.Low
	}
	if l.Low > l.High {
		l.Low, l.High = l.High, l.Low
	}
	return l
}

func parsed(score string) float64 {
	n, err := strconv.ParseFloat(strings.ReplaceAll(score, ",", "."), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// isGrade reports whether a text is a word or some words that grade work as a whole.
func isGrade(text string) bool {
	words := strings.Fields(strings.ToLower(strings.NewReplacer("-", " ", "/", " ", "’", "'").Replace(text)))
	grades := false
	for _, word := range words {
		word = strings.Trim(word, ",.!\"'“”")
		grades = grades || gradeWords[word] >= weak
		if gradeWords[word] == 0 {
			return false
		}
	}
	return grades && len(words) <= 5
}

// isWeak reports whether a name is also that of a criterion, such as "correct": on its own, it
// does not make a list one of levels.
func isWeak(name string) bool { return gradeWords[strings.ToLower(strings.TrimSpace(name))] == weak }

// The kinds of words in the name of a level. A name has a weak or a strong one.
const (
	with = iota + 1 // belongs to other words
	weak
	strong
)

var gradeWords = func() map[string]int {
	all := map[string]int{}
	for kind, words := range map[int]string{
		strong: `excellent outstanding exemplary exceptional superior superb perfect ideal flawless great good better best
			strong solid fine decent okay ok adequate acceptable satisfactory sufficient fair average mediocre moderate
			competent proficient advanced intermediate basic beginner beginning novice emerging emergent developing
			approaching accomplished distinguished mastery mastered expert apprentice limited minimal marginal weak poor
			bad worse worst terrible inadequate insufficient unsatisfactory unacceptable deficient failing failed failure
			fail fails pass passes passed passing partial missing absent none no yes true false high highest medium low
			lowest lower higher bronze silver gold platinum met meets meet exceeds exceed exceeded exceeding meeting below
			above needs incomplete incorrect wrong inaccurate irrelevant unhelpful unclear unsafe invalid unsupported
			ungrounded unfaithful partially somewhat mostly unusable n/a na`,
		weak: `correct right accurate relevant helpful clear safe harmful complete valid supported grounded faithful usable full
			fully`,
		with: `very not at far well extremely highly slightly completely entirely largely partly nearly almost minimally
			expectation expectations standard standards requirement requirements improvement work attention revision the
			target level quality or and to of n a is does some most all`,
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = kind
		}
	}
	return all
}()
