package render

import (
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Drawing writes an SVG picture. It takes texts of unknown origin: they are made
// inert and escaped here, and nowhere else. Colors and fonts are classes of the
// page's style sheet, so that pictures follow light, dark and print.
//
// Pictures that are as wide as the page give horizontal places in percent: they
// stretch, and their text keeps its size.
type Drawing struct{ out strings.Builder }

// NewDrawing begins a picture with its name and description for those who don't
// see it. size is its attributes; id is unique in the page.
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

// open writes a start tag. attributes are names and values by turns.
func (d *Drawing) open(name string, attributes ...string) {
	d.out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		d.out.WriteString(" " + attributes[i] + `="` + escaped(attributes[i+1]) + `"`)
	}
	d.out.WriteString(">")
}

func (d *Drawing) close(name string) { d.out.WriteString("</" + name + ">\n") }

// Element writes an element that holds nothing but text.
func (d *Drawing) Element(name, text string, attributes ...string) {
	d.open(name, attributes...)
	d.out.WriteString(escaped(text))
	d.close(name)
}

func escaped(text string) string { return html.EscapeString(sanitize.Line(text)) }

// Line draws a line between two places.
func (d *Drawing) Line(class, x1, y1, x2, y2 string) {
	d.Element("line", "", "class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2)
}

// Dot draws a circle around a place.
func (d *Drawing) Dot(class, x, y, radius string) {
	d.Element("circle", "", "class", class, "cx", x, "cy", y, "r", radius)
}

// Text writes a text at a place.
func (d *Drawing) Text(class, x, y, text string) {
	d.Element("text", text, "class", class, "x", x, "y", y)
}

// ShortText writes a text that takes at most that many columns, with the whole of
// it as its title where it is cut.
func (d *Drawing) ShortText(class, x, y, text string, columns int) {
	short := fitted(text, columns)
	d.open("text", "class", class, "x", x, "y", y)
	d.out.WriteString(escaped(short))
	if short != sanitize.Line(text) {
		d.Element("title", text)
	}
	d.close("text")
}

// Shape draws a path around a place.
func (d *Drawing) Shape(class, x, y, path string) {
	d.open("svg", "x", x, "y", y, "class", "around")
	d.Element("path", "", "class", class, "d", path)
	d.close("svg")
}

// The shapes that are drawn around a place.
const (
	Diamond     = "M0 -6L6 0L0 6L-6 0Z"
	PointsLeft  = "M-5 0L4 -5V5Z"
	PointsRight = "M5 0L-4 -5V5Z"
)

// fitted is a text, made inert, in at most that many columns: "…" stands where it
// is cut, before its end, because names of a kind often differ there.
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

// NameColumns is how many columns of text the name in a row of a picture takes.
const NameColumns = 26

// Scale maps numbers to places: low to from, high to to. What is beyond either
// lies at it.
type Scale struct {
	Low, High, From, To float64
	Unit                string // "%", or "" for pixels
}

// At is the place of a number with its unit.
func (s Scale) At(x float64) string { return Coordinate(s.Raw(x)) + s.Unit }

// Raw is the place of a number without its unit.
func (s Scale) Raw(x float64) float64 {
	share := (s.within(x) - s.Low) / (s.High - s.Low)
	return s.From + float64(share*(s.To-s.From))
}

// within is the number, or the end of the scale that it lies beyond.
func (s Scale) within(x float64) float64 {
	if math.IsNaN(x) {
		return s.Low
	}
	return min(max(x, s.Low), s.High)
}

// Coordinate is a coordinate with at most two decimals, the same on every machine.
func Coordinate(x float64) string {
	return strconv.FormatFloat(math.Round(float64(100*x))/100, 'f', -1, 64)
}
