package report

import (
	"fmt"
	"math"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Words are those for an answer to whether a judge may be used.
func Words(a decide.Answer) string { return answerWords[a] }

var answerWords = map[decide.Answer]string{
	decide.Yes: "yes", decide.LibraryLimits: "yes, by this library's limits", decide.No: "no",
	decide.NotYet: "not yet", decide.Unclear: "can't tell",
}

// outcomeWords are the outcomes of conditions.
var outcomeWords = map[decide.Outcome]string{
	decide.Met: "met", decide.NotMet: "not met", decide.Undecided: "too few items", decide.CannotTell: "can't tell",
}

// outcomes are those that look like an answer.
var outcomes = map[decide.Answer]decide.Outcome{
	decide.Yes: decide.Met, decide.LibraryLimits: decide.Met, decide.No: decide.NotMet,
	decide.NotYet: decide.Undecided, decide.Unclear: decide.CannotTell,
}

// Tone is the outcome that an answer looks like.
func Tone(a decide.Answer) decide.Outcome { return outcomes[a] }

// styles are those of an outcome.
var styles = map[decide.Outcome]string{
	decide.Met: "1;32", decide.NotMet: render.StyleError, decide.Undecided: render.StyleWarning,
	decide.CannotTell: render.StyleWarning,
}

// share is a part of a whole, or says that there is no whole.
func share(s agreement.Share) string {
	if s.Whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Whole)
}

func percentOf(v agreement.Value) string {
	if !v.IsDefined() {
		return "–"
	}
	return fmt.Sprintf("%.0f%%", 100*v.Number)
}

// score formats a score with at most two decimals.
func score(x float64) string { return render.Number(math.Round(100*x) / 100) }

// beginning returns the first characters of a text on one line, with "…" if it is cut.
func beginning(most int, text string) string {
	characters := []rune(render.OneLine(text))
	if len(characters) <= most {
		return string(characters)
	}
	return string(characters[:most]) + "…"
}
