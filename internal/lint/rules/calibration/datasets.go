// Package calibration has the lint rules about calibration: datasets, their labels,
// and the answers of judges.
package calibration

import (
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
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// byLoader is the function of the rules whose problems are found when the dataset is
// read: the engine reports them.
func byLoader(*lint.CalibrationPass) {}

// ofDataset makes a rule from a check of datasets whose dataset.yaml is valid.
func ofDataset(check func(*lint.CalibrationPass)) func(*lint.CalibrationPass) {
	return func(p *lint.CalibrationPass) {
		if p.Dataset != nil && p.Dataset.Head.Valid() {
			check(p)
		}
	}
}

// Rules are about datasets, their labels, and the answers of judges.
var Rules = slices.Concat(datasetRules, labelRules, staleRules)

var datasetRules = []*lint.Rule{
	{
		ID: "calibration-dataset", Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true, Spec: "RL-09",
		Summary:  "a calibration dataset that is neither a URL nor a dataset below calibration/",
		Why:      "Consumers can't find the labels that show whether the judge agrees with people.",
		Bad:      "calibration_dataset: calibration/no_such_dataset/dataset.yaml",
		Good:     "calibration_dataset: calibration/user_story_quality/dataset.yaml",
		Document: calibrationDataset,
	},
	{
		ID: "no-calibration", Family: lint.FamilyCalibration, Severity: lint.Warning, Spec: "RL-09",
		Summary:  "a rubric at 1.0.0 or above that names no calibration dataset",
		Why:      "From 1.0.0 on, others rely on the scores. Without labels from people, there is no evidence that a judge scores as people do.",
		Bad:      "version: \"1.0.0\"",
		Good:     "version: \"1.0.0\"\ncalibration_dataset: calibration/user_story_quality/dataset.yaml",
		Document: noCalibration,
	},
	{
		ID: calibration.CodeStray, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "a file or folder below calibration/ that nothing reads",
		Why:         "Labels or answers in a file with the wrong name are ignored, although their author expects them to count.",
		Source:      "the layout of a dataset (docs/calibration-files.md)",
		Bad:         "calibration/user_story_quality/item.jsonl",
		Good:        "calibration/user_story_quality/items.jsonl",
		Calibration: byLoader,
	},
	{
		ID: yamltree.CodeJSON, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "a line of items, answers, or history that is not JSON",
		Why:         "The line can't be read, so its labels or answers would silently be missing.",
		Source:      "RFC 8259 (JSON); JSON Lines: one value per line",
		Bad:         `{"id":"i001","artifact":"…","labels":{"r1":{"clarity":4}}`,
		Good:        `{"id":"i001","artifact":"…","labels":{"r1":{"clarity":4}}}`,
		Calibration: byLoader,
	},
	{
		ID: calibration.CodeTooLong, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "a line of more than 1 MiB in a file of a dataset, or a file of more than 256 MiB",
		Why:         "No judge reads that much text, and the limit protects every program that loads the dataset.",
		Source:      "the limits of a dataset (docs/calibration-files.md)",
		Bad:         "an item with a whole archive as its artifact",
		Good:        "an item with an excerpt as its artifact",
		Calibration: byLoader,
	},
	{
		ID: calibration.CodeDuplicate, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "an item, criterion, rubric, or answer that appears twice in a dataset",
		Why:         "It is unclear which of the two counts, and if both counted, it would weigh twice.",
		Source:      "the files of a dataset (docs/calibration-files.md)",
		Bad:         "{\"id\":\"i001\",…}\n{\"id\":\"i001\",…}",
		Good:        "{\"id\":\"i001\",…}\n{\"id\":\"i002\",…}",
		Calibration: byLoader,
	},
	{
		ID: calibration.CodeUnknown, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "a label or an answer for a criterion or an item that the dataset does not have",
		Why:         "It matches nothing, so it would silently be ignored.",
		Source:      "the files of a dataset (docs/calibration-files.md)",
		Bad:         `"labels":{"r1":{"clarty":4}}`,
		Good:        `"labels":{"r1":{"clarity":4}}`,
		Calibration: byLoader,
	},
	{
		ID: calibration.CodeMixedRun, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "a run of a judge whose answers differ in model, date, or rubric",
		Why:         "A run is measured as a whole. Answers from two models, or to two texts of a rubric, come from two different judges.",
		Source:      "the files of a dataset (docs/calibration-files.md): a run is one judge at one time",
		Bad:         "{\"run\":\"2026-11-21\",\"model\":\"a-1\",…}\n{\"run\":\"2026-11-21\",\"model\":\"a-2\",…}",
		Good:        "{\"run\":\"2026-11-21\",\"model\":\"a-1\",…}\n{\"run\":\"2026-11-21-2\",\"model\":\"a-2\",…}",
		Calibration: byLoader,
	},
	{
		ID: calibration.CodeAddress, Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true,
		Summary:     "a rater who is identified by an e-mail address",
		Why:         "The address reveals who gave each label to everyone with a copy of the library, and it stays in the history.",
		Source:      "Regulation (EU) 2016/679, article 4(5), on pseudonyms",
		Bad:         `"labels":{"jane@example.com":{"clarity":4}}`,
		Good:        `"labels":{"r1":{"clarity":4}}`,
		Calibration: byLoader,
	},
	{
		ID: "address-in-text", Family: lint.FamilyCalibration, Severity: lint.Warning,
		Summary:     "an e-mail address in an item, an answer, or the description of a dataset",
		Why:         "It is personal data, is sent to every judge, and stays in the history. Addresses at reserved domains such as example.com are allowed.",
		Source:      "Regulation (EU) 2016/679, article 4(1); RFC 2606 for the reserved domains",
		Bad:         `"artifact":"Ask jane.doe@acme-corp.com."`,
		Good:        `"artifact":"Ask jane.doe@example.com."`,
		Calibration: ofDataset(addressInText),
	},
	{
		ID: "unknown-rubric", Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true, Spec: "RL-09",
		Summary:     "a dataset for a rubric that the library does not have",
		Why:         "The labels match no rubric, so they calibrate nothing.",
		Bad:         "applies_to: [user_story_qualty_v1]",
		Good:        "applies_to: [user_story_quality_v1]",
		Calibration: ofDataset(unknownRubric),
	},
	{
		ID: "calibration-join", Family: lint.FamilyCalibration, Severity: lint.Error, Unsuppressable: true, Spec: "RL-09",
		Summary:     "a rubric and a dataset where only one names the other",
		Why:         "Labels count for a rubric only if both name each other. Otherwise a copied line could calibrate a rubric with the labels of another.",
		Bad:         "calibration/a/dataset.yaml    applies_to: [a_v1]\nrubrics/prd/b_v1.yaml         calibration_dataset: calibration/a/dataset.yaml",
		Good:        "calibration/a/dataset.yaml    applies_to: [a_v1, b_v1]\nrubrics/prd/b_v1.yaml         calibration_dataset: calibration/a/dataset.yaml",
		Calibration: ofDataset(calibrationJoin),
	},
	{
		ID: "unlabeled-criterion", Family: lint.FamilyCalibration, Severity: lint.Warning, Spec: "RL-09",
		Summary:     "a criterion of a rubric that its dataset does not have",
		Why:         "There is no evidence that a judge scores this criterion as people do, so the whole rubric does not count as calibrated.",
		Bad:         "criteria of the rubric: clarity, testability\ncriteria of the dataset: clarity",
		Good:        "criteria of the rubric: clarity, testability\ncriteria of the dataset: clarity, testability",
		Calibration: ofDataset(unlabeledCriterion),
	},
	{
		ID: "idle-criterion", Family: lint.FamilyCalibration, Severity: lint.Warning,
		Summary:     "a criterion of a dataset that is in none of its rubrics",
		Why:         "Its labels are not used. The criterion was renamed or removed, or its name is misspelled.",
		Source:      "the files of a dataset (docs/calibration-files.md)",
		Bad:         "criteria of the rubric: clarity\ncriteria of the dataset: clarity, brevity",
		Good:        "criteria of the rubric: clarity\ncriteria of the dataset: clarity",
		Calibration: ofDataset(idleCriterion),
	},
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
		report("Write the path of a dataset, calibration/NAME/%s: %s is not one, so its labels would not count.", calibration.DatasetFile, schema.Quote(n.Value))
	case !p.Exists(path.Join(calibration.Root, name, calibration.DatasetFile)):
		report("There is no %s in %s to describe the labels there. Add the file, or remove the line: it is optional.", calibration.DatasetFile, schema.Quote(n.Value))
	}
}

func noCalibration(p *lint.DocumentPass) {
	version := p.Root().Get("version")
	if version == nil || !p.Is(&document.Rubric) || !p.Doc.Valid() || p.Root().Get("calibration_dataset") != nil || p.Root().Get("deprecated") != nil {
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
		if f != nil && f.Kind == &document.Rubric {
			continue
		}
		message := "This library has no rubric %s."
		if f != nil {
			message = "%s is the ID of a rule set, but only rubrics are calibrated."
		}
		advice := " Fix the ID or remove it."
		if word := nearest(p, id); word != "" {
			advice = " Did you mean " + schema.Quote(word) + "?"
		}
		p.Report(p.Dataset.File, appliesTo(p, i).Span, "applies_to["+id+"]", nil, message+"%s", schema.Quote(id), advice)
	}
}

// appliesTo returns the node of an ID in the list of rubrics.
func appliesTo(p *lint.CalibrationPass, i int) *yamltree.Node {
	return p.Dataset.Head.Root().Get("applies_to").Items[i]
}

// nearest returns the ID of the rubric that was probably meant, or "".
func nearest(p *lint.CalibrationPass, id string) string {
	var ids []string
	for _, f := range p.Documents {
		if f.Kind == &document.Rubric {
			ids = append(ids, f.ID)
		}
	}
	slices.Sort(ids)
	return suggest.Word(id, ids)
}

func calibrationJoin(p *lint.CalibrationPass) {
	file := path.Join(calibration.Root, p.Dataset.Name, calibration.DatasetFile)
	for i, id := range p.Dataset.AppliesTo {
		f := p.Documents[id]
		if f == nil || f.Kind != &document.Rubric || f.Invalid || f.Calibrated != nil && f.Calibrated.Dataset == p.Dataset.Name {
			continue
		}
		related := []lint.Related{{Location: f.At, Message: "the rubric"}}
		if f.Calibrated != nil {
			related = []lint.Related{{Location: f.Calibrated.At, Message: "the dataset that it names"}}
		}
		p.Report(p.Dataset.File, appliesTo(p, i).Span, "applies_to["+id+"]", related,
			"Add calibration_dataset: %s to %s, or remove the ID here: labels count for a rubric only if it names their dataset.", file, f.Path)
	}
	for _, f := range p.Naming {
		if slices.Contains(p.Dataset.AppliesTo, f.ID) || f.Invalid {
			continue
		}
		p.ReportRubric(f, "calibration_dataset", []lint.Related{{Location: source.Locate(p.Dataset.File, p.Dataset.Head.Root().Get("applies_to").Span), Message: "the rubrics that the labels are for"}},
			"Add %s to applies_to in %s, or name another dataset: the dataset is not for this rubric, so its labels don't count here.", f.ID, file)
	}
}

func unlabeledCriterion(p *lint.CalibrationPass) {
	for _, f := range p.Joined {
		for _, name := range slices.Sorted(maps.Keys(f.Calibrated.Criteria)) {
			if !slices.ContainsFunc(p.Dataset.Criteria, func(c calibration.Labeled) bool { return c.Name == name }) {
				p.ReportRubric(f, "calibration_dataset["+name+"]", nil,
					"The dataset has no labels for the criterion %s, so this rubric does not count as calibrated. Label the items for it and add it to the criteria in %s.", schema.Quote(name), p.Dataset.File.Path)
			}
		}
	}
}

func idleCriterion(p *lint.CalibrationPass) {
	if !p.Whole {
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

// criterion returns the node of a criterion in the list of labeled criteria.
func criterion(p *lint.CalibrationPass, i int) *yamltree.Node {
	return p.Dataset.Head.Root().Get("criteria").Items[i]
}
