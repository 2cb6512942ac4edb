package site

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// sentences splits a text into its different sentences.
func sentences(text string) (list []string) {
	for text = render.OneLine(text); text != ""; {
		first := render.FirstSentence(text)
		if !slices.Contains(list, first) {
			list = append(list, first)
		}
		text = strings.TrimSpace(text[len(first):])
	}
	return list
}

// date returns the day of a time, or "" if it is unknown.
func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

func typeWords(artifactType string) string {
	return strings.ReplaceAll(sanitize.Line(artifactType), "_", " ")
}

var isTag = lazy.Expr(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// languageTag returns the language of a document's texts as a valid lang attribute.
func languageTag(language string) string {
	if !isTag().MatchString(language) {
		return "en"
	}
	return language
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shortened returns a text that fits in a line of a list, cut between words.
func shortened(text string) string {
	letters := []rune(render.OneLine(text))
	if len(letters) <= summaryLength {
		return string(letters)
	}
	cut := string(letters[:summaryLength])
	if at := strings.LastIndexByte(cut, ' '); at > 0 {
		cut = cut[:at]
	}
	return cut + " …"
}
