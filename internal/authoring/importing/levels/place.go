package levels

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// most is how many levels a criterion has. Scales of points and percentages have fewer.
const most = 200

// Place maps the levels of all criteria of a document to anchors. It stops if the file does not
// say which end of a scale is best.
func Place(ladders []Ladder, d Declared, o Options) (*Placement, error) {
	for _, l := range ladders {
		if len(l.Levels) > most {
			return nil, stop("%s has more than %d levels. Split it.", schema.Quote(l.Criterion), most)
		}
	}
	p := &Placement{Ladders: make([]Placed, len(ladders))}
	scales := scalesOf(ladders, d)
	if len(o.Scores) == 0 {
		if err := direct(scales, ladders, o); err != nil {
			return nil, err
		}
	}
	of := make([]*scale, len(ladders))
	for _, s := range scales {
		if len(o.Scores) > 0 {
			s.assign(o.Scores)
		} else {
			s.place()
		}
		for _, i := range s.ladders {
			of[i] = s
		}
	}
	for i, l := range ladders {
		p.Ladders[i].Scores = make([]int, len(l.Levels))
		if of[i] != nil {
			p.apply(of[i], l, &p.Ladders[i])
		}
	}
	return p, nil
}

func (p *Placement) derive(l Ladder, text string) {
	p.Derived = append(p.Derived, Remark{l.Place, text})
}
func (p *Placement) drop(l Ladder, text string) { p.Dropped = append(p.Dropped, Remark{l.Place, text}) }

// apply sets the anchors of one ladder of a scale, and says what became what.
func (p *Placement) apply(s *scale, l Ladder, placed *Placed) {
	placed.scale = s
	p.dropOthers(s, l)
	names := 0
	for at, on := range s.levels {
		for i, level := range l.Levels {
			if !level.sameLabel(on) {
				continue
			}
			placed.Order = append(placed.Order, i)
			if _, isKnown := wording.Rank(level.Name); isKnown && !level.IsNamed() && level.Text != "" {
				names++
			}
			p.applyLevel(s, at, l, i, placed)
		}
	}
	if s.why == "" && (!s.isOwn() || names > 0) {
		p.derive(l, s.sentence())
	}
}

// dropOthers lists the levels that have no place on a scale.
func (p *Placement) dropOthers(s *scale, l Ladder) {
	for _, level := range l.Levels {
		switch {
		case isInapplicable(level.Name):
			p.drop(l, fmt.Sprintf("The level %s is only in a comment: each criterion of a rubric applies, and its description says to what.",
				schema.Quote(level.Name)))
		case level.IsNamed() && !s.isNamed:
			p.drop(l, fmt.Sprintf("The level %s has no number and is only in a comment, because others have one.",
				schema.Quote(level.Name)))
		}
	}
}

// applyLevel makes an anchor of level i of a ladder, which is level at of the scale, or says why
// it is none.
func (p *Placement) applyLevel(s *scale, at int, l Ladder, i int, placed *Placed) {
	level := l.Levels[i]
	switch {
	case s.why != "":
		p.drop(l, fmt.Sprintf("Levels are only in comments: %s. To choose the anchors, use --levels, such as --levels %s.",
			s.why, s.example()))
	case s.scores[at] == 0:
		p.drop(l, fmt.Sprintf("The level %s is only in a comment, because --levels does not name it.", level))
	case slices.Contains(placed.Scores, s.scores[at]):
		p.drop(l, fmt.Sprintf("A level is only in a comment, because the criterion has two with the label %s.", level))
	default:
		placed.Scores[i] = s.scores[at]
		if _, found := wording.Scale(wording.Read(level.Text), s.scores[at], wording.Read(l.Question)); found && !s.isOwn() {
			p.derive(l, "The text of a level names a score of the other scale. Reword it.")
		}
	}
}

// isOwn reports whether the levels keep their scores.
func (s *scale) isOwn() bool {
	for i, score := range s.scores {
		if s.levels[i].Low != float64(score) || s.levels[i].High != float64(score) {
			return false
		}
	}
	return s.why == ""
}

// sentence says which levels became which anchors.
func (s *scale) sentence() string {
	var from, to []string
	for i, l := range s.levels {
		if s.scores[i] > 0 {
			from, to = append(from, l.ScoreAndName()), append(to, strconv.Itoa(s.scores[i]))
		}
	}
	if s.isOwn() {
		return fmt.Sprintf("The levels %s kept their scores.", schema.Or(from, "and"))
	}
	return fmt.Sprintf("The levels %s became the anchors %s.", schema.Or(from, "and"), schema.Or(to, "and"))
}

// example is a value of --levels for a scale that has no evident anchors: some of its levels,
// from the worst to the best.
func (s *scale) example() string {
	n := min(len(s.levels), highest)
	var pairs []string
	for i := range n {
		at := 0
		if n > 1 {
			at = i * (len(s.levels) - 1) / (n - 1)
		}
		score := lowest
		if n > 1 {
			score = positions[n][i]
		}
		pairs = append(pairs, fmt.Sprintf("%s=%d", key(s.levels[at]), score))
	}
	example := strings.Join(pairs, ",")
	if strings.ContainsAny(example, " <>&'\"") {
		return schema.Quote(example)
	}
	return example
}

// key names a level in --levels.
func key(l Level) string {
	if l.IsNamed() || l.written != "" || l.Low == l.High {
		return l.String()
	}
	return schema.Plain(l.Low) + "-" + schema.Plain(l.High)
}

// Value is where a number of the scale in the file, such as a threshold, is on the scale from 1
// to 5. It reports false if that can't be known.
func (p Placed) Value(n float64) (float64, bool) {
	s := p.scale
	if s == nil || s.isNamed || s.reversed || len(s.levels) == 0 {
		return 0, false
	}
	low, high := s.ends()
	if n < low || n > high || math.IsInf(low, 0) || math.IsInf(high, 0) || low == high {
		return 0, false
	}
	from, to := low, high
	fromScore, toScore := float64(lowest), float64(highest)
	for i, score := range s.scores {
		if at := s.levels[i].Low; score > 0 && at <= n {
			from, fromScore = at, float64(score)
		} else if score > 0 {
			to, toScore = at, float64(score)
			break
		}
	}
	if from == n || to == from {
		return fromScore, true
	}
	return math.Round((fromScore+(n-from)/(to-from)*(toScore-fromScore))*1e9) / 1e9, true
}

// Assignment is the anchor of a level, as the author says.
type Assignment struct {
	Level Level
	Score int
}

// Assignments reads a value such as "0=1,4=2,6=3,8=4,10=5", with the labels of levels and their
// anchors.
func Assignments(text string) (all []Assignment, err error) {
	for pair := range strings.SplitSeq(text, ",") {
		at := strings.LastIndex(pair, "=")
		score, err := strconv.Atoi(strings.TrimSpace(pair[at+1:]))
		if at < 1 || err != nil || score < lowest || score > highest {
			return nil, fmt.Errorf("--levels must be the levels of the file with their scores from 1 to 5, such as 0=1,5=3,10=5, got %s",
				schema.Quote(pair))
		}
		a := Assignment{Label(pair[:at]), score}
		for _, other := range all {
			if other.Score == score || other.Level.sameLabel(a.Level) {
				return nil, fmt.Errorf("--levels names %s twice: each level has a score of its own", schema.Quote(pair))
			}
		}
		all = append(all, a)
	}
	return all, nil
}

// Matches reports whether an assignment is about a level: the one with its label, or else the
// range that begins with its number.
func (a Assignment) Matches(l Level) bool {
	return a.Level.sameLabel(l) || a.Level.Low == a.Level.High && a.Level.Low == l.Low ||
		a.Level.IsNamed() && strings.EqualFold(a.Level.Name, l.Name)
}

// assign gives levels the anchors that the author says, and sorts them by these.
func (s *scale) assign(all []Assignment) {
	scores := map[string]int{}
	for _, l := range s.levels {
		if i := slices.IndexFunc(all, func(a Assignment) bool { return a.Matches(l) }); i >= 0 {
			scores[key(l)] = all[i].Score
		}
	}
	slices.SortStableFunc(s.levels, func(a, b Level) int { return cmp.Compare(scores[key(a)], scores[key(b)]) })
	for _, l := range s.levels {
		s.scores = append(s.scores, scores[key(l)])
	}
	for i := 1; i < len(s.levels); i++ {
		s.reversed = s.reversed || s.scores[i-1] > 0 && s.levels[i].Low < s.levels[i-1].Low
	}
}
