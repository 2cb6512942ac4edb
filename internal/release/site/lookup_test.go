package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// results are the addresses of what a search found, and what it says.
func (b *tab) results(query string) (said string, to []string) {
	b.t.Helper()
	b.enter("words", query)
	b.searched()
	return b.shows("found-count"), value[[]string](b, `Array.from(document.querySelectorAll("#found:not([hidden]) #found-list .document-name a"), (each) => each.getAttribute("href"))`)
}

// TestWhatIsPastedIsFound: a reference, a digest, or a commit leads to the very version, and what
// is wrong with it is said.
func TestWhatIsPastedIsFound(t *testing.T) {
	l := dated(t, map[string]time.Time{"story_v1 2.0.0": time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)})
	l.Ledger += "yanked:\n  - {id: story_v1, version: 2.0.0, reason: It passes <b>vague</b> work.}\n"
	l.Statistics = nil
	dir := build(t, l, func(o *Options) {
		o.Forge = &Forge{Releases: []ForgeRelease{{Version: "0.9.0", Digest: "sha256:" + strings.Repeat("5", 64), Commit: strings.Repeat("6", 40)}}}
	})
	opened := must.Get(library.Open(dir + "/" + bundleName))(t)
	defer opened.Close()
	digest := func(id, version string) string {
		for _, v := range must.Get(opened.Entry(id))(t).Versions {
			if v.Version == version {
				return strings.TrimPrefix(v.Digest, "sha256:")
			}
		}
		t.Fatalf("there is no %s@%s", id, version)
		return ""
	}
	story, yanked, old := digest("story_v1", "1.0.0"), digest("story_v1", "2.0.0"), digest("tale_v1", "1.0.0")
	commit := must.Get(opened.Entry("story_v1"))(t).Versions[len(must.Get(opened.Entry("story_v1"))(t).Versions)-1].Commit
	const storyPage, yankedPage, oldPage = "rubrics/story_v1/1.0.0.html", "rubrics/story_v1/2.0.0.html", "rubrics/tale_v1/1.0.0.html"
	b := browse(t, folderURL(dir))
	b.visit("index.html")
	for _, test := range []struct {
		reason, query string
		to            []string
		said          string
	}{
		{"a reference", "story_v1@1.0.0#sha256:" + story, []string{storyPage}, "story_v1@1.0.0 is in this library."},
		{"in quotes and spaces", " “story_v1@1.0.0#sha256:" + story + "” ", []string{storyPage}, "is in this library"},
		{"wrapped by a mail", "story_v1@1.0.0#\nsha256:" + story[:30] + "\n" + story[30:], []string{storyPage}, "is in this library"},
		{"in a line of a log", `rubric="story_v1@1.0.0#sha256:` + story + `", score 3`, []string{storyPage}, "is in this library"},
		{"at the end of a sentence", "It was story_v1@1.0.0.", []string{storyPage}, "is in this library"},
		{"in bold type", "**story_v1@1.0.0**", []string{storyPage}, "is in this library"},
		{"cut off, as a page shows it", "story_v1@1.0.0#sha256:" + story[:12] + "…", []string{storyPage}, "story_v1@1.0.0 is in this library."},
		{"with another digest beside it", "story_v1@1.0.0 sha256:" + yanked, []string{yankedPage}, "story_v1@1.0.0 has another digest"},
		{"with a character that can't be seen", "story_v1@1.0.0\u200b#sha256:" + yanked, []string{yankedPage}, "story_v1@1.0.0 has another digest"},
		{"without the digest", "Story_v1@1.0.0", []string{storyPage}, "is in this library"},
		{"a beginning of the digest", "story_v1@1.0.0#sha256:" + story[:7], []string{storyPage}, "is in this library"},
		{"too short a beginning", "story_v1@1.0.0#sha256:" + story[:6], []string{storyPage}, "At least 7 digits"},
		{"the digest of another version", "story_v1@1.0.0#sha256:" + yanked, []string{yankedPage}, "story_v1@1.0.0 has another digest, sha256:" + story[:12] + "…. The digest in the reference is that of:"},
		{"the digest of none", "story_v1@1.0.0#sha256:" + strings.Repeat("0", 64), []string{storyPage}, "No version has the digest in the reference."},
		{"a digit too many", "story_v1@1.0.0#sha256:" + story + "0", []string{storyPage}, "has another digest"},
		{"not a digest", "story_v1@1.0.0#sha256:xyz", []string{storyPage}, "has another digest"},
		{"a version that does not exist", "story_v1@9.9.9", []string{yankedPage, storyPage}, "story_v1@9.9.9 does not exist."},
		{"a document that does not exist", "strory_v1@1.0.0", nil, "strory_v1@1.0.0 does not exist: no document has the ID strory_v1. The nearest:"},
		{"a yanked version", "story_v1@2.0.0", []string{yankedPage}, "Version 2.0.0 is yanked: It passes <b>vague</b> work."},
		{"a withdrawn version", "story_v1@1.5.0", []string{"rubrics/story_v1/1.5.0.html"}, "story_v1@1.5.0 is withdrawn: An example named a customer."},
		{"a deprecated document", "tale_v1@1.0.0", []string{oldPage}, "The document is deprecated: There is a better one. Use story_v1 instead."},
		{"a retired document", "gone_v1@1.0.0", []string{"rubrics/gone_v1/1.0.0.html"}, "The document is retired: Nobody used it. Use story_v1 instead."},
		{"a retired document without versions", "older_v1@1.0.0", []string{}, "older_v1 is retired, and no version of it is available: It was a try."},
		{"a digest", "sha256:" + story, []string{storyPage}, "1 version with this digest or commit."},
		{"without sha256:, in capitals", strings.ToUpper(story), []string{storyPage}, "1 version"},
		{"seven digits in quotes", "'" + old[:7] + "'", []string{oldPage}, "1 version with this digest or commit. The document is deprecated"},
		{"with spaces", "SHA256: " + story[:20] + " " + story[20:], []string{storyPage}, "1 version"},
		{"a digest in a sentence", "Graded by sha256:" + story + " (see above).", []string{storyPage}, "1 version"},
		{"a digest in angle brackets", "<sha256:" + story + ">", []string{storyPage}, "1 version"},
		{"a digest that is cut off", "sha256:" + story[:12] + "…", []string{storyPage}, "1 version"},
		{"a commit as a page shows it", "commit " + commit[:12], []string{yankedPage, "releases/1.0.0.html"}, "1 version and 1 release"},
		{"six digits", "sha256:" + story[:6], []string{}, "At least 7 digits of a digest are required."},
		{"an unknown digest", "sha256:" + strings.Repeat("0", 64), []string{}, "No version and no release has this digest or commit."},
		{"a commit, also of the release", commit, []string{yankedPage, "releases/1.0.0.html"}, "1 version and 1 release with this digest or commit. Version 2.0.0 is yanked"},
		{"a release", opened.Digest(), []string{"releases/1.0.0.html"}, "1 release"},
		{"an earlier release", strings.Repeat("5", 64), []string{"releases/0.9.0.html"}, "1 release"},
		{"the commit of a release", strings.Repeat("6", 12), []string{"releases/0.9.0.html"}, "1 release"},
	} {
		said, to := b.results(test.query)
		if !strings.Contains(said, test.said) || test.to != nil && !cmp.Equal(to, test.to) {
			t.Errorf("%s: %q leads to %q and says %q, want %q and %q", test.reason, test.query, to, said, test.to, test.said)
		}
	}
	const counts = `Array.from(document.querySelectorAll("#filters .chip"), (each) => each.textContent)`
	b.results("")
	whole := value[[]string](b, counts)
	b.results("goal")
	b.results("story_v1@1.0.0")
	if got := value[[]string](b, counts); !cmp.Equal(got, whole) {
		t.Errorf("beside a reference, the filters count %q, want %q", got, whole)
	}
	if !strings.Contains(files(t, dir)[releasesPage], `id="library-0.9.0"`) {
		t.Error("the release is not where the search leads to")
	}
	b.silent()
}

// TestOwnersAreFound: those of the metadata as words, those of CODEOWNERS by their names, too.
func TestOwnersAreFound(t *testing.T) {
	l := small(t)
	l.Documents[2] = strings.Replace(l.Documents[2], "rules:", "metadata: {owner: \"@acme/search\"}\nrules:", 1)
	for i := range l.Documents {
		l.Documents[i] = strings.Replace(l.Documents[i], "metadata: {owner: Team Library}\n", "", 1)
	}
	l.Statistics = nil
	b := browse(t, folderURL(build(t, l, func(o *Options) {
		o.Owners = func(string) []string { return []string{"@acme/sre", "qa@acme.example"} }
	})))
	b.visit("index.html")
	const story, api = "rubrics/story_v1/index.html", "rulesets/api_v1/index.html"
	for query, want := range map[string][]string{
		"@acme/sre": {api, story}, "@ACME/SRE,": {api, story}, "sre": {api, story}, "qa@acme.example": {api, story}, "@acme/search": {api}, "search": {api},
		"@acme": {api, story}, "@acme/sre goal": {story}, "goal @acme/sre": {story}, "@acme/search goal": nil,
	} {
		if said, to := b.results(query); len(want) > 0 && !cmp.Equal(to, want) || len(want) == 0 && !strings.HasPrefix(said, "Nothing was found") {
			t.Errorf("%q says %q and leads to %q, want %q", query, said, to, want)
		}
	}
	b.results("")
	b.filter("@acme/search")
	if _, to := b.results(""); !cmp.Equal(to, []string{api}) {
		t.Errorf("the filter leads to %q", to)
	}
	b.silent()
}

// TestWhatEndedIsNotReplacedSilently: words that only a document has that is no longer in use find
// it, and others name it.
func TestWhatEndedIsNotReplacedSilently(t *testing.T) {
	l := small(t)
	l.Documents[3] = strings.Replace(l.Documents[3], "Story quality", "Tale manual", 1)
	l.Documents[4] = strings.Replace(l.Documents[4], "Story quality", "Technical document", 1)
	b := browse(t, folderURL(build(t, l)))
	b.visit("index.html")
	for _, test := range []struct{ query, want, ended string }{
		{"Technical document", "No document in use has all the words. 1 document no longer in use:", ""},
		{"story quality technical", "No document has all the words.", ""},
		{"story", "1 of 4 documents", "No longer in use: Technical document (retired: use story_v1), Tale manual (deprecated: use story_v1)"},
		{"older", "", "No longer in use: older_v1 (retired: It was a try.)"},
	} {
		said, _ := b.results(test.query)
		ended := ""
		if value[bool](b, `document.getElementById("found-ended").checkVisibility()`) {
			ended = b.shows("found-ended")
		}
		if !strings.HasPrefix(said, test.want) || !strings.HasPrefix(ended, test.ended) || test.ended == "" && ended != "" {
			t.Errorf("%q says %q and %q", test.query, said, ended)
		}
	}
	if said, to := b.results("technical document"); !cmp.Equal(to, []string{"rubrics/gone_v1/index.html"}) || !strings.Contains(b.shows("found-list"), "The document is retired: Nobody used it. Use story_v1 instead.") {
		t.Errorf("it says %q and leads to %q: %s", said, to, b.shows("found-list"))
	}
	b.silent()
}

// TestFiltersCountWithinTheQuery: a filter says how many results it leaves, and offers every value.
func TestFiltersCountWithinTheQuery(t *testing.T) {
	l := many(t, 2000)
	for i := range l.Documents {
		l.Documents[i] = strings.Replace(l.Documents[i], "Team Library", fmt.Sprintf("team-%d", i%13), 1)
	}
	l.Documents[0] = "language: de\n" + l.Documents[0]
	l.Documents = append(l.Documents, text(t, "api_1.yaml"))
	b := browse(t, folderURL(build(t, l)))
	b.visit("index.html")
	chips := func() map[string]string {
		b.searched()
		return value[map[string]string](b, `Object.fromEntries(Array.from(document.querySelectorAll("#filters .chip"), (each) => [each.dataset.value, each.textContent + (each.disabled ? " off" : "")]))`)
	}
	if got := chips(); got["rubric"] != "rubrics (2000)" || got["rule_set"] != "rule sets (1)" || got["de"] != "de (1)" {
		t.Errorf("without a query, the filters are %q", got)
	}
	b.enter("words", "story1999_v1")
	if got := chips(); got["rubric"] != "rubrics (1)" || got["rule_set"] != "rule sets (0) off" || got["de"] != "de (0) off" {
		t.Errorf("with a query, the filters are %q", got)
	}
	b.enter("words", "")
	b.run(`document.getElementById("filter-type").focus()`)
	b.until(`document.querySelector("#values-type option") && document.querySelector("#values-owner option")`)
	if got := value[[]int](b, `["type", "owner"].map((key) => document.querySelectorAll("#values-" + key + " option").length)`); !cmp.Equal(got, []int{21, 13}) && !cmp.Equal(got, []int{21, 14}) {
		t.Errorf("there are %v types and owners", got)
	}
	b.enter("filter-owner", "TEAM-12")
	b.until(`document.getElementById("found-count").textContent.startsWith("153 of")`)
	if got := b.shows("found-count"); !strings.HasPrefix(got, "153 of 2001 documents") {
		t.Errorf("the owner has %q", got)
	}
	b.enter("words", "api")
	b.searched()
	if got := b.shows("found-count"); !strings.HasPrefix(got, "Nothing was found with these filters. Without them: 1 document") {
		t.Errorf("a query that the filters exclude says %q", got)
	}
	b.enter("filter-owner", "")
	b.until(`!document.getElementById("found-count").textContent.startsWith("Nothing")`)
	if said, to := b.results("stroy1234_v1"); !strings.HasSuffix(said, "The nearest:") || len(to) != 5 || to[0] != "rubrics/story1234_v1/index.html" {
		t.Errorf("without a match it says %q and shows %q", said, to)
	}
	b.silent()
}

// TestAComplianceOfficerFindsTheVersion of a score: a pasted reference opens that very version, a
// digest finds it, and its page says when it was valid and by which digest.
func TestAComplianceOfficerFindsTheVersion(t *testing.T) {
	when := map[string]time.Time{"story_v1 1.0.0": time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC), "story_v1 2.0.0": time.Date(2026, 3, 15, 6, 30, 0, 0, time.UTC)}
	dir := build(t, dated(t, when))
	versions := decode[struct {
		Documents []struct {
			ID       string               `json:"id"`
			Versions []bundlefile.Version `json:"versions"`
		} `json:"documents"`
	}](t, files(t, dir)[indexDataName]).Documents
	digest := ""
	for _, d := range versions {
		if d.ID == "story_v1" {
			digest = d.Versions[0].Digest
		}
	}
	for _, width := range []int64{1280, 390} {
		for _, pasted := range []string{"story_v1@1.0.0#" + digest, `"` + digest[:20] + `"`} {
			v := visitorOf(t, folderURL(dir), width)
			v.results(pasted)
			v.click("#found-list a", "Story quality 1.0.0")
			if at := value[string](v.tab, "location.pathname"); !strings.HasSuffix(at, "/rubrics/story_v1/1.0.0.html") {
				t.Errorf("%s opens %s", pasted, at)
			}
			if on, _ := v.sees(digest); !on {
				t.Errorf("the page at %d does not have the digest", width)
			}
			v.click("main a", "All versions")
			v.enter("valid-date", "2026-03-12")
			if got := v.shows("valid-answer"); !strings.HasPrefix(got, "1.0.0") {
				t.Errorf("on the day, %q was valid", got)
			}
			v.silent()
		}
	}
}
