package render

import (
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// drawing writes an SVG picture. It takes texts of unknown origin: they are made
// inert and escaped here, and nowhere else. Colours and fonts are classes of the
// page's style sheet, so that pictures follow light, dark and print.
//
// Pictures that are as wide as the page give horizontal places in percent: they
// stretch, and their text keeps its size.
type drawing struct{ out strings.Builder }

// newDrawing begins a picture with its name and description for those who don't
// see it. size is its attributes; id is unique in the page.
func newDrawing(id, title, description string, size ...string) *drawing {
	d := &drawing{}
	d.open("svg", append([]string{"role", "img", "aria-labelledby", id + "-title " + id + "-text"}, size...)...)
	d.element("title", title, "id", id+"-title")
	d.element("desc", description, "id", id+"-text")
	return d
}

// html ends the picture.
func (d *drawing) html() template.HTML {
	d.close("svg")
	return template.HTML(d.out.String()) // everything in it is escaped by open and element
}

// open writes a start tag. attributes are names and values by turns.
func (d *drawing) open(name string, attributes ...string) {
	d.out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		d.out.WriteString(" " + attributes[i] + `="` + escaped(attributes[i+1]) + `"`)
	}
	d.out.WriteString(">")
}

func (d *drawing) close(name string) { d.out.WriteString("</" + name + ">\n") }

// element writes an element that holds nothing but text.
func (d *drawing) element(name, text string, attributes ...string) {
	d.open(name, attributes...)
	d.out.WriteString(escaped(text))
	d.close(name)
}

func escaped(text string) string { return html.EscapeString(sanitize.Line(text)) }

func (d *drawing) line(class, x1, y1, x2, y2 string) {
	d.element("line", "", "class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2)
}

func (d *drawing) dot(class, x, y, radius string) {
	d.element("circle", "", "class", class, "cx", x, "cy", y, "r", radius)
}

func (d *drawing) text(class, x, y, text string) {
	d.element("text", text, "class", class, "x", x, "y", y)
}

// shortText writes a text that takes at most that many columns, with the whole of
// it as its title where it is cut.
func (d *drawing) shortText(class, x, y, text string, columns int) {
	short := fitted(text, columns)
	d.open("text", "class", class, "x", x, "y", y)
	d.out.WriteString(escaped(short))
	if short != sanitize.Line(text) {
		d.element("title", text)
	}
	d.close("text")
}

// shape draws a path around a place.
func (d *drawing) shape(class, x, y, path string) {
	d.open("svg", "x", x, "y", y, "class", "around")
	d.element("path", "", "class", class, "d", path)
	d.close("svg")
}

// The shapes that are drawn around a place.
const (
	diamond     = "M0 -6L6 0L0 6L-6 0Z"
	pointsLeft  = "M-5 0L4 -5V5Z"
	pointsRight = "M5 0L-4 -5V5Z"
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

// scale maps numbers to places: low to from, high to to. What is beyond either
// lies at it.
type scale struct {
	low, high, from, to float64
	unit                string // "%", or "" for pixels
}

// at is the place of a number.
func (s scale) at(x float64) string { return place(s.raw(x)) + s.unit }

func (s scale) raw(x float64) float64 {
	share := (s.within(x) - s.low) / (s.high - s.low)
	return s.from + float64(share*(s.to-s.from))
}

// within is the number, or the end of the scale that it lies beyond.
func (s scale) within(x float64) float64 {
	if math.IsNaN(x) {
		return s.low
	}
	return min(max(x, s.low), s.high)
}

// place is a coordinate with at most two decimals, the same on every machine.
func place(x float64) string {
	return strconv.FormatFloat(math.Round(float64(100*x))/100, 'f', -1, 64)
}
