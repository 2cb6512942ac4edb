package render

import (
	"crypto/sha256"
	_ "embed" // the style sheet of the pages
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Count returns a number with its noun: "1 rule", "2 rules".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Number formats a number with as many decimals as needed.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// FirstSentence returns a text up to its first period or question mark, for tables.
func FirstSentence(text string) string {
	text = OneLine(text)
	for i, c := range text {
		if (c == '.' || c == '?') && strings.HasPrefix(text[i+1:], " ") {
			return text[:i+1]
		}
	}
	return text
}

// OneLine returns a text without line breaks.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Table writes rows with cells aligned in columns and sanitizes their texts. All rows
// must have the same number of cells.
func Table(w io.Writer, rows [][]string) error {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	var t strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(sanitize.Line(cell) + strings.Repeat(" ", widths[i]-Columns(cell)+2))
		}
		t.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// Columns is how many columns a text takes on a terminal.
func Columns(text string) int { return columnsOf(sanitize.Cells(text)) }

// WriteJSON writes one indented object in which no text has an effect on a terminal.
func WriteJSON(w io.Writer, v any) error {
	data, err := jsontext.Encode(v, "", "  ")
	if err == nil {
		_, err = w.Write(append(sanitize.JSON(data), '\n'))
	}
	return err
}

// OrNull returns a pointer to a text, or nil if the text is empty.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// OrEmpty is a list that is written as [] where it has nothing.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// PageStyle is the base style sheet of pages: colors, tables, and pictures.
//
//go:embed page.css
var PageStyle string

// ContentPolicy returns a content security policy that allows only the given style sheet
// and data URLs for images, because browsers request an icon otherwise.
func ContentPolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]))
}

// Lines sanitizes a text and keeps its line ends.
func Lines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = sanitize.Line(lines[i])
	}
	return strings.Join(lines, "\n")
}
