package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func text(t testing.TB, name string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join("testdata", name)))(t))
}

// open writes a bundle and opens it.
func open(t testing.TB, l bundletest.Library) (*library.Library, Options) {
	t.Helper()
	var out bytes.Buffer
	must.Get(bundletest.Write(&out, l))(t)
	name := filepath.Join(t.TempDir(), "library.zip")
	must.Do(t, os.WriteFile(name, out.Bytes(), 0o666))
	opened := must.Get(library.Open(name))(t)
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened, Options{Bundle: name}
}

// small is a library with a document of each kind and status.
func small(t testing.TB) bundletest.Library {
	story := text(t, "story_1.yaml")
	variant := func(id, more string) string { return strings.Replace(story, "story_v1", id, 1) + more }
	low, high := bundlefile.Number(0.72), bundlefile.Number(0.88)
	steady := bundletest.Judge("steady", "m", 0.81)
	steady.Run, steady.Correlation.Low, steady.Correlation.High = "first", &low, &high // as in its statistics
	lenient := bundletest.Judge("lenient", "m \u202e2", 0.75)
	lenient.Gate, lenient.Reason = bundlefile.NotYet, "Too few items."
	return bundletest.Library{
		Documents: []string{
			story, text(t, "story_2.yaml"), text(t, "api_1.yaml"),
			variant("tale_v1", "deprecated: {reason: There is a better one., replaced_by: story_v1}\n"), variant("gone_v1", ""),
		},
		Ledger:     "retired:\n  - {id: gone_v1, kind: rubric, last_version: 1.0.0, reason: Nobody used it., replaced_by: story_v1}\n  - {id: older_v1, kind: rubric, last_version: 1.0.0, reason: It was a try.}\n",
		Judges:     map[string][]bundlefile.Judge{"story_v1": {lenient, steady}, "tale_v1": nil},
		Tombstones: []bundlefile.Omission{{ID: "story_v1", Version: "1.5.0", Reason: "An example named a customer."}},
		Statistics: map[string][]byte{"story_v1": statistics(t, text(t, "story_2.yaml"))},
	}
}

var computed sync.Map // statistics by rubric, because they take a while

// statistics returns the statistics of a judge that mostly agrees with two people.
func statistics(t testing.TB, rubric string) []byte {
	t.Helper()
	if data, ok := computed.Load(rubric); ok {
		return data.([]byte)
	}
	subject, err := calibration.NewSubject(document.ParseRun(source.NewFile("story.yaml", []byte(rubric)), &document.Rubric))
	if err != nil {
		t.Fatal(err)
	}
	dataset := "applies_to: [" + subject.Rubric.ID + "]\nlabeled_by: people\nmethod: by hand\nlicense: CC0-1.0\ncriteria:\n"
	for _, c := range subject.Rubric.Criteria {
		dataset += fmt.Sprintf("  - {name: %s, digest: %q}\n", c.Name, subject.Criteria[c.Name])
	}
	var items, answers strings.Builder
	for i := range 60 {
		level := 1 + i%5
		fmt.Fprintf(&items, `{"id":"i%02d","artifact":"text %d","labels":{"r1":{"clarity":%d,"scope":%d},"r2":{"clarity":%d,"scope":%d}}}`+"\n", i, i, level, level, min(5, level+i%2), max(1, level-i%7/5))
		for run, date := range map[string]string{"before": "2026-11-14", "first": "2026-11-21"} {
			fmt.Fprintf(&answers, `{"run":%q,"item":"i%02d","repeat":1,"model":"m","date":%q,"digest":%q,"items":60,"labels":{"r1":["clarity","scope"],"r2":["clarity","scope"]},"scores":{"clarity":%d,"scope":%d}}`+"\n", run, i, date, subject.Digest, level, max(1, level-i%3/2))
		}
	}
	d, problems, err := calibration.Load(fstest.MapFS{
		"calibration/story_v1/dataset.yaml":        {Data: []byte(dataset)},
		"calibration/story_v1/items.jsonl":         {Data: []byte(items.String())},
		"calibration/story_v1/judges/steady.jsonl": {Data: []byte(answers.String())},
	}, "story_v1")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	data, err := report.StatisticsOf(d, decide.On(d, subject, decide.Options{Settings: decide.Defaults(), Seed: 1, AsOf: "2026-11-21"}).All()).Encode()
	if err != nil {
		t.Fatal(err)
	}
	computed.Store(rubric, data)
	return data
}

// build generates the site of a library in a new folder.
func build(t testing.TB, l bundletest.Library, change ...func(*Options)) string {
	t.Helper()
	library, o := open(t, l)
	for _, c := range change {
		c(&o)
	}
	dir := filepath.Join(t.TempDir(), "site")
	must.Get(Build(library, dir, o))(t)
	return dir
}

// files returns the files of a folder by path.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	fsys := os.DirFS(dir)
	must.Do(t, fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		out[name] = string(data)
		return err
	}))
	return out
}

func decode[T any](t testing.TB, data string) (value T) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(data), &value))
	return value
}
