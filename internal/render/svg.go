package render

import (
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Drawing writes an SVG picture. It accepts untrusted texts and is the only place that
// sanitizes and escapes them. Colors and fonts come from classes of the page's style
// sheet, so that pictures adapt to light mode, dark mode, and print.
//
// Pictures that are as wide as the page use percentages as horizontal coordinates: they
// stretch while their text keeps its size.
type Drawing struct{ out strings.Builder }

// NewDrawing starts a picture with a title and a description for screen readers. size are
// the attributes of the picture; id must be unique in the page.
func NewDrawing(id, title, description string, size ...string) *Drawing {
	d := &Drawing{}
	d.open("svg", append([]string{"role", "img", "aria-labelledby", id + "-title " + id + "-text"}, size...)...)
	d.Element("title", title, "id", id+"-title")
	d.Element("desc", description, "id", id+"-text")
	return d
}

// HTML ends the picture.
func (d *Drawing) HTML() template.HTML {
	d.close("svg")
	return template.HTML(d.out.String()) // everything in it is escaped by open and element
}

// open writes a start tag. attributes are alternating names and values.
func (d *Drawing) open(name string, attributes ...string) {
	d.out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		d.out.WriteString(" " + attributes[i] + `="` + escaped(attributes[i+1]) + `"`)
	}
	d.out.WriteString(">")
}

func (d *Drawing) close(name string) { d.out.WriteString("</" + name + ">\n") }

// Element writes an element that contains only text.
func (d *Drawing) Element(name, text string, attributes ...string) {
	d.open(name, attributes...)
	d.out.WriteString(escaped(text))
	d.close(name)
}

func escaped(text string) string { return html.EscapeString(sanitize.Line(text)) }

// Line draws a line between two points.
func (d *Drawing) Line(class, x1, y1, x2, y2 string) {
	d.Element("line", "", "class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2)
}

// Dot draws a circle around a point.
func (d *Drawing) Dot(class, x, y, radius string) {
	d.Element("circle", "", "class", class, "cx", x, "cy", y, "r", radius)
}

// Text writes a text at a point.
func (d *Drawing) Text(class, x, y, text string) {
	d.Element("text", text, "class", class, "x", x, "y", y)
}

// ShortText writes a text in at most the given number of columns. If it is cut, the full
// text is its title.
func (d *Drawing) ShortText(class, x, y, text string, columns int) {
	short := fitted(text, columns)
	d.open("text", "class", class, "x", x, "y", y)
	d.out.WriteString(escaped(short))
	if short != sanitize.Line(text) {
		d.Element("title", text)
	}
	d.close("text")
}

// Shape draws a path around a point.
func (d *Drawing) Shape(class, x, y, path string) {
	d.open("svg", "x", x, "y", y, "class", "around")
	d.Element("path", "", "class", class, "d", path)
	d.close("svg")
}

// The paths for Shape.
const (
	Diamond     = "M0 -6L6 0L0 6L-6 0Z"
	PointsLeft  = "M-5 0L4 -5V5Z"
	PointsRight = "M5 0L-4 -5V5Z"
)

// fitted sanitizes a text and shortens it to at most the given number of columns. It puts
// "…" before the end of the text, because similar names often differ at the end.
func fitted(text string, columns int) string {
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

// NameColumns is the maximum number of columns of a name in a row of a picture.
const NameColumns = 26

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
