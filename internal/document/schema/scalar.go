package schema

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// blanks are the characters that make up a blank text: Unicode's white space
// and the byte order mark, in a form that means the same in Go and ECMAScript.
const blanks = "\\t\\n\\v\\f\\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// NotBlank matches texts that are not blank.
var NotBlank = &Pattern{Expr: "[^" + blanks + "]", Says: "a text"}

func (c *checker) scalar(v *Value, n *yamltree.Node, s scope) {
	i := strings.Index(n.Value, " //")
	if i > 0 && n.Style == yamltree.Plain && (v.Shape != Text || v.Pattern != nil && !matches(v.Pattern, n.Value)) {
		c.report(s, CodeInvalidValue, source.Span{Start: n.Span.Start + i + 1, End: n.Span.End}, nil,
			"Comments start with #, not //. Replace the two slashes with #.")
		return
	}
	n = c.reportTypographic(v, n, s)
	switch v.Shape {
	case Text:
		c.text(v, n, s)
	case Choice:
		c.choice(v, n, s)
	case Number, Integer:
		c.number(v, n, s)
	case Flag:
		if n.Type != yamltree.Bool {
			c.report(s, CodeWrongType, n.Span, nil,
				"%s must be true or false, without quotes, got %s.%s", s.subject(), Quote(n.Value), s.meaning())
		}
	}
}

func (c *checker) text(v *Value, n *yamltree.Node, s scope) {
	switch {
	case n.Type != yamltree.String:
		c.reportUnquoted(v, n, s)
	case isBlank(v, n.Value):
		c.blank(s, n.Span, "blank")
	case v.Max > 0 && utf8.RuneCountInString(n.Value) > int(v.Max):
		c.report(s, CodeInvalidValue, n.Span, nil,
			"%s is %d characters long: at most %.0f are allowed. Shorten it.",
			s.subject(), utf8.RuneCountInString(n.Value), v.Max)
	case v.Pattern != nil && !matches(v.Pattern, n.Value):
		c.matches(v.Pattern, n, s, s.subject())
	case n.Ambiguous:
		c.report(s, CodeAmbiguous, n.Span, quoteFix(n, n.Value),
			"Write %s with quotes: without them, some programs read another value.", strconv.Quote(n.Value))
	}
}

// isBlank reports whether a text has only white space. For most texts, the first
// character settles that.
func isBlank(v *Value, text string) bool {
	switch {
	case text == "":
		return true
	case v.Blank || text[0] > ' ' && text[0] <= '~':
		return false
	}
	return !matches(NotBlank, text)
}

// reportUnquoted reports a number, true, or false where text is expected. The fix is
// quotes if the quoted text is then valid, or nearly so.
func (c *checker) reportUnquoted(v *Value, n *yamltree.Node, s scope) {
	value := n.Value
	if v.Pattern != nil && !matches(v.Pattern, value) {
		if v.Pattern.Suggest != nil {
			value = v.Pattern.Suggest(value)
		}
		if !matches(v.Pattern, value) {
			c.matches(v.Pattern, n, s, s.subject())
			return
		}
	}
	read := map[yamltree.Type]string{
		yamltree.Integer: "a number", yamltree.Float: "a number", yamltree.Bool: "true or false",
		yamltree.Null: "nothing",
	}[n.Type]
	c.report(s, CodeWrongType, n.Span, quoteFix(n, value),
		"Write %s with quotes: %s must be text, and YAML reads %s as %s.", strconv.Quote(value), s.subject(), n.Value, read)
}

// quoteFix puts plain text in quotes, if it has no characters that are special in
// double quotes.
func quoteFix(n *yamltree.Node, value string) *source.Fix {
	if n.Style != yamltree.Plain || strings.ContainsAny(value, "\"\\\n") {
		return nil
	}
	return &source.Fix{
		Message: "write " + strconv.Quote(value) + " with quotes",
		Edits:   []source.Edit{{Span: n.Span, Text: `"` + value + `"`}},
	}
}

func (c *checker) matches(p *Pattern, n *yamltree.Node, s scope, subject string) {
	if p == nil || matches(p, n.Value) {
		return
	}
	suggestion := ""
	var fix *source.Fix
	if p.Suggest != nil {
		if better := p.Suggest(n.Value); better != "" && matches(p, better) {
			suggestion = fmt.Sprintf(" Did you mean %q?", better)
			if s.field != nil && lettersOf(better) == lettersOf(n.Value) &&
				!(strings.HasSuffix(s.field.Key, "_id") && strings.ContainsAny(n.Value, "./@")) && !s.isTaken(better) {
				fix = replaced(n, better)
			}
		}
	}
	c.report(s, CodeInvalidValue, n.Span, fix, "%s must be %s, got %s.%s", subject, p.Says, Quote(n.Value), suggestion)
}

// lettersOf returns the letters and digits of a text in lowercase.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// isTaken reports whether another element of the list has an identity.
func (s scope) isTaken(identity string) bool {
	return slices.ContainsFunc(s.others, func(elem *yamltree.Node) bool {
		return elem.Get(s.field.Key).Text() == identity
	})
}

var compiled sync.Map // *Pattern to *regexp.Regexp

func matches(p *Pattern, text string) bool {
	re, ok := compiled.Load(p)
	if !ok {
		re, _ = compiled.LoadOrStore(p, regexp.MustCompile(p.Expr))
	}
	return re.(*regexp.Regexp).MatchString(text)
}

func (c *checker) choice(v *Value, n *yamltree.Node, s scope) {
	words := v.words()
	if n.Type == yamltree.String && slices.Contains(words, n.Value) {
		return
	}
	advice := ""
	if word := meantWord(n.Value, words); word != "" {
		advice = fmt.Sprintf(" Did you mean %q?", word)
	} else if v.IfNumber != "" && n.Value != "" && n.Value[0] <= '9' {
		advice = " " + v.IfNumber
	}
	c.report(s, CodeInvalidValue, n.Span, nil, "%s must be %s, got %s.%s", s.subject(),
		Or(quoted(words), "or"), Quote(n.Value), advice)
}

func (v *Value) words() []string {
	words := make([]string, len(v.Options))
	for i, o := range v.Options {
		words[i] = o.Word
	}
	return words
}

// typographic finds a value in the quotes of word processors.
var typographic = lazy.Expr(`^[“”„«‘’‚‹](.*)[“”»‘’›"']$`)

// reportTypographic reports a value in typographic quotes, which YAML reads as part of the
// value, and returns the value without them. Free text can have them.
func (c *checker) reportTypographic(v *Value, n *yamltree.Node, s scope) *yamltree.Node {
	if n.Style != yamltree.Plain || n.Value == "" || n.Value[0] < utf8.RuneSelf || v.Shape == Text && v.Pattern == nil {
		return n
	}
	m := typographic().FindStringSubmatch(n.Value)
	if m == nil {
		return n
	}
	inner, fix := *n, quoteFix(n, m[1])
	inner.Value = m[1]
	advice := "Write " + strconv.Quote(m[1]) + " in straight quotes"
	if v.Shape != Text && v.Shape != Choice {
		inner.Type = yamltree.Float
		if v.Shape == Flag {
			inner.Type = yamltree.Bool
		}
		advice = "Write " + m[1] + " without quotes"
		fix = &source.Fix{Message: "remove the quotes", Edits: []source.Edit{{Span: n.Span, Text: m[1]}}}
	}
	c.report(s, CodeInvalidValue, n.Span, fix,
		"%s is in typographic quotes, which YAML reads as part of the value. %s.", s.subject(), advice)
	return &inner
}

// meantWord is the word of a choice that the author probably meant: the same word
// in another case or with signs, one that got begins with, or one that got misspells, or "".
func meantWord(got string, words []string) string {
	lower := strings.ToLower(got)
	for _, word := range words {
		if lettersOf(got) == lettersOf(word) || len(word) > 1 && strings.HasPrefix(lower, word) && lettersOf(lower) == lower {
			return word
		}
	}
	if len(got) == 1 {
		return ""
	}
	return suggest.Word(lower, words)
}

// plainNumber is the JSON grammar of numbers without exponents: the only form that
// every YAML and JSON parser reads as the same number. YAML 1.1 parsers read 3e0 as
// text.
var plainNumber = lazy.Expr(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func (c *checker) number(v *Value, n *yamltree.Node, s scope) {
	example, advice := v.example(), ""
	better := strings.ReplaceAll(strings.TrimSuffix(n.Value, ","), ",", ".")
	if better != n.Value && plainNumber().MatchString(better) {
		advice = fmt.Sprintf(" Did you mean %s?", better)
	}
	isPlain := plainNumber().MatchString(n.Value)
	switch {
	case n.Type == yamltree.String && n.Style != yamltree.Plain && isPlain:
		c.report(s, CodeWrongType, n.Span, &source.Fix{
			Message: "remove the quotes",
			Edits:   []source.Edit{{Span: n.Span, Text: n.Value}},
		}, "Remove the quotes: %s must be a number, and quotes make it text.", s.subject())
		return
	case n.Type != yamltree.Integer && n.Type != yamltree.Float && !n.Ambiguous:
		c.report(s, CodeWrongType, n.Span, nil, "%s must be a number such as %s, got %s.%s", s.subject(), example,
			Quote(n.Value), cmp.Or(advice, s.meaning()))
		return
	case !isPlain:
		c.report(s, CodeWrongType, n.Span, nil,
			"Write %s as a plain decimal number such as %s: programs read other forms differently.%s",
			Quote(n.Value), example, advice)
		return
	}
	c.plainNumber(v, n, s)
}

// plainNumber checks the value of a plain number.
func (c *checker) plainNumber(v *Value, n *yamltree.Node, s scope) {
	f, err := strconv.ParseFloat(n.Value, 64)
	switch {
	case err == nil && Plain(f) != written(n.Value):
		c.report(s, CodeInvalidValue, n.Span, nil,
			"Round %s: programs can't store that many digits, so they would read %s.", n.Value, Plain(f))
	case v.Shape == Integer && f != math.Trunc(f):
		c.report(s, CodeWrongType, n.Span, nil,
			"%s must be a whole number such as %s, got %s.", s.subject(), v.example(), n.Value)
	case err != nil || f < v.Minimum() || v.Max != 0 && f > v.Max:
		c.report(s, CodeInvalidValue, n.Span, nil, "%s must be %s, got %s.%s", s.subject(), v.limits(), n.Value, s.meaning())
	}
}

// Plain is the shortest plain text of a number: what programs print after reading it.
func Plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Decimal is Plain with a decimal point, as people write scores: 3.0, 3.25.
func Decimal(f float64) string {
	text := Plain(f)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// written is a plain number without zeros at the end of its fraction.
func written(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Minimum is the smallest Number or Integer. If Min is excluded, it is the smallest number above
// Min that keeps all its digits in a product: below 2^-1022, programs drop some.
func (v *Value) Minimum() float64 {
	if v.Above {
		return max(math.Nextafter(v.Min, math.Inf(1)), v.Min+0x1p-1022)
	}
	return v.Min
}

// example is a number in the middle of the range, for messages.
func (v *Value) example() string {
	switch {
	case v.Shape == Integer:
		return "3"
	case v.Max == 1:
		return "0.8"
	}
	return "3.5"
}

func (v *Value) limits() string {
	if v.Above {
		return "above " + Plain(v.Min) + " and at most " + Plain(v.Max)
	}
	format := Plain
	if v.Shape == Number {
		format = Decimal
	}
	if v.Max == 0 {
		return format(v.Min) + " or more"
	}
	return "from " + format(v.Min) + " to " + format(v.Max)
}
