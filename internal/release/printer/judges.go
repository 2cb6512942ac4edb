package printer

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// JudgeLine says in a line what a bundle says about a judge, without the reason. Its model can
// have any characters.
func JudgeLine(j *library.JudgeCalibration) string {
	text := fmt.Sprintf("%s (%s): rank %s; gate %s", j.Judge, render.OneLine(j.Model), words(j.Rank), words(j.Gate))
	if c := j.Correlation; c != nil && c.Value != nil {
		text += fmt.Sprintf("; lowest correlation %.2f", *c.Value)
		if c.Low != nil {
			text += fmt.Sprintf(" (%.2f to %.2f)", *c.Low, *c.High)
		}
	}
	return text + "; run of " + j.Date
}

func words(a library.Answer) string { return report.Words(decide.Answer(a)) }

// calibration has a line for each judge, with the reason why it may not gate, or says why there
// is none.
func calibration(c *library.Calibration) (text string) {
	if c == nil {
		return ""
	}
	for i := range c.Judges {
		j := &c.Judges[i]
		line := "Judge " + JudgeLine(j)
		if j.Reason != "" {
			line += ". " + render.OneLine(j.Reason)
		}
		text += sanitize.Line(line) + "\n"
	}
	if len(c.Judges) == 0 {
		text = "No judge is listed: " + sanitize.Line(render.OneLine(c.Reason)) + "\n"
	}
	return text
}
