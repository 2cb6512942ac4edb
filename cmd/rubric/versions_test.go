package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestPageOfVersionsRuns(t *testing.T) {
	runPage(t, "docs/versions.md", oneRubric+"git checkout -q -b topic\n", map[string]scriptCommand{"recorded": writeRecorded})
}

// recordedFiles is a dataset of the rubric of the page, with a run of a judge.
var recordedFiles = map[string]string{
	"dataset.yaml": `applies_to: [depth_v1]
labeled_by: people
method: Each item was read by one person.
license: CC-BY-4.0
criteria:
  - name: clarity
    digest: sha256:7b932f041ac98416e02674d41e5fa357e10a92e9472a400af7443cba3ce4c86c
`,
	"items.jsonl": `{"id": "i001", "artifact": "A clerk archives an invoice.", "labels": {"ann": {"clarity": 4}}}
{"id": "i002", "artifact": "Make it faster.", "labels": {"ann": {"clarity": 1}}}
`,
	"judges/my-judge.jsonl": `{"run": "2026-11-20", "item": "i001", "repeat": 1, "model": "model-x-1", "date": "2026-11-20", "digest": "sha256:5f9a80fe6fb585b556ac3ea607eb1b9a9c5164dd48dea4d8d80c33ae2c763e0e", "scores": {"clarity": 3}}
{"run": "2026-11-20", "item": "i001", "repeat": 2, "model": "model-x-1", "date": "2026-11-20", "digest": "sha256:5f9a80fe6fb585b556ac3ea607eb1b9a9c5164dd48dea4d8d80c33ae2c763e0e", "scores": {"clarity": 4}}
{"run": "2026-11-20", "item": "i002", "repeat": 1, "model": "model-x-1", "date": "2026-11-20", "digest": "sha256:5f9a80fe6fb585b556ac3ea607eb1b9a9c5164dd48dea4d8d80c33ae2c763e0e", "scores": {"clarity": 1}}
`,
}

// writeRecorded writes that dataset: recorded FOLDER.
func writeRecorded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: recorded FOLDER")
	}
	for name, text := range recordedFiles {
		file := filepath.Join(ts.MkAbs(args[0]), filepath.FromSlash(name))
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o777))
		ts.Check(os.WriteFile(file, []byte(text), 0o666))
	}
}
