package release

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// calibratedText is a rubric that names a dataset.
func calibratedText(id, version, text, dataset string) string {
	return rubricText(id, version, text) + "calibration_dataset: " + dataset + "\n"
}

// dataset writes 30 labeled items, and two runs of a judge that nearly always agrees, for
// the words of a rubric. The head is lines of dataset.yaml.
func (c *checkout) dataset(name, rubric, head string) {
	c.t.Helper()
	digests, err := document.Parse(source.NewFile("a.yaml", []byte(rubric))).JudgeDigests()
	if err != nil {
		c.t.Fatal(err)
	}
	folder, dates := "calibration/"+name+"/", []string{"2023-12-24", "2023-12-31"}
	var items strings.Builder
	answers := make([]strings.Builder, len(dates))
	for i := range 30 {
		label := i%5 + 1
		fmt.Fprintf(&items, "{\"id\":\"i%02d\",\"artifact\":\"The labeled text %d.\",\"labels\":{\"ann\":{\"clarity\":%d},\"ben\":{\"clarity\":%d}}}\n", i, i, label, max(1, label-i%10/9))
		for run, date := range dates {
			fmt.Fprintf(&answers[run], "{\"run\":%q,\"item\":\"i%02d\",\"model\":\"m-1\",\"date\":%[1]q,\"digest\":%[3]q,\"items\":30,\"labels\":{\"ann\":[\"clarity\"],\"ben\":[\"clarity\"]},\"scores\":{\"clarity\":%[4]d}}\n", date, i, digests.Whole, min(5, label+i%7/6))
		}
	}
	c.write(folder+"dataset.yaml", head+"method: Two people labeled on their own.\nlicense: CC0-1.0\ncriteria:\n  - name: clarity\n    digest: "+digests.Parts["clarity"]+"\n")
	c.write(folder+"items.jsonl", items.String())
	for run, date := range dates {
		c.write(folder+"judges/steady/"+date+".jsonl", answers[run].String())
	}
}

const byPeople = "applies_to: [a_v1]\nlabeled_by: people\n"

// TestIndexSaysHowWellJudgesAgree looks at the calibration of a_v1.
func TestIndexSaysHowWellJudgesAgree(t *testing.T) {
	const statistics = "calibration/stories/statistics.json"
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	tests := []struct {
		reason     string
		edit       func(c *checkout)
		path       string
		calibrated bool
		says       string
	}{
		{"a fresh run on labels by people counts", func(*checkout) {}, statistics, true, ""},
		{"the path of the file names the dataset too", func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories/dataset.yaml"))
		}, statistics, true, ""},
		{"a version with the same words for judges stays calibrated", func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", strings.Replace(calibratedText("a_v1", "1.1.0", "Is it clear?", "calibration/stories"), "pass_threshold: 3.5", "pass_threshold: 4", 1))
		}, statistics, true, ""},
		{"labels by authors never count", func(c *checkout) {
			c.dataset("stories", text, strings.Replace(byPeople, "people", "authors", 1))
		}, statistics, false, "The authors of the rubric gave the labels"},
		{"other words are not what was labeled", func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", calibratedText("a_v1", "1.1.0", "Is it short?", "calibration/stories"))
		}, statistics, false, "the rubric's words have changed since run 2023-12-31 of steady."},
		{"no judge was asked", func(c *checkout) {
			c.remove("calibration/stories/judges/steady/2023-12-24.jsonl")
			c.remove("calibration/stories/judges/steady/2023-12-31.jsonl")
		}, statistics, false, "No judge has answered."},
		{"nothing is labeled", func(c *checkout) {
			c.remove("calibration/stories/items.jsonl")
			c.remove("calibration/stories/judges/steady/2023-12-24.jsonl")
			c.remove("calibration/stories/judges/steady/2023-12-31.jsonl")
		}, statistics, false, "No judge has answered."},
		{"the dataset is for another rubric", func(c *checkout) {
			c.dataset("stories", text, strings.Replace(byPeople, "a_v1", "b_v1", 1))
		}, statistics, false, "The dataset stories does not list this rubric"},
		{"labels elsewhere can't be read", func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", calibratedText("a_v1", "1.0.0", "Is it clear?", "https://example.org/labels"))
		}, "", false, "not in this library: https://example.org/labels"},
		{"labels that are not there can't be read", func(c *checkout) { c.remove("calibration/stories/dataset.yaml") }, "", false, "not in this library: calibration/stories"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			c := newRepository(t)
			c.write("rubrics/prd/a_v1.yaml", text)
			c.dataset("stories", text, byPeople)
			tt.edit(c)
			c.commit()
			b := c.build(Options{})
			got := b.Index[0].Calibration
			reason, gate, measured := got.Reason, bundlefile.No, false
			for _, j := range got.Judges {
				reason, gate, measured = j.Reason, j.Gate, j.Correlation != nil
			}
			if got.Path != tt.path || measured != tt.calibrated || (reason == "") != tt.calibrated || (gate == bundlefile.Yes) != tt.calibrated || !strings.Contains(reason, tt.says) {
				t.Fatalf("the calibration is %+v", got)
			}
			if tt.calibrated {
				low, value, high := *got.Judges[0].Correlation.Low, *got.Judges[0].Correlation.Value, *got.Judges[0].Correlation.High
				if value < 0.7 || value > 0.99 || low >= value || value >= high {
					t.Errorf("the correlation is %v, from %v to %v", value, low, high)
				}
				want := []bundlefile.Judge{{Judge: "steady", Model: "m-1", Repeats: 1, Run: "2023-12-31", Date: "2023-12-31", Rank: bundlefile.Yes, Gate: bundlefile.Yes, Correlation: &bundlefile.Correlation{Criterion: "clarity"}}}
				if diff := cmp.Diff(want, got.Judges, cmpopts.IgnoreFields(bundlefile.Correlation{}, "Low", "Value", "High")); diff != "" {
					t.Errorf("the judges (-want +got):\n%s", diff)
				}
			}
			if len(b.Problems) > 0 {
				t.Errorf("the problems are %q", problems(b.Problems))
			}
			c.bytes(b) // it can be written
		})
	}
}

// TestEveryJudgeIsListed: none hides another, and of each name, the newest model and prompt count.
func TestEveryJudgeIsListed(t *testing.T) {
	c := newRepository(t)
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	c.write("rubrics/prd/a_v1.yaml", text)
	c.dataset("stories", text, byPeople)
	copied := func(judge string, edit func(answers string) string) {
		for _, date := range []string{"2023-12-24", "2023-12-31"} {
			answers := must.Get(os.ReadFile(filepath.Join(c.dir, "calibration/stories/judges/steady", date+".jsonl")))(t)
			c.write("calibration/stories/judges/"+judge+"/"+date+".jsonl", edit(string(answers)))
		}
	}
	prompt := "sha256:" + strings.Repeat("a", 64)
	copied("another", func(answers string) string {
		return strings.ReplaceAll(answers, `"model":"m-1"`, `"model":"m-2","prompt_digest":"`+prompt+`"`)
	})
	copied("changed", func(answers string) string {
		return strings.ReplaceAll(answers, `"model":"m-1","date":"2023-12-31"`, `"model":"m-3","date":"2023-12-31"`)
	})
	higher := strings.NewReplacer(`{"clarity":1`, `{"clarity":2`, `{"clarity":2`, `{"clarity":3`, `{"clarity":3`, `{"clarity":4`, `{"clarity":4`, `{"clarity":5`)
	copied("lenient", higher.Replace)
	c.commit()
	b := c.build(Options{})
	var got []string
	for _, j := range b.Index[0].Calibration.Judges {
		got = append(got, fmt.Sprintf("%s %s %.10s rank %s gate %s", j.Judge, j.Model, j.PromptDigest, j.Rank, j.Gate))
	}
	want := []string{"another m-2 sha256:aaa rank yes gate yes", "changed m-3  rank not_yet gate not_yet", "lenient m-1  rank yes gate no", "steady m-1  rank yes gate yes"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the judges (-want +got):\n%s", diff)
	}
	data := c.bytes(b)
	opened := must.Get(library.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	for _, tt := range []struct {
		judge, model string
		gate         library.Answer // "" for none
	}{{"another", "m-2", library.Yes}, {"another", "m-1", ""}, {"changed", "m-1", ""}, {"changed", "m-3", library.NotYet}, {"nobody", "m-1", ""}} {
		j, err := opened.Calibration("a_v1", tt.judge, tt.model)
		if err != nil || (j == nil) != (tt.gate == "") || j != nil && j.Gate != tt.gate {
			t.Errorf("%s with %s has %+v, %v", tt.judge, tt.model, j, err)
		}
	}
}

// TestAConstantJudgeIsMeasured: a judge whose scores collapse has no correlation, and its run
// is named all the same, so that a metric of it does not vanish.
func TestAConstantJudgeIsMeasured(t *testing.T) {
	c := newRepository(t)
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	c.write("rubrics/prd/a_v1.yaml", text)
	c.dataset("stories", text, byPeople)
	const newest = "calibration/stories/judges/steady/2023-12-31.jsonl"
	answers := must.Get(os.ReadFile(filepath.Join(c.dir, newest)))(t)
	c.write(newest, regexp.MustCompile(`"scores":\{"clarity":\d`).ReplaceAllString(string(answers), `"scores":{"clarity":4`))
	c.commit()
	b := c.build(Options{})
	got := b.Index[0].Calibration
	if j := got.Judges[0]; j.Correlation.Value != nil || j.Correlation.Criterion != "clarity" || j.Correlation.Undefined == "" || j.Judge != "steady" || j.Date != "2023-12-31" || j.Gate != bundlefile.No || j.Rank != bundlefile.No {
		t.Fatalf("the judge is %+v", j)
	}
	opened := must.Get(library.NewReader(bytes.NewReader(c.bytes(b)), int64(len(c.bytes(b)))))(t)
	entries := must.Get(opened.Search(library.Query{}))(t)
	if value, ok := entries[0].Calibration.Judges[0].Measured(); !ok || !math.IsNaN(value) {
		t.Errorf("the metric is %v, %t, want NaN", value, ok)
	}
}

// TestTheTargetIsTheLibrarys checks that the target comes from the configuration.
func TestTheTargetIsTheLibrarys(t *testing.T) {
	c := newRepository(t)
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	c.write("rubrics/prd/a_v1.yaml", text)
	c.dataset("stories", text, byPeople)
	c.commit()
	strict := decide.Defaults()
	strict.Target = 0.999
	if got := c.build(Options{Calibration: strict}).Index[0].Calibration.Judges[0]; *got.Correlation.Value < 0.7 || got.Gate != bundlefile.CannotTell || !strings.Contains(got.Reason, "1.00") {
		t.Errorf("with a target of 0.999 the calibration is %+v", got)
	}
	loose := decide.Defaults()
	loose.MaximumBias = 4
	if got := c.build(Options{Calibration: loose}).Index[0].Calibration.Judges[0]; got.Gate != bundlefile.LibraryLimits || got.Rank != bundlefile.Yes || !strings.Contains(got.Reason, "looser than the defaults") {
		t.Errorf("with a bias of 4 the calibration is %+v", got)
	}
}

func TestNoLabelsAreNoCalibration(t *testing.T) {
	c := newRepository(t)
	text := calibratedText("gone_v1", "1.0.0", "Is it clear?", "calibration/stories")
	c.write("rubrics/prd/gone_v1.yaml", text)
	c.dataset("stories", text, strings.Replace(byPeople, "a_v1", "gone_v1", 1))
	c.rubric("none_v1", "1.0.0", "Is it clear?")
	c.write("rubrics/api/rules_v1.yaml", ruleSetText("rules_v1", "1.0.0"))
	c.commit()
	c.remove("rubrics/prd/gone_v1.yaml")
	c.write("rubrics/retired.yaml", strings.ReplaceAll(ledgerText, "a_v1", "gone_v1"))
	c.commit()
	for _, line := range c.build(Options{}).Index {
		if line.Calibration != nil {
			t.Errorf("%s has the calibration %+v", line.ID, line.Calibration)
		}
	}
	c.git("rm", "-q", "-r", "calibration")
	c.write("calibration", "a file in the place of the folder")
	c.commit()
	if b := c.build(Options{}); len(b.Problems) > 0 {
		t.Errorf("the problems are %q", problems(b.Problems))
	}
}

// TestAForkKeepsItsCalibration: agreement is about words, not about IDs.
func TestAForkKeepsItsCalibration(t *testing.T) {
	c := newRepository(t)
	for _, id := range []string{"a_v1", "b_v1"} {
		c.write("rubrics/prd/"+id+".yaml", calibratedText(id, "1.0.0", "Is it clear?", "calibration/stories"))
	}
	c.dataset("stories", calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories"), "applies_to: [b_v1, a_v1]\nlabeled_by: people\n")
	c.commit()
	b := c.build(Options{})
	if d := cmp.Diff(b.Index[0].Calibration, b.Index[1].Calibration); d != "" || b.Index[0].Calibration.Judges[0].Correlation == nil {
		t.Errorf("the calibrations differ: %s", d)
	}
}

// TestBundleHoldsWhatADatasetShares compares the entries of a dataset.
func TestBundleHoldsWhatADatasetShares(t *testing.T) {
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	tests := []struct {
		share string
		want  []string
	}{
		{"", []string{"statistics.json"}},
		{"share: statistics\n", []string{"statistics.json"}},
		{"share: full\n", []string{"dataset.yaml", "items.jsonl", "judges/steady/2023-12-24.jsonl", "judges/steady/2023-12-31.jsonl", "statistics.json"}},
	}
	for _, tt := range tests {
		c := newRepository(t)
		c.write("rubrics/prd/a_v1.yaml", text)
		c.dataset("stories", text, byPeople+tt.share)
		c.write("calibration/stories/history.jsonl", "{}\n")
		c.write("calibration/README.md", "What these are.")
		c.commit()
		data := c.bytes(c.build(Options{}))
		bundle := openBytes(t, data)
		shared := fstest.MapFS{}
		var names []string
		for name := range bundle.Paths("calibration/") {
			entry, err := bundle.Read(name)
			if err != nil {
				t.Fatal(err)
			}
			shared[name] = &fstest.MapFile{Data: entry}
			names = append(names, strings.TrimPrefix(name, "calibration/stories/"))
		}
		if d := cmp.Diff(tt.want, names); d != "" {
			t.Errorf("with %q the bundle holds (-want +got):\n%s", tt.share, d)
		}
		full := len(tt.want) > 1
		if bytes.Contains(data, []byte("labeled text")) != full {
			t.Errorf("with %q, the bundle has the items: %v", tt.share, !full)
		}
		if !full {
			continue
		}
		want, _, err := calibration.Load(os.DirFS(c.dir), "stories")
		if err != nil {
			t.Fatal(err)
		}
		got, problems, err := calibration.Load(shared, "stories")
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(calibration.Dataset{}, "File", "Head", "ItemsSource"), cmpopts.IgnoreUnexported(calibration.Dataset{}, calibration.Judge{}), cmpopts.IgnoreFields(calibration.Judge{}, "Files"), cmpopts.IgnoreFields(calibration.Answer{}, "File")); d != "" || len(problems) > 0 || err != nil {
			t.Errorf("what is shared is another dataset: %v %v\n%s", problems, err, d)
		}
	}
}

// TestABrokenDatasetStopsTheRelease: numbers of what could be read of it mislead.
func TestABrokenDatasetStopsTheRelease(t *testing.T) {
	c := newRepository(t)
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	c.write("rubrics/prd/a_v1.yaml", text)
	c.dataset("stories", text, byPeople)
	c.write("calibration/stories/items.jsonl", "{\"id\":\"i00\",\"artifact\":\"A text.\",\"labels\":{\"ann\":{\"clarity\":6}}}\n")
	c.remove("calibration/stories/judges/steady/2023-12-24.jsonl")
	c.write("calibration/stories/judges/steady/2023-12-31.jsonl", "no JSON\n")
	c.commit()
	compareBeginnings(t, "problems", []string{
		": calibration/stories/items.jsonl:1:61 can't be in a bundle: ", ": calibration/stories/judges/steady/2023-12-31.jsonl:1:2 can't be in a bundle: ",
	}, problems(c.build(Options{}).Problems))
}

// TestALargeRubricIsCalibrated: what a document can hold, a calibration can read,
// though its canonical form is longer than YAML may be.
func TestALargeRubricIsCalibrated(t *testing.T) {
	c := newRepository(t)
	text := calibratedText("a_v1", "1.0.0", "Is it clear?", "calibration/stories")
	var metadata strings.Builder
	metadata.WriteString("description: |\n")
	for range 3000 {
		metadata.WriteString("  " + strings.Repeat(`"`, 80) + "\n")
	}
	text += metadata.String()
	c.write("rubrics/prd/a_v1.yaml", text)
	c.dataset("stories", text, byPeople)
	c.commit()
	b := c.build(Options{})
	if len(b.Index) != 1 || b.Index[0].Calibration.Judges[0].Correlation == nil {
		t.Fatalf("the index is %+v, the problems %q", b.Index, problems(b.Problems))
	}
	for _, f := range b.files {
		if f.Path == bundlefile.DocumentPath(bundlefile.KindRubric, "a_v1", "1.0.0") && len(f.Data) <= 256<<10 {
			t.Error("the canonical form is short, so that nothing is tested")
		}
	}
}
