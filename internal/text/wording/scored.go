package wording

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// scoreForms are the forms in which a text says which score an artifact gets, one a line: the beginnings
// of words of which the text has one, and an expression whose group is the score. A space is any
// space. The words around a number show that it does not count something in the artifact.
//
//go:embed scores.txt
var scoreForms string

// scoreParts are the names in braces in scoreForms.
var scoreParts = strings.NewReplacer(
	" ", `\s+`,
	"{a}", `(?:an?\s+)?`,
	"{small}", `([0-9]|10)`,
	"{number}", `(\d+(?:\.\d+)?)`,
	"{to}", `\s*(?:-|–|to)\s*`,
	"{other}", `((?:0|1)\s*(?:-|–|to)\s*(?:[2-46-9]|\d\d+)|0\s*(?:-|–|to)\s*5)`, // a scale other than 1 to 5
	"{score}", `(?:score|criterion|rating|grade|mark|result)`,
	"{scores}", `(?:scor(?:e[sd]?|ing)|rat(?:e[sd]?|ing)|grad(?:e[sd]?|ing))`,
	"{be}", `(?:(?:it|this|that|them|is|of|as|must|should|be|cannot|can't|exceed|an?|to|=|:)\s+){0,3}?`,
	"{gives}", `(?:gets?|gives?|given|earns?|deserves?|receives?|award(?:s|ed)?|assign(?:s|ed)?)`,
	"{points}", `(?:points?|pts?|marks?)`,
	"{start}", `(?:^|[.;,:?!(]\s*)`,
	// {end} is what follows a score, and not a count: no noun.
	"{end}", `\s*(?:\.(?:\D|$)|[,;:!?)]|$|\b(?:if|when|where|unless|even|regardless|or\s+(?:more|less|higher|lower|above|below|better)|`+
		`because|only|at\s+(?:most|best)|requires?|means?|needs?|for\s+this|on\s+this|overall|in\s+total)\b)`,
	// {when} follows a score that nothing else says is one.
	"{when}", `\s*\b(?:if|when|where|unless|because|for)\b`,
)

// scoreForm is a line of scoreForms.
type scoreForm struct {
	needs []string
	expr  func() *regexp.Regexp
}

var scored = sync.OnceValue(func() (all []scoreForm) {
	for line := range strings.Lines(scoreForms) {
		words, form, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var needs []string
		for word := range strings.FieldsSeq(words) {
			needs = append(needs, " "+word)
			if len(word) < 3 {
				needs[len(needs)-1] += " "
			}
		}
		if form[0] >= 'a' || strings.HasPrefix(form, "(?:") || strings.HasPrefix(form, "([0") {
			form = `\b` + form
		}
		all = append(all, scoreForm{needs, lazy.Expr("(?i)" + scoreParts.Replace(form))})
	}
	return all
})

// legend is one of several scores with their meanings: "1 = throw away".
var (
	legend = lazy.Expr(`(?:^|[\s,;(.])(\d{1,3})\s*(?:=|→|->|:\s)\s*["'“]?[A-Za-z]`)
	// graded is a grade with its score: "poor (1)", "excellent = 5".
	graded = lazy.Expr(`(?i)\b([a-z]+)\s*(?:=|\()\s*(\d{1,3})\b`)
)

// ScoreIn finds the place where the description of a criterion says which score something gets, or names
// a scale other than 1 to 5.
func ScoreIn(t Text) (Place, bool) {
	if at, found := ends(t); found {
		return at, true
	}
	if at, _, found := scoreIn(t); found {
		return at, true
	}
	return legendIn(t.written)
}

// scoreIn finds the first score, and its number.
func scoreIn(t Text) (at Place, number string, found bool) {
	if !hasSmallNumber(t) {
		return Place{}, "", false
	}
	text := t.written
	for _, form := range scored() {
		if !holds(t.joined, form.needs...) {
			continue
		}
		m := form.expr().FindStringSubmatchIndex(text)
		if m != nil && (!found || m[0] < at.Start) {
			at, number, found = Place{m[0] + leading(text[m[0]:m[1]]), m[3]}, text[m[2]:m[3]], true
		}
	}
	return at, number, found
}

// longestScore is how many digits a score has at most, such as 100.
const longestScore = 3

// hasSmallNumber reports whether a text has a number that can be a score: most texts have none.
func hasSmallNumber(t Text) bool {
	for at := 1; at < len(t.joined); {
		end := at + strings.IndexByte(t.joined[at:], ' ')
		if isDigit(t.joined[at]) && end-at <= longestScore && (end-at < longestScore || t.joined[at:end] == "100") {
			return true
		}
		at = end + 1
	}
	return strings.Contains(t.joined, " scale ")
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// legendIn finds the first of at least two scores with their meanings. After a word, as in "step 1: open
// it", a number before a colon counts the steps.
func legendIn(text string) (Place, bool) {
	var first Place
	if !mayBeLegend(text) {
		return first, false
	}
	last, n := "", 0
	for _, m := range legend().FindAllStringSubmatchIndex(text, -1) {
		number := text[m[2]:m[3]]
		if strings.Contains(text[m[3]:m[1]], ":") && isNamed(text[:m[2]]) || number == last {
			continue
		}
		if n++; n == 1 {
			first = Place{m[2], m[3]}
		}
		last = number
	}
	if n > 1 {
		return first, true
	}
	n = 0
	for _, m := range graded().FindAllStringSubmatchIndex(text, -1) {
		if lexicon().kinds[fold(text[m[2]:m[3]])]&grade == 0 {
			continue
		}
		if n++; n == 1 {
			first = Place{m[2], m[5]}
		}
	}
	return first, n > 1
}

// mayBeLegend reports whether a text has two numbers beside a sign that gives them a meaning.
func mayBeLegend(text string) bool {
	n := 0
	for i := 1; i < len(text); i++ {
		before, b := text[i-1], text[i]
		if before == ' ' && i > 1 {
			before = text[i-2]
		}
		if isDigit(before) && strings.IndexByte("=:-\xe2", b) >= 0 || isDigit(b) && (before == '(' || before == '=') {
			n++
		}
	}
	return n > 1
}

// isNamed reports whether a text ends with the name of what the number after it numbers.
func isNamed(text string) bool {
	text = strings.TrimRight(text, " \t\n")
	if text == "" {
		return false
	}
	from := strings.LastIndexAny(text, " \t\n,;(.:") + 1
	switch fold(text[from:]) {
	case "", "score", "scores", "level", "rating", "grade", "and", "or", "if":
		return false
	}
	return true
}
