package site

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// postmortems makes the library in testdata/postmortems.sh with what its dataset shares, and returns
// a function that runs a program in its folder.
func postmortems(t *testing.T, share string) (run func(args ...string) string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil || testing.Short() {
		t.Skip("it needs bash, and builds the program")
	}
	dir := t.TempDir()
	t.Setenv("PATH", must.Get(tools())(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	script := must.Get(filepath.Abs("testdata/postmortems.sh"))(t)
	in := func(folder string, args ...string) string {
		t.Helper()
		command := exec.Command(args[0], args[1:]...)
		command.Dir = folder
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
		return string(out)
	}
	in(dir, bash, script, share)
	return func(args ...string) string { return in(filepath.Join(dir, "lib"), args...) }
}

// TestAReviewerLearnsWhetherVerdictsChange: from the first page, a reviewer comes to the comparison
// of two versions, which has the counts of rubric diff --replay.
func TestAReviewerLearnsWhetherVerdictsChange(t *testing.T) {
	run := postmortems(t, "full")
	run("rubric", "site", "../library.zip", "-o", "../site", "--history")
	var said struct{ Replay replay.Replay }
	must.Do(t, json.Unmarshal([]byte(run("rubric", "diff", "HEAD~3", "HEAD~1", "--replay", "--format", "json")), &said))
	dir := filepath.Join(strings.TrimSpace(run("pwd", "-P")), "../site")
	for _, width := range []int64{1280, 390} {
		b := visitorOf(t, serve(t, dir), width)
		b.click(`a[href^="rubrics/incident_postmortem_v1/"]`, "")
		b.click(`a[href="#section-history"]`, "")
		b.click(`[id="version-1.1.0"] a[href="1.0.0...1.1.0.html"]`, "")
		text := value[string](b.tab, "document.querySelector('main').innerText")
		for _, rec := range said.Replay.Rubrics[0].Recordings {
			toFail, toPass := rec.CountFlips()
			if toPass == 0 || toFail > 0 {
				t.Fatalf("%s %s flips %d to fail and %d to pass", rec.Source, rec.Name, toFail, toPass)
			}
			source := map[replay.Source]string{replay.Labels: "Labels of people", replay.Judge: "Judge acme-judge, run 2026-11-23, big-1"}[rec.Source]
			if want := fmt.Sprintf("%s: %d of 120 verdicts flip, %d to pass.", source, toPass, toPass); !strings.Contains(text, want) {
				t.Errorf("at %d, the page does not say %q:\n%s", width, want, text)
			}
		}
		if seen := value[bool](b.tab, `document.querySelector(".flips > li:last-child strong").getBoundingClientRect().bottom <= innerHeight`); !seen && width == 1280 {
			t.Error("the counts are not on the first screen")
		}
		b.run(`document.querySelector(".flips details").open = true`)
		b.click(`.flips details a`, "")
		if open := value[bool](b.tab, `document.getElementById(location.hash.slice(1)).checkVisibility()`); !open {
			t.Error("the link to a text leads to nothing")
		}
		b.silent()
	}
	page := string(must.Get(os.ReadFile(filepath.Join(dir, "rubrics/incident_postmortem_v1/1.1.0...1.2.0.html")))(t))
	if !strings.Contains(page, "It can't be told whether verdicts change, because a judge reads other words") || strings.Contains(page, "flip,") {
		t.Errorf("after a change of words, the page says:\n%s", page)
	}
}

// TestVerdictsOfTextsThatAreNotShared are counted, and only by what the repository has.
func TestVerdictsOfTextsThatAreNotShared(t *testing.T) {
	run := postmortems(t, "statistics")
	for flag, want := range map[string]string{
		"--history":    "Labels of people: <strong>25 of 120 verdicts flip, 25 to pass</strong>.",
		"--name=Other": "change: the bundle has only the statistics of its labeled texts.",
	} {
		run("rubric", "site", "../library.zip", "-o", "../site"+flag, flag)
		page := run("cat", "../site"+flag+"/rubrics/incident_postmortem_v1/1.0.0...1.1.0.html")
		if !strings.Contains(page, want) {
			t.Errorf("with %s, the page does not have %q:\n%s", flag, want, page)
		}
		for _, text := range []string{"Review", "passes now", "item", "3.0 was below"} {
			if strings.Contains(page, text) {
				t.Errorf("with %s, the page says %q of a text that is not shared", flag, text)
			}
		}
	}
}
