package change

import (
	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Judge judges what leads to a head: each step of a guarded branch, or a branch as a whole. A
// step can be accepted by the exceptions that it adds, and by those of the head that name its
// commit. This is the only place that decides whether a change fits its version.
func Judge(q *Question) (*Judgment, error) {
	p, err := q.makePlan()
	if err != nil {
		return nil, err
	}
	return q.judge(p)
}

// Versus judges a head that is compared with libraries without their history, such as those in
// folders or bundles. Changes are relative to before, and versions follow those of the tip,
// which can be one of before.
func Versus(before []*holdings.Library, tip, head *holdings.Library, texts bool) (*Judgment, error) {
	q := &Question{
		Repo: tip.Repo, Folder: tip.Folder, Head: head, Texts: texts,
		Target: gitrepo.Target{Name: tip.Name}, direct: true,
	}
	return q.judge(&plan{base: &Base{Target: tip.Name}, bases: before, tip: tip})
}

func (q *Question) judge(p *plan) (*Judgment, error) {
	last, err := comparison.Compare(q.Head, p.bases, p.tip, q.Texts)
	if err != nil {
		return nil, err
	}
	past := holdings.Past{}
	j := &Judgment{Base: p.base, Line: p.steps, Settled: p.settled, OnlyApart: q.Target.Landing == gitrepo.LandsApart}
	if p.exceptions, err = q.Head.Exceptions(); err != nil {
		return nil, err
	}
	j.exceptions = p.exceptions
	if j.Earlier, err = q.judgeEarlier(p, past, last); err != nil {
		return nil, err
	}
	if j.Last, err = q.lastStep(p, past, last); err != nil {
		return nil, err
	}
	if err := q.judgeStep(p, j.Last); err != nil {
		return nil, err
	}
	if j.Apart, err = q.judgeApart(p, j.Last); err != nil {
		return nil, err
	}
	if err := q.judgeExceptions(p, j.Last); err != nil {
		return nil, err
	}
	j.Whole, err = q.wholeStep(p, past, j)
	return j, err
}

// lastStep is the step to the head in a comparison, not yet judged.
func (q *Question) lastStep(p *plan, past holdings.Past, c *comparison.Comparison) (*Step, error) {
	if err := q.readEarlier(past, p, c); err != nil {
		return nil, err
	}
	if err := addBases(past, c); err != nil {
		return nil, err
	}
	s := &Step{
		Comparison: c, Documents: judgedDocuments(c), OnBranch: q.Published,
		past: past, releases: p.releases, stepPlace: stepPlace{reached: p.reached, target: q.Target.Name}, end: c.Ledger,
	}
	return s, s.findFallbacks(q)
}

// wholeStep is everything since the base as one step, with all broken rules.
func (q *Question) wholeStep(p *plan, past holdings.Past, j *Judgment) (*Step, error) {
	if !q.Texts || p.since == nil {
		return j.Last, nil
	}
	c, err := comparison.Compare(q.Head, []*holdings.Library{p.since}, p.since, true)
	if err != nil {
		return nil, err
	}
	whole, err := q.lastStep(p, past, c)
	if err != nil {
		return nil, err
	}
	whole.counting, whole.line = j.AcceptedExceptions(), p.steps
	for _, d := range whole.Documents {
		judged, err := whole.readNumbers(d)
		if err != nil {
			return nil, err
		}
		if !judged {
			continue
		}
		if err := whole.findDraft(d); err != nil {
			return nil, err
		}
	}
	whole.Broken = j.BrokenRules()
	return whole, nil
}
