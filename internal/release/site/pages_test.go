package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
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
				if value[int](b, "document.styleSheets.length") != 1 || value[string](b, "getComputedStyle(document.querySelector('main')).maxWidth") == "none" {
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
		b.run(fmt.Sprintf(`document.querySelector('#filters [data-value="%s"]').click()`, value))
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
		lists         bool   // whether the lists stay, because nothing matches
		query         string // of the address
	}{
		{want: ""},
		{words: "STORY grades", want: "120 of 121 documents, showing the first 30", rows: 30, query: "?q=STORY+grades"},
		{words: "story17_v1", want: "1 of 121 documents", rows: 1, query: "?q=story17_v1"},
		{words: "story17_v1@1.0.0#sha256:ab", want: "story17_v1@1.0.0 has another digest, sha256:f64446532da4…. No version has the digest in the reference.", rows: 1, query: "?q=story17_v1%401.0.0%23sha256%3Aab"},
		{words: "<script>", want: "Nothing was found in 121 documents. The nearest:", rows: 5, lists: true, query: "?q=%3Cscript%3E"},
		{words: "stroy17_v1", want: "Nothing was found in 121 documents. The nearest:", rows: 5, lists: true, query: "?q=stroy17_v1"},
		{words: "graeds", want: "120 of 121 documents, showing the first 30", rows: 30, query: "?q=graeds"},
		{words: "type-7 api", want: "No document has all the words. Those with the most: 121 of 121 documents, showing the first 30", rows: 30, lists: true, query: "?q=type-7+api"},
		{words: "a.style.notes", want: "1 of 121 documents", rows: 1, query: "?q=a.style.notes"},
		{words: "type_7", want: "6 of 121 documents", rows: 6, query: "?q=type_7"},
		{filter: "rule_set", want: "1 of 121 documents", rows: 1, query: "?kind=rule_set"},
		{filter: "draft", want: "1 of 121 documents", rows: 1, query: "?status=draft"},
		{words: "story", filter: "type 0", want: "6 of 121 documents", rows: 6, query: "?q=story&type=type_0"},
		{want: ""},
	} {
		b.filter()
		b.enter("filter-type", "")
		b.run("new Promise((resolve) => setTimeout(resolve, 50))")
		b.enter("words", test.words)
		if strings.HasPrefix(test.filter, "type") { // there are too many for buttons
			b.enter("filter-type", test.filter)
			b.run("new Promise((resolve) => setTimeout(resolve, 50))")
		} else if test.filter != "" {
			b.filter(test.filter)
		}
		b.searched()
		rows := value[int](b, "document.querySelectorAll('#found-list > li').length")
		hidden := value[bool](b, "document.getElementById('found').hidden")
		lists := value[bool](b, "!document.getElementById('all').hidden")
		switch query := value[string](b, "location.search"); {
		case hidden != (test.want == "") || lists != (hidden || test.lists):
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
	if rows := value[int](b, "document.querySelectorAll('#found-list > li').length"); rows != 60 {
		t.Errorf("more shows %d rows, want 60", rows)
	}
	if got, want := value[string](b, "document.querySelector('#found-list a').getAttribute('href')"), "rubrics/story0_v1/index.html"; got != want {
		t.Errorf("the first link leads to %s, want %s", got, want)
	}
	b.silent()
}

// TestTheSearchIsMarkedAndShared: the words are marked where they were found, also with a
// typo, and the address brings the search back.
func TestTheSearchIsMarkedAndShared(t *testing.T) {
	l := small(t)
	l.Documents[2] = strings.ReplaceAll(l.Documents[2], "Callers", "Callers or fallers")
	b := browse(t, folderURL(build(t, l)))
	for query, want := range map[string][]string{
		"?q=story_v1": {"story", "v1"}, "?q=goal": {"goal"}, "?q=storu": {"Story", "story"}, "?q=calers": {"Callers"}, "?q=callers": {"Callers"}, "?q=zebra": nil,
	} {
		b.visit("index.html" + query)
		b.searched()
		marked := value[[]string](b, "Array.from(document.querySelectorAll('#found-list > li mark'), (each) => each.textContent)")
		for _, each := range want {
			if !slices.Contains(marked, each) {
				t.Errorf("%s: marked %q, want %q", query, marked, each)
			}
		}
		if len(want) == 0 && len(marked) > 0 || slices.Contains(marked, "fallers") { // a word like one that was found is no typo
			t.Errorf("%s: marked %q", query, marked)
		}
	}
	b.visit("index.html?q=goal")
	b.searched()
	if got := value[string](b, "document.querySelector('#found-list .places').innerText"); got != "criterion scope: Is it one goal?" {
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
		return value[string](b, "document.activeElement.id || document.activeElement.getAttribute('href')")
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
	if value[bool](b, "document.getElementById('all').hidden") {
		t.Error("Escape does not end the search")
	}
	b.silent()
}

// TestConformance runs the vectors of the library in the browser.
func TestConformance(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rubrics/story_v1/index.html")
	b.run(`page.load("client.js").then(() => { window.rubricBundle = makeClient(); })`)
	t.Run("verdict", func(t *testing.T) {
		checkVectors[rubric.Verdict](t, b, "verdict", "rubricBundle.verdict(v.rubric, v.scores, v.hits)")
	})
	t.Run("hits", func(t *testing.T) {
		checkVectors[[]rubric.Hit](t, b, "hits", "rubricBundle.hits(v.rubric, v.text)")
	})
	t.Run("rule_score", func(t *testing.T) {
		checkVectors[ruleset.Score](t, b, "rule_score", "rubricBundle.ruleScore(v.ruleset, v.phase, v.results)")
	})
	t.Run("search", func(t *testing.T) {
		checkVectors[[]match](t, b, "search", "rubricBundle.searchPlaces(new Map(v.documents.filter((each) => !v.kind || each.kind === v.kind).map((each) => [each.id, rubricBundle.placesOf(each)])), v.query)")
	})
}

// match is a result of a search.
type match struct {
	ID      string
	Score   int
	Matched []string
	Partial bool
}

func checkVectors[T any](t *testing.T, b *tab, kind, call string) {
	file := decode[struct {
		Vectors []json.RawMessage `json:"vectors"`
	}](t, string(conformance.Files()["conformance/"+kind+".json"]))
	all := must.Get(json.Marshal(file.Vectors))(t)
	got := value[[]struct {
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

// judged waits until the workbench shows the verdict on the entered text.
func (b *tab) judged() {
	b.t.Helper()
	b.run(`new Promise((resolve) => { const wait = () => document.getElementById("bench-all").ariaBusy === "true" ? setTimeout(wait, 5) : resolve(); wait(); })`)
}

// eventually waits until an element shows a text, without blank lines.
func (b *tab) eventually(id, want string) {
	b.t.Helper()
	got := ""
	for range 200 {
		if got = squeezed(b.shows(id)); got == want {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.t.Errorf("%s shows %q, want %q", id, got, want)
}

// squeezed removes blank lines.
func squeezed(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "\n")
}

// choose chooses the level of a criterion like a user, or none for 0.
func (b *tab) choose(criterion, score int) {
	b.t.Helper()
	b.run(fmt.Sprintf(`for (const [i, level] of [...document.querySelectorAll("#bench-steps .choices")[%d].children].entries()) {
		if (level.querySelector("input").checked !== (i + 1 === %d)) level.querySelector("input").click();
	}`, criterion, score))
}

func TestTheVerdictOnARubricSaysWhy(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rubrics/story_v1/index.html") // clarity is essential, scope important; each minimum and that of the mean are 3.5
	for _, test := range []struct {
		clarity, scope int // 0 for none
		filler         string
		want           string
	}{
		{0, 0, "no", "No verdict yet\nChoose a level for each criterion."},
		{4, 0, "no", "No verdict yet\nStill missing: scope."},
		{3, 0, "no", "Failed\nIt fails whatever the rest is:\nThe essential criterion clarity must reach 3.5, got 3.\nStill missing: scope."},
		{0, 0, "yes", "Failed\nIt fails whatever the rest is:\nThe negative criterion filler matches.\nStill missing: clarity, scope."},
		{4, 3, "no", "Passed\nThe mean of all scores is 3.5, at least 3.5 as required."},
		{5, 2, "no", "Passed\nThe mean of all scores is 3.5, at least 3.5 as required."},
		{4, 1, "no", "Failed\nThe mean of all scores is 2.5, and 3.5 is required.\nThe mean of all scores must reach 3.5, got 2.5."},
		{1, 1, "yes", "Failed\nThe mean of all scores is 1, and 3.5 is required.\nThe essential criterion clarity must reach 3.5, got 1.\nThe mean of all scores must reach 3.5, got 1.\nThe negative criterion filler matches."},
	} {
		b.choose(0, test.clarity)
		b.choose(1, test.scope)
		b.enter("hit-0", test.filler)
		b.eventually("bench-verdict", test.want)
	}
	b.enter("hit-0", "no")
	b.choose(0, 5)
	b.choose(1, 2)
	b.eventually("outcome-1", "✕ below 3.5, reported only")
	if got := value[string](b, "document.querySelectorAll('#bench-steps .choices')[1].querySelector('label:has(:checked)').textContent"); got != "2Two goals." {
		t.Errorf("the level is %q", got)
	}
	b.run("document.getElementById('bench-clear').click()")
	b.eventually("bench-verdict", "No verdict yet\nChoose a level for each criterion.")
	b.silent()
}

// TestScoresThatCountMoreSayThatTheMeanIsWeighted holds for the text of a page and for what its
// scripts compute.
func TestScoresThatCountMoreSayThatTheMeanIsWeighted(t *testing.T) {
	l := small(t)
	for i, d := range l.Documents {
		if d == text(t, "story_2.yaml") {
			l.Documents[i] = strings.Replace(d, "    weight: essential\n", "    weight: essential\n    relative_weight: 3\n", 1)
		}
	}
	b := browse(t, folderURL(build(t, l)))
	b.visit("rubrics/story_v1/index.html")
	page := value[string](b, "document.body.textContent")
	for _, want := range []string{"the weighted mean of all scores is at least 3.5", "minimum 3.5, relative weight 3", "minimum 3.5, relative weight 1"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, test := range []struct {
		clarity, scope int
		want           string
	}{
		{4, 2, "Passed\nThe weighted mean of all scores is 3.5, at least 3.5 as required."},
		{4, 1, "Failed\nThe weighted mean of all scores is 3.25, and 3.5 is required.\nThe weighted mean of all scores must reach 3.5, got 3.25."},
	} {
		b.choose(0, test.clarity)
		b.choose(1, test.scope)
		b.enter("hit-0", "no")
		b.eventually("bench-verdict", test.want)
	}
	b.silent()
}

func TestTheWorkbenchFindsWhatThePatternsFind(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rubrics/story_v1/index.html")
	const refused = `Not searched: \p{Greek}. Reason:`
	for _, test := range []struct {
		text   string
		want   string
		marked []string
		hit    bool // whether filler is hit
	}{
		{text: "A clerk archives it.", want: "No other pattern matches.", marked: []string{}},
		{text: "Tables, ETC and so on", want: "2 matches of 1 negative criterion, marked below.", marked: []string{"ETC", "and so on"}, hit: true},
		{text: "a\u0308 TODO", want: "1 match of 1 negative criterion, marked below.", marked: []string{"TODO"}},
		{text: "😀 etc <b>x</b>\r\nTODO", want: "2 matches of 2 negative criteria, marked below.", marked: []string{"etc", "TODO"}, hit: true},
	} {
		b.enter("bench-text", test.text)
		b.eventually("bench-found", test.want)
		if got := value[string](b, "document.querySelector('.hits').innerText"); !strings.Contains(got, refused) {
			t.Errorf("%q: got %q", test.text, got)
		}
		marked := value[[]string](b, "Array.from(document.querySelectorAll('#bench-shown mark'), (each) => each.textContent)")
		if diff := cmp.Diff(test.marked, marked); diff != "" {
			t.Errorf("%q: marked (-want +got):\n%s", test.text, diff)
		}
		if hit := value[bool](b, "document.getElementById('hit-0').checked"); hit != test.hit {
			t.Errorf("%q: filler is hit: %v", test.text, hit)
		}
		if !value[bool](b, "document.getElementById('hit-0').disabled && !document.getElementById('hit-1').disabled === !document.getElementById('bench-shown').textContent.includes('TODO')") {
			t.Errorf("%q: what was not searched can't be ticked, or what was searched can", test.text)
		}
	}
	b.enter("bench-text", "")
	b.eventually("bench-found", "")
	b.silent()
}

// TestASearchThatTakesForeverIsStopped: a pattern that backtracks is stopped, and the others
// are still searched for.
func TestASearchThatTakesForeverIsStopped(t *testing.T) {
	story := strings.Replace(text(t, "story_1.yaml"), `'\betc\b'`, `'(?:a|a)+b', 'etc'`, 1)
	b := browse(t, folderURL(build(t, bundletest.Library{Documents: []string{story}})))
	b.visit("rubrics/story_v1/index.html")
	b.enter("bench-text", strings.Repeat("a", 200)+" etc")
	b.eventually("bench-found", "1 match of 1 negative criterion, marked below.")
	if got := value[string](b, "document.querySelector('.hits').innerText"); !strings.Contains(got, "Not searched: (?:a|a)+b. It was stopped, because it takes too long on this text.") {
		t.Errorf("got %q", got)
	}
	b.eventually("bench-verdict", "Failed\nIt fails whatever the rest is:\nThe negative criterion filler matches once.\nStill missing: clarity, scope.")
	b.enter("bench-text", strings.Repeat("a", 200)+" TODO")
	b.run(`new Promise((resolve) => { const wait = () => document.getElementById("bench-searching").hidden ? setTimeout(wait, 5) : resolve(); wait(); })`)
	b.run("document.getElementById('bench-stop').click()")
	b.eventually("bench-found", "1 match of 1 negative criterion, marked below.")
	b.silent()
}

// TestAPatternThatWasNotSearchedIsADoubt: the work can still fail, until the visitor says
// that it matches.
func TestAPatternThatWasNotSearchedIsADoubt(t *testing.T) {
	story := strings.Replace(text(t, "story_1.yaml"), "effect: report", "effect: fail", 1)
	b := browse(t, folderURL(build(t, bundletest.Library{Documents: []string{story}})))
	b.visit("rubrics/story_v1/index.html")
	b.choose(0, 4)
	b.choose(1, 4)
	b.eventually("bench-verdict", "Passed\nThe mean of all scores is 4, at least 3.5 as required.")
	b.enter("bench-text", "alpha")
	b.eventually("bench-verdict", "Passed, unless letters matches\nThe mean of all scores is 4, at least 3.5 as required.")
	b.enter("hit-1", "yes")
	b.eventually("bench-verdict", "Failed\nThe mean of all scores is 4, at least 3.5 as required.\nThe negative criterion letters matches.")
	b.silent()
}

func TestTheVerdictOnARuleSetSaysWhy(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	b.visit("rulesets/api_v1/index.html")
	pick := func(row int, result string) { // row 0 is the phase
		choices := map[string]int{"A": 0, "B": 1, "pass": 0, "fail": 1, "skipped": 2}
		b.run(fmt.Sprintf("{ const each = document.querySelectorAll('#bench-steps .choices')[%d].children[%d]; if (each.getAttribute('aria-pressed') !== 'true') each.click(); }", row, choices[result]))
	}
	for _, test := range []struct {
		phase   string
		results [4]string
		reason  string // of the first, if it is skipped
		want    string
	}{
		{"A", [4]string{"", "", "", ""}, "", "No verdict yet\nChoose a result for each rule."},
		{"A", [4]string{"pass", "", "", ""}, "", "No verdict yet\nStill missing: a.style.names, a.style.notes."},
		{"A", [4]string{"pass", "pass", "fail", ""}, "", "Passed\nThe score is 1 (3 of 3 by weight), and 0.7 is required."},
		{"A", [4]string{"pass", "fail", "fail", ""}, "", "Failed\nThe score is 0.67 (2 of 3 by weight), and 0.7 is required.\nThe score must reach 0.7, got 0.67."},
		{"A", [4]string{"skipped", "pass", "pass", ""}, " ", "No verdict yet\nStill missing: a.correctness.endpoints."},
		{"A", [4]string{"skipped", "pass", "pass", ""}, "no text", "Failed\nThe score is 0.33 (1 of 3 by weight), and 0.7 is required.\nThe rule a.correctness.endpoints must pass but was skipped: no text\nThe score must reach 0.7, got 0.33."},
		{"B", [4]string{"pass", "pass", "pass", ""}, "", "No verdict yet\nStill missing: b.security.login."},
		{"B", [4]string{"pass", "fail", "pass", "pass"}, "", "Passed\nThe score is 0.83 (5 of 6 by weight), and 0.7 is required."},
	} {
		pick(0, test.phase)
		for i, result := range test.results {
			if result != "" {
				pick(i+1, result)
			}
		}
		b.enter("reason-0", test.reason)
		b.eventually("bench-verdict", test.want)
	}
	b.silent()
}

// TestAScoreIsNotRoundedUpToItsMinimum: two of three rules pass, where 0.67 is required.
func TestAScoreIsNotRoundedUpToItsMinimum(t *testing.T) {
	api := strings.Replace(text(t, "api_1.yaml"), "pass_threshold: 0.7", "pass_threshold: 0.67", 1)
	b := browse(t, folderURL(build(t, bundletest.Library{Documents: []string{api}})))
	b.visit("rulesets/api_v1/index.html")
	b.run(`[0, 1, 1].forEach((result, i) => document.querySelectorAll("#bench-steps .choices")[i + 1].children[result].click())`)
	b.eventually("bench-verdict", "Failed\nThe score is 0.667 (2 of 3 by weight), and 0.67 is required.\nThe score must reach 0.67, got 0.667.")
	b.silent()
}

// TestChecksOfARuleDecide compares the checks in the browser with those of `rubric rules
// evaluate`.
func TestChecksOfARuleDecide(t *testing.T) {
	checks := []string{
		"pattern: '^GET /$', multiline: true", "pattern: '^GET'", "pattern: 's', ignore_case: true, expect: absent", "pattern: '$', multiline: true, min_count: 3, max_count: 3",
		"literal: 'Ab.', ignore_case: true, min_count: 2", "literal: 'aa', max_count: 1", "literal: 'aa', min_count: 0, max_count: 2", `literal: "e\u0301"`, "pattern: 'x*', min_count: 3",
	}
	document := "ruleset_id: api_v1\nname: API\nversion: '0.1.0'\nartifact_type: api_design\nscoring: {pass_threshold: 0.7}\nrules:\n"
	for i, check := range checks {
		document += fmt.Sprintf("  - {id: a.style.rule%d, description: A rule., severity: warn, check: Look., checks: [{type: content, %s}]}\n", i, check)
	}
	dir := build(t, bundletest.Library{Documents: []string{document}})
	s := decode[ruleset.RuleSet](t, files(t, dir)["rulesets/api_v1/0.1.0.json"])
	b := browse(t, folderURL(dir))
	b.visit("rulesets/api_v1/index.html")
	for _, text := range []string{"a\nGET /\nb", "a\u2028GET /", "\u017f", "S s", "aB.AB.", "aaaa", "\u00e9", "axb"} {
		name := filepath.Join(t.TempDir(), "text")
		write(t, name, text)
		artifact := must.Get(evaluate.ReadArtifact(name))(t)
		b.enter("bench-text", text)
		b.judged()
		got := value[[]string](b, `Array.from(document.querySelectorAll("#bench-steps .step:not(:first-child)"), (each) => each.querySelector("[aria-pressed=true]").innerText.trim() + " " + each.querySelector(".note").innerText.trim())`)
		for i, rule := range s.Rules {
			want := must.Get(evaluate.Check(t.Context(), rule.Checks[0], artifact, evaluate.Options{}))(t)
			if line := fmt.Sprintf("%s Check 1: %s", want.Verdict, strings.Replace(want.Reason, "no matches", "no match", 1)); strings.Replace(got[i], "0 to 2", "at most 2", 1) != line {
				t.Errorf("%s on %q: got %q, want %q", checks[i], text, got[i], line)
			}
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
	for _, width := range []int64{320, 768, 1440} {
		b.resize(width)
		for _, page := range pages(files(t, dir)) {
			b.visit(page)
			b.fill(page)
			if got := value[int64](b, "document.documentElement.scrollWidth"); got > width {
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
	axe := must.Get(os.ReadFile(name))(t)
	b := browse(t, folderURL(build(t, small(t), withRuns, func(o *Options) { o.BaseURL = "https://example.org/" }))) // with commands
	for _, page := range []string{
		"index.html", "types/index.html", "types/jira_tickets/index.html", "rubrics/story_v1/index.html", "rubrics/story_v1/1.0.0.html",
		"rubrics/story_v1/1.0.0...2.0.0.html", "rubrics/gone_v1/index.html", "rulesets/api_v1/index.html",
		usePage, readingPage, governancePage, decisionsPage, releasesPage, "releases/1.0.0.html",
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{320, 768, 1440} {
				b.media("screen", scheme)
				b.resize(width)
				b.visit(page)
				b.fill(page)
				b.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
				b.run(string(axe))
				found := value[struct {
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
	for page, id := range map[string]string{"index.html": "found-count", "rubrics/story_v1/index.html": "bench-verdict", "rulesets/api_v1/index.html": "bench-verdict"} {
		b.visit(page)
		watched := fmt.Sprintf(`(() => {
			const place = document.getElementById(%q);
			return place.matches("p[role=status], div[role=status]") && place.closest("[hidden]") === null;
		})()`, id)
		if !value[bool](b, watched) {
			t.Errorf("%s: %s is not watched", page, id)
		}
	}
	b.visit("rubrics/story_v1/index.html")
	if unnamed := value[int](b, "Array.from(document.querySelectorAll('#bench-steps fieldset')).filter((each) => !document.getElementById(each.getAttribute('aria-describedby'))).length"); unnamed != 0 {
		t.Errorf("%d criteria do not lead to what their scores reach", unnamed)
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
	got := value[[]string](b, fmt.Sprintf(rows, "#found-list > li"))
	b.filter()
	var want []string
	for _, row := range value[[]string](b, fmt.Sprintf(rows, "#all .documents > li")) {
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

// TestPagesAreReadableWithoutScripts: a row opens, the address of the latest version leads to
// its page, and nothing is offered that needs a script.
func TestPagesAreReadableWithoutScripts(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t))))
	if _, err := chromedp.Call(b.Context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	const shown = "Array.from(document.querySelectorAll('.search, .workbench, .open-all, .copy, .scripted, .valid-then')).filter((each) => each.checkVisibility()).length"
	for _, page := range []string{"index.html", "rubrics/story_v1/2.0.0.html", "rulesets/api_v1/index.html"} {
		b.visit(page)
		there := false
		for range 200 { // it fails while the address of the version leads on
			if found, err := chromedp.Run(b.Context, chromedp.Evaluate[bool](`document.querySelector("header") !== null && document.readyState === "complete"`)); err == nil && found {
				there = true
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if !there {
			t.Errorf("%s leads nowhere", page)
		}
		if n := value[int](b, shown); n > 0 {
			t.Errorf("%s offers %d things that need a script", page, n)
		}
	}
	b.visit("rubrics/story_v1/index.html")
	b.run("document.querySelector('#clarity > summary').click()")
	if got := b.shows("clarity"); !strings.Contains(got, "Two parts are named.") {
		t.Errorf("the row has %q", got)
	}
	b.silent()
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
		l.Documents = append(l.Documents, strings.Replace(l.Documents[0], "story_v1", "tale_v1", 1)) // so that the type has a page
		dir := build(t, l)
		b := browse(t, folderURL(dir))
		for _, page := range []string{
			"index.html", "types/jira_tickets/index.html", "rubrics/story_v1/index.html", "rubrics/story_v1/1.0.0...2.0.0.html", "rulesets/api_v1/index.html",
		} {
			b.visit(page)
			if page == "index.html" {
				b.enter("words", "v1")
				b.searched()
			} else if strings.HasSuffix(page, "_v1/index.html") {
				b.enter("bench-text", evil+" and so on\nGET /")
				b.judged()
			}
			if got := value[string](b, "String(window.evil) + document.querySelectorAll('evil, img, [onload], [onerror], a[href^=javascript]').length"); got != "undefined0" {
				t.Errorf("%s: %q acts: %s", page, evil, got)
			}
		}
		b.silent()
	}
}
