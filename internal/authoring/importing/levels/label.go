package levels

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

var (
	// scoreWord makes the number after it a score.
	scoreWord = lazy.Expr(`(?i)^(?:(?:orig[ _])?(?:score|level|rating|grade|anchor|points?|stars?|value|mark|band)s?[ _]*(?:of[ _])?[:#=]?[ _]*|L)`)
	// limitWord makes a number the end of an open range.
	limitWord = lazy.Expr(`(?i)^(?:(>=|≥|at least |from )|(>|over |above |more than )|(<=|≤|at most |up to )|(<|under |below |less than |fewer than ))\s*`)
	numeral   = lazy.Expr(`^(?:(?:1000|[0-9]{1,3})(?:\.[0-9]{1,3}|,[0-9]{1,2})?|\.[0-9]{1,3})`)
	unit      = lazy.Expr(`(?i)^\s*(?:%|percent\b|points?\b|pts?\b\.?|stars?\b|marks?\b|★|⭐)`)
	through   = lazy.Expr(`(?i)^\s*(?:-|–|—|−|\.\.\.?|…|to\b|through\b)\s*`)
	andMore   = lazy.Expr(`(?i)^(?:\s?\+|\s+(?:or|and) (?:more|above|higher|up|over)\b)`)
	andLess   = lazy.Expr(`(?i)^\s+(?:or|and) (?:less|fewer|below|lower|under)\b`)
	outOf     = lazy.Expr(`(?i)^\s*(?:/|out of|of)\s*[0-9]{1,4}`)
	// keyEnd ends the key of a text for a score.
	keyEnd = lazy.Expr(`(?i)^[ _]description$`)
	// between separates a score from a name.
	between = lazy.Expr(`^\s*(?:[:=,;]|[-–—−]|\|)\s*`)
	// starred is a score as stars.
	starred = lazy.Expr(`^(?:★{1,10}☆{0,9}|⭐{1,10})\x{FE0F}?$`)
	// sign is what is no word, number, or star before a label, such as a colored circle.
	sign = lazy.Expr(`^[^\pL\pN★⭐(<>≤≥.\[]+`)
	// beforeLast is what precedes a score at the end of a label.
	beforeLast = lazy.Expr(`^(.*?\S)\s*(?:[:=,;(\[]|\s[-–—−]\s|[–—])\s*([^:=,;(\[]*?)[)\]]?$`)
	beforeBare = lazy.Expr(`^([^0-9<>≤≥.]*?\S)\s+([0-9<>≤≥].*)$`)
)

// decoration is what surrounds a label in Markdown and in keys.
const decoration = " \t*_`\"'“”\u00a0"

// Label reads the name of a level, such as the heading of a column or a key: a score, a range, a
// word, or a word with a score. The text of the level is empty.
func Label(label string) Level {
	l, _ := readLabel(label)
	return l
}

// ReadLabel reads a text that may be the name of a level, such as a key or a heading: a score, or a
// word for how good a work is, or both.
func ReadLabel(text string) (Level, bool) {
	l, isScore := readLabel(text)
	_, isKnown := wording.Rank(l.Name)
	return l, isKnown || isScore || !l.IsNamed() && l.Name == "" || isInapplicable(l.Name)
}

// isInapplicable reports whether a name is that of no level: the criterion does not apply.
func isInapplicable(name string) bool {
	return slices.Contains([]string{"n/a", "na", "not applicable", "unknown", "unrated"}, strings.ToLower(name))
}

// mostLabel is how many bytes of a label are read: a longer text is not one.
const mostLabel = 200

// readLabel reads a label, and reports whether a word makes its number a score.
func readLabel(label string) (l Level, isScore bool) {
	if len(label) > mostLabel {
		return Named(strings.TrimSpace(label), ""), false
	}
	label = strings.TrimRight(strings.Trim(sign().ReplaceAllString(label, ""), decoration), ":"+decoration)
	if rated := starred().FindString(label); rated != "" {
		return Score(float64(strings.Count(rated, "★")+strings.Count(rated, "⭐")), ""), true
	}
	if l, rest, isScore, ok := readScore(label); ok {
		switch {
		case rest == "", keyEnd().MatchString(rest):
			return l, isScore
		case strings.HasPrefix(strings.TrimLeft(rest, " *_"), "("):
			rest = strings.TrimLeft(rest, " *_")
			l.Name = strings.Trim(rest[1:], decoration+")")
			return l, true
		}
		rest = strings.TrimLeft(rest, "*_")
		at := between().FindString(rest)
		isDate := len(at) < len(rest) && strings.TrimLeft(at, "-–—−") == "" && isDigit(rest[len(at)]) // such as 5-05
		if at != "" && !isDate {
			l.Name = strings.Trim(rest[len(at):], decoration)
			return l, isScore
		}
	}
	for i, expr := range []func(string) []string{beforeBare().FindStringSubmatch, beforeLast().FindStringSubmatch} {
		m := expr(label)
		if m == nil {
			continue
		}
		name := strings.Trim(m[1], decoration+"-–—:=,;")
		_, isKnown := wording.Rank(name)
		if l, rest, isScore, ok := readScore(strings.Trim(m[2], decoration)); ok && rest == "" && (i == 1 || isKnown) {
			l.Name = name
			return l, isScore
		}
	}
	return Named(label, ""), false
}

// readScore reads a score or a range at the beginning of a text, and returns what follows.
func readScore(text string) (l Level, rest string, isScore, ok bool) {
	rest = text
	if m := scoreWord().FindString(rest); m != "" {
		after := rest[len(m):]
		if isScore = numeral().MatchString(after) || limitWord().MatchString(after); isScore {
			rest = after
		}
	}
	begin := rest
	limit := limitWord().FindStringSubmatch(rest)
	if limit != nil {
		rest = rest[len(limit[0]):]
	}
	low, rest, ok := readNumber(rest)
	if !ok {
		return Level{}, text, false, false
	}
	l.Low, l.High, rest = readEnd(low, limit, rest)
	rest = rest[len(unit().FindString(rest)):]
	rest = rest[len(outOf().FindString(rest)):]
	rest = rest[len(unit().FindString(rest)):]
	if math.IsInf(l.Low, 0) || math.IsInf(l.High, 0) {
		l.written = strings.TrimSpace(begin[:len(begin)-len(rest)])
	}
	if rest != "" && (rest[0] >= '0' && rest[0] <= '9' || rest[0] >= 'a' && rest[0] <= 'z') {
		return Level{}, text, false, false // such as 3rd
	}
	return l, rest, isScore, true
}

// readEnd reads what makes a range of a number: another number, or words after it, or those of
// the limit before it.
func readEnd(n float64, limit []string, text string) (low, high float64, rest string) {
	low, high, rest = n, n, text
	if m := through().FindString(rest); m != "" {
		if last, after, ok := readNumber(rest[len(m):]); ok && last > low {
			high, rest = last, after
		}
	}
	switch {
	case limit != nil:
		low, high = openRange(limit, n)
	case andMore().MatchString(rest):
		high = math.Inf(1)
		rest = rest[len(andMore().FindString(rest)):]
	case andLess().MatchString(rest):
		low = math.Inf(-1)
		rest = rest[len(andLess().FindString(rest)):]
	}
	return low, high, rest
}

// readNumber reads a number with its unit.
func readNumber(text string) (n float64, rest string, ok bool) {
	m := numeral().FindString(text)
	n, err := strconv.ParseFloat(strings.Replace(m, ",", ".", 1), 64)
	if err != nil {
		return 0, text, false
	}
	rest = text[len(m):]
	return n, rest[len(unit().FindString(rest)):], true
}

// openRange is the range that a word such as "over" opens at a number.
func openRange(limit []string, n float64) (low, high float64) {
	switch {
	case limit[1] != "":
		return n, math.Inf(1)
	case limit[2] != "":
		return math.Nextafter(n, math.Inf(1)), math.Inf(1)
	case limit[3] != "":
		return math.Inf(-1), n
	}
	return math.Inf(-1), math.Nextafter(n, math.Inf(-1))
}

// AreLevels reports whether items that Item found are the levels of one criterion: there are two
// or more, each with a label of its own. Words that do not differ in how good they are, such as
// correct and complete, are criteria, and letters without an F are answers to choose from.
func AreLevels(all []Level) bool {
	if len(all) < 2 {
		return false
	}
	best, worst := 0.0, 1.0
	letters, failing := 0, false
	for i, l := range all {
		if slices.ContainsFunc(all[:i], l.sameLabel) {
			return false
		}
		if l.IsNamed() && len(l.Name) == 1 {
			letters++
			failing = failing || l.Name == "F"
		}
		if rank, isKnown := wording.Rank(l.Name); isKnown {
			best, worst = max(best, rank), min(worst, rank)
		}
	}
	return (!all[0].IsNamed() || best > worst) && (letters == 0 || failing)
}

// identity is what tells a level from others: its score or, without one, its name.
type identity struct {
	low, high float64
	name      string
}

func (l Level) identity() identity {
	if l.IsNamed() {
		return identity{name: " " + strings.ToLower(l.Name)} // which no number has
	}
	return identity{low: l.Low, high: l.High}
}

func (l Level) sameLabel(other Level) bool { return l.identity() == other.identity() }
