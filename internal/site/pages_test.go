package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile/bundletest"
	"github.com/rubric-library/rubric-library/internal/bundle/conformance"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// pages returns the sorted pages of a site.
func pages(made map[string]string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if strings.HasSuffix(name, ".html") {
			names = append(names, name)
		}
	}
	return names
}

// TestPagesAreSilent opens each page from the folder and from a server: it logs nothing and
// sends no requests to other sites.
func TestPagesAreSilent(t *testing.T) {
	dir := build(t, small(t))
	for name, base := range map[string]string{"folder": folderURL(dir), "server": serve(t, dir)} {
		t.Run(name, func(t *testing.T) {
			b := browse(t, base)
			for _, page := range pages(files(t, dir)) {
				b.visit(page)
				if evaluate[int](b, "document.styleSheets.length") != 1 || evaluate[string](b, "getComputedStyle(document.querySelector('main')).maxWidth") == "none" {
					t.Errorf("%s has no style", page)
				}
			}
			b.silent()
		})
	}
}

// searched waits until a search shows its results.
func (b *tab) searched() {
	b.t.Helper()
	b.run(`new Promise((resolve) => {
		const wait = () => document.getElementById("found-count").textContent === "Loading…" ? setTimeout(wait, 5) : resolve();
		setTimeout(wait, 5);
	})`)
}

// filter presses the filters with the values, and no others.
func (b *tab) filter(values ...string) {
	b.t.Helper()
	b.run(`document.querySelectorAll("#filters [aria-pressed=true]").forEach((each) => each.click())`)
	for _, value := range values {
		b.searched()
		b.run(fmt.Sprintf(`document.querySelector("#filters [data-value=%s]").click()`, value))
	}
}

func TestSearchFindsAsOneTypes(t *testing.T) {
	l := many(t, 120)
	l.Documents = append(l.Documents, text(t, "api_1.yaml"))
	b := browse(t, folderURL(build(t, l)))
	b.visit("index.html")
	for _, test := range []struct {
		words, filter string
		want          string // "" for the lists of the page
		rows          int
		query         string // of the address
	}{
		{want: ""},
		{words: "STORY grades", want: "120 of 121 documents, showing the first 30", rows: 30, query: "?q=STORY+grades"},
		{words: "story17_v1", want: "1 of 121 documents", rows: 1, query: "?q=story17_v1"},
		{words: "story17_v1@1.0.0#sha256:ab", want: "1 of 121 documents", rows: 1, query: "?q=story17_v1%401.0.0%23sha256%3Aab"},
		{words: "<script>", want: "0 of 121 documents", query: "?q=%3Cscript%3E"},
		{words: "stroy17_v1", want: "0 of 121 documents", query: "?q=stroy17_v1"},
		{words: "graeds", want: "120 of 121 documents, showing the first 30", rows: 30, query: "?q=graeds"},
		{words: "type-7 api", want: "0 of 121 documents", query: "?q=type-7+api"},
		{words: "a.style.notes", want: "1 of 121 documents", rows: 1, query: "?q=a.style.notes"},
		{words: "type_7", want: "6 of 121 documents", rows: 6, query: "?q=type_7"},
		{filter: "rule_set", want: "1 of 121 documents", rows: 1, query: "?kind=rule_set"},
		{filter: "draft", want: "1 of 121 documents", rows: 1, query: "?status=draft"},
		{words: "story", filter: "type_0", want: "6 of 121 documents", rows: 6, query: "?q=story&type=type_0"},
		{want: ""},
	} {
		b.filter()
		b.enter("words", test.words)
		if test.filter != "" {
			b.filter(test.filter)
		}
		b.searched()
		rows := evaluate[int](b, "document.querySelectorAll('#found-list > li').length")
		hidden := evaluate[bool](b, "document.getElementById('found').hidden")
		lists := evaluate[bool](b, "!document.getElementById('all').hidden")
		switch query := evaluate[string](b, "location.search"); {
		case hidden != (test.want == "") || lists != hidden:
			t.Errorf("%+v: the found ones are hidden: %v, the lists shown: %v", test, hidden, lists)
		case query != test.query:
			t.Errorf("%+v: the address has %q", test, query)
		case !hidden && (b.shows("found-count") != test.want || rows != test.rows):
			t.Errorf("%+v: got %q with %d rows", test, b.shows("found-count"), rows)
		}
	}
	b.enter("words", "story")
	b.searched()
	b.run("document.getElementById('found-more').click()")
	b.searched()
	if rows := evaluate[int](b, "document.querySelectorAll('#found-list > li').length"); rows != 60 {
		t.Errorf("more shows %d rows, want 60", rows)
	}
	if got, want := evaluate[string](b, "document.querySelector('#found-list a').getAttribute('href')"), "rubrics/story0_v1/index.html"; got != want {
		t.Errorf("the first link leads to %s, want %s", got, want)
	}
	b.silent()
}

// TestTheSearchIsMarkedAndShared: the words are marked where they were found, also with a
// typo, and the address brings the search back.
func TestTheSearchIsMarkedAndShared(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	for query, want := range map[string][]string{
		"?q=story_v1": {"story", "v1"}, "?q=goal": {"goal"}, "?q=storu": {"Story", "story"}, "?q=calers": {"Callers"}, "?q=zebra": nil,
	} {
		b.visit("index.html" + query)
		b.searched()
		marked := evaluate[[]string](b, "Array.from(document.querySelectorAll('#found-list > li mark'), (each) => each.textContent)")
		for _, each := range want {
			if !slices.Contains(marked, each) {
				t.Errorf("%s: marked %q, want %q", query, marked, each)
			}
		}
		if len(want) == 0 && len(marked) > 0 {
			t.Errorf("%s: marked %q", query, marked)
		}
	}
	b.visit("index.html?q=goal")
	b.searched()
	if got := evaluate[string](b, "document.querySelector('#found-list .places').innerText"); got != "criterion scope: Is it one goal?" {
		t.Errorf("the place is %q", got)
	}
	b.silent()
}

// TestTheKeyboardSearches: / leads to the search, and arrows through its results.
func TestTheKeyboardSearches(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	press := func(key string) {
		b.run(fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true, cancelable: true }))`, key))
	}
	focused := func() string {
		return evaluate[string](b, "document.activeElement.id || document.activeElement.getAttribute('href')")
	}
	b.visit("index.html")
	press("/")
	if got := focused(); got != "words" {
		t.Fatalf("/ leads to %q", got)
	}
	b.enter("words", "story_v1")
	b.searched()
	for _, step := range []struct{ key, want string }{
		{"ArrowDown", "rubrics/story_v1/index.html"}, {"ArrowUp", "words"}, {"ArrowDown", "rubrics/story_v1/index.html"}, {"/", "words"},
	} {
		press(step.key)
		if got := focused(); got != step.want {
			t.Errorf("%s leads to %q, want %q", step.key, got, step.want)
		}
	}
	press("Escape")
	if evaluate[bool](b, "document.getElementById('all').hidden") {
		t.Error("Escape does not end the search")
	}
	b.silent()
}

// TestConformance runs the vectors of the library in the browser.
func TestConformance(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rubrics/story_v1/index.html")
	t.Run("verdict", func(t *testing.T) {
		checkVectors[rubric.Verdict](t, b, "verdict", "rubricBundle.verdict(v.rubric, v.scores, v.hits)")
	})
	t.Run("hits", func(t *testing.T) {
		checkVectors[[]rubric.Hit](t, b, "hits", "rubricBundle.hits(v.rubric, v.text)")
	})
	t.Run("rule_score", func(t *testing.T) {
		checkVectors[ruleset.Score](t, b, "rule_score", "rubricBundle.ruleScore(v.ruleset, v.phase, v.results)")
	})
	b.visit("index.html")
	b.run(`page.load("finder.js")`)
	t.Run("search", func(t *testing.T) {
		checkVectors[[]match](t, b, "search", "finder.searchPlaces(new Map(v.documents.map((each) => [each.id, finder.placesOf(each)])), v.query)")
	})
}

// match is a result of a search.
type match struct {
	ID      string
	Score   int
	Matched []string
}

func checkVectors[T any](t *testing.T, b *tab, kind, call string) {
	file := decode[struct {
		Vectors []json.RawMessage `json:"vectors"`
	}](t, string(conformance.Files()["conformance/"+kind+".json"]))
	all, err := json.Marshal(file.Vectors)
	if err != nil {
		t.Fatal(err)
	}
	got := evaluate[[]struct {
		Result json.RawMessage
		Error  string
	}](b, fmt.Sprintf(`%s.map((v) => { try { return { result: %s }; } catch (error) { return { error: error.name }; } })`, all, call))
	if len(got) < 20 {
		t.Fatalf("%d answers only", len(got))
	}
	for i, data := range file.Vectors {
		v := decode[struct {
			Name, Reason  string
			Result, Error json.RawMessage
		}](t, string(data))
		switch {
		case v.Error != nil:
			if got[i].Error != "InputError" {
				t.Errorf("%s: %s: got %+v, want an error", v.Name, v.Reason, got[i])
			}
		case got[i].Error != "":
			t.Errorf("%s: %s: got the error %s", v.Name, v.Reason, got[i].Error)
		default:
			if diff := cmp.Diff(decode[T](t, string(v.Result)), decode[T](t, string(got[i].Result))); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", v.Name, v.Reason, diff)
			}
		}
	}
}

func TestTheCalculatorOfARubricSaysWhy(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rubrics/story_v1/index.html") // clarity is essential, scope important; each minimum and that of the mean are 3.5
	for _, test := range []struct {
		clarity, scope string
		filler         string
		want           string
	}{
		{"", "", "no", "Enter a score from 1 to 5 for clarity, scope."},
		{"4", "", "no", "Enter a score from 1 to 5 for scope."},
		{"4", "0", "no", "Enter a score from 1 to 5 for scope."},
		{"4", "5.5", "no", "Enter a score from 1 to 5 for scope."},
		{"4", "3", "no", "Passed\nThe overall score is 3.5."},
		{"5", "2", "no", "Passed\nThe overall score is 3.5."},
		{"3.4999", "5", "no", "Failed\nThe essential criterion clarity must reach 3.5, got 3.4999."},
		{"4", "1", "no", "Failed\nThe overall score must reach 3.5, got 2.5."},
		{"1", "1", "yes", "Failed\nThe essential criterion clarity must reach 3.5, got 1.\nThe overall score must reach 3.5, got 1.\nThe negative criterion filler matches."},
	} {
		b.enter("score-0", test.clarity)
		b.enter("score-1", test.scope)
		b.enter("hit-0", test.filler)
		if got := squeezed(b.shows("verdict")); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
	b.enter("score-0", "5")
	b.enter("score-1", "2")
	if got := b.shows("outcome-1"); got != "✕ below 3.5, reported only" {
		t.Errorf("an important criterion below its minimum says %q", got)
	}
	b.silent()
}

// squeezed removes blank lines.
func squeezed(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "\n")
}

func TestTheBoxFindsWhatThePatternsFind(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rubrics/story_v1/index.html")
	const refused = `Not searched: \p{Greek} of letters.`
	for _, test := range []struct {
		text    string
		want    []string
		marked  []string
		missing string
	}{
		{text: "A clerk archives it.", want: []string{"No other pattern matches.", refused}, marked: []string{}},
		{text: "Tables, ETC and so on", want: []string{"filler: 2 matches", refused}, marked: []string{"ETC", "and so on"}, missing: "No pattern"},
		{text: "a\u0308 TODO", want: []string{"letters: 1 match"}, marked: []string{"TODO"}},
		{text: "😀 etc <b>x</b>", want: []string{"filler: 1 match"}, marked: []string{"etc"}},
	} {
		b.enter("try-text", test.text)
		got := b.shows("try-result")
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q: got %q, want it to hold %q", test.text, got, want)
			}
		}
		if test.missing != "" && strings.Contains(got, test.missing) {
			t.Errorf("%q: got %q", test.text, got)
		}
		marked := evaluate[[]string](b, "Array.from(document.querySelectorAll('#try-shown mark'), (each) => each.textContent)")
		if diff := cmp.Diff(test.marked, marked); diff != "" {
			t.Errorf("%q: marked (-want +got):\n%s", test.text, diff)
		}
	}
	if most := evaluate[int](b, "document.getElementById('try-text').maxLength"); most != maxTry {
		t.Errorf("a text can have %d characters, want %d", most, maxTry)
	}
	b.silent()
}

func TestTheCalculatorOfARuleSetSaysWhy(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rulesets/api_v1/index.html")
	for _, test := range []struct {
		phase   string
		results [4]string
		reason  string // of the first, if it is skipped
		want    string
	}{
		{"A", [4]string{"pass", "", "", ""}, "", "Choose a result, and a reason if skipped, for a.style.names, a.style.notes."},
		{"A", [4]string{"pass", "pass", "fail", ""}, "", "Passed\nThe score is 1 (3 of 3 by weight)."},
		{"A", [4]string{"pass", "fail", "fail", ""}, "", "Failed\nThe score is 0.67 (2 of 3 by weight).\nThe score must reach 0.7, got 0.67."},
		{"A", [4]string{"skipped", "pass", "pass", ""}, " ", "Choose a result, and a reason if skipped, for a.correctness.endpoints."},
		{"A", [4]string{"skipped", "pass", "pass", ""}, "no text", "Failed\nThe score is 0.33 (1 of 3 by weight).\nThe rule a.correctness.endpoints must pass but was skipped: no text\nThe score must reach 0.7, got 0.33."},
		{"B", [4]string{"pass", "pass", "pass", ""}, "", "Choose a result, and a reason if skipped, for b.security.login."},
		{"B", [4]string{"pass", "fail", "pass", "pass"}, "", "Passed\nThe score is 0.83 (5 of 6 by weight)."},
	} {
		b.enter("phase", test.phase)
		for i, result := range test.results {
			b.enter(fmt.Sprintf("result-%d", i), result)
		}
		b.enter("reason-0", test.reason)
		if got := squeezed(b.shows("verdict")); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
	b.silent()
}

// TestPagesFitNarrowScreens checks that no page scrolls horizontally on narrow and wide
// screens.
func TestPagesFitNarrowScreens(t *testing.T) {
	l := small(t)
	long := "a_name_" + strings.Repeat("of_very_many_letters_", 4) + "x"
	for i := range l.Documents {
		l.Documents[i] = strings.NewReplacer("- name: clarity", "- name: "+long, "- name: filler", "- name: "+long+"y", "a.correctness.endpoints", "a.correctness."+long).Replace(l.Documents[i])
	}
	dir := build(t, l)
	b := browse(t, folderURL(dir))
	for _, width := range []int64{320, 768, 1920} {
		b.resize(width)
		for _, page := range pages(files(t, dir)) {
			b.visit(page)
			b.fill(page)
			if got := evaluate[int64](b, "document.documentElement.scrollWidth"); got > width {
				t.Errorf("%s is %d wide on a screen of %d", page, got, width)
			}
		}
	}
}

// TestPagesAreAccessible checks each kind of page with axe-core.
func TestPagesAreAccessible(t *testing.T) {
	name := os.Getenv("AXE_CORE")
	if name == "" {
		t.Skip("AXE_CORE names no axe.min.js, so accessibility was not tested")
	}
	axe, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, folderURL(build(t, small(t))))
	for _, page := range []string{
		"index.html", "types/jira_tickets/index.html", "rubrics/story_v1/index.html", "rubrics/story_v1/1.0.0.html",
		"rubrics/story_v1/1.0.0...2.0.0.html", "rubrics/gone_v1/index.html", "rulesets/api_v1/index.html",
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{320, 1280} {
				b.media("screen", scheme)
				b.resize(width)
				b.visit(page)
				b.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
				b.run(string(axe))
				found := evaluate[struct {
					Passed     int
					Violations []string
				}](b, `axe.run(document).then((r) => ({ passed: r.passes.length,
					violations: r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html.slice(0, 200)).join(" | ")) }))`)
				if found.Passed < 15 {
					t.Errorf("%s: only %d rules were tried", page, found.Passed)
				}
				for _, violation := range found.Violations {
					t.Errorf("%s, %s, %d wide: %s", page, scheme, width, violation)
				}
			}
		}
	}
}

// TestResultsAreSpoken checks that scripts write results to an existing live region, which
// screen readers announce.
func TestResultsAreSpoken(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	for page, id := range map[string]string{"index.html": "found-count", "rubrics/story_v1/index.html": "verdict", "rulesets/api_v1/index.html": "verdict"} {
		b.visit(page)
		watched := fmt.Sprintf(`(() => {
			const place = document.getElementById(%q);
			return place.matches("p[role=status], div[role=status]") && place.closest("[hidden]") === null;
		})()`, id)
		if !evaluate[bool](b, watched) {
			t.Errorf("%s: %s is not watched", page, id)
		}
	}
	b.visit("rubrics/story_v1/index.html")
	if unnamed := evaluate[int](b, "Array.from(document.querySelectorAll('#calculator input[type=number]')).filter((each) => !document.getElementById(each.getAttribute('aria-describedby'))).length"); unnamed != 0 {
		t.Errorf("%d scores do not lead to what they reach", unnamed)
	}
	b.visit("index.html")
	b.enter("words", "story")
	b.searched()
	b.enter("words", "")
	if got := b.shows("found-count"); got != "" {
		t.Errorf("without a search it says %q", got)
	}
}

// TestTheSearchShowsWhatTheListsShow checks that rows of the search equal rows of the lists,
// with visible escapes of hidden characters.
func TestTheSearchShowsWhatTheListsShow(t *testing.T) {
	l := small(t)
	for i := range l.Documents {
		l.Documents[i] = strings.Replace(l.Documents[i], "Story quality", `"Story\u202e quality"`, 1)
	}
	b := browse(t, folderURL(build(t, l)))
	b.visit("index.html")
	b.filter("rubric")
	b.searched()
	const rows = `Array.from(document.querySelectorAll(%q), (each) => each.innerText.replace(/\s+/g, " "))`
	got := evaluate[[]string](b, fmt.Sprintf(rows, "#found-list > li"))
	b.filter()
	var want []string
	for _, row := range evaluate[[]string](b, fmt.Sprintf(rows, "#all .documents > li")) {
		if strings.Contains(row, "<U+202E>") {
			want = append(want, row)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
		t.Errorf("(-lists +search):\n%s", diff)
	}
}

// TestNothingActs puts hostile texts in all texts of a document.
func TestNothingActs(t *testing.T) {
	for _, evil := range []string{
		`<script>window.evil = 1</script>`, `</script><script>window.evil = 1</script>`, `<img src=x onerror="window.evil = 1">`, `]]><evil/>`,
		`"><svg onload="window.evil = 1">`, `javascript:window.evil=1`, `{{.Evil}} ${window.evil = 1}`, `<!-- <script>`, "\u2028\u202e\u0000",
	} {
		quoted := fmt.Sprintf("%+q", evil)
		replace := strings.NewReplacer(
			"Story quality", quoted, "Grades one user story.", quoted, "Team Library", quoted, "How clear is the story?", quoted, "Three goals.", quoted,
			"Two parts are named.", quoted, "Make it better.", quoted, "Words that say nothing.", quoted, "and so on", quoted, "https://labels.example.org/story.jsonl", "javascript:window.evil=1",
			"API design", quoted, "The base template of an API.", quoted, "Look for methods.", quoted, "Names are in one case.", quoted, "'^GET /'", fmt.Sprintf("%+q", "evil|"+strings.ReplaceAll(regexp.QuoteMeta(evil), "\x00", "")),
		)
		l := bundletest.Library{}
		for _, name := range []string{"story_1.yaml", "story_2.yaml", "api_1.yaml"} {
			l.Documents = append(l.Documents, replace.Replace(text(t, name)))
		}
		dir := build(t, l)
		b := browse(t, folderURL(dir))
		for _, page := range []string{
			"index.html", "types/jira_tickets/index.html", "rubrics/story_v1/index.html", "rubrics/story_v1/1.0.0...2.0.0.html", "rulesets/api_v1/index.html",
		} {
			b.visit(page)
			if page == "index.html" {
				b.enter("words", "v1")
				b.searched()
			}
			if got := evaluate[string](b, "String(window.evil) + document.querySelectorAll('evil, img, [onload], [onerror], a[href^=javascript]').length"); got != "undefined0" {
				t.Errorf("%s: %q acts: %s", page, evil, got)
			}
		}
		b.silent()
	}
}
