package rubric

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Hit is one place where a pattern of a negative criterion was found.
type Hit struct {
	// Name is that of the negative criterion.
	Name string `json:"name"`
	// Pattern is the expression as the rubric has it.
	Pattern string `json:"pattern"`
	// Start and End are the place: a half-open range that counts the code
	// points of Normalize(text) from 0. They are equal for an empty match.
	Start int `json:"start"`
	End   int `json:"end"`
}

// HitNames are the names of the negative criteria that were hit, sorted and
// each once, as Verdict wants them.
func HitNames(hits []Hit) []string {
	names := make([]string, len(hits))
	for i, h := range hits {
		names[i] = h.Name
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TextError says that a text is not valid UTF-8, so that nothing was searched.
type TextError struct {
	// Offset is the first byte that is no UTF-8, counted from 0 in the text as
	// it was given.
	Offset int
}

// Error says where the text is broken and what to do.
func (e *TextError) Error() string {
	return fmt.Sprintf("the text is not UTF-8 at byte %d (counted from 0): convert it to UTF-8 first", e.Offset)
}

// NegativeHits finds what the negative criteria hit in a text. Use Matcher to
// search many texts: it compiles the patterns once.
func (r *Rubric) NegativeHits(text string) ([]Hit, error) {
	m, err := r.Matcher()
	if err != nil {
		return nil, err
	}
	return m.Hits(text)
}

// Matcher finds what a rubric's negative criteria hit. It keeps no link to the
// rubric, and any number of goroutines can use it.
type Matcher struct {
	patterns []pattern
}

// pattern is one compiled expression.
type pattern struct {
	name       string // of the negative criterion
	text       string // as the rubric has it
	ignoreCase bool
	expression *regexp.Regexp
}

// Matcher compiles the patterns. The error is an *InputError that names every
// pattern that can't be used and every negative criterion that has none, which
// could never be hit.
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
				e.Definition = append(e.Definition, fmt.Sprintf("pattern %q of negative criterion %q can't be used: %v", text, n.Name, err))
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

// Go's flag i folds all of Unicode where ours folds ASCII letters only. Two
// things make them agree. Patterns name ASCII characters only, so that none of
// their own folds beyond ASCII but s to U+017F and k to U+212A; normalization
// leaves no U+212A (Kelvin sign). And U+017F (long s) is searched as U+01BB, a
// letter without case: such patterns can't tell the two apart, and both have
// two bytes, so that no place moves.
const (
	longS    = "\u017F"
	caseless = "\u01BB"
)

// namesASCII matches expressions that name no character beyond ASCII: neither
// raw nor by a class (\p) nor by a number, \x00 to \x7F aside.
var namesASCII = regexp.MustCompile(`^(?:[\x00-\x5B\x5D-\x7F]|\\x[0-7][0-9A-Fa-f]|\\[^pPx1-7])*$`)

// NamesASCII tells whether a pattern names ASCII characters only, as it must where case
// is ignored. Whether it is an expression is not looked at.
func NamesASCII(pattern string) bool { return namesASCII.MatchString(pattern) }

// CompilePattern makes a pattern an expression that is to be searched in
// PatternText. With ignoreCase, ASCII letters match in either case and nothing
// else does; the pattern may then name ASCII characters only.
func CompilePattern(pattern string, ignoreCase bool) (*regexp.Regexp, error) {
	if !ignoreCase {
		return regexp.Compile(pattern)
	}
	if !NamesASCII(pattern) {
		return nil, errors.New(`with ignore_case it may name ASCII characters only (no \p, and no character by number but \x00 to \x7F)`)
	}
	return regexp.Compile("(?i)" + pattern)
}

// PatternText is the form of a text that a pattern is searched in. A match
// stands at the same bytes of Normalize(text), but with ignoreCase a letter may
// be another one there: take what was found from Normalize(text).
func PatternText(text string, ignoreCase bool) string {
	text = Normalize(text)
	if ignoreCase {
		text = strings.ReplaceAll(text, longS, caseless)
	}
	return text
}

// Hits finds all matches of all patterns in a text of any origin, in order of
// negative criterion, pattern and place. The list is never nil.
//
// The text is searched as Normalize gives it. A pattern's matches are the
// leftmost ones that do not overlap; of alternatives the first counts. An empty
// match counts too, except right at the end of the match before it. Finding one
// match takes time linear in the length of the text, whatever the pattern.
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

// invalidAt is the offset of the first byte that is no UTF-8, or -1.
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

// counter converts byte offsets that never go down to code points, in one walk.
type counter struct {
	text  string
	bytes int // how far the walk came
	count int // code points before it
}

func (c *counter) codePoints(offset int) int {
	c.count += utf8.RuneCountInString(c.text[c.bytes:offset])
	c.bytes = offset
	return c.count
}
