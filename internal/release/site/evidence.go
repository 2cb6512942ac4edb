package site

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// isCalibrated reports whether a judge may gate, by limits of which none is looser than the default.
func (e *entry) isCalibrated() bool {
	return slices.ContainsFunc(e.judges(), func(j library.JudgeCalibration) bool { return j.Gate == library.Yes })
}

func (e *entry) judges() []library.JudgeCalibration {
	if e.Calibration == nil {
		return nil
	}
	return e.Calibration.Judges
}

// answer is what is said first about a judge: the sentences with which its report begins. Class is
// that of a list, and Tone the outcome whose color it has on the page of the rubric.
type answer struct {
	Sentences []string
	Class     string
	Tone      decide.Outcome
}

// Text returns the sentences in a line.
func (a answer) Text() string { return strings.Join(a.Sentences, " ") }

// Evidence answers for each judge what it may be used for, or says that there is none.
func (e *entry) Evidence() (answers []answer) {
	for _, j := range e.judges() {
		class := ""
		if j.Gate == library.Yes {
			class = "calibrated"
		}
		answers = append(answers, answer{e.answerOf(&j), class, report.Tone(decide.Answer(j.Gate))})
	}
	if len(answers) > 0 {
		return answers
	}
	if i := slices.IndexFunc(e.Reports, func(v report.View) bool { return v.Judge == nil }); i >= 0 {
		return []answer{{e.Reports[i].Answer, "", report.Tone(e.Reports[i].Gate.Answer)}}
	}
	return []answer{{[]string{"No judge is listed."}, "", report.Tone(decide.NotYet)}}
}

// answerOf returns the sentences with which the report on a judge begins. If the bundle lacks it,
// they are made of what the index has.
func (e *entry) answerOf(j *library.JudgeCalibration) []string {
	for i := range e.Reports {
		v := &e.Reports[i]
		if v.Judge != nil && v.Judge.Name == j.Judge && v.Judge.Run == j.Run {
			return v.Answer
		}
	}
	uses := report.Uses(j.Judge, render.OneLine(j.Model), e.ID, decide.Answer(j.Rank), decide.Answer(j.Gate))
	if j.Reason == "" {
		return []string{uses}
	}
	return []string{uses, render.OneLine(j.Reason)}
}
