package site

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// digestOf returns the digest of a version from index.json.
func digestOf(t *testing.T, made map[string]string, id, version string) string {
	t.Helper()
	for _, d := range decode[indexData](t, made[indexDataName]).Documents {
		for _, v := range d.Versions {
			if d.ID == id && v.Version == version {
				return v.Digest
			}
		}
	}
	t.Fatalf("index.json has no %s %s", id, version)
	return ""
}

// TestAVersionHasTwoDates, which are labeled and the same wherever they are.
func TestAVersionHasTwoDates(t *testing.T) {
	l := bundletest.Library{
		Documents: []string{text(t, "story_1.yaml"), text(t, "story_2.yaml")},
		Times:     map[string]string{"story_v1 1.0.0": "2026-09-01T09:00:00Z", "story_v1 2.0.0": "2026-11-01T09:00:00Z"},
		Releases:  map[string]string{"story_v1 1.0.0": "1.0.0", "story_v1 2.0.0": "1.1.0"},
	}
	made := files(t, build(t, l, func(o *Options) {
		o.Forge = &Forge{Releases: []ForgeRelease{{Version: "1.1.0", Time: time.Date(2026, 11, 25, 10, 0, 0, 0, time.UTC)}}}
	}))
	const first, second = "committed 2026-09-01, release not recorded", "committed 2026-11-01, released 2026-11-25"
	for name, wants := range map[string][]string{
		"index.html":                          {"<li>" + second + "</li>", `<p class="note">` + second + "</p>"},
		feedName:                              {" · " + second + " · ", "<updated>2026-11-25T10:00:00Z</updated>"},
		"rubrics/story_v1/index.html":         {first, second, "<dt>Committed</dt><dd>2026-11-01</dd>", "<dt>Released</dt><dd>2026-11-25 (library 1.1.0)</dd>"},
		"rubrics/story_v1/1.0.0.html":         {"<dt>Committed</dt><dd>2026-09-01</dd>", "<dt>Released</dt><dd>release not recorded (library 1.0.0)</dd>"},
		"rubrics/story_v1/1.0.0...2.0.0.html": {"1.0.0</a>, " + first, "2.0.0</a>, " + second},
		indexDataName:                         {`"committed":"2026-11-01T09:00:00Z","released":"2026-11-25T10:00:00Z"`, `"committed":"2026-09-01T09:00:00Z"`},
	} {
		for _, want := range wants {
			if !strings.Contains(made[name], want) {
				t.Errorf("%s does not have %s", name, want)
			}
		}
	}
	for name, content := range made {
		if name != bundleName && (strings.Contains(content, "updated 2026") || strings.Contains(content, `"time":`)) {
			t.Errorf("%s has a date without its label", name)
		}
	}
}

// TestTheKnowledgeOfASiteEnds with the later of the commit and the release of its bundle.
func TestTheKnowledgeOfASiteEnds(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		reason              string
		committed, released time.Time
		want                string
	}{
		{"the commit is the later one", day(12), day(11), "2026-03-12"},
		{"the release is the later one", day(12), day(14), "2026-03-14"},
		{"only the release is recorded", time.Time{}, day(14), "2026-03-14"},
		{"neither is recorded, so the newest version counts", time.Time{}, time.Time{}, "2026-03-10"},
		{"an impossible commit", time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}, "2026-03-10"},
	} {
		made := files(t, build(t, dated(t, map[string]time.Time{"story_v1 2.0.0": day(10)}), func(o *Options) {
			o.Committed, o.Forge = test.committed, &Forge{Releases: []ForgeRelease{{Version: "1.0.0", Time: test.released}}}
		}))
		for _, want := range []string{`max="` + test.want + `"`, "still valid on " + test.want} {
			if !strings.Contains(made["rubrics/story_v1/index.html"], want) {
				t.Errorf("%s: the page does not have %s", test.reason, want)
			}
		}
	}
}

// TestAWithdrawnVersionHasAPage at the address that it always had, which says so and when. The
// page has no text of the version, and there is no file with it.
func TestAWithdrawnVersionHasAPage(t *testing.T) {
	l := small(t)
	l.Tombstones = append(l.Tombstones,
		bundlefile.Omission{ID: "older_v1", Version: "1.0.0", Reason: "It named <b>Jane</b>."},
		bundlefile.Omission{ID: "gone_v1", Version: "0.9.0", Reason: "It named Jane."})
	slices.SortFunc(l.Tombstones, func(x, y bundlefile.Omission) int { return strings.Compare(x.ID, y.ID) })
	made := files(t, build(t, l, func(o *Options) {
		o.Ended = func(id, version string) (string, time.Time) {
			if id+" "+version == "story_v1 1.5.0" {
				return "1.0.0", time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
			}
			return "", time.Time{}
		}
	}))
	for name, wants := range map[string][]string{
		"rubrics/story_v1/1.5.0.html": {
			"Version 1.5.0 is withdrawn, so its text is no longer published: An example named a customer.",
			"<dt>Withdrawn</dt><dd>2026-03-20 (library 1.0.0)</dd>", `References without an exact version get <a href="../../rubrics/story_v1/index.html">2.0.0</a>`,
		},
		"rubrics/older_v1/1.0.0.html": {"It named &lt;b&gt;Jane&lt;/b&gt;.", "<dt>Withdrawn</dt><dd>date not recorded</dd>", "The document is retired. It was a try."},
		"rubrics/gone_v1/0.9.0.html":  {`Nobody used it. Use <a href="../../rubrics/story_v1/index.html"><bdi>Story quality</bdi></a> instead.`},
		decisionsPage:                 {`<a href="rubrics/older_v1/1.0.0.html">`},
		indexDataName:                 {`"withdrawn":[{"id":"story_v1","version":"1.5.0","reason":"An example named a customer.","release":"1.0.0","withdrawn":"2026-03-20T12:00:00Z","page":"rubrics/story_v1/1.5.0.html"}]`},
	} {
		for _, want := range wants {
			if !strings.Contains(made[name], want) {
				t.Errorf("%s does not have %s, but\n%s", name, want, made[name])
			}
		}
	}
	for name := range made {
		if strings.Contains(name, "story_v1/1.5.0") && name != "rubrics/story_v1/1.5.0.html" {
			t.Errorf("there is %s", name)
		}
	}
}
