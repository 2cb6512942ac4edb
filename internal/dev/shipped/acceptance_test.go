package shipped_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// story is a valid rubric, to be broken in one place.
var story = scripttest.Rubric("story_v1", "1.0.0", "jira_tickets")

// findings lints a library in memory and returns each error and warning as
// "rule requirement".
func findings(t *testing.T, files map[string]string) []string {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	report := must.Get(lint.Run(fsys, rules.All(), lint.Options{}))(t)
	var out []string
	for _, f := range report.Findings {
		if f.Severity > lint.Note {
			out = append(out, f.Rule.ID+" "+f.Spec)
		}
	}
	return out
}

// accept checks that the story is valid and that each change of it has only the given
// finding.
func accept(t *testing.T, want string, changes [][2]string) {
	t.Helper()
	const name = "rubrics/jira_tickets/story_v1.yaml"
	if got := findings(t, map[string]string{name: story}); len(got) != 0 {
		t.Fatalf("the story itself has findings: %v", got)
	}
	for _, c := range changes {
		broken := strings.Replace(story, c[0], c[1], 1)
		if broken == story {
			t.Fatalf("the story has no %q", c[0])
		}
		got := findings(t, map[string]string{name: broken})
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%q in place of %q gives %v, want %q", c[1], c[0], got, want)
		}
	}
}

func TestRL01UniqueIDs(t *testing.T) {
	other := strings.Replace(story, "jira_tickets", "prd", 1)
	got := findings(t, map[string]string{
		"rubrics/jira_tickets/story_v1.yaml": story,
		"rubrics/prd/story_v1.yaml":          other,
	})
	if want := []string{"duplicate-id RL-01"}; !slices.Equal(got, want) {
		t.Errorf("two rubrics with one ID give %v, want %v", got, want)
	}
}

func TestRL02AnchoredScoring(t *testing.T) {
	accept(t, "missing-key RL-02", [][2]string{
		{"      1: Neither actor nor action is named.\n", ""},
		{"      3: Actor and action are named.\n", ""},
		{"      5: Actor, action, object and reason are named.\n", ""},
	})
	accept(t, "blank-text RL-02", [][2]string{{"Actor and action are named.", `" "`}})
	accept(t, "unknown-key RL-02", [][2]string{{"    examples:", "      6: Better than excellent.\n    examples:"}})
}

func TestRL03ExtremeExamples(t *testing.T) {
	accept(t, "missing-key RL-03", [][2]string{
		{"      score_1: Make it better.\n", ""},
		{"      score_5: A clerk archives an invoice so that the audit finds it.\n", ""},
	})
	accept(t, "blank-text RL-03", [][2]string{{"score_1: Make it better.", "score_1:"}})
}

func TestRL04SemanticVersion(t *testing.T) {
	accept(t, "missing-key RL-04", [][2]string{{"version: \"1.0.0\"\n", ""}})
	accept(t, "wrong-type RL-04", [][2]string{{`"1.0.0"`, "1.0"}})
	accept(t, "invalid-value RL-04", [][2]string{
		{`"1.0.0"`, `"1.0"`}, {`"1.0.0"`, `"v1.0.0"`}, {`"1.0.0"`, `"1.0.0-rc.1"`}, {`"1.0.0"`, `"01.0.0"`},
	})
}

func TestRL05Threshold(t *testing.T) {
	accept(t, "missing-key RL-05", [][2]string{{"    threshold: 3.0\n", ""}})
	accept(t, "invalid-value RL-05", [][2]string{{"threshold: 3.0", "threshold: 0.9"}, {"threshold: 3.0", "threshold: 5.1"}})
	accept(t, "wrong-type RL-05", [][2]string{{"threshold: 3.0", "threshold: three"}, {"threshold: 3.0", "threshold: .nan"}})
}

func TestRL06Weight(t *testing.T) {
	accept(t, "missing-key RL-06", [][2]string{{"    weight: essential\n", ""}})
	accept(t, "invalid-value RL-06", [][2]string{{"weight: essential", "weight: optional"}})
}

// TestRL08DuplicateIsRejected adds a rubric with an existing ID, as an author would,
// and runs the command.
func TestRL08DuplicateIsRejected(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir+"/rubrics", os.DirFS("rubrics")))
	data, err := os.ReadFile("rubrics/prd/prd_quality_v1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.WriteFile(dir+"/rubrics/prd/mine.yaml", data, 0o666))
	out, err := exec.Command("go", "run", "./cmd/rubric-lint", dir).CombinedOutput()
	if err == nil {
		t.Fatal("a second rubric with an ID that exists was accepted")
	}
	if want := `rubrics/prd/mine.yaml:2:12: error[duplicate-id]: Choose another ID: "prd_quality_v1"`; !strings.Contains(string(out), want) {
		t.Errorf("the command says\n%s\nwant %s", out, want)
	}
}

func TestRL09CalibrationDataset(t *testing.T) {
	with := func(value string) [2]string {
		return [2]string{"calibration_dataset: https://labels.example.org/clarity.jsonl\n", "calibration_dataset: " + value + "\n"}
	}
	accept(t, "invalid-value RL-09", [][2]string{with("labels.jsonl"), with("../labels.jsonl"), with(`"http://a b"`)})
	accept(t, "calibration-dataset RL-09", [][2]string{with("calibration/none"), with("calibration/../rubrics"), with(`"http://[::1"`), with("'https:?'")})
	accept(t, "no-calibration RL-09", [][2]string{{with("")[0], ""}})
	for _, value := range []string{"https://example.org/labels.jsonl", "urn:example:labels", "calibration/story", "calibration/story/dataset.yaml"} {
		change := with(value)
		files := map[string]string{"rubrics/jira_tickets/story_v1.yaml": strings.Replace(story, change[0], change[1], 1)}
		if strings.HasPrefix(value, "calibration/") {
			files["calibration/story/dataset.yaml"] = "applies_to: [story_v1]\nlabeled_by: people\nmethod: By hand.\nlicense: CC0-1.0\n" +
				"criteria:\n  - {name: clarity, digest: \"sha256:" + strings.Repeat("0", 64) + "\"}\n"
		}
		for _, got := range findings(t, files) {
			if got != "too-few-items RL-09" && got != "stale-labels RL-09" { // of the dataset, which is there
				t.Errorf("%s gives %v", value, got)
			}
		}
	}
}

// bundleOf returns a bundle with the initial rubrics.
func bundleOf(t *testing.T) []byte {
	t.Helper()
	var l bundletest.Library
	for name := range initial {
		data := must.Get(os.ReadFile(name))(t)
		l.Documents = append(l.Documents, string(data))
	}
	var out bytes.Buffer
	must.Get(bundletest.Write(&out, l))(t)
	return out.Bytes()
}

// bundled opens a bundle with the initial rubrics.
func bundled(t *testing.T) *library.Library {
	t.Helper()
	data := bundleOf(t)
	return must.Get(library.NewReader(bytes.NewReader(data), int64(len(data))))(t)
}

// countingReader counts its reads.
type countingReader struct {
	io.ReaderAt
	reads int
}

func (r *countingReader) ReadAt(p []byte, offset int64) (int, error) {
	r.reads++
	return r.ReaderAt.ReadAt(p, offset)
}

// TestRL07RetrievalReadsOnce checks what makes a retrieval fast on any machine: a
// rubric is read once. The time depends on the machine, so only the benchmark measures
// it.
func TestRL07RetrievalReadsOnce(t *testing.T) {
	data := bundleOf(t)
	file := &countingReader{ReaderAt: bytes.NewReader(data)}
	lib := must.Get(library.NewReader(file, int64(len(data))))(t)
	opened := file.reads
	first := 0
	for i := range 1000 {
		r, err := lib.Rubric(t.Context(), "prd_quality_v1", "")
		if err != nil || r.ID != "prd_quality_v1" {
			t.Fatalf("retrieved %v, %v", r, err)
		}
		if i == 0 {
			first = file.reads
		}
	}
	if first == opened {
		t.Error("the first retrieval read nothing, so that opening reads all documents")
	}
	if file.reads != first {
		t.Errorf("999 retrievals of the same rubric read the bundle %d times", file.reads-first)
	}
}

func TestRL10SearchByArtifactType(t *testing.T) {
	folder := must.Get(library.OpenDir(os.DirFS(".")))(t)
	for where, lib := range map[string]*library.Library{"a bundle": bundled(t), "the folder": folder} {
		for artifactType, want := range map[string]string{
			"jira_tickets": "user_story_quality_v1", "test_plans": "test_plan_quality_v1", "prd": "prd_quality_v1", "poems": "",
		} {
			found := must.Get(lib.Search(library.Query{ArtifactType: artifactType, Kind: library.KindRubric}))(t)
			var got []string
			for _, e := range found {
				got = append(got, e.ID)
				if e.ArtifactType != artifactType {
					t.Errorf("%s: %s of the type %s is found for %s", where, e.ID, e.ArtifactType, artifactType)
				}
			}
			if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
				t.Errorf("%s has %v for %s, want %s", where, got, artifactType, want)
			}
		}
	}
}

// measured are the requirements whose command is a measurement. No test runs it,
// because its result depends on the load of the machine.
var measured = map[string]string{"RL-07": "go run -C tools ./benchmark retrieve"}

// shown is the output of a requirement's command that shows something instead of
// rejecting it.
var shown = map[string]string{"RL-10": "user_story_quality_v1"}

// shows runs a command of the page and expects a rubric in its output.
func shows(t *testing.T, id, command string) {
	t.Helper()
	args, ok := strings.CutPrefix(command, "go run ./cmd/")
	if !ok {
		t.Errorf("%s: %s is no command of this repository", id, command)
		return
	}
	out, err := exec.Command("go", append([]string{"run"}, strings.Fields("./cmd/"+args)...)...).Output()
	if err != nil || !strings.Contains(string(out), shown[id]) || strings.Contains(string(out), "prd_quality_v1") {
		t.Errorf("%s: %s shows %v\n%s", id, command, err, out)
	}
}

var acceptanceRow = regexp.MustCompile("(?m)^\\| (RL-\\d\\d(?:, RL-\\d\\d)*) \\| [^|]+ \\| `([^`|]+)` \\|$")

// refusesFile is the command of a row that shows only a file.
const refusesFile = "go run ./cmd/rubric-lint --stdin-filename rubrics/corpus/broken_v1.yaml - < internal/dev/shipped/testdata/acceptance/FILE"

// refuses runs a command of the page and expects a finding about the requirement.
func refuses(t *testing.T, id, command string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the commands of the page need a shell")
	}
	if !strings.HasPrefix(command, "go run ./cmd/") {
		t.Errorf("%s: %s is no command of this repository", id, command)
		return
	}
	command = strings.Replace(command, " - <", " --base none --format json - <", 1)
	out, err := exec.Command("sh", "-c", command).Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Errorf("%s: %s refuses nothing: %v", id, command, err)
	}
	if !strings.Contains(string(out), `"spec": "`+id+`"`) {
		t.Errorf("%s: %s says nothing about it:\n%s", id, command, out)
	}
}

// TestAcceptanceCriteriaAreTrue checks the table in docs/development/development.md: every
// requirement is in a row and has a test here, and every command rejects a violation of the
// requirement, or shows what it requires.
func TestAcceptanceCriteriaAreTrue(t *testing.T) {
	page := scripttest.Text(t, "docs/development/development.md")
	if !strings.Contains(strings.Join(strings.Fields(page), " "), "`"+refusesFile+"`") {
		t.Errorf("the page does not say %s", refusesFile)
	}
	tests, err := exec.Command("go", "test", "-list", "TestRL", "./internal/dev/shipped").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, tests)
	}
	var ids []string
	for _, row := range acceptanceRow.FindAllStringSubmatch(page, -1) {
		of := strings.Split(row[1], ", ")
		ids = append(ids, of...)
		for _, id := range of {
			if !strings.Contains(string(tests), "Test"+strings.ReplaceAll(id, "-", "")) {
				t.Errorf("%s has no test", id)
			}
		}
		command, id := row[2], of[0]
		if !strings.Contains(command, " ") {
			command = strings.Replace(refusesFile, "FILE", command, 1)
		}
		switch {
		case measured[id] != "":
			if command != measured[id] {
				t.Errorf("%s: the command is %s, want %s", id, command, measured[id])
			}
		case shown[id] != "":
			shows(t, id, command)
		default:
			refuses(t, id, command)
		}
	}
	slices.Sort(ids)
	want := []string{"RL-01", "RL-02", "RL-03", "RL-04", "RL-05", "RL-06", "RL-07", "RL-08", "RL-09", "RL-10"}
	if !slices.Equal(ids, want) {
		t.Errorf("the page has rows for %v, want %v", ids, want)
	}
}
