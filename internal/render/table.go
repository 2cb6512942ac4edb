package render

import (
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

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
