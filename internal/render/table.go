package render

import (
	"io"
	"math"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Table writes rows with cells aligned in columns, and sanitizes their texts. All rows must have
// the same number of cells, and the first cell of a row is its name: see Rows.
func Table(w io.Writer, rows [][]string, columns int) error {
	_, err := io.WriteString(w, strings.Join(Rows(rows, 0, columns), "\n")+"\n")
	return err
}

// Rows lays out rows of a table, each as one or more lines without a line end.
//
// columns is the width of the terminal, or 0 if the output is not for one. Then every row is one
// line. On a terminal, a text that is too long is wrapped within its column, so that it changes
// no other row. The cells at name are what people copy and search for, so they are never broken:
// after a name that is too long for its column, the rest of the row is on the next line.
func Rows(rows [][]string, name, columns int) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Columns(cell), min(1, len(cell)))
		}
	}
	if columns > 0 && tableWidth(widths) > columns {
		widths = fit(rows, widths, name, columns)
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = layOut(row, widths, name)
	}
	return lines
}

// gap is the number of columns between two cells.
const gap = 2

// tableWidth is the width of the lines of a table. An empty column takes no room.
func tableWidth(widths []int) int {
	total := -gap
	for _, width := range widths {
		if width > 0 {
			total += width + gap
		}
	}
	return total
}

// layOut returns the lines of one row.
func layOut(row []string, widths []int, name int) string {
	cells := make([][]string, len(row))
	for i, cell := range row {
		if i == name || Columns(cell) <= widths[i] {
			cells[i] = []string{sanitize.Line(cell)}
		} else {
			cells[i] = wrapCell(cell, widths[i])
		}
	}
	if Columns(row[name]) <= widths[name] || name == len(row)-1 {
		return join(cells, widths)
	}
	rest := append(make([][]string, name+1), cells[name+1:]...)
	upToName := append(cells[:name+1:name+1], make([][]string, len(row)-name-1)...)
	return strings.TrimRight(join(upToName, widths)+"\n"+join(rest, widths), "\n")
}

// join puts the lines of cells side by side.
func join(cells [][]string, widths []int) string {
	height := 0
	for _, lines := range cells {
		height = max(height, len(lines))
	}
	all := make([]string, height)
	for at := range all {
		var line strings.Builder
		for i, lines := range cells {
			if widths[i] == 0 {
				continue
			}
			text := ""
			if at < len(lines) {
				text = lines[at]
			}
			line.WriteString(text + strings.Repeat(" ", max(0, widths[i]-Columns(text))+gap))
		}
		all[at] = strings.TrimRight(line.String(), " ")
	}
	return strings.Join(all, "\n")
}

// fit returns widths of columns with which a table fits a terminal. The column of names gets the
// width at which the rest costs least, so that one long name takes no room from the texts of all
// rows. The widths are natural if the terminal is too narrow for any table.
func fit(rows [][]string, natural []int, name, columns int) []int {
	all := make([]costs, len(natural))
	for i := range natural {
		all[i] = costsOf(rows, i, min(natural[i], columns), i == name)
	}
	best, least := natural, math.MaxInt
	for width := min(natural[name], columns); width >= min(Columns(rows[0][name]), columns); width-- {
		widths, cost := narrow(all, name, width, columns)
		if cost < least {
			best, least = widths, cost
		}
	}
	return best
}

// narrow narrows all columns but that of the names until a table fits, each time the one where
// this costs least, and of several the widest. The cost is math.MaxInt if nothing fits.
func narrow(all []costs, name, width, columns int) (widths []int, total int) {
	for _, c := range all {
		widths = append(widths, len(c.at)-1)
	}
	widths[name] = width
	for tableWidth(widths) > columns {
		next, least := -1, math.Inf(1)
		for i, c := range all {
			at := widths[i]
			if i == name || at <= narrowest {
				continue
			}
			if c.slope[at] < least || c.slope[at] == least && at > widths[next] {
				next, least = i, c.slope[at]
			}
		}
		if next < 0 {
			return nil, math.MaxInt
		}
		widths[next]--
	}
	for i, c := range all {
		total += c.at[widths[i]]
	}
	return widths, total
}

// narrowest is the smallest width to which a column is narrowed. It holds any character.
const narrowest = 4

// costs are how much harder a table is to read because texts do not fit a column. One long text
// counts little however long it is, so that it does not break those beside it.
type costs struct {
	// at are the costs for each width.
	at []int
	// slope is, for each width, the least cost of each column by which it is narrowed: a first step
	// that costs much can lead to a width that is worth it.
	slope []float64
}

const (
	// misfit is the cost of a text that does not fit, and of each time that its lines double, and
	// misfitName that of a name that is on a line of its own.
	misfit     = 16
	misfitName = 48
	// brokenWord is the cost of a word that is broken. Words up to shortWord, such as a heading, a
	// version, or a number, are broken only where nothing else fits.
	brokenWord  = 8
	shortWord   = 12
	brokenShort = 1_000_000
)

// costsOf are the costs of a column for each width up to widest.
func costsOf(rows [][]string, column, widest int, isName bool) costs {
	texts, words := map[int]int{}, map[int]int{}
	for _, row := range rows {
		texts[Columns(row[column])]++
		word := 0
		for _, p := range pieces(sanitize.Line(row[column])) {
			word = max(word, p.width)
		}
		words[word]++
	}
	c := make([]int, widest+1)
	for at := 1; at <= widest; at++ {
		for width, n := range texts {
			switch {
			case width <= at:
			case isName:
				c[at] += n * misfitName
			default:
				c[at] += n * int(misfit*(1+math.Log2(float64(width)/float64(at))))
			}
		}
		for word, n := range words {
			switch {
			case isName || word <= at:
			case at < shortWord:
				c[at] += n * brokenShort
			default:
				c[at] += n * brokenWord
			}
		}
	}
	return costs{c, slopes(c)}
}

func slopes(c []int) []float64 {
	all := make([]float64, len(c))
	for at := range c {
		all[at] = math.Inf(1)
		for to := narrowest; to < at; to++ {
			all[at] = min(all[at], float64(c[to]-c[at])/float64(at-to))
		}
	}
	return all
}
