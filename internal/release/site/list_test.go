package site

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
)

// governedLibrary has more documents than a page lists. Some are deprecated, with owners of their
// own, or retired without a text that is left.
func governedLibrary(t *testing.T) (bundletest.Library, func(*Options)) {
	l := many(t, 2*mostRows+30)
	l.Times, l.Releases = map[string]string{}, map[string]string{}
	for i := range l.Documents {
		key := fmt.Sprintf("story%d_v1 1.0.0", i)
		l.Times[key], l.Releases[key] = "2026-09-01T09:00:00Z", "1.0.0"
		if i%100 == 7 {
			l.Documents[i] += "deprecated: {reason: Use the other., replaced_by: story1_v1}\n"
		}
	}
	l.Documents[4] = strings.Replace(l.Documents[4], "Team Library", `"@acme/sre <b>"`, 1)
	l.Ledger = "retired:\n"
	for i := range mostRows + 1 {
		l.Ledger += fmt.Sprintf("  - {id: zz%03d_v1, kind: rubric, last_version: 1.0.0, reason: It was a try.}\n", i)
	}
	return l, func(o *Options) {
		o.Reviewers = func(string) []string { return []string{"Bo Baker"} }
		o.Ended = func(id, _ string) (string, time.Time) { return "1.0.0", time.Date(2026, 10, 2, 0, 0, 0, 0, time.UTC) }
	}
}

var entryPattern = regexp.MustCompile(`<tr(?: id="[^"]*")?><th scope="row">|class="document-name"|<li><a href="[^"]*">[^<]*</a> <span class="number-of">`)

// TestEveryListIsComplete: no page has more than 100 entries, the pages of a list have all of
// them once, in order, and each page leads to the others without a script.
func TestEveryListIsComplete(t *testing.T) {
	l, with := governedLibrary(t)
	made := files(t, build(t, l, with))
	for name, content := range made {
		if n := len(entryPattern.FindAllString(content, -1)); strings.HasSuffix(name, ".html") && n > mostRows {
			t.Errorf("%s has %d entries", name, n)
		}
	}
	documents, gone := len(l.Documents), mostRows+1
	for first, want := range map[string]int{
		governancePage: documents + gone, readingPage: documents, "releases/1.0.0.html": documents, decisionsPage: gone + 3, releasesPage: 1,
	} {
		var ids []string
		for number := 1; ; number++ {
			page, ok := made[pageOfList(first, number)]
			if !ok {
				break
			}
			for _, m := range regexp.MustCompile(`<code(?: class="digest")?>((?:story|zz)\d+_v1)</code>|<tr id="(library-[^"]*)">`).FindAllStringSubmatch(page, -1) {
				ids = append(ids, m[1]+m[2])
			}
			for other := 1; made[pageOfList(first, other)] != "" && want > mostRows; other++ {
				if name := strings.TrimPrefix(pageOfList(first, other), "releases/"); other != number && !strings.Contains(page, `<a href="`+name+`">`) {
					t.Errorf("page %d of %s does not lead to page %d", number, first, other)
				}
			}
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(ids))); len(ids) != want || len(unique) != want {
			t.Errorf("%s lists %d entries, of which %d differ, want %d", first, len(ids), len(unique), want)
		}
		if first == governancePage && !slices.IsSorted(ids) {
			t.Errorf("%s has no order", first)
		}
	}
}

// TestGovernanceIsComplete: each document has its ID, digest, state, dates, owner, and approval,
// and each decision its date.
func TestGovernanceIsComplete(t *testing.T) {
	l, with := governedLibrary(t)
	made := files(t, build(t, l, with))
	digest := digestOf(t, made, "story7_v1", "1.0.0")
	want := `<code class="digest">story7_v1</code></th><td><span class="deprecated class">deprecated</span><br><a href="rubrics/story1_v1/index.html"><bdi>use story1_v1</bdi></a></td>` +
		`<td><a href="rubrics/story7_v1/1.0.0.html"><bdi>1.0.0</bdi></a><br><code class="digest">` + digest + `</code></td>` +
		`<td><bdi>committed 2026-09-01, release not recorded</bdi><br><bdi>valid since 1 September 2026</bdi></td><td><bdi>Team Library</bdi></td><td><bdi>named in the commit: Bo Baker, not verified</bdi></td>`
	all, decisions := "", ""
	for name, content := range made {
		if strings.HasPrefix(name, "governance") {
			all += content
		}
		if strings.HasPrefix(name, "decisions") {
			decisions += content
		}
	}
	if !strings.Contains(all, want) {
		t.Errorf("governance does not have %s", want)
	}
	for _, want := range []string{
		`<code class="digest">zz003_v1</code></th><td><span class="retired class">retired</span></td><td><bdi>2026-10-02</bdi><br><bdi>library 1.0.0</bdi></td><td><bdi>It was a try.</bdi></td>`,
		`<code class="digest">story107_v1</code></th><td><span class="retired class">deprecated</span></td><td><bdi>2026-09-01</bdi><br><bdi>library 1.0.0</bdi></td><td><bdi>Use the other.</bdi></td>`,
	} {
		if !strings.Contains(decisions, want) {
			t.Errorf("decisions do not have %s", want)
		}
	}
}

// TestAListIsFiltered over all its pages, at most 100 at once with a way to the rest, and the
// address brings the filter back.
func TestAListIsFiltered(t *testing.T) {
	l, with := governedLibrary(t)
	b := browse(t, folderURL(build(t, l, with)))
	for query, want := range map[string]struct {
		rows  int
		count string
		more  bool
	}{
		"":                            {100, "331 entries", false},
		"?State=deprecated":           {3, "3 of 331 entries", false},
		"?State=retired":              {100, "101 of 331 entries, showing the first 100", true},
		"?q=%22story229_v1%22":        {1, "1 of 331 entries", false},
		"?q=acme%2Fsre":               {1, "1 of 331 entries", false},
		"?q=story107_v1&State=active": {0, "0 of 331 entries", false},
	} {
		b.visit(governancePage + query)
		b.run(`new Promise((resolve) => { const wait = () => document.getElementById("list-count").value === "Loading…" ? setTimeout(wait, 5) : resolve(); setTimeout(wait, 5); })`)
		if got := value[int](b, "document.querySelectorAll('#list-rows > tr').length"); got != want.rows || b.shows("list-count") != want.count {
			t.Errorf("%q shows %d rows and %q, want %d and %q", query, got, b.shows("list-count"), want.rows, want.count)
		}
		if want.more {
			b.run(`document.getElementById("list-more").click()`)
			b.eventually("list-count", "101 of 331 entries")
			if got := value[int](b, "document.querySelectorAll('#list-rows > tr').length"); got != 101 {
				t.Errorf("more shows %d rows", got)
			}
		}
	}
	b.silent()
}

// TestFilteredRowsAreThoseOfThePage: the script shows a row as the page does, and no text of it acts.
func TestFilteredRowsAreThoseOfThePage(t *testing.T) {
	l, with := governedLibrary(t)
	b := browse(t, folderURL(build(t, l, with)))
	b.visit(governancePage)
	const row = `Array.from(document.querySelectorAll("#list-rows > tr")).find((each) => each.textContent.includes("story4_v1")).outerHTML`
	b.visit(governancePage + "?q=" + "story4_v1")
	b.run(`new Promise((resolve) => { const wait = () => document.getElementById("list-count").value.startsWith("1 of") ? resolve() : setTimeout(wait, 5); wait(); })`)
	filtered := value[string](b, row)
	for number := 1; ; number++ {
		b.visit(pageOfList(governancePage, number))
		if value[bool](b, `document.getElementById("list-rows").textContent.includes("story4_v1")`) {
			break
		}
	}
	if own := value[string](b, row); own != filtered || !strings.Contains(own, "@acme/sre &lt;b&gt;") {
		t.Errorf("the page has\n%s\nand the filter\n%s", own, filtered)
	}
}

// TestTheComplianceOfficer learns which document is valid on a day, who approved it, and which are
// no longer to be used.
func TestTheComplianceOfficer(t *testing.T) {
	l, with := governedLibrary(t)
	base := folderURL(build(t, l, with, func(o *Options) { o.Committed = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }))
	for _, width := range []int64{1280, 390} {
		v := visitorOf(t, base, width)
		v.click("nav a", "Governance")
		v.run(`{ const q = document.querySelector("#list-filter [name=q]"); q.value = "story207_v1"; q.dispatchEvent(new Event("input", { bubbles: true })); }`)
		v.eventually("list-count", "1 of 331 entries")
		v.click("#list-rows a", "Story")
		v.enter("valid-date", "2026-10-01")
		answer := v.shows("valid-answer")
		for _, want := range []string{"1.0.0 (sha256:", "commit aaaa", "named in the commit: Bo Baker, not verified"} {
			if !strings.Contains(answer, want) {
				t.Errorf("at %d, the answer is %q, without %q", width, answer, want)
			}
		}
		v.silent()
	}
}
