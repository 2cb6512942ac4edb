package holdings

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/repotest"
)

// labeledBy are the lines of two or more items with a label by each rater.
func labeledBy(items string, raters ...string) string {
	text := ""
	for _, item := range items {
		var labels []string
		for _, rater := range raters {
			labels = append(labels, fmt.Sprintf(`%q:{"clarity":4}`, rater))
		}
		text += fmt.Sprintf(`{"id":"%c","artifact":"Text %c","labels":{%s}}`+"\n", item, item, strings.Join(labels, ","))
	}
	return text
}

// answersTo are those of a run that found labels by these raters.
func answersTo(items, run string, raters ...string) string {
	text := ""
	for _, item := range items {
		var labels []string
		for _, rater := range raters {
			labels = append(labels, fmt.Sprintf(`%q:["clarity"]`, rater))
		}
		text += fmt.Sprintf(`{"run":%q,"item":"%c","model":"m","date":%q,"digest":"sha256:%s","items":%d,"labels":{%s},"scores":{"clarity":4}}`+"\n",
			run, item, run, strings.Repeat("a", 64), len(items), strings.Join(labels, ","))
	}
	return text
}

func TestTogether(t *testing.T) {
	const head, items, first, second = "calibration/d/dataset.yaml", "calibration/d/items.jsonl", "calibration/d/judges/j/2026-01-01.jsonl", "calibration/d/judges/j/2026-01-08.jsonl"
	dataset := "applies_to: [a_v1]\nlabeled_by: people\nmethod: By hand.\nlicense: CC0-1.0\ncriteria:\n  - name: clarity\n    digest: sha256:" + strings.Repeat("a", 64) + "\n"
	type files = map[string]string
	labels, answers := labeledBy("ab", "r1", "r2"), answersTo("ab", "2026-01-01", "r1", "r2")
	for _, tt := range []struct {
		reason  string
		commits []files
		want    int
	}{
		{"labels, then answers", []files{{head: dataset, items: labels}, {first: answers}}, 0},
		{"labels, something else, then answers", []files{{head: dataset, items: labels}, {"README.md": "x"}, {first: answers}}, 0},
		{"everything in the first commit", []files{{head: dataset, items: labels, first: answers}}, 4},
		{"everything in a later commit", []files{{"README.md": "x"}, {head: dataset, items: labels, first: answers}, {"README.md": "y"}}, 4},
		{"the labels of one rater with the answers", []files{{head: dataset, items: labeledBy("ab", "r1")}, {items: labels, first: answers}}, 2},
		{"labels that a run did not find are later ones", []files{{head: dataset, items: labeledBy("ab", "r1")}, {items: labels, first: answersTo("ab", "2026-01-01", "r1")}}, 0},
		{"answers before the labels that they found", []files{{head: dataset, items: labeledBy("ab", "r1"), first: answers}, {items: labels}}, 4},
		{"new items with the answers to them", []files{{head: dataset, items: labels}, {first: answers}, {items: labeledBy("abc", "r1", "r2"), second: answersTo("abc", "2026-01-08", "r1", "r2")}}, 2},
		{"new items before the answers to them", []files{{head: dataset, items: labels}, {first: answers}, {items: labeledBy("abc", "r1", "r2")}, {second: answersTo("abc", "2026-01-08", "r1", "r2")}}, 0},
		{"a dataset of that name was removed before", []files{{head: dataset, items: labels}, {head: "", items: ""}, {head: dataset, items: labels, first: answers}}, 4},
		{"no answers", []files{{head: dataset, items: labels}}, 0},
		{"a line that is not valid", []files{{head: dataset, items: "{\n" + labels}, {items: labels}, {first: answers}}, 0},
	} {
		for _, folder := range []string{"", "lib"} {
			r := repotest.New(t)
			c := r.Commit(nil)
			for _, step := range tt.commits {
				inFolder := files{}
				for name, content := range step {
					if folder != "" {
						name = folder + "/" + name
					}
					inFolder[name] = content
				}
				c = r.Commit(inFolder)
			}
			d, problems, err := calibration.Load(os.DirFS(r.Dir+"/"+folder), "d")
			if err != nil || len(problems) > 0 {
				t.Fatalf("%s: %v %v", tt.reason, problems, err)
			}
			if got := must.Get(Together(r.Open(), c, folder, d))(t); got != tt.want {
				t.Errorf("%s, in the folder %q: %d labels, want %d", tt.reason, folder, got, tt.want)
			}
		}
	}
}

// TestTogetherInTheFirstCommit: the root has no parent to compare with.
func TestTogetherInTheFirstCommit(t *testing.T) {
	r := repotest.New(t)
	c := r.Commit(map[string]string{
		"calibration/d/dataset.yaml": "applies_to: [a_v1]\nlabeled_by: people\nmethod: By hand.\nlicense: CC0-1.0\ncriteria:\n  - name: clarity\n    digest: sha256:" + strings.Repeat("a", 64) + "\n",
		"calibration/d/items.jsonl":  labeledBy("ab", "r1"), "calibration/d/judges/j/2026-01-01.jsonl": answersTo("ab", "2026-01-01", "r1"),
	})
	d, _, err := calibration.Load(os.DirFS(r.Dir), "d")
	if err != nil {
		t.Fatal(err)
	}
	if got := must.Get(Together(r.Open(), c, "", d))(t); got != 2 {
		t.Errorf("%d labels, want 2", got)
	}
}
