package render

import (
	"fmt"
	"html/template"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Scores maps scores to the centers of five columns of equal width.
var Scores = Scale{Low: rubric.MinScore, High: rubric.MaxScore, From: 10, To: 90, Unit: "%"}

// ScoreScale draws the scale of scores from 1 to 5 and highlights the scores that reach a
// minimum. It is as wide as the page, with the scores over the centers of five columns. id
// must be unique in the page, and the minimum must be on the scale.
func ScoreScale(id string, minimum float64) template.HTML {
	d := NewDrawing(id, "Minimum "+Number(minimum), fmt.Sprintf("The scale from 1 to 5. Scores of at least %s reach the minimum.", Number(minimum)),
		"class", "stretch scale", "width", "100%", "height", "46")
	d.Line("track", Scores.At(1), "12", Scores.At(5), "12")
	d.Line("reached", Scores.At(minimum), "12", Scores.At(5), "12")
	for score := 1.0; score <= 5; score++ {
		d.Dot("level", Scores.At(score), "12", "3")
		d.Text("tick middle", Scores.At(score), "38", Number(score))
	}
	d.Shape("minimum", Scores.At(minimum), "12", Diamond)
	return d.HTML()
}
