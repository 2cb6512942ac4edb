// Package levels maps the levels of foreign scales to the anchors from 1 to 5. It is the only
// place that knows which level is best and which anchor it becomes; what reads a file passes the
// levels on in the order of the file.
package levels

import (
	"math"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Level is a level of a criterion.
type Level struct {
	// Low and High are its score, or the ends of its range. Both are NaN if it has only a name.
	Low, High float64
	// Name is its word, such as "excellent", or "".
	Name, Text string
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
		return schema.Quote(l.Name)
	case l.Low == l.High:
		return schema.Plain(l.Low)
	}
	return schema.Plain(l.Low) + " to " + schema.Plain(l.High)
}

// Ladder is the levels of a criterion in the order of the file.
type Ladder struct {
	Levels []Level
	// Scale is what the file says of the scale of this criterion, and Points the most that it
	// gives for it, or 0.
	Scale  Declared
	Points float64
	// Criterion and Place name the criterion in messages.
	Criterion, Place string
}

// Declared is what a file says of the scale of a criterion or of all criteria.
type Declared struct {
	// Low and High are the ends of the scale, if IsKnown.
	Low, High float64
	IsKnown   bool
	// Columns are the levels of a table in the order of the file, with a text or without one.
	Columns []Level
}

// Order is which end of the levels in a file is best.
type Order int

// The file says it, or the author does.
const (
	Unsaid Order = iota
	BestFirst
	WorstFirst
)

// Options are what the author says of the scale.
type Options struct {
	Order Order
	// Scores are the anchors of levels, by the score in the file, or nil.
	Scores map[float64]int
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
}

// Remark is a sentence about a part of a file.
type Remark struct{ Place, Text string }
