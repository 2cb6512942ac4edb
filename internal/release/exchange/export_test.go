package exchange

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// active is what could act in a template or in YAML: a template, a character that YAML does
// not allow, or a line end other than LF.
var active = regexp.MustCompile("{[{%#]|[}%#]}|[\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\u2028\u2029\ufeff\ufffe\uffff]")

// TestTextsReachTheTargetsUnchanged exports any valid rubric, and reads the texts back.
func TestTextsReachTheTargetsUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := documenttest.JSON(documenttest.Any(&document.Rubric).Draw(t, "rubric"))
		var r rubric.Rubric
		must.Do(t, json.Unmarshal(data, &r))
		for _, c := range r.Criteria {
			// A template of two braces is not likely in a random text.
			c.Description += rapid.SampledFrom([]string{"", "{{ 7*7 }}", "{%{#{{{", "}}}#}%}"}).Draw(t, "template")
			text := askedText(c)
			var got asked
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%v:\n%s", err, text)
			}
			if diff := cmp.Diff(asked{c.Name, c.Description, got.Score, c.Anchors, c.Examples}, got); diff != "" {
				t.Fatalf("the text changed (-want +got):\n%s", diff)
			}
			if at := active.FindString(text); at != "" {
				t.Fatalf("%q acts in %s", at, text)
			}
		}
	})
}

func TestFailedExportPutsTheOldFilesBack(t *testing.T) {
	dir := t.TempDir()
	data := hostileVector(t).Rubric
	must.Do(t, exported(t, "promptfoo", data).Write(dir))
	before := folder(t, dir)
	must.Do(t, os.Remove(filepath.Join(dir, "rubric-bundle.mjs")))
	delete(before, "rubric-bundle.mjs")
	must.Do(t, os.Chmod(filepath.Join(dir, "rubric.json"), 0o444))
	next := exported(t, "promptfoo", []byte(strings.Replace(string(data), "1.0.0", "1.1.0", 1)))
	if err := next.Write(dir); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Fatalf("error %v, want that rubric.json is read-only", err)
	}
	if diff := cmp.Diff(before, folder(t, dir)); diff != "" {
		t.Errorf("the folder changed (-before +after):\n%s", diff)
	}
}

// TestOnlyFilesOfDocumentsAreRemoved writes a project over one whose manifest names files that
// no export has.
func TestOnlyFilesOfDocumentsAreRemoved(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "vector_0_v1.mine")
	e, _ := project(t, "promptfoo", []vector{hostileVector(t)})
	must.Do(t, e.Write(dir))
	var m manifest
	must.Do(t, json.Unmarshal([]byte(e.files[manifestName]), &m))
	must.Do(t, os.WriteFile(outside, nil, 0o666))
	must.Do(t, os.WriteFile(filepath.Join(dir, "mine.md"), nil, 0o666))
	must.Do(t, os.WriteFile(filepath.Join(dir, "vector_0_v1.old"), nil, 0o666))
	relative := must.Get(filepath.Rel(dir, outside))(t)
	for _, name := range []string{"mine.md", "vector_0_v1.old", outside, relative, "vector_0_v1./../../" + relative} {
		m.Digests[name] = digest("")
	}
	m.Documents = append(m.Documents, origin{ID: ""}, origin{ID: "mine.md"}, origin{ID: ".."})
	must.Do(t, os.WriteFile(filepath.Join(dir, manifestName), must.Get(json.Marshal(m))(t), 0o666))
	must.Do(t, e.Write(dir))
	for name, want := range map[string]bool{filepath.Join(dir, "mine.md"): true, outside: true, filepath.Join(dir, "vector_0_v1.old"): false} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

func TestEveryFormatIsDeterministicAndNamesTheDocument(t *testing.T) {
	data := hostileVector(t).Rubric
	for _, format := range ExportFormats("") {
		one, two := exported(t, format, data), exported(t, format, data)
		if diff := cmp.Diff(one.files, two.files); diff != "" {
			t.Errorf("%s differs:\n%s", format, diff)
		}
		for name, text := range one.files {
			if filepath.Ext(name) == ".json" && !json.Valid([]byte(text)) {
				t.Errorf("%s of %s is not JSON:\n%s", name, format, text)
			}
		}
		for _, fact := range []string{`"id": "hostile_v1"`, `"version": "1.0.0"`, `"digest": "` + digest(string(data)) + `"`} {
			if !strings.Contains(one.files[manifestName], fact) {
				t.Errorf("%s does not give %s", format, fact)
			}
		}
	}
}

func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		data := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		files[e.Name()] = string(data)
	}
	return files
}
