package render

import (
	"math"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Fitted sanitizes a text and shortens it to at most the given number of columns. It puts
// "…" before the end of the text, because similar names often differ at the end.
func Fitted(text string, columns int) string {
	cells := sanitize.Cells(text)
	if columnsOf(cells) <= columns {
		return sanitize.Line(text)
	}
	head, tail := 0, len(cells)
	for head < tail && columnsOf(cells[:head+1]) <= (columns-1)*2/3 {
		head++
	}
	for tail > head && columnsOf(cells[:head])+columnsOf(cells[tail-1:]) <= columns-1 {
		tail--
	}
	return shownCells(cells[:head]) + "…" + shownCells(cells[tail:])
}

func columnsOf(cells []sanitize.Cell) int {
	columns := 0
	for _, cell := range cells {
		columns += cell.Width
	}
	return columns
}

func shownCells(cells []sanitize.Cell) string {
	text := ""
	for _, cell := range cells {
		text += cell.Show
	}
	return text
}

// Scale maps numbers to coordinates: Low to From and High to To. Numbers beyond the ends
// are mapped to the ends.
type Scale struct {
	Low, High, From, To float64
	Unit                string // "%", or "" for pixels
}

// At returns the coordinate of a number with its unit.
func (s Scale) At(x float64) string { return Coordinate(s.Raw(x)) + s.Unit }

// Raw returns the coordinate of a number without its unit.
func (s Scale) Raw(x float64) float64 {
	if math.IsNaN(x) {
		x = s.Low
	}
	share := (min(max(x, s.Low), s.High) - s.Low) / (s.High - s.Low)
	return s.From + float64(share*(s.To-s.From))
}

// Coordinate formats a coordinate with at most two decimals, identically on every machine.
func Coordinate(x float64) string {
	return strconv.FormatFloat(math.Round(float64(100*x))/100, 'f', -1, 64)
}
