package printer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// htmlTable is a table with a name for each row and each column. An undefined value
// is a dash with a reference to its reason below the table.
type htmlTable struct {
	Caption string
	Head    []string // the first is the heading of the row names
	Rows    []htmlRow
	Reasons []string
}

type htmlRow struct {
	Name  string
	Cells []htmlCell
}

type htmlCell struct {
	Text   string
	Class  string // an outcome, "prose" for sentences, or ""
	Reason int    // the number of the reason, from 1, or 0
}

func (t *htmlTable) row(name string, cells ...htmlCell) {
	t.Rows = append(t.Rows, htmlRow{name, cells})
}

func plainCell(format string, args ...any) htmlCell {
	return htmlCell{Text: fmt.Sprintf(format, args...)}
}

func outcomeCell(o calibration.Outcome) htmlCell {
	return htmlCell{Text: outcomeMarks[o] + " " + outcomeWords[o], Class: string(o)}
}

// cell returns a text, with the reason if there is no number.
func (t *htmlTable) cell(text, undefined string) htmlCell {
	if undefined == "" {
		return htmlCell{Text: text}
	}
	at := slices.Index(t.Reasons, undefined)
	if at < 0 {
		at = len(t.Reasons)
		t.Reasons = append(t.Reasons, undefined)
	}
	return htmlCell{Text: text, Reason: at + 1}
}

func (t *htmlTable) value(v agreement.Value) htmlCell   { return t.cell(value(v), v.Undefined) }
func (t *htmlTable) signed(v agreement.Value) htmlCell  { return t.cell(signedValue(v), v.Undefined) }
func (t *htmlTable) percent(v agreement.Value) htmlCell { return t.cell(percent(v), v.Undefined) }

// interval is an estimate with its interval; the reason is why either is missing.
func (t *htmlTable) interval(e *agreement.Estimate) htmlCell {
	return t.cell(interval(e), cmp.Or(e.Undefined, e.Interval.Undefined))
}

func statisticsTable(r *calibration.Report) *htmlTable {
	t := &htmlTable{
		Caption: "Agreement by criterion, in numbers",
		Head:    []string{"Criterion", "Items", "Spearman", "Equal terms", "Attainable", "Kappa", "Mean error", "Exact", "Within 1", "Outcome"},
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		t.row(c.Name, plainCell("%d", c.Items), t.interval(&c.Spearman), t.cell(equalTerms(c), c.People.EqualTerms.People.Undefined), t.value(c.People.Attainable), t.value(c.QuadraticKappa.Value),
			t.value(c.MeanAbsoluteError.Value), t.percent(c.Exact.Value), t.percent(c.Adjacent.Value), outcomeCell(c.Outcome))
	}
	return t
}

func biasTable(r *calibration.Report) *htmlTable {
	t := &htmlTable{Caption: "Bias by criterion, in points", Head: []string{"Criterion", "Judge minus people", "From", "To"}}
	for i := range r.Criteria {
		b := &r.Criteria[i].Bias
		reason := cmp.Or(b.Undefined, b.Interval.Undefined)
		low, high := agreement.Value{Number: b.Interval.Low, Undefined: reason}, agreement.Value{Number: b.Interval.High, Undefined: reason}
		t.row(r.Criteria[i].Name, t.signed(b.Value), t.signed(low), t.signed(high))
	}
	return t
}

// verdictsTable compares the verdicts of judge and people, by criterion and overall.
func verdictsTable(r *calibration.Report) *htmlTable {
	t := &htmlTable{
		Caption: "On how many items judge and people agree whether they pass",
		Head:    []string{"Criterion", "Both pass", "Only people pass", "Only the judge passes", "Both fail", "Agreement", "Right passes", "Right fails", "People pass", "Kappa"},
	}
	for i := range r.Criteria {
		t.verdict(r.Criteria[i].Name, &r.Criteria[i].Verdict)
	}
	t.verdict("The whole rubric", &r.Verdict)
	return t
}

func (t *htmlTable) verdict(name string, v *agreement.Verdicts) {
	t.row(name, plainCell("%d", v.BothPass), plainCell("%d", v.OnlyPeoplePass), plainCell("%d", v.OnlyJudgePass), plainCell("%d", v.BothFail),
		t.percent(v.Agreement), t.interval(&v.RightPasses), t.interval(&v.RightFails), t.percent(v.BaseRate), t.value(v.Kappa))
}

func everyStatistic(c *calibration.Criterion) *htmlTable {
	t := &htmlTable{Caption: "All statistics of " + c.Name, Head: []string{"Statistic", "Value"}}
	t.row("Labeled items", plainCell("%d", c.Labeled))
	t.row("Items with a label and a score", plainCell("%d", c.Items))
	t.row("Spearman", t.interval(&c.Spearman))
	t.row("Pearson", t.interval(&c.Pearson))
	t.row("Kendall tau-b", t.interval(&c.KendallTauB))
	t.row("Quadratic kappa", t.interval(&c.QuadraticKappa))
	t.row("Mean error (points)", t.interval(&c.MeanAbsoluteError))
	t.row("Bias (points)", t.cell(signedInterval(&c.Bias), cmp.Or(c.Bias.Undefined, c.Bias.Interval.Undefined)))
	t.row("Exact", t.percent(c.Exact.Value))
	t.row("Within 1", t.percent(c.Adjacent.Value))
	t.row("People: raters", plainCell("%d", c.People.Raters))
	t.row("People: Krippendorff’s alpha (ordinal)", t.value(c.People.Alpha))
	t.row("People: ICC(2,1)", t.value(c.People.ICC.Agreement))
	t.row("People: ICC(2,k)", t.value(c.People.ICC.AgreementMean))
	t.row("People: mean correlation with the others", t.value(c.People.EqualTerms.People))
	t.row("Judge: correlation with the same others", t.value(c.People.EqualTerms.Judge))
	t.row("Attainable correlation", t.value(c.People.Attainable))
	t.row("Alternative annotator test: winning rate", t.value(c.People.Alternative.WinningRate))
	t.row("Alternative annotator test: advantage probability", t.value(c.People.Alternative.Advantage))
	t.row("Judge’s repeats: equal", t.percent(c.Repeats.Exact))
	t.row("Judge’s repeats: noise, points", t.value(c.Repeats.Spread))
	t.row("Judge’s repeats: alpha", t.value(c.Repeats.Alpha))
	t.row("Baseline (always the most common label): mean error", t.value(c.Baseline.MeanAbsoluteError))
	t.row("Baseline (always the most common label): exact", t.percent(c.Baseline.Exact))
	return t
}

// confusionTable has the counts that the picture shows.
func confusionTable(c *calibration.Criterion) *htmlTable {
	t := &htmlTable{Caption: "Counts: people in rows, the judge in columns", Head: []string{"People"}}
	for people, row := range c.Confusion {
		t.Head = append(t.Head, fmt.Sprintf("Judge %d", people+1))
		var cells []htmlCell
		for _, n := range row {
			cells = append(cells, plainCell("%d", n))
		}
		t.row(fmt.Sprint(people+1), cells...)
	}
	return t
}

// shownRecords is how many of the newest recorded runs the page lists.
const shownRecords = 60

// historyTable returns nil if no run is recorded.
func historyTable(r *calibration.Tracked) *htmlTable {
	records := r.History
	if len(records) == 0 {
		return nil
	}
	t := &htmlTable{Caption: "Spearman correlation in each recorded run", Head: []string{"Run"}}
	if len(records) > shownRecords {
		t.Caption += fmt.Sprintf(", the newest %d of %d", shownRecords, len(records))
		records = records[len(records)-shownRecords:]
	}
	for i := range r.Criteria {
		t.Head = append(t.Head, r.Criteria[i].Name)
	}
	t.Head = append(t.Head, "Model", "Wording and labels", "Drift")
	for i := range records {
		record := &records[i]
		var cells []htmlCell
		for j := range r.Criteria {
			cells = append(cells, t.value(recordedEstimate(record, r.Criteria[j].Name).Value))
		}
		words := "unchanged"
		switch {
		case i == 0:
			words = "–"
		case otherWords(&records[i-1], record):
			words = "changed"
		}
		t.row(runName(&record.Judge), append(cells, plainCell("%s", record.Judge.Model), plainCell("%s", words), htmlCell{Text: driftWords(record), Class: "prose"})...)
	}
	return t
}

// otherWords reports whether two records are for different wordings or labels, which
// makes their numbers incomparable.
func otherWords(before, after *calibration.Record) bool {
	return before.Rubric.JudgeDigest != after.Rubric.JudgeDigest || before.LabelsDigest != after.LabelsDigest
}

// recordedEstimate is the correlation of a criterion in a record.
func recordedEstimate(r *calibration.Record, criterion string) *agreement.Estimate {
	for i := range r.Criteria {
		if r.Criteria[i].Name == criterion {
			return &r.Criteria[i].Spearman
		}
	}
	return &agreement.Estimate{Value: agreement.Value{Undefined: "the run has no such criterion"}}
}

func driftWords(r *calibration.Record) string {
	switch {
	case r.Drift == nil:
		return "first run"
	case r.Drift.Drifted:
		return "▼ " + strings.Join(r.Drift.Reasons, " ")
	}
	return "none"
}
