package site

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/report"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

func TestTheSameLibraryIsTheSameSite(t *testing.T) {
	want := files(t, build(t, small(t)))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if diff := cmp.Diff(want, files(t, build(t, small(t)))); diff != "" {
		t.Errorf("one processor gives another site (-want +got):\n%s", diff)
	}
}

var (
	linkPattern = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	idPattern   = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinksResolve checks that each link of each page leads to a file of the site and to an
// existing fragment.
func TestLinksResolve(t *testing.T) {
	made := files(t, build(t, small(t)))
	ids := map[string]map[string]bool{}
	for name, content := range made {
		ids[name] = map[string]bool{}
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, match := range idPattern.FindAllStringSubmatch(content, -1) {
			if ids[name][match[1]] {
				t.Errorf("%s has the ID %s twice", name, match[1])
			}
			ids[name][match[1]] = true
		}
	}
	links := 0
	for name, content := range made {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, match := range linkPattern.FindAllStringSubmatch(content, -1) {
			if strings.HasPrefix(match[1], "https://labels.example.org/") {
				continue
			}
			links++
			target, fragment, _ := strings.Cut(match[1], "#")
			if target == "" {
				target = path.Base(name)
			}
			target = path.Join(path.Dir(name), target)
			if _, there := made[target]; !there || fragment != "" && !ids[target][fragment] {
				t.Errorf("%s links to %s, which is not there", name, match[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("found %d links only", links)
	}
}

func TestIndexDataLeadsToEveryVersion(t *testing.T) {
	made := files(t, build(t, small(t)))
	index := decode[indexData](t, made[indexDataName])
	if index.Digest == "" || index.Bundle != bundleName || made[bundleName] == "" {
		t.Errorf("the bundle is not offered: %+v", index)
	}
	want := counts{Documents: 4, Versions: 5, Criteria: 6, Rules: 4, Calibrated: 1, Kinds: map[string]int{"rubric": 3, "rule_set": 1}, Statuses: map[string]int{active: 1, draft: 1, deprecated: 1, retired: 1}}
	if diff := cmp.Diff(want, index.Counts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, d := range index.Documents {
		if made[d.Page] == "" {
			t.Errorf("%s has no page", d.ID)
		}
		for _, v := range d.Versions {
			if got := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(made[v.Path]))); got != v.Digest {
				t.Errorf("%s has the digest %s, and index.json says %s", v.Path, got, v.Digest)
			}
		}
	}
}

func TestPagesSayWhatBecameOfADocument(t *testing.T) {
	made := files(t, build(t, small(t)))
	for _, test := range []struct{ page, want string }{
		{"rubrics/gone_v1/index.html", `This document is retired and no longer in the library. Nobody used it. Use <a href="../../rubrics/story_v1/index.html">story_v1</a> instead.`},
		{"rubrics/tale_v1/index.html", `This document is deprecated. Do not start using it. There is a better one. Use <a href="../../rubrics/story_v1/index.html">story_v1</a> instead.`},
		{"rubrics/story_v1/1.0.0.html", `This is version 1.0.0. The latest is <a href="index.html">2.0.0</a>: <a href="1.0.0...2.0.0.html">see what changed since</a>.`},
		{"rubrics/story_v1/index.html", `<a href="1.5.0.html">1.5.0</a> is withdrawn: An example named a customer.`},
		{"index.html", `<code>older_v1</code>: It was a try.`},
	} {
		if !strings.Contains(made[test.page], test.want) {
			t.Errorf("%s does not say %s", test.page, test.want)
		}
	}
}

// feed is an Atom feed as parsed by a feed reader.
type feed struct {
	ID      string    `xml:"http://www.w3.org/2005/Atom id"`
	Updated time.Time `xml:"updated"`
	Entries []struct {
		ID      string    `xml:"id"`
		Title   string    `xml:"title"`
		Updated time.Time `xml:"updated"`
		Link    []struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"entry"`
}

func TestFeedsTellOfNewVersions(t *testing.T) {
	when := map[string]time.Time{
		"story_v1 1.0.0": time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		"story_v1 2.0.0": time.Date(2026, 2, 2, 3, 4, 5, 0, time.FixedZone("", 3600)),
	}
	made := files(t, build(t, dated(t, when), func(o *Options) { o.BaseURL = "https://example.org/rubrics" }))
	for name := range made {
		if path.Base(name) == feedName && name != feedName {
			t.Errorf("%s is a feed of its own", name)
		}
	}
	var f feed
	must.Do(t, xml.Unmarshal([]byte(made[feedName]), &f))
	if !strings.HasPrefix(f.ID, "urn:uuid:") {
		t.Errorf("the feed has the ID %q", f.ID)
	}
	for _, e := range f.Entries {
		for _, link := range e.Link {
			u, err := url.Parse(link.Href)
			if err != nil || made[strings.TrimPrefix(u.Path, "/rubrics/")] == "" || u.Host != "example.org" {
				t.Errorf("the feed links to %s, which is not there", link.Href)
			}
		}
	}
	if len(f.Entries) != 4 || f.Entries[0].Title != "Story quality 2.0.0" || !f.Updated.Equal(when["story_v1 2.0.0"]) {
		t.Errorf("the newest is not the first: %+v", f)
	}
}

// dated is the small library with the times of versions by ID and version.
func dated(t *testing.T, when map[string]time.Time) bundletest.Library {
	l := small(t)
	l.Times = map[string]string{}
	for version, at := range when {
		l.Times[version] = at.UTC().Format(bundlefile.TimeFormat)
	}
	return l
}

func TestAFeedWithoutTimesHasAFixedDate(t *testing.T) {
	if made := files(t, build(t, small(t))); !strings.Contains(made[feedName], "<updated>1980-01-01T00:00:00Z</updated>") || strings.Contains(made["index.html"], "1980") {
		t.Errorf("the feed has\n%s", made[feedName])
	}
}

func TestAnEntryOfAFeedNamesTheContent(t *testing.T) {
	id := func(l bundletest.Library, base string) string {
		var f feed
		must.Do(t, xml.Unmarshal([]byte(files(t, build(t, l, func(o *Options) { o.BaseURL = base }))[feedName]), &f))
		return f.Entries[0].ID
	}
	one := bundletest.Library{Documents: []string{text(t, "story_1.yaml")}}
	more := bundletest.Library{Documents: []string{text(t, "story_1.yaml"), strings.Replace(text(t, "story_1.yaml"), "story_v1", "tale_v1", 1)}}
	other := bundletest.Library{Documents: []string{strings.Replace(text(t, "story_1.yaml"), "one user story", "a user story", 1)}}
	first := id(one, "")
	if got := id(more, "https://example.org/"); got != first {
		t.Error("the same version has another ID in another site: a reader would show it again")
	}
	if got := id(other, ""); got == first {
		t.Error("another content has the same ID")
	}
}

func TestTheFeedSeparatesFacts(t *testing.T) {
	made := files(t, build(t, small(t)))
	const want = "No judge is listed. · last change: first version"
	if !strings.Contains(made[feedName], want) {
		t.Errorf("%q is missing in\n%s", want, made[feedName])
	}
}

// TestVersionsAreCompared: all with all, and of more than eight the neighbors, and the latest with
// each.
func TestVersionsAreCompared(t *testing.T) {
	for _, versions := range []int{2, 8, 9, 12} {
		var l bundletest.Library
		for i := range versions {
			l.Documents = append(l.Documents, strings.NewReplacer(`"1.0.0"`, fmt.Sprintf(`"1.%d.0"`, i), "No part is named.", fmt.Sprintf("No part of %d is named.", i)).Replace(text(t, "story_1.yaml")))
		}
		made := files(t, build(t, l))
		for i := range versions {
			for j := range versions {
				name := fmt.Sprintf("rubrics/story_v1/1.%d.0...1.%d.0.html", i, j)
				want := i < j && (versions <= 8 || j == i+1 || j == versions-1)
				page, ok := made[name]
				if ok != want || ok && !(strings.Contains(page, fmt.Sprintf("<del>%d</del>", i)) && strings.Contains(page, fmt.Sprintf("<ins>%d</ins>", j))) {
					t.Errorf("of %d versions, %s is there: %v, want %v", versions, name, ok, want)
				}
				if link := fmt.Sprintf(`href="1.%d.0...1.%d.0.html"`, i, j); strings.Contains(made["rubrics/story_v1/index.html"], link) != want {
					t.Errorf("of %d versions, the timeline leads to %s: %v, want %v", versions, name, !want, want)
				}
			}
		}
	}
}

// TestAChangeBeyondItsNumberSaysWhy: readers see why the owners accepted it, and no advice
// that is for authors.
func TestAChangeBeyondItsNumberSaysWhy(t *testing.T) {
	l := bundletest.Library{Documents: []string{text(t, "story_1.yaml"), strings.Replace(text(t, "story_2.yaml"), `"2.0.0"`, `"1.1.0"`, 1)}}
	const says = "These changes are major, but the number 1.1.0 says less."
	for reason, accepted := range map[string]func(id, version string) string{
		"": nil,
		"Nobody <b>used</b> it yet.": func(id, version string) string {
			return map[string]string{"story_v1 1.1.0": "Nobody <b>used</b> it yet."}[id+" "+version]
		},
	} {
		made := files(t, build(t, l, func(o *Options) { o.Accepted = accepted }))
		for _, name := range []string{"rubrics/story_v1/1.0.0...1.1.0.html", "rubrics/story_v1/index.html"} {
			want := says
			if reason != "" {
				want += " The owners accepted that: Nobody &lt;b&gt;used&lt;/b&gt; it yet."
			}
			if page := made[name]; !strings.Contains(page, want+"</p>") || strings.Contains(page, "Publish this as") {
				t.Errorf("%s does not say %s:\n%s", name, want, page)
			}
		}
	}
	if page := files(t, build(t, small(t)))["rubrics/story_v1/1.0.0...2.0.0.html"]; strings.Contains(page, "says less") {
		t.Error("a version whose number fits says that it does not")
	}
}

func TestRunsAreDrawnOverTime(t *testing.T) {
	run := report.Past{Criteria: []report.PastCriterion{{Name: "clarity", Spearman: agreement.Value{Number: 0.7}.NoEstimate()}}}
	made := files(t, build(t, small(t), func(o *Options) {
		o.Runs = func(id string) ([]report.Past, error) {
			if id != "story_v1" {
				return nil, nil
			}
			return []report.Past{run}, nil
		}
	}))
	const title = "<h3>Agreement over time</h3>"
	if !strings.Contains(made["rubrics/story_v1/index.html"], title) || strings.Contains(made["rubrics/story_v1/1.0.0.html"], title) || strings.Contains(made["rubrics/tale_v1/index.html"], title) {
		t.Error("the runs are not on the page of the latest version, or on another page")
	}
}

// TestWithoutARunThereIsNoPicture: a rubric whose items no judge has graded has a sentence.
func TestWithoutARunThereIsNoPicture(t *testing.T) {
	page := files(t, build(t, small(t)))["rubrics/tale_v1/index.html"]
	_, section, _ := strings.Cut(page, `<section id="section-evidence"`)
	section, _, _ = strings.Cut(section, "</section>")
	if !strings.Contains(section, "<li>"+bundletest.NoJudges+"</li>") || strings.Contains(section, "<svg") {
		t.Errorf("got %s", section)
	}
}

// TestTextsNameTheirLanguage: a screen reader reads a text in the language of its
// document, and the words of the page in English.
func TestTextsNameTheirLanguage(t *testing.T) {
	story := strings.Replace(text(t, "story_1.yaml"), "artifact_type:", "language: de\nartifact_type:", 1)
	page := files(t, build(t, bundletest.Library{Documents: []string{story}}))["rubrics/story_v1/index.html"]
	for _, want := range []string{
		`<p class="text" lang="de" dir="auto">Grades one user story.`, `<section id="section-read" class="rows" aria-labelledby="criteria-name" lang="de">`,
		`<h1 lang="de" dir="auto">Story quality`, `<p class="text" lang="de" dir="auto">Words that say nothing.`, `<p class="label tested">Matches</p><ul class="tested" lang="de">`, `<p class="label tested">Does not match</p><ul class="tested" lang="de">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

func TestManyDocumentsAreListedByPages(t *testing.T) {
	l := bundletest.Library{}
	for i := range manyDocuments + 1 {
		l.Documents = append(l.Documents, strings.Replace(text(t, "story_1.yaml"), "story_v1", fmt.Sprintf("story%d_v1", i), 1))
	}
	made := files(t, build(t, l))
	listed := 0
	for number := 1; number <= 4; number++ {
		listed += strings.Count(made[pageOfList("types/jira_tickets/index.html", number)], `class="document-name"`)
	}
	if listed != manyDocuments+1 {
		t.Errorf("the pages of the type list %d documents, want %d", listed, manyDocuments+1)
	}
	if strings.Contains(made["index.html"], `class="document-name"`) {
		t.Error("the first page lists the documents themselves")
	}
}

// TestATypeWithOneDocumentHasNoPage: links to the type lead to the document.
func TestATypeWithOneDocumentHasNoPage(t *testing.T) {
	made := files(t, build(t, small(t)))
	if _, alone := made["types/api_design/index.html"]; alone || made["types/jira_tickets/index.html"] == "" {
		t.Error("the type with one document has a page, or that with more has none")
	}
	l := small(t)
	l.Documents, l.Ledger, l.Tombstones = l.Documents[2:3], "", nil // the rule set
	l.Judges, l.Statistics = nil, nil
	if _, list := files(t, build(t, l))["types/index.html"]; list {
		t.Error("there is a list of types that no page links to")
	}
	const crumb = `<a href="../../types/jira_tickets/index.html">jira tickets</a></nav>`
	for name, want := range map[string]string{
		"index.html": `<h3 id="type-api_design"><a href="rulesets/api_v1/index.html">api design</a></h3>`,
		"types/index.html": `<a href="../rulesets/api_v1/index.html">api design</a> <span class="number-of">1 document</span></li>
<li><a href="jira_tickets/index.html">jira tickets</a>`,
		"rulesets/api_v1/index.html":  `<a href="../../index.html">Library</a> › api design</nav>`,
		"rubrics/story_v1/index.html": crumb,
		"rubrics/story_v1/1.0.0.html": crumb,
	} {
		if !strings.Contains(made[name], want) {
			t.Errorf("%s does not have %s", name, want)
		}
	}
}

func TestCheckBaseURL(t *testing.T) {
	for text, right := range map[string]bool{
		"https://example.org/": true, "http://localhost:8000/rubrics": true, "": false, "example.org": false, "javascript:alert(1)": false,
		"file:///tmp/": false, "https://example.org/?x=1": false, "https://example.org/#x": false, "https://ann@example.org/": false, "https://": false,
		"https://example.org/?": false, "https://example.org/#": false, "https://:80/": false, "https://example.org/a b": false, "https://example.org/\u202ea": false,
	} {
		if err := CheckBaseURL(text); (err == nil) != right {
			t.Errorf("%q gives %v", text, err)
		}
	}
}
