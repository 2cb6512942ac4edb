// Package generated generates files of the repository from its Go code: the JSON
// Schemas, the reference pages, and the page of the lint rules. A test fails when
// one of them is stale, and
//
//	go test ./internal/dev/generated -update
//
// rewrites them.
package generated

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// Files returns the content of each generated file by its path in the
// repository.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, k := range slices.Concat(kinds(), []*document.Kind{&document.Baseline}, runKinds, calibrationKinds, judgeKinds) {
		data, err := k.JSONSchema()
		if err != nil {
			return nil, err
		}
		files["schema/"+k.SchemaFile] = data
	}
	data, err := lint.ConfigSchema(rules.All())
	if err != nil {
		return nil, err
	}
	files["schema/"+lint.ConfigSchemaFile] = data
	for name, o := range outputs {
		if files["schema/"+name], err = o.schema(name); err != nil {
			return nil, err
		}
	}
	files["docs/rules.md"] = rulesPage(rules.All())
	files["docs/reference.md"] = reference()
	files["docs/run-files.md"] = runFiles()
	files["docs/calibration-files.md"] = calibrationFiles()
	return files, nil
}

// kinds returns the documents and the two lists of a library, in the order of the
// reference page.
func kinds() []*document.Kind {
	return append(document.Kinds(), &document.Ledger, &document.Exceptions)
}

// The files of a run, the files of a dataset that have tables, and what a judge command reads
// and writes.
var (
	runKinds         = []*document.Kind{&document.Run, &document.Answers, &document.Checks, &document.Verdicts}
	calibrationKinds = []*document.Kind{&document.Dataset, &document.Item, &document.Answer}
	judgeKinds       = []*document.Kind{&document.JudgeRequest, &document.JudgeResponse}
)

func reference() []byte {
	var b bytes.Buffer
	b.WriteString(`# Document reference

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

This page is for authors and tool builders who need the exact meaning, value, and version
change of a key in a rubric, a rule set, or one of the two lists beside them.

Each document is a file, ` + "`rubrics/<artifact_type>/<id>.yaml`" + `. Keys in **bold** are
required. The column *version* shows which part of the version must increase when the
value changes; [Versions](versions.md#version-changes) defines the classes. A name such as
RL-01 refers to a [success criterion](development/acceptance.md).

Only a safe subset of YAML is accepted: UTF-8, one document per file, at most 256 KiB, at
most 20 levels, no duplicate keys, and no anchors, aliases, merge keys, or tags.

The two lists have no version: ` + "`" + lint.LedgerFile + "` and `" + lint.ExceptionsFile + "`" + `.

[Scores and verdicts](#scores-and-verdicts) defines how scores are computed and compared
with thresholds.

`)
	sections(&b, kinds())
	b.WriteString(scoresAndVerdicts)
	return b.Bytes()
}

// scoresAndVerdicts is the arithmetic that all implementations share.
const scoresAndVerdicts = `
## Scores and verdicts

The arithmetic is part of the contract: every implementation gives the same verdict on
the same scores. All numbers are IEEE 754 doubles.

- **Rubric.** The overall score is the arithmetic mean of the scores of all criteria. A
  rubric passes if every essential criterion reaches its minimum (the larger of its
  ` + "`threshold` and `essential_minimum`), the overall score reaches `pass_threshold`" + `, and
  no negative criterion with ` + "`effect: fail`" + ` is hit.
- **Rule set.** The score is the weight of the active rules that pass, divided by the
  weight of all active rules. Info rules count in neither, and without any weight the
  score is 1. A rule set passes if the score reaches ` + "`pass_threshold`" + ` and every active rule
  with severity ` + "`fail`" + ` passes.
- **Sums.** Values are sorted and added one by one in ascending order.
- **Tolerance.** A score reaches a minimum or threshold if
  ` + "`score >= minimum - 1e-9`" + `. This absorbs the rounding of means and quotients, and it holds
  for every comparison above. It does not hold for the scale: 5.0000000001 is not a valid
  score.

Conformance vectors pin these rules. Those for the tolerance are ` + "`within-tolerance`,\n`on-tolerance`, `beyond-tolerance`, `mean-within-tolerance`, and `mean-beyond-tolerance`" + ` in
` + "`conformance/verdict.json`, and `within-tolerance` and `beyond-tolerance`" + ` in
` + "`conformance/rule_score.json`" + `. Every [bundle](bundle.md) contains the vectors, and the Go,
Python, and JavaScript implementations are tested with them. A changed vector is a major
change of the library.
`

func runFiles() []byte {
	var b bytes.Buffer
	b.WriteString(`# Run file reference

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

This page is for authors and tool builders who need the exact meaning and value of a key in
the files of ` + "`rubric rules`" + `.

The files are YAML or JSON; the run file is always JSON. Keys in **bold** are required.
[Rule sets](rule-sets.md) shows how to use them.

`)
	sections(&b, runKinds)
	return b.Bytes()
}

func calibrationFiles() []byte {
	var b bytes.Buffer
	b.WriteString(`# Dataset file reference

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

This page is for authors and tool builders who need the exact meaning and value of a key in
the files of a calibration dataset.

` + "`dataset.yaml`" + ` is YAML; the other files contain one JSON object per line. Keys in **bold**
are required. [Calibration](calibration.md) shows how to use them.

`)
	sections(&b, calibrationKinds)
	return b.Bytes()
}

// sections writes one section per kind.
func sections(b *bytes.Buffer, kinds []*document.Kind) {
	for i, k := range kinds {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(section(k.Table, k.Title(), k.Doc))
	}
}

// rulesPage returns the page with the table of all lint rules, in Markdown.
func rulesPage(rules []*lint.Rule) []byte {
	var b bytes.Buffer
	b.WriteString(`# Lint rules

<!-- Generated from the lint rules. Do not edit: go test ./internal/dev/generated -update -->

The lint rules of ` + "`rubric-lint`" + `, for authors who look for a rule. An **error** makes the exit
code 1; a **warning** does so with ` + "`--fail-level warning`" + `; a **note** never does. The
last column says which findings ` + "`--fix`" + ` can fix, and which ones no comment,
configuration, or baseline can suppress.

` + "`rubric-lint --explain RULE`" + ` says why a rule exists, with an example and its source.
`)
	var family lint.Family
	for _, r := range rules {
		if r.Family != family {
			family = r.Family
			fmt.Fprintf(&b, "\n## %s\n\n| lint rule | severity | finds | serves | findings |\n|---|---|---|---|---|\n", family)
		}
		var findings []string
		if r.Fixable {
			findings = append(findings, "fixable")
		}
		if r.Unsuppressable {
			findings = append(findings, "not suppressible")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.ID, r.Severity, strings.ReplaceAll(r.Summary, "|", "\\|"), r.Spec, strings.Join(findings, ", "))
	}
	fmt.Fprintf(&b, "\n## Removed lint rules\n\nA configuration, an ignore comment, or a baseline that names one of these gets a note. The\nnames are not used again.\n\n- %s\n", strings.Join(lint.Removed, "\n- "))
	return b.Bytes()
}
