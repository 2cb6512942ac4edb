package printer

import (
	"fmt"
	"html/template"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// The measures, in pixels, of the picture of confusion counts. The judge's levels
// increase to the right, people's upward.
const (
	squareLeft   = 38
	squareTop    = 6
	squareCell   = 40
	squareLevels = 5
	squareSide   = squareCell * squareLevels
	squareWidth  = squareLeft + squareSide + 6
	squareHeight = squareTop + squareSide + 40
)

func newSquare(id, title, description string) *render.Drawing {
	d := render.NewDrawing(id, title, description, "class", "square", "width", render.Coordinate(squareWidth), "height", render.Coordinate(squareHeight),
		"viewBox", fmt.Sprintf("0 0 %d %d", squareWidth, squareHeight))
	for level := 1; level <= squareLevels; level++ {
		d.Text("tick middle", levelX.At(float64(level)), render.Coordinate(squareTop+squareSide+16), fmt.Sprint(level))
		d.Text("tick end central", render.Coordinate(squareLeft-7), levelY.At(float64(level)), fmt.Sprint(level))
	}
	d.Text("axis middle", levelX.At(3), render.Coordinate(squareHeight-5), "judge →")
	d.Element("text", "people →", "class", "axis middle", "x", "0", "y", "0",
		"transform", fmt.Sprintf("translate(11 %d) rotate(-90)", squareTop+squareSide/2))
	return d
}

// levelX and levelY map levels to the centers of the cells.
var (
	levelX = render.Scale{Low: 1, High: squareLevels, From: squareLeft + squareCell/2, To: squareLeft + squareSide - squareCell/2}
	levelY = render.Scale{Low: 1, High: squareLevels, From: squareTop + squareSide - squareCell/2, To: squareTop + squareCell/2}
)

func confusionPicture(id string, c *calibration.Criterion) template.HTML {
	d := newSquare(id, "Counts of each pair of levels: "+c.Name, confusionText(c))
	most := 0
	for _, row := range c.Confusion {
		for _, n := range row {
			most = max(most, n)
		}
	}
	for people, row := range c.Confusion {
		for judge, n := range row {
			x, y := levelX.Raw(float64(judge+1)), levelY.Raw(float64(people+1))
			d.Element("rect", "", "class", fmt.Sprintf("cell shade-%d", shade(n, most)), "x", render.Coordinate(x-squareCell/2+1), "y", render.Coordinate(y-squareCell/2+1), "width", render.Coordinate(squareCell-2), "height", render.Coordinate(squareCell-2))
			if n > 0 {
				d.Text("count middle central", render.Coordinate(x), render.Coordinate(y), fmt.Sprint(n))
			}
		}
	}
	for level := 1.0; level <= squareLevels; level++ {
		x, y := levelX.Raw(level), levelY.Raw(level)
		d.Element("rect", "", "class", "diagonal", "x", render.Coordinate(x-squareCell/2+1), "y", render.Coordinate(y-squareCell/2+1), "width", render.Coordinate(squareCell-2), "height", render.Coordinate(squareCell-2))
	}
	return d.HTML()
}

func confusionText(c *calibration.Criterion) string {
	same, all := 0, 0
	for i, row := range c.Confusion {
		for j, n := range row {
			all += n
			if i == j {
				same += n
			}
		}
	}
	return fmt.Sprintf("One row for each level of people and one column for each level of the judge, from 1 to 5. %d of %s are on the diagonal, where both levels are the same.", same, render.Count(all, "item"))
}

// shade returns how dark a count is shown, from 0 to 5. Only a count of 0 has shade 0.
func shade(n, most int) int {
	if n <= 0 || most <= 0 {
		return 0
	}
	return 1 + min(4, (n*5-1)/most)
}

// isSquare reports whether there is a count for each pair of levels, which a bundle
// made by another program does not guarantee.
func isSquare(counts [][]int) bool {
	for _, row := range counts {
		if len(row) != squareLevels {
			return false
		}
	}
	return len(counts) == squareLevels
}
