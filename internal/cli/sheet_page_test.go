package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// patience is the time for what a browser does on its own, also on a busy machine.
const patience = 2 * time.Minute

// openPage opens a page in a browser whose downloads go to a folder.
func openPage(t *testing.T, page, downloads string) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("chromium is not installed, so the page was not tested in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	openAndPaint(t, ctx, chromedp.Navigate("file://"+filepath.ToSlash(page)))
	if _, err := chromedp.Call(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: downloads}); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// openAndPaint waits until a page is painted as well: a browser drops the keys before that.
func openAndPaint(t *testing.T, ctx context.Context, page chromedp.Action[chromedp.Void]) {
	t.Helper()
	err := chromedp.Do(ctx, page)
	if err == nil {
		const painted = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))"
		_, err = chromedp.Run(ctx, chromedp.Evaluate[int](painted, chromedp.EvalAwaitPromise))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func pressKeys(t *testing.T, ctx context.Context, keys ...string) {
	t.Helper()
	for _, key := range keys {
		must.Get(chromedp.Run(ctx, chromedp.KeyEvent(key)))(t)
	}
}

func status(t *testing.T, ctx context.Context, id string) string {
	t.Helper()
	return must.Get(chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf("document.getElementById(%q).textContent", id))))(t)
}

// TestTenItemsByKeyboard labels ten items in the page of a sheet without a mouse, also
// after the page is reloaded, and reports the labels.
func TestTenItemsByKeyboard(t *testing.T) {
	rubric, err := os.ReadFile("../../rubrics/test_plans/test_plan_quality_v1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	t.Chdir(root)
	writeOdd(t, "rubrics/test_plans/test_plan_quality_v1.yaml", string(rubric))
	var items strings.Builder
	for i := range 10 {
		text := must.Get(json.Marshal(fmt.Sprintf("=Plan %d </script><img src=x onerror=alert(1)> \"a\", b", i)))(t)
		fmt.Fprintf(&items, `{"id":"good-%d","artifact":%s,"inputs":{"task":"Write a plan."}}`+"\n", i, text)
	}
	writeOdd(t, "items.jsonl", items.String())
	if code, text := runWords("calibrate", "sheet", "--items", "items.jsonl", "--rubric", "test_plan_quality_v1", "--rater", "r1", "-o", "r1.html"); code != 0 {
		t.Fatal(text)
	}
	page, err := os.ReadFile("r1.html")
	if err != nil || strings.Contains(string(page), "good-") {
		t.Errorf("the page shows the IDs of items, error %v", err)
	}
	for _, part := range []string{"<noscript><p><strong>This sheet needs JavaScript.", "@media (scripting: none) { header, main, footer { display: none !important; } }"} {
		if !strings.Contains(string(page), part) {
			t.Errorf("without a script, the page is an empty frame: it has no %s", part)
		}
	}
	ctx := openPage(t, filepath.Join(root, "r1.html"), root)
	for item := range 5 {
		for criterion := range 4 {
			pressKeys(t, ctx, fmt.Sprint(1+(item+criterion)%5))
		}
	}
	if got := status(t, ctx, "place"); got != "Item 6 of 10, 5 labeled" {
		t.Errorf("after 5 items: %q", got)
	}
	// A browser stores in the background what the page keeps.
	again := ""
	for end := time.Now().Add(patience); again != "Item 6 of 10, 5 labeled" && time.Now().Before(end); {
		openAndPaint(t, ctx, chromedp.Reload())
		again = status(t, ctx, "place")
	}
	if again != "Item 6 of 10, 5 labeled" {
		t.Errorf("after the page was loaded again: %q", again)
	}
	for item := range 5 {
		for criterion := range 4 {
			pressKeys(t, ctx, fmt.Sprint(1+(2*item+criterion)%5))
		}
	}
	// One label of an earlier item is changed, and another can't be determined.
	pressKeys(t, ctx, kb.ArrowLeft, kb.ArrowDown, "0", kb.ArrowLeft, "5", "s")
	const saved = "test_plan_quality_v1-r1.csv"
	for end := time.Now().Add(patience); !command.Exists(saved) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if got := status(t, ctx, "note"); got != "Saved "+saved+"." {
		t.Errorf("the page says %q", got)
	}
	code, text := runWords("calibrate", "import", saved, "--dataset", "plans", "--labeled-by", "people", "--method", "In the page.", "--license", "CC0-1.0", "--rubric", "test_plan_quality_v1")
	if code != 0 || !strings.Contains(text, "added 10 items and 39 labels by r1.\nAnswers that the item does not let the rater tell: 1.\n") {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	if stored, err := os.ReadFile("calibration/plans/items.jsonl"); err != nil || !strings.Contains(string(stored), `"artifact":"=Plan 3 `) {
		t.Errorf("the text of an item has changed on its way, error %v:\n%s", err, stored)
	}
	writeOdd(t, "rubrics/test_plans/test_plan_quality_v1.yaml", strings.Replace(string(rubric), "calibration/test_plan_quality/", "calibration/plans/", 1))
	if code, text := runWords("calibrate", "report", "test_plan_quality_v1"); code == 2 || !strings.Contains(text, "Raters answered that the item does not let them tell: reproducibility 1.") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}

// inSight says what of a decision is out of sight: texts of the item, the marked criterion,
// or anything beside the window.
const inSight = `(() => {
	const seen = (e, pane) => {
		const r = e.getBoundingClientRect(), p = pane.getBoundingClientRect();
		return Math.min(r.bottom, p.bottom, innerHeight) - Math.max(r.top, p.top, 0);
	};
	const wrong = [];
	for (const id of ["inputs", "artifact"]) {
		const pane = document.getElementById(id), text = pane.querySelector(".text");
		const wanted = Math.min(text.offsetHeight - 1, 48); // one or two lines
		if (seen(text, pane) < wanted) wrong.push(id + " has " + seen(text, pane) + " pixels");
		const r = pane.getBoundingClientRect();
		if (!pane.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2))) wrong.push(id + " is covered");
	}
	const set = document.querySelector(".now"), pane = set.closest("aside");
	if (seen(set, pane) < Math.min(set.offsetHeight, pane.clientHeight - 6) - 1) wrong.push("the criterion has " + seen(set, pane) + " pixels");
	if (seen(set.querySelector("legend"), pane) < 10) wrong.push("the name of the criterion");
	const keys = document.querySelector(".keys").getBoundingClientRect();
	if (innerWidth > 800 && (keys.height === 0 || keys.bottom > innerHeight)) wrong.push("the keys");
	if (document.querySelector("body > *").innerText !== "You are r1. Label 10 texts by the rubric User Story Quality: for each criterion, choose the level that fits.") wrong.push("what to do");
	if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight) wrong.push("the page does not fit into the window");
	return wrong.join(", ");
})()`

// TestTextStaysInSight labels ten items by five criteria, and sees the text that is judged
// at each of the 50 decisions. The texts keep their place while an item is labeled.
func TestTextStaysInSight(t *testing.T) {
	rubric := must.Get(os.ReadFile("../../rubrics/jira_tickets/user_story_quality_v1.yaml"))(t)
	root := t.TempDir()
	t.Chdir(root)
	writeOdd(t, "rubrics/jira_tickets/user_story_quality_v1.yaml", string(rubric))
	var items strings.Builder
	for i := range 10 {
		artifact, input := strings.Repeat("A line of the artifact.\\n", 1+6*i), strings.Repeat("A line of the task.\\n", 1+5*(9-i))
		fmt.Fprintf(&items, `{"id":"i%d","artifact":"%s","inputs":{"task":"%s","ticket.title":"Title."}}`+"\n", i, artifact, input)
	}
	writeOdd(t, "items.jsonl", items.String())
	if code, text := runWords("calibrate", "sheet", "--items", "items.jsonl", "--rubric", "user_story_quality_v1", "--rater", "r1", "-o", "r1.html"); code != 0 {
		t.Fatal(text)
	}
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		ctx := openPage(t, filepath.Join(root, "r1.html"), root)
		metrics := emulation.SetDeviceMetricsOverrideParams{Width: size[0], Height: size[1], DeviceScaleFactor: 1, Mobile: size[0] < 500}
		must.Get(chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, metrics))(t)
		openAndPaint(t, ctx, chromedp.Reload())
		for decision := range 50 {
			wrong := must.Get(chromedp.Run(ctx, chromedp.Evaluate[string](inSight)))(t)
			if wrong != "" {
				t.Errorf("%d by %d, decision %d: %s", size[0], size[1], decision+1, wrong)
			}
			pressKeys(t, ctx, fmt.Sprint(1+decision%5))
		}
		if got := status(t, ctx, "place"); got != "Item 10 of 10, 10 labeled" {
			t.Errorf("after 50 decisions: %q", got)
		}
		pressKeys(t, ctx, kb.ArrowLeft)
		const scrolled = "(() => { const a = document.getElementById('artifact'); const before = a.scrollTop; a.scrollTop = 40; return [before, a.scrollTop].join() })()"
		before, err := chromedp.Run(ctx, chromedp.Evaluate[string](scrolled))
		if err != nil {
			t.Fatal(err)
		}
		pressKeys(t, ctx, "2")
		after, err := chromedp.Run(ctx, chromedp.Evaluate[string](scrolled))
		if err != nil || before != "0,40" || after != "40,40" {
			t.Errorf("the artifact is scrolled from %s, and from %s after a label, error %v", before, after, err)
		}
	}
}
