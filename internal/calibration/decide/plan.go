package decide

import (
	"math"
)

// Plan is how many labeled items a decision about a judge takes.
type Plan struct {
	// Undecided is the decision about the newest run of a judge whose values say how many, or nil.
	//
	// Without such a run, only a lower bound is known, which is what the ranking takes for a
	// judge halfway from the target to perfect agreement: what the verdict takes depends on how
	// many items people pass, and on how close those are to the line.
	Undecided *Decision
	// Needed is how many items it takes, and Has how many are labeled.
	Needed, Has int
	// Good is the correlation, on each of some criteria, of a judge that usually reaches the target
	// with so many items.
	Good, Target float64
	Criteria     int
}

// Plan says how many labeled items a decision about a judge takes, or returns nil if there are
// enough.
func (of *Decider) Plan() *Plan {
	var nearest *Decision
	for i := range of.dataset.Judges {
		run := of.dataset.Judges[i].NewestRun(of.subject.Digest)
		if run == nil {
			continue
		}
		then := *of
		then.AsOf = run.Date // the values of an old run count here
		r := then.Decide(run)
		if r.worstOutcome(toGate) == Met {
			return nil
		}
		if r.ItemsNeeded > 0 && (nearest == nil || r.ItemsNeeded < nearest.ItemsNeeded) {
			nearest = r
		}
	}
	if nearest != nil {
		return &Plan{Undecided: nearest}
	}
	p := &Plan{Good: (of.Target + 1) / 2, Target: of.Target, Criteria: len(of.subject.Rubric.Criteria)}
	power := math.Sqrt2 * math.Erfinv(2*math.Pow(planned, 1/float64(p.Criteria))-1) // the normal quantile
	p.Needed = max(of.EnoughItems, itemsNeeded(p.Good, of.Target, power))
	for _, item := range of.dataset.Test().Items {
		if len(item.Labels) > 0 {
			p.Has++
		}
	}
	if p.Has >= p.Needed {
		return nil
	}
	return p
}

// planned is the share of cases in which a good judge reaches the target on all criteria.
const planned = 0.8
