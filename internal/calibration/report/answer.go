package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// answer is what a report begins with.
func (w words) answer() []string {
	lines := []string{w.uses()}
	if w.Judge != nil && !w.Dataset.Demonstration() {
		lines = append(lines, w.againstPeople())
	}
	if !w.Gate.Answer.Given() {
		lines = append(lines, w.explainRefusal())
	}
	return lines
}

// uses says what the judge may be used for.
func (w words) uses() string {
	if w.Judge == nil {
		return fmt.Sprintf("No judge has answered the items of %s for %s.", w.Dataset.Name, w.Rubric.ID)
	}
	return Uses(w.Judge.Name, w.Judge.Model, w.Rubric.ID, w.Rank.Answer, w.Gate.Answer)
}

// Uses says in a sentence or two what a judge may be used for with a rubric. A report on the judge
// begins with it.
func Uses(judge, model, rubric string, rank, gate decide.Answer) string {
	judge = fmt.Sprintf("%s (%s)", judge, model)
	if rank == gate {
		return may(rank, judge, "rank or gate with "+rubric)
	}
	return may(rank, judge, "rank with "+rubric) + " " + may(gate, "it", "gate")
}

// may says in a sentence whether a judge may do something.
func may(a decide.Answer, judge, use string) string {
	given := strings.Replace(use, "rank or gate", "rank and gate", 1)
	clause := map[decide.Answer]string{
		decide.Yes:           judge + " may " + given,
		decide.LibraryLimits: judge + " may " + given + ", by this library's limits",
		decide.NotYet:        judge + " may not " + use + " yet",
		decide.Unclear:       "the labels can't tell if " + judge + " may " + use,
		decide.No:            judge + " may not " + use,
	}[a]
	if strings.HasPrefix(clause, judge+" ") && judge != "it" {
		return clause + "." // a name stays as it is
	}
	return sentence(clause)
}

// againstPeople compares the judge with people, for the criterion where it is worst against them.
func (w words) againstPeople() string {
	const unknown = "Whether it agrees with these people as well as they agree with each other is unknown: "
	var worst *measure.Criterion
	why := "no item has a label"
	for i := range w.Criteria {
		c := &w.Criteria[i]
		d := c.AgainstPeople.Correlation.Difference
		switch {
		case !d.IsDefined():
			why = d.Undefined
		case worst == nil || d.Number < worst.AgainstPeople.Correlation.Difference.Number:
			worst = c
		}
	}
	if worst == nil {
		return unknown + why + "."
	}
	against := &worst.AgainstPeople.Correlation
	text := map[agreement.Standing]string{
		agreement.Better: "it agrees with these people better than they agree with each other",
		agreement.AsWell: "it agrees with these people as well as they agree with each other",
		agreement.Worse:  "it agrees with these people worse than they agree with each other",
		agreement.TooFew: "there are too few items to tell if it agrees with these people as well as they agree with each other",
	}[against.JudgeStanding()]
	text += fmt.Sprintf(" (correlations %s and %s)", against.Judge.Text(), against.People.Text())
	if len(w.Criteria) > 1 {
		text = fmt.Sprintf("on %s, where it compares worst with people, %s", worst.Name, text)
	}
	return sentence(text)
}

// explainRefusal says in a sentence why the judge may not gate, and not rank if that is the reason.
func (w words) explainRefusal() string {
	why, use := w.why(&w.Gate), "gate"
	if !w.Rank.Answer.Given() && w.why(&w.Rank) == why {
		use = "rank or gate"
	}
	ended := ""
	switch {
	case w.Gate.Expired:
		ended = fmt.Sprintf(" It could until %s.", later(w.Judge.Date, w.MaximumAge))
	case w.Gate.Ended != nil:
		ended = fmt.Sprintf(" It could until run %s.", dated(w.Gate.Ended))
	}
	switch {
	case w.Judge == nil && w.Gate.Answer == decide.NotYet:
		return sentence("no judge may rank or gate yet, because " + why)
	case w.Judge == nil:
		return sentence("no judge may rank or gate, because " + why)
	case w.Gate.Answer == decide.Unclear:
		return sentence("the labels can't tell because "+why) + ended
	case w.Gate.Answer == decide.NotYet:
		return sentence(fmt.Sprintf("it may not %s yet because %s", use, why)) + ended
	}
	return sentence(fmt.Sprintf("it may not %s because %s", use, why)) + ended
}

// why is a clause with the reason that matters most for which a judge may not be used.
func (w words) why(p *decide.Permission) string {
	if c := w.decidingCondition(p); c != nil {
		return w.condition(c)
	}
	return w.basis(&p.Basis)
}

// decidingCondition returns the condition that matters most for a permission that is not given, or nil.
func (w words) decidingCondition(p *decide.Permission) *decide.Condition {
	for i := range w.Conditions {
		c := &w.Conditions[i]
		if p.Basis.Why == decide.Nobody && c.Outcome != decide.Met || slices.Contains(p.Basis.Conditions, c.Name) {
			return c
		}
	}
	return nil
}

// basis is a clause about the runs that decide.
func (w words) basis(b *decide.Basis) string {
	runs := schema.Or(b.Runs, "and")
	switch b.Why {
	case decide.TwoRuns:
		return fmt.Sprintf("runs %s meet its conditions", runs)
	case decide.OneRun:
		return fmt.Sprintf("run %s meets its conditions, and so must another run, at least %d days from it, and all runs between them",
			runs, decide.DaysApart)
	case decide.Thrice:
		return fmt.Sprintf("in runs %s, %s is on the wrong side of its limit", runs, schema.Or(values(b.Values), "and"))
	case decide.Gap:
		return fmt.Sprintf("run %s was more than %d days old when run %s began", b.Runs[0], w.MaximumAge, b.Runs[1])
	case decide.Refuted:
		return fmt.Sprintf("run %s does not meet: %s", runs, schema.Or(names(b.Conditions), "and"))
	case decide.Stopped:
		return fmt.Sprintf("run %s was stopped, and does not count", runs)
	case decide.TooFew:
		return fmt.Sprintf("run %s has too few items to decide about %s", runs, schema.Or(names(b.Conditions), "and"))
	case decide.LabelsAre:
		return fmt.Sprintf("the labels can't tell about %s in run %s", schema.Or(names(b.Conditions), "and"), runs)
	}
	return "no judge has answered"
}

func names(conditions []decide.ConditionName) (names []string) {
	for _, name := range conditions {
		names = append(names, string(name))
	}
	return names
}

func values(all []decide.Value) (names []string) {
	for _, v := range all {
		name := map[decide.UseKind]string{
			decide.Correlation: "the correlation", decide.Bias: "the bias", decide.RightPasses: "right passes",
			decide.RightFails: "right fails",
		}[v.Kind]
		if v.Criterion != "" {
			name += " of " + v.Criterion
		}
		names = append(names, name)
	}
	return names
}

// held says what a run changed, by what held before and what holds after it.
var held = map[[2]bool]string{
	{true, true}: "It still holds. ", {true, false}: "It ended. ", {false, true}: "It is new. ",
}

// reason says in sentences which runs decide a permission, and whether it held before.
func (w words) reason(p *decide.Permission) string {
	text := held[[2]bool{p.Held, p.Holds}] + sentence(w.basis(&p.Basis))
	var few []string
	for _, c := range w.Conditions {
		if c.Outcome == decide.Undecided && p.Needs(c.Name) {
			few = append(few, string(c.Name))
		}
	}
	switch {
	case p.Holds && len(few) > 0:
		text += fmt.Sprintf(" Run %s has too few items to decide about %s.", w.Judge.Run, schema.Or(few, "and"))
	case p.Expired:
		text += fmt.Sprintf(" It held until %s.", later(w.Judge.Date, w.MaximumAge))
	case p.Ended != nil && !p.Held:
		text += fmt.Sprintf(" It ended with run %s.", dated(p.Ended))
	}
	if p.Holds && p.Looser {
		text += " The limits are this library's, which are looser than the defaults."
	}
	return text
}

// next says what to do.
func (w words) next() string {
	p := &w.Gate
	if c := w.decidingCondition(p); c != nil && !p.Holds {
		return w.advice(c)
	}
	switch p.Basis.Why {
	case decide.TwoRuns:
		if w.Unfinished != nil {
			return fmt.Sprintf("run the judge again (`rubric calibrate run`): run %s was stopped.", w.Unfinished.Name)
		}
		return fmt.Sprintf("run the judge again by %s (`rubric calibrate weekly`): a run counts for %d days.",
			later(w.Judge.Date, w.MaximumAge), w.MaximumAge)
	case decide.OneRun:
		return fmt.Sprintf("run the judge again on %s or later (`rubric calibrate run`).",
			later(w.Judge.Date, decide.DaysApart))
	case decide.Thrice:
		return w.instructions()
	}
	return "run the judge again (`rubric calibrate run`)."
}

// later is a date some days after another one.
func later(date string, days int) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.AddDate(0, 0, days).Format(time.DateOnly)
}

const askPeople = "have people label the items who did not write the rubric (`rubric calibrate sheet`)."

// instructions are what to do about a judge that is wrong about items.
func (w words) instructions() string {
	if !w.HasDev {
		return "put some of the next items aside (`rubric calibrate import --dev 0.3`), compare its answers with people's there, change its instructions, and run it again."
	}
	return fmt.Sprintf("compare its answers with people's on the dev items (`rubric calibrate report %s --split dev`), change its instructions, and run it again.", w.Rubric.ID)
}

// advice says what to do about a condition that is not met.
func (w words) advice(c *decide.Condition) string {
	for _, cause := range c.Causes {
		switch cause {
		case decide.Demonstration, decide.Unlabeled:
			return askPeople
		case decide.FewPaired:
			return w.morePaired(c)
		case decide.StaleLabels:
			return fmt.Sprintf("label the items again in a new dataset, or confirm the labels if they still hold (`rubric reaffirm %s --reason TEXT`).", w.Dataset.Name)
		case decide.NoJudge:
			return "ask a judge (`rubric calibrate run`)."
		case decide.Future:
			return "correct the date."
		}
	}
	switch {
	case c.Outcome == decide.CannotTell && len(c.Criteria) > 0:
		return fmt.Sprintf("make the anchors of %s clearer, or find raters who agree on what they mean, and label again. The judge's instructions are not the reason.",
			schema.Or(c.Criteria, "and"))
	case c.Outcome == decide.CannotTell:
		return "make the anchors near the thresholds clearer, or find raters who agree on what they mean, and label again. The judge's instructions are not the reason."
	case c.Outcome == decide.Undecided:
		return w.items()
	case c.Name == decide.ConditionCoverage:
		return "fix the judge, and run it again (`rubric calibrate run`)."
	case c.Name == decide.ConditionAge || c.Name == decide.ConditionFreshness:
		return "run the judge again (`rubric calibrate run`)."
	}
	return w.instructions()
}

// morePaired says who must label what, so that it is known how far people agree.
func (w words) morePaired(c *decide.Condition) string {
	few, _ := w.fewPaired(c.Criteria)
	switch {
	case len(few) == 0:
		return "label more items, and others than these (`rubric calibrate sheet`)."
	case w.Dataset.Paired > 0 && w.Dataset.Paired >= w.Dataset.Test():
		return "have both people label more items (`rubric calibrate sheet`)."
	}
	return "have a second person label the same items (`rubric calibrate sheet`)."
}

// items says how many items would decide.
func (w words) items() string {
	switch n := w.ItemsNeeded; {
	case n >= decide.TooMany:
		return "improve the judge. " + w.neededItems()
	case n > 0:
		return "label more items (`rubric calibrate sheet`). " + w.neededItems()
	}
	return "label more items, and others than these (`rubric calibrate sheet`)."
}
