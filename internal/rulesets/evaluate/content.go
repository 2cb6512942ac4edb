package evaluate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// checkContent runs a content check. The result is meaningless if ctx is canceled.
func checkContent(ctx context.Context, c ruleset.Check, a *Artifact, o Options) CheckResult {
	files := a.selectFiles(&c)
	touched := len(files) > 0
	if !touched && a.whole == nil { // perhaps the patterns are out of date
		return skipped("no file of the artifact matches %s", strings.Join(c.Files, ", "))
	}
	if a.unreadableFile(files) != "" {
		return skipped("the artifact is not UTF-8. Convert it first")
	}
	expression, err := Expression(c)
	s := search{expression, c.IgnoreCase}
	if err != nil {
		return skipped("%v", err)
	}
	limited, stop := ctx, context.CancelFunc(func() {})
	if o.TimeLimit > 0 {
		limited, stop = context.WithTimeout(ctx, o.TimeLimit)
	}
	defer stop()
	found, ended := s.inFiles(limited, a, files)
	if !ended {
		return skipped("the search did not finish within %v", o.TimeLimit)
	}
	if touched && found.texts == 0 {
		return skipped("the files that the check searches are binary")
	}
	result := CheckResult{
		Verdict: ruleset.VerdictPass, Count: &found.count, Places: found.places, Truncated: found.count > len(found.places),
		Reason: matches(found.count),
	}
	if !touched {
		result.Reason = "the change touches no file that matches " + strings.Join(c.Files, ", ")
	}
	result.Reason += found.explainSearch(a, len(files))
	if !within(found.count, c) {
		result.Verdict = ruleset.VerdictFail
		result.Reason += ", expected " + expected(c)
	}
	return result
}

// matchesFound is what a search finds in files.
type matchesFound struct {
	count  int
	places []Place // the first
	texts  int     // how many files were searched
}

// inFiles searches the files of an artifact that are texts. It reports whether it came to an end.
func (s search) inFiles(ctx context.Context, a *Artifact, files []file) (found matchesFound, ended bool) {
	for _, f := range files {
		if !f.isText || f.binary && a.isFolder {
			continue
		}
		found.texts++
		count, spans := s.run(ctx, f.text)
		if ctx.Err() != nil {
			return found, false
		}
		found.count += count
		for _, span := range spans[:min(len(spans), maxPlaces-len(found.places))] {
			p := placeOf(f.text, span[0])
			p.Line += f.line
			if a.isFolder {
				p.File = f.path
			}
			found.places = append(found.places, p)
		}
	}
	return found, true
}

// explainSearch says, to append to a reason, what was searched of an artifact and what was not.
func (m *matchesFound) explainSearch(a *Artifact, files int) string {
	in, binary := "", a.binary
	if a.isFolder {
		in, binary = " in "+render.Count(m.texts, "file"), files-m.texts
	}
	if binary > 0 {
		in += fmt.Sprintf(" (%d binary not searched)", binary)
	}
	return in
}

// Bounds returns the fewest and the most matches with which a content check passes. most is nil
// for no limit.
func Bounds(c ruleset.Check) (least int, most *int) {
	switch {
	case c.Expect == ruleset.ExpectAbsent:
		return 0, new(int)
	case c.MinCount == nil:
		return 1, c.MaxCount
	}
	return *c.MinCount, c.MaxCount
}

func within(count int, c ruleset.Check) bool {
	least, most := Bounds(c)
	return count >= least && (most == nil || count <= *most)
}

func matches(count int) string {
	switch count {
	case 0:
		return "no matches"
	case 1:
		return "1 match"
	}
	return fmt.Sprintf("%d matches", count)
}

// expected describes the number of matches with which a check passes.
func expected(c ruleset.Check) string {
	least, most := Bounds(c)
	switch {
	case c.Expect == ruleset.ExpectAbsent:
		return "none"
	case most == nil:
		return fmt.Sprintf("at least %d", least)
	case least == *most:
		return fmt.Sprintf("exactly %d", least)
	}
	return fmt.Sprintf("%d to %d", least, *most)
}

const maxPlaces = 5

// search is the search of a content check.
type search struct {
	expression *regexp.Regexp
	ignoreCase bool
}

var noASCII = regexp.MustCompile(`[^\x00-\x7f]+`)

// Expression returns the expression of a content check, which is searched for in the
// rubric.PatternText of an artifact. The error is in one line.
func Expression(c ruleset.Check) (expression *regexp.Regexp, err error) {
	if c.Pattern == "" && c.Literal == "" {
		return nil, errors.New("the check has neither a pattern nor a literal")
	}
	if c.Pattern == "" {
		expression = literal(c.Literal, c.IgnoreCase)
	} else {
		flags := ""
		if c.Multiline {
			flags = "(?m)"
		}
		expression, err = rubric.CompilePattern(flags+c.Pattern, c.IgnoreCase)
	}
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		err = errors.New(e.Code.String()) // without the pattern, which can contain anything
	}
	if err != nil {
		err = fmt.Errorf("the pattern is not valid: %w", err)
	}
	return expression, err
}

// literal matches a text. Only the case of the letters A to Z can be ignored.
func literal(text string, ignoreCase bool) *regexp.Regexp {
	pattern := regexp.QuoteMeta(rubric.PatternText(text, ignoreCase))
	if ignoreCase {
		pattern = "(?i)" + noASCII.ReplaceAllString(pattern, "(?-i:$0)")
	}
	return regexp.MustCompile(pattern)
}

// run counts the matches in a normalized text and returns the byte spans of the first
// ones. It stops when ctx is canceled: finding one match takes linear time, so a pattern
// with very many distant matches can take long.
func (s search) run(ctx context.Context, text string) (count int, spans [][]int) {
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

// countAll counts matches without keeping them; an empty pattern has one for each
// character. It needs its own goroutine, which it exits when ctx is canceled, because
// nothing else can stop a replacement halfway.
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

// Place is the start of a match.
type Place struct {
	// File is the path of the file in an artifact that is a folder, or "".
	File string `json:"file,omitempty"`
	// Line and Column count from 1 in the artifact's normalized text, columns in
	// characters (Unicode code points).
	Line   int `json:"line"`
	Column int `json:"column"`
	// Excerpt is the line in which the match starts. A long line is shortened to
	// about 120 characters around the start of the match, with "…" where it is cut.
	Excerpt string `json:"excerpt"`
}

// An excerpt has at least excerptFrom characters from the start of the match, unless the
// line ends before.
const (
	excerptLength = 120
	excerptFrom   = 80
)

// placeOf returns the place of the byte offset start in a text.
func placeOf(text string, start int) Place {
	lineStart := strings.LastIndexByte(text[:start], '\n') + 1
	line := text[lineStart:]
	if end := strings.IndexByte(text[start:], '\n'); end >= 0 {
		line = text[lineStart : start+end]
	}
	return Place{
		Line:    1 + strings.Count(text[:lineStart], "\n"),
		Column:  1 + utf8.RuneCountInString(text[lineStart:start]),
		Excerpt: excerpt(line, start-lineStart),
	}
}

// excerpt shortens a line around the byte offset at.
func excerpt(line string, at int) string {
	// What is too far away is not decoded: it can be large.
	const most = (excerptLength + 1) * utf8.UTFMax
	before, from := []rune(line[max(0, at-most):at]), []rune(line[at:min(len(line), at+most)])
	shownBefore := before[max(0, len(before)-excerptLength+min(len(from), excerptFrom)):]
	shownFrom := from[:min(len(from), excerptLength-len(shownBefore))]
	text := string(shownBefore) + string(shownFrom)
	if len(shownBefore) < len(before) {
		text = "…" + text
	}
	if len(shownFrom) < len(from) {
		text += "…"
	}
	return text
}
