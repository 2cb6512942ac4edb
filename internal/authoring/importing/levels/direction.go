package levels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

const (
	// against is how much the words of all criteria together have to say that the numbers are the
	// wrong way around, and stronglyAgainst the words of one criterion. Where nothing is wrong,
	// the import stops for a flag; where an upside-down scale is not noticed, a library has it.
	against, stronglyAgainst = 0.1, 0.4
	// decisive is how much words have to say to decide alone: for levels without numbers, or, for a whole file,
	// that its numbers are right although those of one document seem wrong.
	decisive = 0.3
)

// flags is what the author can do where the file does not say which end is best.
const flags = "If the first level in the file is the best one, use --best-first; if it is the worst one, use --worst-first."

// Stop is why levels can't be placed: it is unknown or contradictory which end of their scale is best, or
// there are too many levels.
type Stop string

func (s Stop) Error() string { return string(s) }

func stop(format string, args ...any) error { return Stop(fmt.Sprintf(format, args...)) }

// direct sets the direction of each scale, or the order of levels with only names. Without an order by the
// author, high numbers are best unless the file says otherwise. The error is a Stop.
func direct(scales []*scale, ladders []Ladder, o Options) error {
	var numbered []*scale
	for _, s := range scales {
		var err error
		switch {
		case o.Order != Unsaid:
			err = s.obey(ladders, o.Order)
		case s.isNamed:
			err = s.directNames(ladders)
		default:
			s.reversed = s.declared.Direction == LowIsBest
			if !s.declared.IsCertain {
				numbered = append(numbered, s)
			}
		}
		if err != nil {
			return err
		}
	}
	return checkNumbers(evidenceOf(numbered, ladders), o.Whole)
}

// obey takes the order of the levels in the file for their order by quality.
func (s *scale) obey(ladders []Ladder, order Order) error {
	if s.isNamed {
		if order == BestFirst {
			slices.Reverse(s.levels)
		}
		return nil
	}
	direction := rising(s.declared.Columns)
	for _, i := range s.ladders {
		switch of := rising(ladders[i].Levels); {
		case direction*of < 0:
			return stop("The levels of %s are in the opposite order of others, so that neither --best-first nor --worst-first is true of all. Write the levels of all criteria in one order.",
				schema.Quote(ladders[i].Criterion))
		case of != 0:
			direction = of
		}
	}
	s.reversed = direction > 0 && order == BestFirst || direction < 0 && order == WorstFirst
	return nil
}

// rising compares the numbers of the first and the last level: 1 if they rise, -1 if they fall, and 0 if they
// are equal or fewer than two levels have one.
func rising(levels []Level) int {
	levels = slices.DeleteFunc(slices.Clone(levels), Level.IsNamed)
	if len(levels) < 2 {
		return 0
	}
	return cmp.Compare(levels[len(levels)-1].Low, levels[0].Low)
}

// evidence is what the words of a ladder say of its direction: from 1, that the level that is
// taken for the best one is, to -1.
type evidence struct {
	said   float64
	sorted []Level // from the one that is taken for the worst
	ladder Ladder
}

// Agreement returns how much the words of levels say that high numbers are best, from about -1 to about 1,
// or 0 if they say nothing. It does not heed the direction that the file declares.
func Agreement(ladders []Ladder, d Declared) float64 {
	scales := slices.DeleteFunc(scalesOf(ladders, d), func(s *scale) bool { return s.isNamed })
	_, mean := weigh(evidenceOf(scales, ladders))
	return mean
}

// evidenceOf reads the words of ladders with numbers.
func evidenceOf(scales []*scale, ladders []Ladder) (all []evidence) {
	for _, s := range scales {
		for _, i := range s.ladders {
			sorted := slices.DeleteFunc(slices.Clone(ladders[i].Levels), Level.IsNamed)
			slices.SortStableFunc(sorted, func(a, b Level) int { return cmp.Compare(a.Low, b.Low) })
			if s.reversed {
				slices.Reverse(sorted)
			}
			if len(sorted) > 1 {
				all = append(all, evidence{said(sorted, ladders[i].Question), sorted, ladders[i]})
			}
		}
	}
	return all
}

// checkNumbers stops where words disagree with numbers: clearly those of one criterion, or those of all
// together, unless others, the agreement of the whole file, is decisive.
func checkNumbers(all []evidence, others float64) error {
	worst, mean := weigh(all)
	if worst == nil || worst.said >= -stronglyAgainst && (mean >= -against || others > decisive) {
		return nil
	}
	low, high := worst.sorted[0], worst.sorted[len(worst.sorted)-1]
	rest := mean*float64(len(all)) - worst.said
	if others > decisive || len(all) > 1 && rest > against*float64(len(all)-1) {
		return stop("The words of the levels of %s are the other way around than those of the other criteria: level %s is the highest, and it seems to describe worse work than level %s. Turn its levels around in the file, or say for all criteria whether the first level in the file is the best one (--best-first) or the worst one (--worst-first).",
			schema.Quote(worst.ladder.Criterion), high, low)
	}
	return stop("The numbers and the words of the levels of %s disagree: level %s counts as the best, but the words of level %s seem to describe better work. %s",
		schema.Quote(worst.ladder.Criterion), high.ScoreAndName(), low.ScoreAndName(), flags)
}

// weigh returns the evidence that says most against a direction, if there is any, and the mean of
// all.
func weigh(all []evidence) (worst *evidence, mean float64) {
	for i := range all {
		if worst == nil || all[i].said < worst.said {
			worst = &all[i]
		}
		mean += all[i].said / float64(len(all))
	}
	return worst, mean
}

// named is how much the names of levels count beside their texts.
const named = 0.2

// said measures what the names and texts of levels say of their order.
func said(levels []Level, question string) float64 {
	texts := make([]wording.Text, len(levels))
	var ranks []float64
	answers, amounts := 0, 0
	for i, l := range levels {
		texts[i] = wording.Read(l.Text)
		name := cmp.Or(l.Name, l.Text)
		if rank, isKnown := wording.Rank(name); isKnown && !areChoices(levels) {
			ranks = append(ranks, rank)
		}
		if isAnswer(name) {
			answers++
		}
		if isAmount(name) {
			amounts++
		}
	}
	switch {
	case (answers > 1 || amounts == len(levels)) && len(ranks) > 1 && wording.AsksForFault(question):
		if ranks[0] > ranks[len(ranks)-1] {
			return named // less of the fault is better
		}
		return -1
	case len(ranks) < 2 || ranks[0] == ranks[len(ranks)-1]:
		return wording.Direction(texts...)
	case ranks[0] > ranks[len(ranks)-1]:
		return -1
	}
	return wording.Direction(texts...) + named
}

// isAnswer reports whether a level is an answer to a question, which is good or bad as the
// question is.
func isAnswer(text string) bool {
	return slices.Contains([]string{"yes", "no", "true", "false", "present", "absent"},
		strings.Trim(strings.ToLower(text), ". "))
}

// isAmount reports whether a level says how much or how often there is something, which is good or
// bad as the thing is.
func isAmount(text string) bool {
	return slices.Contains(amounts, strings.Trim(strings.ToLower(text), ". "))
}

var amounts = strings.Fields(`none no little low few slight minimal mild rare rarely never sometimes
	occasionally some moderate medium frequent frequently often many much high severe extreme always all`)

// directNames sorts levels that have only names from the worst to the best.
func (s *scale) directNames(ladders []Ladder) error {
	ranks := make([]float64, len(s.levels))
	var known []float64
	for i, l := range s.levels {
		rank, isKnown := wording.Rank(l.Name)
		ranks[i] = rank
		if isKnown && !areChoices(s.levels) {
			known = append(known, rank)
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(known)))
	falling := slices.Clone(known)
	slices.Reverse(falling)
	switch {
	case len(distinct) == len(s.levels):
		slices.SortFunc(s.levels, func(a, b Level) int {
			first, _ := wording.Rank(a.Name)
			second, _ := wording.Rank(b.Name)
			return cmp.Compare(first, second)
		})
	case len(distinct) > 1 && slices.IsSorted(known):
	case len(distinct) > 1 && slices.IsSorted(falling):
		slices.Reverse(s.levels)
	default:
		return s.directByTexts(ladders)
	}
	var all []evidence
	for _, i := range s.ladders {
		if sorted := s.sortLevels(ladders[i]); len(sorted) > 1 {
			all = append(all, evidence{said(sorted, ladders[i].Question), sorted, ladders[i]})
		}
	}
	if worst, mean := weigh(all); worst != nil && (worst.said < -stronglyAgainst || mean < -against) {
		return stop("The names and the texts of the levels of %s disagree: %s counts as the best, but its text describes worse work than that of %s. %s",
			schema.Quote(worst.ladder.Criterion), schema.Quote(worst.sorted[len(worst.sorted)-1].Name),
			schema.Quote(worst.sorted[0].Name), flags)
	}
	return nil
}

// directByTexts decides by the texts of levels whose names do not say which one is best.
func (s *scale) directByTexts(ladders []Ladder) error {
	var all []evidence
	for _, i := range s.ladders {
		if sorted := s.sortLevels(ladders[i]); len(sorted) > 1 {
			all = append(all, evidence{said: said(sorted, ladders[i].Question)})
		}
	}
	_, mean := weigh(all)
	switch {
	case mean >= decisive:
		return nil
	case mean <= -decisive:
		slices.Reverse(s.levels)
		return nil
	}
	var names []string
	for _, l := range s.levels {
		names = append(names, schema.Quote(l.Name))
	}
	return stop("The levels %s have neither numbers nor words that say which one is best. %s",
		schema.Or(names, "and"), flags)
}

// sortLevels returns the levels of a ladder in the order of the scale.
func (s *scale) sortLevels(l Ladder) (sorted []Level) {
	for _, on := range s.levels {
		if i := slices.IndexFunc(l.Levels, on.sameLabel); i >= 0 {
			sorted = append(sorted, l.Levels[i])
		}
	}
	return sorted
}

// areChoices reports whether all names are A, B, or C (or ""), which can be answers to choose from.
func areChoices(levels []Level) bool {
	return !slices.ContainsFunc(levels, func(l Level) bool { return !l.IsNamed() || len(l.Name) > 1 || l.Name >= "D" })
}
