// Package generated generates files of the repository from its Go code: the JSON
// Schemas, the reference pages, and the pages of the commands and of the lint rules. A test fails when
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
	files["docs/commands.md"] = commandsPage()
	if files["docs/reference.md"], err = reference(); err != nil {
		return nil, err
	}
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

func reference() ([]byte, error) {
	tables, err := keyLists(slices.Concat(kinds(), runKinds, calibrationKinds))
	return slices.Concat([]byte(referenceIntro+formsList()), tables, []byte(scoresAndVerdicts)), err
}

const referenceIntro = `# File reference

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

Every key of every file, with its meaning and its value:

- documents, ` + "`rubrics/<artifact_type>/<id>.yaml`" + `: [rubric](#rubric), [rule set](#rule-set)
- ` + "`" + lint.LedgerFile + "` and `" + lint.ExceptionsFile + "`" + `: [ledger](#ledger), [exceptions](#list-of-exceptions)
- files of ` + "`rubric rules`" + ` ([guide](rule-sets.md)): [run file](#run-file), always JSON;
  [answers](#file-of-answers), [checks](#file-of-checks), and [verdicts](#file-of-verdicts), YAML
  or JSON
- ` + "`calibration/<name>/`" + ` ([guide](calibration.md)): [dataset](#dataset), YAML; [items](#item) and
  [answers of judges](#answer), one JSON object per line

Only a safe subset of YAML is accepted: UTF-8, one document per file, at most 256 KiB, at most 20
levels, no duplicate keys, and no anchors, aliases, merge keys, or tags.

Keys in **bold** are required. In parentheses are the value and, in documents, the part of the
version that must increase when it changes ([classes](versions.md#version-changes)). A plural, such
as texts, is a list, and a group has keys of its own. RL-01 and so on are [success
criteria](development/development.md#acceptance-criteria). Texts can have one of these forms:

`

// scoresAndVerdicts is the arithmetic that all implementations share.
const scoresAndVerdicts = `
## Scores and verdicts

Every implementation computes the same verdict. All numbers are IEEE 754 doubles.

- **Rubric.** The overall score is the mean of the scores of all criteria, weighted by
  ` + "`relative_weight`" + `: the sum of the products, divided by the sum of the weights. A
  rubric passes if every essential criterion reaches its minimum (the larger of its
  ` + "`threshold` and `essential_minimum`), the overall score reaches `pass_threshold`" + `, and
  no negative criterion with ` + "`effect: fail`" + ` is hit.
- **Rule set.** The score is the weight of the active rules that pass, divided by the
  weight of all active rules. Info rules count in neither, and without any weight the
  score is 1. A rule set passes if the score reaches ` + "`pass_threshold`" + ` and every active rule
  with severity ` + "`fail`" + ` passes.
- **Sums.** Values, rounded to doubles, are sorted and added one by one in ascending order.
- **Tolerance.** A score reaches a minimum or threshold if
  ` + "`score >= minimum - 1e-9`" + `, which absorbs the rounding of means and quotients. The scale has
  no tolerance: 5.0000000001 is not a valid score.

Conformance vectors, which every [bundle](bundle.md) contains, test these rules in the Go,
Python, and JavaScript implementations. Those for the tolerance are ` + "`within-tolerance`,\n`on-tolerance`, `beyond-tolerance`, `mean-within-tolerance`, and `mean-beyond-tolerance`" + ` in
` + "`conformance/verdict.json`, and `within-tolerance` and `beyond-tolerance`" + ` in
` + "`conformance/rule_score.json`" + `. A changed vector is a major change of the library.
`

// rulesPage returns the page with the list of all lint rules, in Markdown.
func rulesPage(rules []*lint.Rule) []byte {
	var b bytes.Buffer
	b.WriteString(`# Lint rules

<!-- Generated from the lint rules. Do not edit: go test ./internal/dev/generated -update -->

An **error** makes the exit code 1; a **warning** does so with ` + "`--fail-level warning`" + `; a
**note** never does. A comment can suppress warnings and notes, but nothing that makes the exit
code 1. No configuration or baseline can suppress a finding of a rule with a dagger (†).
` + "`rubric lint --fix`" + ` can fix findings of a rule with a plus (+).

` + "`rubric lint --explain RULE`" + ` says why a rule exists, with an example and its source.
`)
	var family lint.Family
	for _, r := range rules {
		if r.Family != family {
			family = r.Family
			fmt.Fprintf(&b, "\n## %s\n\n", family)
		}
		marks := ""
		if r.Unsuppressable {
			marks += "†"
		}
		if r.Fixable {
			marks += "+"
		}
		fmt.Fprintf(&b, "- **%s** (%s%s): %s\n", r.ID, r.Severity, marks, r.Summary)
	}
	fmt.Fprintf(&b, "\n## Removed lint rules\n\nWhat still names one of these gets a note. The names are not used again.\n\n%s.\n", strings.Join(lint.Removed, ", "))
	return b.Bytes()
}
