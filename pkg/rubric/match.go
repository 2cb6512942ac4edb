package rubric

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Hit is one match of a pattern of a negative criterion.
type Hit struct {
	// Name is the name of the negative criterion.
	Name string `json:"name"`
	// Pattern is the pattern as written in the rubric.
	Pattern string `json:"pattern"`
	// Start and End are the half-open range of the match in code points of
	// Normalize(text), counted from 0. They are equal for an empty match.
	Start int `json:"start"`
	End   int `json:"end"`
}

// HitNames returns the sorted, unique names of the negative criteria with hits, for
// Verdict.
func HitNames(hits []Hit) []string {
	names := make([]string, len(hits))
	for i, h := range hits {
		names[i] = h.Name
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TextError means that a text was not searched because it is not valid UTF-8.
type TextError struct {
	// Offset is the offset of the first invalid byte in the original text, counted
	// from 0.
	Offset int
}

// Error says where the text is invalid and what to do.
func (e *TextError) Error() string {
	return fmt.Sprintf("the text is not UTF-8 at byte %d (counted from 0). Convert it to UTF-8 first", e.Offset)
}

// NegativeHits returns the hits of the negative criteria in a text. To search many texts,
// use Matcher, which compiles the patterns once. Errors are as for Matcher and Hits.
func (r *Rubric) NegativeHits(text string) ([]Hit, error) {
	m, err := r.Matcher()
	if err != nil {
		return nil, err
	}
	return m.Hits(text)
}

// Matcher finds the hits of a rubric's negative criteria. It keeps no reference to the
// rubric and is safe for concurrent use.
type Matcher struct {
	patterns []pattern
}

// pattern is one compiled expression.
type pattern struct {
	name       string // of the negative criterion
	text       string // as written in the rubric
	ignoreCase bool
	expression *regexp.Regexp
}

// Matcher compiles the patterns. The error is an *InputError that lists every unusable
// pattern and every negative criterion without patterns, which could never match.
func (r *Rubric) Matcher() (*Matcher, error) {
	e := &InputError{RubricID: r.ID, Definition: r.negativeProblems()}
	m := &Matcher{}
	for _, n := range r.NegativeCriteria {
		if len(n.FailPatterns) == 0 {
			e.Definition = append(e.Definition, fmt.Sprintf("negative criterion %q has no fail_patterns", n.Name))
		}
		for _, text := range n.FailPatterns {
			expression, err := CompilePattern(text, n.IgnoreCase)
			if err != nil {
				e.Definition = append(e.Definition, fmt.Sprintf("pattern %q of negative criterion %q can't be used: %v",
					text, n.Name, err))
				continue
			}
			m.patterns = append(m.patterns, pattern{n.Name, text, n.IgnoreCase, expression})
		}
	}
	if err := e.orNil(); err != nil {
		return nil, err
	}
	return m, nil
}

// Go's flag i folds all of Unicode, but ignore_case folds only ASCII letters. Two measures
// make them agree. Patterns can name only ASCII characters, of which only s folds beyond
// ASCII (to U+017F) and k (to U+212A); normalization leaves no U+212A (Kelvin sign). And
// U+017F (long s) is searched as U+01BB, a letter without case: such patterns can't
// distinguish the two, and both have two bytes, so that offsets stay the same.
const (
	longS    = "\u017F"
	caseless = "\u01BB"
)

// namesASCII matches expressions that name no characters beyond ASCII: neither literally,
// nor by a class (\p), nor by a number other than \x00 to \x7F.
var namesASCII = regexp.MustCompile(`^(?:[\x00-\x5B\x5D-\x7F]|\\x[0-7][0-9A-Fa-f]|\\[^pPx1-7])*$`)

// NamesASCII reports whether a pattern names only ASCII characters, which is required if
// case is ignored. It does not check whether the pattern is a valid expression.
func NamesASCII(pattern string) bool { return namesASCII.MatchString(pattern) }

// CompilePattern compiles a pattern to search in PatternText. With ignoreCase, only ASCII
// letters match in either case, and the pattern must name only ASCII characters. The
// error says why the pattern can't be used.
func CompilePattern(pattern string, ignoreCase bool) (*regexp.Regexp, error) {
	if !ignoreCase {
		return regexp.Compile(pattern)
	}
	if !NamesASCII(pattern) {
		return nil, errors.New(`with ignore_case it may name ASCII characters only (no \p, and no character by number but \x00 to \x7F)`)
	}
	return regexp.Compile("(?i)" + pattern)
}

// PatternText returns the form of a text in which a pattern is searched. A match has the
// same byte offsets in Normalize(text). With ignoreCase, letters can differ, so take the
// matched text from Normalize(text).
func PatternText(text string, ignoreCase bool) string {
	text = Normalize(text)
	if ignoreCase {
		text = strings.ReplaceAll(text, longS, caseless)
	}
	return text
}

// Hits returns all matches of all patterns in a text, which can be untrusted, in order of
// negative criterion, pattern, and position. The list is never nil.
//
// Hits searches Normalize(text). The matches of a pattern are leftmost and do not
// overlap; the first alternative that matches is preferred. Empty matches count, except
// directly after the previous match. Finding one match takes time linear in the length of
// the text for any pattern.
//
// The error is a *TextError if the text is not valid UTF-8.
func (m *Matcher) Hits(text string) ([]Hit, error) {
	if offset := invalidAt(text); offset >= 0 {
		return nil, &TextError{Offset: offset}
	}
	text = Normalize(text)
	ignoringCase := PatternText(text, true)
	hits := []Hit{}
	for _, p := range m.patterns {
		searched := text
		if p.ignoreCase {
			searched = ignoringCase
		}
		at := counter{text: text}
		for _, span := range p.expression.FindAllStringIndex(searched, -1) {
			start := at.codePoints(span[0])
			hits = append(hits, Hit{p.name, p.text, start, at.codePoints(span[1])})
		}
	}
	return hits, nil
}

// invalidAt returns the offset of the first byte that is not valid UTF-8, or -1.
func invalidAt(text string) int {
	for offset := 0; offset < len(text); {
		r, size := utf8.DecodeRuneInString(text[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset
		}
		offset += size
	}
	return -1
}

// counter converts ascending byte offsets to code points in one pass.
type counter struct {
	text  string
	bytes int // how far it has counted
	count int // code points before it
}

func (c *counter) codePoints(offset int) int {
	c.count += utf8.RuneCountInString(c.text[c.bytes:offset])
	c.bytes = offset
	return c.count
}

// Normalize returns the form of a text in which patterns are searched and the positions of
// a Hit are counted: Unicode NFC, with LF instead of CRLF and CR. It is idempotent. The
// text must be valid UTF-8.
func Normalize(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	composed := norm.NFC.String(text)
	if strings.Count(composed, graphemeJoiner) == strings.Count(text, graphemeJoiner) {
		return composed
	}
	return compose(decompose(text))
}

// graphemeJoiner is inserted by package norm into sequences of more than 30 combining
// marks (the stream-safe format of UAX #15). NFC has no such limit and other languages
// insert nothing, so such texts are normalized by decompose and compose.
const graphemeJoiner = "\u034F"

// character is a code point with its canonical combining class.
type character struct {
	r     rune
	class uint8 // 0 for a starter
}

// decompose returns the canonical decomposition (NFD) of a text, with unlimited sequences
// of marks: it decomposes each code point, then sorts each sequence of marks by class.
func decompose(text string) []character {
	chars := make([]character, 0, len(text))
	for _, r := range text {
		for _, d := range norm.NFD.String(string(r)) {
			chars = append(chars, character{d, norm.NFD.PropertiesString(string(d)).CCC()})
		}
	}
	for start := 0; start < len(chars); start++ {
		end := start
		for end < len(chars) && chars[end].class != 0 {
			end++
		}
		slices.SortStableFunc(chars[start:end], func(a, b character) int { return int(a.class) - int(b.class) })
		start = end
	}
	return chars
}

// compose returns the canonical composition of decomposed characters (Unicode 3.11, D117):
// a character combines with the preceding starter unless a character that remains between
// them has the same or a higher class.
func compose(chars []character) string {
	out := make([]rune, 0, len(chars))
	starter := -1     // index in out
	var between uint8 // class of the last character after the starter
	for _, c := range chars {
		if starter >= 0 && (starter == len(out)-1 || between < c.class) {
			// Two code points are below the limit of package norm, which returns
			// one code point exactly if there is a composition.
			pair := norm.NFC.String(string([]rune{out[starter], c.r}))
			if joined, size := utf8.DecodeRuneInString(pair); size == len(pair) {
				out[starter] = joined
				continue
			}
		}
		out = append(out, c.r)
		between = c.class
		if c.class == 0 {
			starter = len(out) - 1
		}
	}
	return string(out)
}
