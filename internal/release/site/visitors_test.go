package site

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// tools has the program rubric, and the bundle of the shipped library.
var tools = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "site")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", dir, "./cmd/rubric")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	pack := exec.Command(filepath.Join(dir, "rubric"), "build", "-o", filepath.Join(dir, bundleName), "--first-release", "--version", "1.0.0")
	pack.Dir = "../../.."
	if out, err := pack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

// shipped generates the site of this repository's library.
func shipped(t *testing.T, change ...func(*Options)) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the shipped library")
	}
	dir, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Bundle: filepath.Join(dir, bundleName)}
	l := must.Get(library.Open(o.Bundle))(t)
	defer l.Close()
	for _, c := range change {
		c(&o)
	}
	site := filepath.Join(t.TempDir(), "site")
	must.Get(Build(l, site, o))(t)
	return site
}

// TestNoEndLevelIsClipped: the levels 1 and 5 of each criterion are read without a click, and
// no text on the page is cut off, except digests and references, which a button copies.
func TestNoEndLevelIsClipped(t *testing.T) {
	dir := shipped(t)
	b := browse(t, folderURL(dir))
	for _, width := range []int64{390, 1280} {
		b.resize(width)
		for _, page := range pages(files(t, dir)) {
			if !strings.HasPrefix(page, "rubrics/") || !strings.HasSuffix(page, "index.html") {
				continue
			}
			b.visit(page)
			if n := value[int](b, "document.querySelectorAll('#section-read .end-text').length"); n < 8 {
				t.Fatalf("%s has %d end levels", page, n)
			}
			const clipped = `Array.from(document.querySelectorAll("main *")).filter((each) => each.checkVisibility() && !each.closest(".cut, .unseen, textarea") &&
				each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === "hidden").map((each) => each.className + " " + each.textContent)`
			if got := value[[]string](b, clipped); len(got) > 0 {
				t.Errorf("%s at %d cuts off %q", page, width, got)
			}
			if got := value[int64](b, "document.documentElement.scrollWidth"); got > width {
				t.Errorf("%s is %d wide on a screen of %d", page, got, width)
			}
		}
	}
}

// TestLabeledTextsAreShown: the page of a rubric has each text of its dataset with its
// levels. The filter finds those with a level, and each can be opened to try the rubric.
func TestLabeledTextsAreShown(t *testing.T) {
	b := browse(t, folderURL(shipped(t)))
	for _, id := range []string{"prd_quality_v1", "test_plan_quality_v1", "user_story_quality_v1"} {
		b.visit("rubrics/" + id + "/index.html")
		if got := value[[]int](b, "[document.querySelectorAll('.graded').length, document.querySelectorAll('.graded:not(:has([data-level]))').length]"); !cmp.Equal(got, []int{30, 0}) {
			t.Errorf("%s has %v texts, and texts without levels", id, got)
		}
	}
	b.run(`{ const filter = document.getElementById("examples-filter"); filter.value = "testability 2"; filter.dispatchEvent(new Event("input", { bubbles: true })); }`)
	got := value[[]string](b, `Array.from(document.querySelectorAll(".graded:not([hidden])"), (each) => each.querySelector("[data-criterion=testability]").dataset.level)`)
	if strings.Trim(strings.Join(got, ""), "2") != "" || len(got) < 3 {
		t.Errorf("the filter shows texts with %v", got)
	}
	b.run(`document.querySelector(".graded:not([hidden])").open = true; document.querySelector(".graded:not([hidden]) .to-try").click()`)
	if text := value[string](b, `document.getElementById("bench-text").value`); text == "" || text != value[string](b, `document.querySelector(".graded:not([hidden]) .artifact").textContent`) {
		t.Errorf("opened %q", text)
	}
	if said := b.shows("bench-source"); !strings.Contains(said, "testability 2") {
		t.Errorf("the workbench says %q", said)
	}
	b.judged()
	b.run(`document.querySelector("#bench-steps input").focus()`)
	for _, key := range []string{"ArrowRight", "ArrowRight", "ArrowRight", "2"} { // to testability
		b.run(fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true }))`, key))
	}
	shown := value[[]string](b, `Array.from(document.querySelectorAll("#bench-steps .step:not([hidden])"), (each) => each.querySelector("legend").textContent + " " + each.querySelector(":checked").value + " " + Array.from(each.querySelectorAll(".nearest summary b"), (n) => n.textContent))`)
	if want := []string{"testability essential 2 2,2"}; !cmp.Equal(shown, want) {
		t.Errorf("the keys show %q, want %q", shown, want)
	}
	for _, width := range []int64{1280, 390} {
		b.resize(width)
		const beside = `(() => {
			const [levels, examples] = [".choices", ".nearest"].map((part) => document.querySelector("#bench-steps .step:not([hidden]) " + part).getBoundingClientRect());
			return examples.left >= levels.right && examples.top < levels.bottom;
		})()`
		if got := value[bool](b, beside); got != (width == 1280) {
			t.Errorf("at %d, the graded examples are beside the levels: %v", width, got)
		}
	}
	b.silent()
}

// TestAMeanOfLabelsHasTwoDecimals at most, and only the labels of those who gave one count.
func TestAMeanOfLabelsHasTwoDecimals(t *testing.T) {
	x := exampleItem{People: meansOf([]map[string]float64{{"clarity": 5, "scope": 1}, {"clarity": 4}, {"clarity": 5}})}
	if got := []float64{x.Mean("clarity"), x.Mean("scope"), x.Mean("other")}; !cmp.Equal(got, []float64{4.67, 1, 0}) {
		t.Errorf("got %v", got)
	}
}

// TestWithoutAScriptNothingIsSaidToBeSearched blocks one script at a time: no page says "no
// match", and the documents stay listed.
func TestWithoutAScriptNothingIsSaidToBeSearched(t *testing.T) {
	b := browse(t, serve(t, build(t, small(t))))
	for page, scripts := range map[string][]string{
		"index.html":                  {scriptName, searchName, clientName, searchDataName},
		"rubrics/story_v1/index.html": {scriptName, levelsName, benchName, clientName},
		"rulesets/api_v1/index.html":  {scriptName, benchName, clientName},
	} {
		for _, name := range scripts {
			block := []*network.BlockPattern{{URLPattern: b.base + name, Block: true}}
			if _, err := chromedp.Call(b.Context, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: block}); err != nil {
				t.Fatal(err)
			}
			b.visit(page)
			b.run(`for (const id of ["words", "bench-text"]) {
				const control = document.getElementById(id);
				if (control?.checkVisibility()) {
					control.value = "story";
					control.dispatchEvent(new Event("input", { bubbles: true }));
				}
			}`)
			b.run("new Promise((resolve) => setTimeout(resolve, 400))")
			text := strings.ToLower(value[string](b, "document.body.innerText"))
			if strings.Contains(text, "no match") || strings.Contains(text, "pattern matches") || !strings.Contains(text, "not searched") {
				t.Errorf("without %s, %s says:\n%s", name, page, text)
			}
			if page == "index.html" && !value[bool](b, "document.querySelector('#all .documents').checkVisibility()") {
				t.Errorf("without %s, the first page shows no documents", name)
			}
		}
	}
}

// TestTheDateOfAVersionIsAnswered: the history says which version was valid when, and who
// approved it, to people, to programs that read the table, and to those that read JSON.
func TestTheDateOfAVersionIsAnswered(t *testing.T) {
	when := map[string]time.Time{"story_v1 1.0.0": time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC), "story_v1 2.0.0": time.Date(2026, 3, 15, 6, 30, 0, 0, time.UTC)}
	dir := build(t, dated(t, when), func(o *Options) {
		o.Reviewers = func(string) []string { return []string{"Ann <b>"} }
		o.Committed = time.Date(2026, 3, 20, 23, 59, 0, 0, time.UTC)
	})
	made := files(t, dir)
	for _, d := range decode[indexData](t, made[indexDataName]).Documents {
		if d.ID != "story_v1" {
			continue
		}
		got := []any{d.Versions[0].Valid, d.Versions[0].By, d.Versions[1].Valid, d.Versions[1].Named}
		want := []any{[]interval{{when["story_v1 1.0.0"], when["story_v1 2.0.0"]}}, byCommit, []interval{{From: when["story_v1 2.0.0"]}}, []string{"Ann <b>"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("index.json: -want +got:\n%s", diff)
		}
	}
	row := regexp.MustCompile(`<th scope="row">1\.0\.0</th><td><time datetime="([^"]*)">.*?</td><td class="ended"><time datetime="([^"]*)">.*?<bdi>(named [^<]*)</bdi>`).FindStringSubmatch(made["rubrics/story_v1/index.html"])
	if want := []string{"2026-03-10T12:00:00Z", "2026-03-15T06:30:00Z", "named in the commit: Ann &lt;b&gt;, not verified"}; len(row) == 0 || !cmp.Equal(row[1:], want) {
		t.Errorf("the table has %q, want %q", row, want)
	}
	b := browse(t, folderURL(dir))
	b.visit("rubrics/story_v1/index.html")
	commit := "commit " + strings.Repeat("a", 40) + "; "
	first, second := digestOf(t, made, "story_v1", "1.0.0")+"; "+commit, digestOf(t, made, "story_v1", "2.0.0")+"; "+commit
	const named = "named in the commit: Ann <b>, not verified"
	const unless = ", unless it was 1.5.0, now withdrawn, whose dates are not recorded"
	for day, want := range map[string]string{
		"2026-03-09": "no version was valid",
		"2026-03-12": "1.0.0 (" + first + named + ")" + unless,
		"2026-03-15": "1.0.0 until 06:30 (" + first + named + "), then 2.0.0 (" + second + named + ")" + unless,
		"2026-03-20": "2.0.0 (" + second + named + ")",
		"2026-03-21": "not known: this site describes the library up to 2026-03-20",
		"2027-05-05": "not known: this site describes the library up to 2026-03-20",
	} {
		b.enter("valid-date", day)
		if got := b.shows("valid-answer"); got != want {
			t.Errorf("%s: got %q, want %q", day, got, want)
		}
	}
	b.silent()
}

// TestAYankIsInTheHistory: the page of a yanked version stays, because an exact reference gets it.
// The history says why and until when it was valid, and lists and searches have the version that
// other references get.
func TestAYankIsInTheHistory(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC) }
	l := dated(t, map[string]time.Time{"story_v1 1.0.0": at(1), "story_v1 2.0.0": at(10), "gone_v1 1.0.0": at(1), "api_v1 1.0.0": at(1)})
	l.Ledger += "yanked:\n  - {id: story_v1, version: 2.0.0, reason: It passes <b>vague</b> work.}\n"
	l.Statistics = nil
	dir := build(t, l, func(o *Options) {
		o.Forge, o.Committed = &Forge{Releases: []ForgeRelease{{Version: "2.0.0", Time: at(20)}}}, at(25)
		o.Ended = func(id, version string) (string, time.Time) {
			return map[string]string{"story_v1 2.0.0": "2.0.0"}[id+" "+version], map[string]time.Time{"gone_v1 ": at(25)}[id+" "+version]
		}
	})
	made := files(t, dir)
	want := map[string][]interval{
		"story_v1 1.0.0": {{at(1), at(10)}, {From: at(20)}}, "story_v1 2.0.0": {{at(10), at(20)}}, "gone_v1 1.0.0": {{at(1), at(25)}},
	}
	for _, d := range decode[indexData](t, made[indexDataName]).Documents {
		if d.ID == "story_v1" && (d.Latest != "1.0.0" || d.Versions[1].Yanked != "It passes <b>vague</b> work.") {
			t.Errorf("index.json has %+v", d)
		}
		for _, v := range d.Versions {
			if valid, ok := want[d.ID+" "+v.Version]; ok && !cmp.Equal(v.Valid, valid) {
				t.Errorf("%s %s is valid %v, want %v", d.ID, v.Version, v.Valid, valid)
			}
		}
	}
	for name, parts := range map[string][]string{
		"rubrics/story_v1/2.0.0.html": {"Version 2.0.0 is yanked: It passes &lt;b&gt;vague&lt;/b&gt; work.", `get <a href="index.html">1.0.0</a>: <a href="1.0.0...2.0.0.html">`},
		"rubrics/story_v1/index.html": {`<time datetime="2026-03-20T12:00:00Z">2026-03-20 12:00:00</time><br>yanked: It passes &lt;b&gt;vague`, "valid 1 March to 10 March 2026, and since 20 March 2026", `href="2.0.0.html">2.0.0</a> <span class="badge retired" lang="en">yanked</span>`},
		"rubrics/gone_v1/index.html":  {`<time datetime="2026-03-25T12:00:00Z">2026-03-25 12:00:00</time><br>retired: Nobody used it.`},
		releasesPage:                  {`<a href="releases/2.0.0.html"><bdi>1 yanked</bdi></a>`},
		"releases/2.0.0.html":         {`2.0.0</bdi></a><br><code class="digest">story_v1</code></th><td><span class="retired class">yanked</span></td><td><bdi>yanked 2026-03-20</bdi></td>`},
		decisionsPage:                 {`<a href="rubrics/story_v1/2.0.0.html"><bdi>Story quality 2.0.0</bdi></a>`, `<span class="retired class">yanked</span></td><td><bdi>2026-03-20</bdi><br><bdi>library 2.0.0</bdi></td><td><bdi>It passes &lt;b&gt;vague`, `<bdi>2026-03-25</bdi>`},
		"index.html":                  {"rubric 1.0.0", `<span class="badge retired">yanked</span>`},
	} {
		for _, part := range parts {
			if !strings.Contains(made[name], part) {
				t.Errorf("%s does not have %s", name, part)
			}
		}
	}
	if _, ok := made["rubrics/story_v1/1.0.0...2.0.0.html"]; !ok || strings.Contains(made["rubrics/gone_v1/index.html"], "still valid") {
		t.Error("the versions are not compared, or a retired document is valid")
	}
	b := browse(t, folderURL(dir))
	b.visit("rubrics/story_v1/index.html")
	commit := "; commit " + strings.Repeat("a", 40) + "; approval not recorded"
	first, second := digestOf(t, made, "story_v1", "1.0.0")+commit, digestOf(t, made, "story_v1", "2.0.0")+commit
	const unless = ", unless it was 1.5.0, now withdrawn, whose dates are not recorded"
	for day, want := range map[string]string{
		"2026-03-05": "1.0.0 (" + first + ")" + unless,
		"2026-03-15": "2.0.0 (" + second + "; later yanked: It passes <b>vague</b> work.)",
		"2026-03-20": "2.0.0 until 12:00 (" + second + "; later yanked: It passes <b>vague</b> work.), then 1.0.0 (" + first + ")" + unless,
		"2026-03-25": "1.0.0 (" + first + ")" + unless,
	} {
		b.enter("valid-date", day)
		if got := b.shows("valid-answer"); got != want {
			t.Errorf("%s: got %q, want %q", day, got, want)
		}
	}
	b.silent()
}
