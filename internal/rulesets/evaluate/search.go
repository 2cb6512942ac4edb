package evaluate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"runtime"
	"strings"

	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// maxPlaces is how many matches are kept.
const maxPlaces = 5

// search is what a content check looks for: an expression, or a literal that is
// not empty.
type search struct {
	expression *regexp.Regexp // nil for a literal
	literal    string         // as it is searched
	ignoreCase bool
}

// newSearch says in one line why a check can't be searched for.
func newSearch(c ruleset.Check) (search, error) {
	s := search{ignoreCase: c.IgnoreCase}
	switch {
	case c.Pattern != "":
		expression, err := compile(c)
		s.expression = expression
		return s, err
	case c.Literal == "":
		return s, errors.New("the check has no pattern and no literal")
	}
	s.literal = rubric.Normalize(c.Literal)
	if c.IgnoreCase {
		s.literal = lowerASCII(s.literal)
	}
	return s, nil
}

func compile(c ruleset.Check) (*regexp.Regexp, error) {
	pattern := c.Pattern
	if c.Multiline {
		pattern = "(?m)" + pattern
	}
	expression, err := rubric.CompilePattern(pattern, c.IgnoreCase)
	var e *syntax.Error
	if errors.As(err, &e) {
		err = errors.New(e.Code.String()) // the rest is the pattern, which can hold anything
	}
	if err != nil {
		return nil, fmt.Errorf("the pattern can't be used: %w", err)
	}
	return expression, nil
}

// run counts the matches in a normalized text and gives the bytes of the first
// ones. Finding one match takes time linear in the length of the text, so that a
// pattern with very many far ones can take long: run gives up when ctx is
// cancelled.
func (s search) run(ctx context.Context, text string) (count int, spans [][]int) {
	if s.expression == nil {
		return s.runLiteral(text)
	}
	text = rubric.PatternText(text, s.ignoreCase)
	done := make(chan struct{})
	go func() {
		defer close(done)
		spans = s.expression.FindAllStringIndex(text, maxPlaces)
		if count = len(spans); count == maxPlaces {
			count = countAll(ctx, s.expression, text)
		}
	}()
	<-done
	return count, spans
}

// countAll counts without keeping the matches, which an empty pattern has as
// many of as the text has characters. It must have a goroutine of its own, which
// it ends when ctx is cancelled: nothing else stops a replacement half-way.
func countAll(ctx context.Context, expression *regexp.Regexp, text string) int {
	count := 0
	expression.ReplaceAllStringFunc(text, func(string) string {
		if ctx.Err() != nil {
			runtime.Goexit()
		}
		count++
		return ""
	})
	return count
}

func (s search) runLiteral(text string) (count int, spans [][]int) {
	if s.ignoreCase {
		text = lowerASCII(text)
	}
	for at := 0; len(spans) < maxPlaces; {
		next := strings.Index(text[at:], s.literal)
		if next < 0 {
			break
		}
		start := at + next
		at = start + len(s.literal)
		spans = append(spans, []int{start, at})
	}
	return strings.Count(text, s.literal), spans
}

// lowerASCII makes the letters A to Z small and leaves every byte in its place.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
