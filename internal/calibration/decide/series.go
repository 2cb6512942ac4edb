package decide

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
)

// series are the runs of one judge, by its identity, for the same words, oldest first.
// Those that were stopped are left out. The last one is the one that is decided about.
type series struct {
	*Decider
	runs      []*calibration.Run
	decisions []*Decision // those that were needed
}

// series has the runs up to one.
func (of *Decider) series(run *calibration.Run) *series {
	all := &series{Decider: of}
	if judge := of.dataset.Judge(run.Judge); judge != nil {
		run = judge.Original(run)
		for _, one := range judge.Counted() {
			if one.Name == run.Name {
				break
			}
			if one.Digest == run.Digest && one.Identity() == run.Identity() {
				all.runs = append(all.runs, &one)
			}
		}
	}
	all.runs = append(all.runs, run)
	all.decisions = make([]*Decision, len(all.runs))
	return all
}

// certified is the decision about the last run, with what the judge may be used for.
func (s *series) certified() *Decision {
	last := len(s.runs) - 1
	r := s.decision(last)
	r.compare()
	r.Facts = s.meter.Facts(s.runs[last])
	r.series, r.Rank, r.Gate = s, s.permission(toRank), s.permission(toGate)
	if judge := s.dataset.Judge(r.Judge.Name); judge != nil {
		r.NewJudge, r.Unfinished = judge.Since(r.Judge.Identity()), judge.Unfinished()
	}
	return r
}

// decision is that about a run alone: for the last one as of the date of the report, and for those
// before as of their own.
func (s *series) decision(i int) *Decision {
	if s.decisions[i] == nil {
		o := s.Options
		if i < len(s.runs)-1 {
			o.AsOf = s.runs[i].Date
		}
		s.decisions[i] = decision(s.meter.Measure(s.runs[i]), o)
	}
	return s.decisions[i]
}
