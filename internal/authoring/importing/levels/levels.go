// Package levels maps the levels of foreign scales to the anchors from 1 to 5. It is the only
// place that knows which level is best and which anchor it becomes; what reads a file passes the
// levels on in the order of the file.
package levels

import (
	"math"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// Level is a level of a criterion.
type Level struct {
	// Low and High are its score, or the ends of its range, of which one can be infinite. Both are
	// NaN if the level has only a name.
	Low, High float64
	// Name is its word, such as "excellent", or "".
	Name, Text string

	written string // the score in the file, if it is not the usual form of the number
}

// Score is a level with a score.
func Score(score float64, text string) Level { return Level{Low: score, High: score, Text: text} }

// Named is a level that has only a name.
func Named(name, text string) Level {
	return Level{Low: math.NaN(), High: math.NaN(), Name: name, Text: text}
}

// IsNamed reports whether a level has only a name.
func (l Level) IsNamed() bool { return math.IsNaN(l.Low) }

// String is the score, the range, or the name of a level.
func (l Level) String() string {
	switch {
	case l.IsNamed():
		return l.Name
	case l.written != "":
		return l.written
	case l.Low == l.High:
		return schema.Plain(l.Low)
	}
	return schema.Plain(l.Low) + " to " + schema.Plain(l.High)
}

// ScoreAndName returns the score of a level with its name.
func (l Level) ScoreAndName() string {
	if l.IsNamed() || l.Name == "" {
		return l.String()
	}
	return l.String() + " (" + l.Name + ")"
}

// Anchor is the text of the anchor of a level. A name that only says how good the work is, such as
// "excellent", is left out if the level has another text.
func (l Level) Anchor() string {
	if _, isKnown := wording.Rank(l.Name); l.Name == "" || isKnown && l.Text != "" {
		return l.Text
	}
	return strings.TrimSuffix(l.Name+": "+l.Text, ": ")
}

// Ladder is the levels of a criterion in the order of the file.
type Ladder struct {
	Levels []Level
	// Scale is what the file says of the scale of this criterion, and Points the most that it
	// gives for it, or 0.
	Scale  Declared
	Points float64
	// Criterion and Place name the criterion in messages. Question is its description.
	Criterion, Question, Place string
}

// IsOwn reports whether the levels of a ladder are those from 1 to 5.
func (l Ladder) IsOwn() bool {
	all := distinct(l.Levels, false)
	return len(all) == highest && areWhole(all) && all[0].Low == lowest && all[len(all)-1].Low == highest
}

// Direction is which numbers of a scale are best.
type Direction int

// The file says it in words, or it does not.
const (
	Unknown Direction = iota
	HighIsBest
	LowIsBest
)

// Declared is what a file says of the scale of a criterion or of all criteria.
type Declared struct {
	// Low and High are the ends of the scale, if IsKnown.
	Low, High float64
	IsKnown   bool
	// Direction is which end the file calls best, and IsCertain says that no words can contradict
	// it.
	Direction Direction
	IsCertain bool
	// Columns are the levels of a table in the order of the file, with a text or without one.
	Columns []Level
}

// Order is which end of the levels in a file is best, as the author says, or Unsaid.
type Order int

const (
	Unsaid Order = iota
	BestFirst
	WorstFirst
)

// Options are what the author says of the scale.
type Options struct {
	Order Order
	// Scores are the anchors of levels, or nil.
	Scores []Assignment
	// Whole is how much the words of all documents of the file agree with the numbers of their
	// levels, as Agreement returns it, or 0.
	Whole float64
}

// Placement is where the levels of some ladders belong.
type Placement struct {
	// Ladders has a value for each ladder.
	Ladders []Placed
	// Derived are decisions that the file does not make, and Dropped says why levels have no
	// anchor.
	Derived, Dropped []Remark
}

// Placed is where the levels of a ladder belong.
type Placed struct {
	// Scores has the anchor of each level, or 0 for one that has none.
	Scores []int
	// Order has the numbers of the levels from the worst to the best.
	Order []int

	scale *scale // of its numbers, or nil
}

// Remark is a sentence about a part of a file.
type Remark struct{ Place, Text string }
