// Package generated makes the files of the repository that follow from its Go
// code: the JSON Schemas, the reference of the documents and the page of the
// lint rules. A test fails when one of them is stale, and
//
//	go test ./internal/dev/generated -update
//
// writes them anew.
package generated

import (
	"bytes"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// Files returns the content of each generated file by its path in the
// repository.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, k := range slices.Concat(kinds(), []*document.Kind{&document.Baseline}, document.RunKinds(), document.CalibrationKinds(), document.JudgeKinds()) {
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
	var page bytes.Buffer
	if err := printer.RulesPage(&page, rules.All()); err != nil {
		return nil, err
	}
	files["docs/rules.md"] = page.Bytes()
	files["docs/reference.md"] = reference()
	files["docs/run-files.md"] = runFiles()
	files["docs/calibration-files.md"] = calibrationFiles()
	return files, nil
}

// kinds are all that has a schema table and a file of its own: the documents,
// then the lists that lie beside them.
func kinds() []*document.Kind {
	return append(document.Kinds(), &document.Ledger, &document.Exceptions)
}

func reference() []byte {
	var b bytes.Buffer
	b.WriteString(`# Reference of the documents

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

One document a file, ` + "`rubrics/<artifact_type>/<id>.yaml`" + `. Keys in **bold** are
required. The column *version* tells how much the version must grow when the
value changes: ` + "`major`" + ` where something that passed can fail, ` + "`minor`" + ` where a judge
reads other words or something may pass that failed, ` + "`patch`" + ` where neither a
judge nor the verdict reads it. While the major version is 0, a major change needs
a minor step.

Accepted is a safe part of YAML: UTF-8, at most 256 KiB, one document a file, no
anchors, aliases, merge keys or tags, at most 20 levels, no key twice.

Beside the documents lie two lists, which have no version: the ledger in
` + "`" + lint.LedgerFile + "` and what was accepted in `" + lint.ExceptionsFile + "`" + `.

`)
	sections(&b, kinds())
	return b.Bytes()
}

func runFiles() []byte {
	var b bytes.Buffer
	b.WriteString(`# Reference of the files of a run

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

The files that ` + "`rubric rules`" + ` reads and writes, as YAML or JSON; the run file is
always JSON. Keys in **bold** are required. [Rule sets](rule-sets.md) shows them at
work.

`)
	sections(&b, document.RunKinds())
	return b.Bytes()
}

func calibrationFiles() []byte {
	var b bytes.Buffer
	b.WriteString(`# Reference of the files of a dataset

<!-- Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update -->

` + "`dataset.yaml`" + ` is YAML; the other files have one JSON object a line. Keys in **bold**
are required. [Calibration](calibration.md) shows them at work.

`)
	sections(&b, document.CalibrationKinds())
	return b.Bytes()
}

// sections writes a section for each kind.
func sections(b *bytes.Buffer, kinds []*document.Kind) {
	for i, k := range kinds {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(schema.Reference(k.Table, k.Title(), k.Doc))
	}
}
