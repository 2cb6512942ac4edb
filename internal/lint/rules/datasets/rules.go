// Package datasets has the lint rules about calibration datasets, their labels, and the answers of
// judges: each is a value in Rules, with its function below or in labels.go. Their texts are in
// rules.txt of the package above, which has all rules in order. The rules that compare items with
// the examples of rubrics are there, too, with those that compare rubrics.
package datasets

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// byLoader is the function of the rules whose problems are found when the dataset is
// read: the engine reports them.
func byLoader(*lint.CalibrationPass) {}

// Rules are the lint rules of this package by ID.
var Rules = map[string]lint.Rule{
	"calibration-dataset": {
		Severity: lint.Error, Spec: lint.RL09, Unsuppressable: true, Placed: true,
		Check: lint.OfDocument(calibrationDataset),
	},
	"no-calibration": {
		Severity: lint.Warning, Spec: lint.RL09, Placed: true,
		Check: lint.OfDocument(noCalibration),
	},
	calibration.CodeStray:     {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	yamltree.CodeJSON:         {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	calibration.CodeTooLong:   {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	calibration.CodeDuplicate: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	calibration.CodeUnknown:   {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	calibration.CodeMixedRun:  {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	calibration.CodeAddress:   {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDataset(byLoader)},
	"address-in-text":         {Severity: lint.Warning, Check: lint.OfDataset(OfValid(addressInText))},
	"unknown-rubric": {
		Severity: lint.Error, Spec: lint.RL09, Unsuppressable: true,
		Check: lint.OfDataset(OfValid(unknownRubric)),
	},
	"calibration-join": {
		Severity: lint.Error, Spec: lint.RL09, Unsuppressable: true,
		Check: lint.OfDataset(OfValid(calibrationJoin)),
	},
	"unused-labels": {Severity: lint.Note, Check: lint.OfDataset(OfValid(unusedLabels))},
	"unlabeled-criterion": {
		Severity: lint.Warning, Spec: lint.RL09,
		Check: lint.OfDataset(OfValid(unlabeledCriterion)),
	},
	"idle-criterion": {Severity: lint.Warning, Check: lint.OfDataset(OfValid(idleCriterion))},
	"too-few-items":  {Severity: lint.Error, Spec: lint.RL09, Check: lint.OfDataset(ofEvidence(tooFewItems))},
	"few-items":      {Severity: lint.Warning, Spec: lint.RL09, Check: lint.OfDataset(ofEvidence(fewItems))},
	"few-labels":     {Severity: lint.Warning, Spec: lint.RL09, Check: lint.OfDataset(ofEvidence(fewLabels))},
	"one-sided-labels": {
		Severity: lint.Warning, Spec: lint.RL09,
		Check: lint.OfDataset(ofEvidence(oneSidedLabels)),
	},
	"one-rater":  {Severity: lint.Note, Spec: lint.RL09, Check: lint.OfDataset(ofEvidence(oneRater))},
	"same-rater": {Severity: lint.Warning, Spec: lint.RL09, Check: lint.OfDataset(ofEvidence(sameRater))},
	"labels-not-by-people": {
		Severity: lint.Note, Spec: lint.RL09,
		Check: lint.OfDataset(ofEvidence(labelsNotByPeople)),
	},
	"duplicate-artifact": {Severity: lint.Warning, Check: lint.OfDataset(ofEvidence(duplicateArtifact))},
	"stale-labels":       {Severity: lint.Warning, Spec: lint.RL09, Check: lint.OfDataset(OfValid(staleLabels))},
	"stale-run":          {Severity: lint.Warning, Spec: lint.RL09, Check: lint.OfDataset(OfValid(staleRun))},
}

func calibrationDataset(p *lint.DocumentPass) {
	n := p.Root().Get("calibration_dataset")
	if n == nil || !p.Is(&document.Rubric) || !p.Doc.Valid() {
		return
	}
	report := func(format string, args ...any) { p.ReportAt(lint.Key("calibration_dataset"), n, format, args...) }
	name := calibration.NameOf(n.Value)
	switch {
	case !strings.HasPrefix(n.Value, calibration.Root+"/"):
		if u, err := url.Parse(n.Value); err != nil || !u.IsAbs() || u.Host == "" && u.Opaque == "" && u.Path == "" {
			report("%s is not a full URL such as https://example.org/labels.jsonl. Fix it, or remove the line: it is optional.", schema.Quote(n.Value))
		}
	case path.Clean(n.Value) != n.Value:
		report("Write the path without . or .. and without a trailing slash, so that it stays below calibration/.")
	case !p.Exists(n.Value):
		report("This library has no %s. Add the labels there, or remove the line: it is optional.", schema.Quote(n.Value))
	case name == "":
		report("Write the path of a dataset, calibration/NAME/%s: %s is not one, so its labels would not count.",
			calibration.DatasetFile, schema.Quote(n.Value))
	case !p.Exists(path.Join(calibration.Root, name, calibration.DatasetFile)):
		report("There is no %s in %s to describe the labels there. Add the file, or remove the line: it is optional.",
			calibration.DatasetFile, schema.Quote(n.Value))
	}
}

func noCalibration(p *lint.DocumentPass) {
	version := p.Root().Get("version")
	if version == nil || !p.Is(&document.Rubric) || !p.Doc.Valid() ||
		p.Root().Get("calibration_dataset") != nil || p.Root().Get("deprecated") != nil {
		return
	}
	if v, err := semver.StrictNewVersion(version.Value); err != nil || v.Major() == 0 {
		return
	}
	p.ReportAt(lint.Key("version"), version, "Label items and name them in calibration_dataset, or stay below 1.0.0: from 1.0.0 on, others rely on the scores, and nothing here shows that a judge scores as people do.")
}

func unknownRubric(p *lint.CalibrationPass) {
	for i, id := range p.Dataset.AppliesTo {
		f := p.Documents[id]
		if f != nil && f.Kind == &document.Rubric || p.Unread[id] {
			continue
		}
		message := "This library has no rubric %s."
		if f != nil {
			message = "%s is the ID of a rule set, but only rubrics are calibrated."
		}
		advice := cmp.Or(schema.DidYouMean(id, otherRubrics(p)), " Fix the ID or remove it.")
		p.Report(p.Dataset.File, appliesTo(p, i).Span, "applies_to["+id+"]", nil, message+"%s", schema.Quote(id), advice)
	}
}

func calibrationJoin(p *lint.CalibrationPass) {
	file := datasetFile(p)
	for i, id := range p.Dataset.AppliesTo {
		if f := notNaming(p, id); f != nil && f.Calibrated == nil && !hasAnswers(p) {
			rubric := []lint.Related{{Location: f.At, Message: "the rubric"}}
			p.Report(p.Dataset.File, appliesTo(p, i).Span, "applies_to["+f.ID+"]", rubric,
				"Add calibration_dataset: %s to %s, or remove the ID here: labels count for a rubric only if it names their dataset.", file, f.Path)
		}
	}
	for _, f := range p.Naming {
		if slices.Contains(p.Dataset.AppliesTo, f.ID) || f.Invalid {
			continue
		}
		list := source.Locate(p.Dataset.File, p.Dataset.Head.Root().Get("applies_to").Span)
		related := []lint.Related{{Location: list, Message: "the rubrics that the labels are for"}}
		p.ReportRubric(f, "calibration_dataset", related,
			"Add %s to applies_to in %s, or name another dataset: the dataset is not for this rubric, so its labels don't count here.", f.ID, file)
	}
}

// unusedLabels reports a dataset that a rubric does not name yet, or no longer names.
func unusedLabels(p *lint.CalibrationPass) {
	for i, id := range p.Dataset.AppliesTo {
		f := notNaming(p, id)
		if f == nil {
			continue
		}
		message := "These labels decide nothing for %s, which names no dataset."
		related := lint.Related{Location: f.At, Message: "the rubric"}
		if f.Calibrated != nil {
			message = "These labels decide nothing for %s, which names another dataset."
			related = lint.Related{Location: f.Calibrated.At, Message: "the dataset that it names"}
		}
		switch {
		case hasAnswers(p):
			message += " They stay as a record of what judges answered."
		case f.Calibrated == nil:
			continue // reported by calibration-join
		default:
			message += fmt.Sprintf(" If its words have changed since those were labeled, write calibration_dataset: %s in %s. Otherwise, add the items to the other dataset.",
				datasetFile(p), f.Path)
		}
		p.Report(p.Dataset.File, appliesTo(p, i).Span, "applies_to["+f.ID+"]", []lint.Related{related}, message, f.ID)
	}
}

func unlabeledCriterion(p *lint.CalibrationPass) {
	for _, f := range p.Joined {
		for _, name := range slices.Sorted(maps.Keys(f.Calibrated.Criteria)) {
			if !slices.ContainsFunc(p.Dataset.Criteria, func(c calibration.Labeled) bool { return c.Name == name }) {
				p.ReportRubric(f, "calibration_dataset["+name+"]", nil,
					"The dataset has no labels for the criterion %s, so this rubric does not count as calibrated. Label the items for it and add it to the criteria in %s.",
					schema.Quote(name), p.Dataset.File.Path)
			}
		}
	}
}

func idleCriterion(p *lint.CalibrationPass) {
	if !p.Whole || hasAnswers(p) { // evidence stays
		return
	}
	for i, c := range p.Dataset.Criteria {
		if slices.ContainsFunc(p.Joined, func(f *lint.Facts) bool { return f.Calibrated.Criteria[c.Name] != "" }) {
			continue
		}
		p.Report(p.Dataset.File, criterion(p, i).Get("name").Span, "criteria["+c.Name+"].name", nil,
			"No rubric of this dataset has a criterion %s, so its labels are not used. Fix the name, or remove the criterion and its labels.", schema.Quote(c.Name))
	}
}

func staleLabels(p *lint.CalibrationPass) {
	for _, f := range p.Joined {
		for i, c := range p.Dataset.Criteria {
			words := f.Calibrated.Criteria[c.Name]
			if words == "" || p.Dataset.AreFresh(c.Name, words) {
				continue
			}
			p.Report(p.Dataset.File, criterion(p, i).Get("digest").Span, "criteria["+c.Name+"].digest["+f.ID+"]",
				[]lint.Related{{Location: f.Calibrated.At, Message: "the rubric"}},
				"These labels don't count for %s: its criterion %s was reworded after people labeled the items. Label the items again in a new dataset, and name it in calibration_dataset of the rubric: this one stays as a record. If the labels also apply to the new wording, run `rubric reaffirm %s --reason \"…\"`.",
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
			p.Report(last.File, fingerprintOf(last), j.Name, nil,
				"Ask %s again: all its answers are to a different wording than that of %s, so they say nothing about how it scores now.", j.Name, schema.Or(stale, "and"))
		}
	}
}

// fingerprintOf returns the place where an answer names the wording that the judge read.
func fingerprintOf(a calibration.Answer) source.Span {
	line := a.File.LineSpan(a.Line)
	at := bytes.Index(a.Text(), []byte(a.Digest))
	if at < 0 {
		return line // written with escapes
	}
	return source.Span{Start: line.Start + at, End: line.Start + at + len(a.Digest)}
}
