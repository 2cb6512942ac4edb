package patterns

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/regex/scan"
	"github.com/rubric-library/rubric-library/internal/regex/token"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

func patternDot(p *lint.DocumentPass) {
	for _, x := range validPatterns(p) {
		at := literalDot(x.node.Value)
		if at < 0 {
			continue
		}
		p.ReportIn(x.path, p.Doc.Tree.Inside(x.node, at, at+1), `Write \. for a full stop, or [^\n] for any character: an unescaped . matches any character.`)
	}
}

func patternBoundary(p *lint.DocumentPass) {
	for _, x := range validPatterns(p) {
		at, beside := idleBoundary(x.node.Value)
		if at < 0 {
			continue
		}
		p.ReportIn(x.path, p.Doc.Tree.Inside(x.node, at, at+len(`\b`)),
			`Remove this \b: it does not count %s as a letter, so the word is found only if a letter from a to z, a digit, or _ is on the other side.`, schema.Quote(string(beside)))
	}
}

// idleBoundary returns the place of a \b next to a letter outside ASCII, and that
// letter; -1 if there is none.
func idleBoundary(expr string) (at int, beside rune) {
	odd := func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }
	last := rune(0) // the preceding literal letter
	for i := 0; i < len(expr); {
		if strings.HasPrefix(expr[i:], `\b`) {
			next, _ := utf8.DecodeRuneInString(expr[i+len(`\b`):])
			if odd(last) {
				return i, last
			} else if odd(next) {
				return i, next
			}
		}
		r, size := utf8.DecodeRuneInString(expr[i:])
		if last = r; r == '\\' && i+size < len(expr) {
			_, escaped := utf8.DecodeRuneInString(expr[i+size:])
			size, last = size+escaped, 0
		}
		i += size
	}
	return -1, 0
}

// extensions are what follows a full stop in file names and host names.
var extensions = wording.Set("com|org|net|io|dev|edu|gov|html|htm|json|yaml|yml|xml|csv|txt|md|pdf|png|jpg|svg|exe|go|py|js|ts|java|sh")

// maybeStop matches where a . may be a full stop, which is fast to check.
var maybeStop = regexp.MustCompile(`[0-9A-Za-z}]\.(?:[^*+?{]|$)`)

// literalDot returns the place of a . that seems to be a full stop, or -1: after a
// letter at the end of its group or alternative, between two digits, between single
// letters as in e.g, or before a file extension or top-level domain.
func literalDot(expr string) int {
	if !maybeStop.MatchString(expr) {
		return -1
	}
	ts := slices.Collect(token.All(expr))
	for i, t := range ts {
		if i == 0 || t.Kind != token.Dot || i+1 < len(ts) && (ts[i+1].Kind == token.Repeat || ts[i+1].Char == '{') {
			continue
		}
		before, after := letterAt(ts, i-1), letterAt(ts, i+1)
		switch {
		case unicode.IsDigit(before) && unicode.IsDigit(after):
		case !unicode.IsLetter(before):
			continue
		case ends(expr, ts, i+1):
		case unicode.IsLetter(after) && !unicode.IsLetter(letterAt(ts, i-2)) && !unicode.IsLetter(letterAt(ts, i+2)):
		case extensions[wordAt(ts, i+1)]:
		default:
			continue
		}
		return t.Start
	}
	return -1
}

// letterAt returns token i if it is a literal ASCII character, or 0.
func letterAt(ts []token.Token, i int) rune {
	if i < 0 || i >= len(ts) || ts[i].Kind != token.Literal || ts[i].Char >= utf8.RuneSelf {
		return 0
	}
	return ts[i].Char
}

// ends reports whether the alternative ends before token i, or continues with
// whitespace or $.
func ends(expr string, ts []token.Token, i int) bool {
	if i == len(ts) || ts[i].Kind == token.Closing || ts[i].Kind == token.Bar {
		return true
	}
	rest := expr[ts[i].Start:]
	return strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "$") || strings.HasPrefix(rest, `\s`)
}

// wordAt returns the word of literal letters that begins with token i.
func wordAt(ts []token.Token, i int) string {
	var b strings.Builder
	for ; unicode.IsLetter(letterAt(ts, i)); i++ {
		b.WriteRune(letterAt(ts, i))
	}
	return b.String()
}

// mostCompared is how many patterns of a list are compared with each other: more than
// an author writes.
const mostCompared = 200

func patternCovered(p *lint.DocumentPass) {
	negatives(p, func(_ *schema.Path, _ *yamltree.Node, first, end int) {
		for i := first; i < min(end, first+mostCompared); i++ {
			x := patternsOf(p)[i]
			if x.texts != nil && end-first > 1 {
				coveredBy(p, i, first, min(end, first+mostCompared))
			}
		}
	})
}

// coveredBy reports a pattern if one of the others covers it. If two cover each other,
// the later one is reported.
func coveredBy(p *lint.DocumentPass, i, first, end int) {
	x := patternsOf(p)[i]
	left := scan.Allowance(x.node.Value)
	folded := scan.Fold(x.texts[0])
	for j := first; j < end; j++ {
		y := patternsOf(p)[j]
		if j == i || y.use == x.use || !y.mayBeIn(folded) || expression(p, i) == nil || expression(p, j) == nil {
			continue
		}
		if left -= searchesToCover(x.texts) * scan.Effort(y.tree); left < 0 {
			return
		}
		if !covers(expression(p, j), x) {
			continue
		}
		if j > i && y.texts != nil && covers(expression(p, i), y) {
			continue
		}
		p.ReportBeside(x.path, x.node, y.node, "the other pattern", "Remove this pattern, or narrow the other one: %s is found wherever this one is.", schema.Quote(y.node.Value))
		return
	}
}

// mostTexts is how many texts of a pattern are tried at most to find out whether
// another pattern covers it.
const mostTexts = 64

// contexts are what can be before and after a match, as far as positions distinguish
// it: nothing, a line end, a word character, or another character.
var contexts = []string{"", " ", "x", "\n"}

// covers reports whether an expression matches inside each match of a pattern,
// whatever the context. It tries all texts of the pattern in all contexts that the
// pattern allows.
func covers(by *regexp.Regexp, x pattern) bool {
	for _, before := range contexts {
		for _, after := range contexts {
			for _, text := range x.texts {
				if !insideAt(by, before, text, after) && x.allows(before, text, after) {
					return false
				}
			}
		}
	}
	return true
}

// searchesToCover returns how many characters covers searches at most.
func searchesToCover(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text) + 2
	}
	return n * len(contexts) * len(contexts)
}

// insideAt reports whether the first match of an expression is within the text.
func insideAt(re *regexp.Regexp, before, text, after string) bool {
	at := re.FindStringIndex(before + text + after)
	return at != nil && at[0] >= len(before) && at[1] <= len(before)+len(text)
}

// allows reports whether the positions of a pattern may hold around its text. If that
// is hard to decide, it reports true.
func (x *pattern) allows(before, text, after string) bool {
	if hasAtEdge(x.tree, false, syntax.OpWordBoundary) && isWord(before, false) == isWord(text, true) {
		return false
	}
	return !hasAtEdge(x.tree, true, syntax.OpWordBoundary) || isWord(text, false) != isWord(after, true)
}

// isWord reports whether a text begins, or ends, with a word character.
func isWord(text string, begins bool) bool {
	if text == "" {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	if begins {
		r, _ = utf8.DecodeRuneInString(text)
	}
	return syntax.IsWordChar(r)
}

// hasAtEdge reports whether every match of an expression begins, or ends, with that
// position.
func hasAtEdge(re *syntax.Regexp, end bool, op syntax.Op) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		sub := re.Sub[0]
		if end {
			sub = re.Sub[len(re.Sub)-1]
		}
		return hasAtEdge(sub, end, op)
	}
	return false
}
