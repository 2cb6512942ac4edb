package wording

import (
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// scored are the forms in which the description of a criterion says which score an artifact gets: the
// number is a score, and no count of something in the artifact, because of the words around it.
var scored = []struct {
	expr  func() *regexp.Regexp
	needs []string // parts of which the lowercase text has one
}{
	// "caps this criterion at 2", "the score is capped at 2"
	{lazy.Expr(`(?i)\bcap(?:s|ped|ping)?\s+(?:\S+\s+){0,3}?(?:score|criterion|rating|grade|mark|result|dimension|category|it|this)\s+(?:at|to)\s+(?:an?\s+)?(\d+(?:\.\d+)?)` + end), []string{"cap"}},
	{lazy.Expr(`(?i)\b(?:score|criterion|rating|grade|mark|result)s?\b(?:\s+\S+){0,3}?\s+(?:capped|limited|restricted)\s+(?:at|to)\s+(?:an?\s+)?(\d+(?:\.\d+)?)` + end), []string{"capped", "limited", "restricted"}},
	{lazy.Expr(`(?i)\b(?:limits?|limiting|restricts?|drops?|lowers?|reduces?|raises?)\s+(?:the|this|its)\s+(?:score|criterion|rating|grade|mark)\s+(?:at|to|by)\s+(?:an?\s+)?(\d+(?:\.\d+)?)` + end), []string{"limit", "restrict", "drop", "lower", "reduc", "rais"}},
	// "scores at most 2", "a score of 3 or more", "can't score above 3", "score it 1 if"
	{lazy.Expr(`(?i)\b(?:scor(?:e[sd]?|ing)|rat(?:e[sd]?|ing)|grad(?:e[sd]?|ing))\s+(?:(?:it|this|that|them|is|of|as|must|should|be|cannot|can't|exceed|an?|to|=|:)\s+){0,3}?(?:at\s+(?:most|least)|no\s+(?:higher|more|better|lower)\s+than|(?:higher|lower|more)\s+than|above|below|over|under|up\s+to|maximum|minimum|max|min|exactly|automatically)\s+(?:of\s+)?(?:an?\s+)?([0-9]|10)` + end), []string{"scor", "rat", "grad"}},
	{lazy.Expr(`(?i)\b(?:score|rating|grade|mark)\s+(?:can\s?not|can't|must\s+not|may\s+not|never|should\s+not)\s+(?:exceeds?|reach|go\s+(?:above|over)|be\s+(?:above|over|higher\s+than|better\s+than))\s+(?:an?\s+)?([0-9]|10)` + end), []string{"score", "rating", "grade", "mark"}},
	{lazy.Expr(`(?i)\b(?:gets?|receives?|earns?|can\s+be|is)\s+(?:no\s+(?:higher|better)\s+than|nothing\s+(?:above|over))\s+(?:an?\s+)?([0-9]|10)` + end), []string{"higher", "better", "nothing"}},
	{lazy.Expr(`(?i)(?:^|[.;,:?!(]\s*)(?:max(?:imum)?\.?|at\s+most|at\s+best|capped\s+at|cap\s+at)\s+(?:an?\s+)?([0-9]|10)` + when), []string{"max", "at most", "at best", "cap"}},
	{lazy.Expr(`(?i)(?:^|[.;:?!(]\s*)an?\s+([0-9]|10)\s+(?:or\s+(?:higher|more|above|better|lower|below)|means|is|requires|needs|would|should|goes)\b`), []string{" a ", " an "}},
	{lazy.Expr(`(?i)\b(?:score[sd]?|rate[sd]?|graded?)\s*(?:(?:it|this|that|them|is|of|as|at|to|with|an?)\s+){0,3}[:=]?\s*([0-9]|10)` + when), []string{"score", "rate", "grade"}},
	{lazy.Expr(`(?i)\b(?:maximum|minimum|max|min|highest|lowest|top|best|perfect)\s+(?:possible\s+)?(?:score|rating|grade|mark)\s+(?:is|of|:|=)?\s*(?:an?\s+)?([0-9]|10)` + end), []string{"score", "rating", "grade", "mark"}},
	// "gives a 2", "at most a 3", "is a 1 if"
	{lazy.Expr(`(?i)\b(?:gets?|gives?|given|earns?|deserves?|receives?|award(?:s|ed)?|assign(?:s|ed)?|is|are|be|it|at\s+(?:most|best|least)|than|means?|for|above|below|only|warrants?|merits?|to)\s+an?\s+(?:automatic\s+|straight\s+)?([0-9]|10)` + end), []string{" a ", " an "}},
	{lazy.Expr(`(?i)\b(?:gets?|gives?|given|earns?|deserves?|receives?|award(?:s|ed)?|assign(?:s|ed)?|automatic(?:ally)?)\s+(?:it\s+)?(?:at\s+(?:most|least)\s+|up\s+to\s+|only\s+|no\s+more\s+than\s+)?([0-9]|10)(?:\s*(?:/|out\s+of)\s*\d+)?` + when), []string{"get", "giv", "earn", "deserv", "receiv", "award", "assign", "automatic"}},
	// "as 4, and"
	{lazy.Expr(`(?i)^\W*(?:as|like|same\s+as|everything\s+(?:in|of|from|at)|all\s+of|as\s+(?:in|for|at)|beyond)\s+(?:(?:score|level|anchor)\s+)?([1-5])\s*(?:[,;:+]|\.(?:\D|$)|$|\b(?:plus|and|but|with)\b)`), []string{" as ", " like ", "everything ", "all of", "beyond"}},
	// "deduct 1 point", "worth 20 points", "(10 points)", "2 points if"
	{lazy.Expr(`(?i)\b(?:deduct(?:s|ed)?|subtract(?:s|ed)?|award(?:s|ed)?|worth|los(?:es?|ing)|gets?|gives?|given|earns?|receives?|add|adds|out\s+of|minus|up\s+to|assign(?:s|ed)?)\s+(?:an?\s+)?(?:up\s+to\s+|half\s+|at\s+most\s+)?(\d+(?:\.\d+)?)\s*-?(?:points?|pts?|marks?)\b`), []string{"point", "pt", "mark"}},
	{lazy.Expr(`(?i)[(\[](?:max\.?\s+|up\s+to\s+|worth\s+)?(\d+(?:\.\d+)?(?:\s*(?:-|–|to)\s*\d+)?)\s*(?:points?|pts?|marks?)[)\]]`), []string{"point", "pt", "mark"}},
	{lazy.Expr(`(?i)(?:^|[.;,:?!(]\s*)(\d+(?:\.\d+)?)\s*(?:points?|pts?|marks?)\s+(?:if|when|for|each|per|where|off|=)`), []string{"point", "pt", "mark"}},
	// "rate it out of 10", "8/10", "on a 10-point scale", "scale: 0–3", "(0-10)"
	{lazy.Expr(`(?i)\b(?:scor\w+|rat(?:e[sd]?|ing)|grad\w+|marks?)\b[^.?!;]{0,60}?\bout\s+of\s+([0-46-9]|\d\d+)\b`), []string{"scor", "rat", "grad", "mark"}},
	{lazy.Expr(`(?i)\b([0-46-9]|\d\d+|two|three|four|six|seven|ten)[- ]point(?:\s+\w+)?\s+scale\b`), []string{"scale"}},
	{lazy.Expr(`(?i)\b((?:0|1)\s*(?:-|–|to)\s*(?:[2-46-9]|\d\d+)|0\s*(?:-|–|to)\s*5)\s+(?:\w+\s+)?(?:scale|rating|score)\b`), []string{"scale", "rating", "score"}},
	{lazy.Expr(`(?i)\b(?:scale|scores?|rating|range)\s*[:(]\s*((?:0|1)\s*(?:-|–|to)\s*(?:[2-46-9]|\d\d+)|0\s*(?:-|–|to)\s*5)\b`), []string{"scale", "score", "rating", "range"}},
	{lazy.Expr(`[(\[]((?:0|1)\s*(?:-|–|to)\s*(?:10|100)|0\s*(?:-|–|to)\s*[1-5])[)\]]`), []string{"(", "["}},
}

const (
	// end is what follows a score, and not a count: no noun.
	end = `\s*(?:\.(?:\D|$)|[,;:!?)]|$|\b(?:if|when|where|unless|even|regardless|or\s+(?:more|less|higher|lower|above|below|better)|because|only|at\s+(?:most|best)|requires?|means?|needs?|for\s+this|on\s+this|overall|in\s+total)\b)`
	// when follows a score that nothing else says is one.
	when = `\s*(?:\b(?:if|when|where|unless|because|only\s+if|for)\b)`
)

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
	text, lower := t.written, t.joined
	if !strings.ContainsAny(lower, "0123456789") && !strings.Contains(lower, " scale") {
		return Place{}, "", false
	}
	for _, form := range scored {
		if !holds(lower, form.needs...) && !holds(text, form.needs...) {
			continue
		}
		m := form.expr().FindStringSubmatchIndex(text)
		if m != nil && (!found || m[0] < at.Start) {
			at, number, found = Place{m[0] + leading(text[m[0]:m[1]]), m[3]}, text[m[2]:m[3]], true
		}
	}
	return at, number, found
}

// legendIn finds the first of at least two scores with their meanings. After a word, as in "step 1: open
// it", a number before a colon counts the steps.
func legendIn(text string) (Place, bool) {
	var first Place
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
