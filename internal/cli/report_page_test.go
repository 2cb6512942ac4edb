package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// evaluated is the value of an expression, or of its promise, in a page.
func evaluated[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// reportPage writes a report on a judge that gives two wrong scores, and returns its file.
func reportPage(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"rubrics/test_plans", "calibration/test_plan_quality"} {
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS("../../"+folder)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	_, text := runWords("calibrate", "report", "--format", "json")
	var shown struct {
		Reports []struct{ Rubric map[string]string }
	}
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		t.Fatal(err)
	}
	items, err := os.ReadFile("calibration/test_plan_quality/items.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var answers strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(items)), "\n") {
		var item struct {
			ID     string
			Labels map[string]map[string]int
		}
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			t.Fatal(err)
		}
		scores := item.Labels["author_1"]
		if i < 2 {
			scores["coverage"] += map[bool]int{true: -2 + i, false: 2 - i}[scores["coverage"] > 2]
		}
		text, err := json.Marshal(scores)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&answers, `{"run":"r","item":%q,"model":"m","date":"2026-11-14","digest":%q,"scores":%s,"reasons":{"coverage":"<b>Because.</b>"}}`+"\n", item.ID, shown.Reports[0].Rubric["judge_digest"], text)
	}
	writeOdd(t, "calibration/test_plan_quality/judges/j.jsonl", answers.String())
	if code, text := runWords("calibrate", "report", "--as-of", "2026-11-21", "--format", "html=report.html"); code != 0 {
		t.Fatal(text)
	}
	return filepath.Join(root, "report.html")
}

// TestDisagreementsAreSorted sorts the worst disagreements of a report in a browser, with
// the keyboard. Before the script runs, nothing looks as if it could be pressed.
func TestDisagreementsAreSorted(t *testing.T) {
	page := reportPage(t)
	if data, err := os.ReadFile(page); err != nil || strings.Contains(string(data), "<button") {
		t.Errorf("without the script, the page has buttons, error %v", err)
	}
	ctx := openPage(t, page, t.TempDir())
	const column = `Array.from(document.querySelectorAll(".sortable tbody tr"), (row) => row.cells[%d].textContent)`
	order := evaluated[[]string](t, ctx, fmt.Sprintf(column, 0))
	if len(order) != 2 || order[0] == order[1] {
		t.Fatalf("the table has the items %v", order)
	}
	differences := evaluated[[]string](t, ctx, fmt.Sprintf(column, 4))
	if strings.Trim(differences[0], "+-") != "2" || strings.Trim(differences[1], "+-") != "1" {
		t.Errorf("the differences are %v", differences)
	}
	for _, at := range []int{0, 4} {
		for range 2 {
			evaluated[bool](t, ctx, fmt.Sprintf(`(document.querySelectorAll(".sortable th button")[%d].focus(), true)`, at))
			pressKeys(t, ctx, " ")
			want := []string{min(order[0], order[1]), max(order[0], order[1])}
			if at == 4 {
				want = []string{order[1], order[0]}
			}
			sorted := evaluated[string](t, ctx, fmt.Sprintf(`document.querySelectorAll(".sortable th")[%d].ariaSort`, at))
			if sorted == "descending" {
				want[0], want[1] = want[1], want[0]
			}
			got := evaluated[[]string](t, ctx, fmt.Sprintf(column, 0))
			if diff := cmp.Diff(want, got); diff != "" || sorted == "" {
				t.Errorf("column %d, %q: %s", at, sorted, diff)
			}
		}
	}
	if n := evaluated[int](t, ctx, `document.querySelectorAll("th[aria-sort]").length`); n != 1 {
		t.Errorf("%d columns say that they are sorted", n)
	}
	checkAccessible(t, ctx)
}

// checkAccessible checks the open page with axe-core, if AXE_CORE names it.
func checkAccessible(t *testing.T, ctx context.Context) {
	t.Helper()
	name := os.Getenv("AXE_CORE")
	if name == "" {
		return
	}
	axe, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	evaluated[bool](t, ctx, string(axe)+"; true")
	for _, violation := range evaluated[[]string](t, ctx, `axe.run(document).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 200)).join(" | ")))`) {
		t.Error(violation)
	}
}
