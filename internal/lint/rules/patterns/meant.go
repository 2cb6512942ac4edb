package patterns

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/regex/scan"
	"github.com/rubric-library/rubric-library/internal/regex/token"
	"github.com/rubric-library/rubric-library/internal/text/wording"

	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// patternRules look for patterns that hit something other than what was meant.
var patternRules = []*lint.Rule{
	{
		ID: "pattern-dot", Family: lint.FamilyExpressions, Severity: lint.Warning,
		Summary:  "a . that matches any character where a full stop seems to be meant",
		Why:      "In a regular expression, . matches any character: etc. also hits etch, and 1.0 hits 100.",
		Bad:      "fail_patterns: ['\\betc.']",
		Good:     "fail_patterns: ['\\betc\\.']",
		Source:   "the syntax of RE2: . is any character",
		Document: patternDot,
	},
	{
		ID: "pattern-boundary", Family: lint.FamilyExpressions, Severity: lint.Warning,
		Summary:  "a \\b next to a letter outside a to z",
		Why:      "In every language, \\b matches between a letter from a to z, a digit, or _ and anything else. Ü and आ count as anything else, so \\bÜber is found only right after such a letter, and hardly ever at the beginning of a word.",
		Bad:      "fail_patterns: ['\\bÜblich\\b']",
		Good:     "fail_patterns: ['Üblich\\b']",
		Source:   "the syntax of RE2: \\b is at an ASCII word boundary; likewise the module re of Python with re.ASCII, and ECMAScript",
		Document: patternBoundary,
	},
	{
		ID: "pattern-inside-word", Family: lint.FamilyExpressions, Severity: lint.Warning,
		Summary:  "a pattern of words that hits part of another English word",
		Why:      "A pattern matches anywhere, including the middle of a word with a different meaning. Endings, as in assumed, are allowed. Only a list of common words is searched, so some such words are missed.",
		Bad:      "fail_patterns: ['etc', 'appropriate']",
		Good:     "fail_patterns: ['\\betc\\b', '\\bappropriate']",
		Source:   "matching of negative criteria (pkg/rubric, Hits): a pattern is found anywhere in the text",
		Document: patternInsideWord,
	},
	{
		ID: "pattern-covered", Family: lint.FamilyExpressions, Severity: lint.Warning,
		Summary:  "a pattern that hits only where another pattern of its negative criterion hits",
		Why:      "It adds nothing, and when the other one is fixed, it continues to hit what should be allowed.",
		Bad:      "fail_patterns: ['\\band so\\b', '\\band so on\\b']",
		Good:     "fail_patterns: ['\\band so\\b']",
		Source:   "matching of negative criteria (pkg/rubric, Hits): any match is a hit",
		Document: patternCovered,
	},
}

func patternDot(p *lint.DocumentPass) {
	for _, x := range patternsOf(p) {
		if x.err != nil {
			continue
		}
		at := literalDot(x.node.Value)
		if at < 0 {
			continue
		}
		p.ReportIn(x.path, p.Doc.Tree.Inside(x.node, at, at+1), `Write \. for a full stop, or [^\n] for any character: an unescaped . matches any character.`)
	}
}

func patternBoundary(p *lint.DocumentPass) {
	for _, x := range patternsOf(p) {
		if x.err != nil {
			continue
		}
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

// literalDot returns the place of a . that seems to be a full stop, or -1: after a
// letter at the end of its group or alternative, between two digits, between single
// letters as in e.g, or before a file extension or top-level domain.
func literalDot(expr string) int {
	if strings.IndexByte(expr, '.') < 0 {
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
			if x.err != nil || end-first == 1 {
				continue
			}
			if texts, ok := allTexts(x); ok {
				coveredBy(p, i, texts, first, min(end, first+mostCompared))
			}
		}
	})
}

// coveredBy reports a pattern if one of the others covers it. If two cover each other,
// the later one is reported.
func coveredBy(p *lint.DocumentPass, i int, texts []string, first, end int) {
	x := patternsOf(p)[i]
	left := scan.Allowance(x.node.Value)
	folded := scan.Fold(texts[0])
	for j := first; j < end; j++ {
		y := patternsOf(p)[j]
		if j == i || y.use == x.use || !y.mayBeIn(folded) || expression(p, i) == nil || expression(p, j) == nil {
			continue
		}
		if left -= searchesToCover(texts) * scan.Effort(y.tree); left < 0 {
			return
		}
		if !covers(expression(p, j), x, texts) {
			continue
		}
		if others, ok := allTexts(y); j > i && ok && covers(expression(p, i), y, others) {
			continue
		}
		p.ReportBeside(x.path, x.node, y.node, "the other pattern", "Remove this pattern, or narrow the other one: %s is found wherever this one is.", schema.Quote(y.node.Value))
		return
	}
}
