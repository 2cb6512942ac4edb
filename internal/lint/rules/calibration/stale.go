package calibration

import (
	"bytes"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

func staleLabels(p *lint.CalibrationPass) {
	for _, f := range p.Joined {
		for i, c := range p.Dataset.Criteria {
			words := f.Calibrated.Criteria[c.Name]
			if words == "" || p.Dataset.Fresh(c.Name, words) {
				continue
			}
			p.Report(p.Dataset.File, criterion(p, i).Get("digest").Span, "criteria["+c.Name+"].digest["+f.ID+"]", []lint.Related{{Location: f.Calibrated.At, Message: "the rubric"}},
				"These labels don't count for %s: its criterion %s was reworded after people labeled the items. Label the items again in a new dataset. If the labels also apply to the new wording, run `rubric reaffirm %s --reason \"…\"`.",
				f.ID, c.Name, p.Dataset.Name)
		}
	}
}

func staleRun(p *lint.CalibrationPass) {
	for i := range p.Dataset.Judges {
		j := &p.Dataset.Judges[i]
		runs := j.Runs()
		if len(runs) == 0 {
			continue
		}
		last := runs[len(runs)-1].Answers[0]
		var stale []string
		for _, f := range p.Joined {
			if !slices.ContainsFunc(runs, func(r calibration.Run) bool { return r.Digest == f.Calibrated.Digest }) {
				stale = append(stale, f.ID)
			}
		}
		if len(stale) > 0 {
			p.Report(j.File, fingerprintOf(j.File, last), j.Name, nil,
				"Ask %s again: all its answers are to a different wording than that of %s, so they say nothing about how it scores now.", j.Name, schema.Or(stale, "and"))
		}
	}
}

// fingerprintOf returns the place where an answer names the wording that the judge read.
func fingerprintOf(f *source.File, a calibration.Answer) source.Span {
	line := f.LineSpan(a.Line)
	at := bytes.Index(f.Data[line.Start:line.End], []byte(a.Digest))
	if at < 0 {
		return line // written with escapes
	}
	return source.Span{Start: line.Start + at, End: line.Start + at + len(a.Digest)}
}

func unknownReaffirmation(p *lint.CalibrationPass) {
	if !p.Whole {
		return
	}
	for i, r := range p.Dataset.Reaffirmed {
		if !slices.ContainsFunc(p.Dataset.Criteria, func(c calibration.Labeled) bool { return c.Name == r.Criterion }) {
			continue // reported by unknown-name
		}
		if slices.ContainsFunc(p.Joined, func(f *lint.Facts) bool { return f.Calibrated.Criteria[r.Criterion] == r.Digest }) {
			continue
		}
		p.Report(p.Dataset.File, p.Dataset.Head.Root().Get("reaffirmed").Items[i].Get("digest").Span, "reaffirmed["+r.Criterion+" "+r.Digest+"]", nil,
			"No rubric of this dataset has this wording for %s, so this reaffirms nothing. Remove the entry. If the labels apply to the current wording, run `rubric reaffirm %s --reason \"…\"` first.", schema.Quote(r.Criterion), p.Dataset.Name)
	}
}
