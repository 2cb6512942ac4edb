package site

import (
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
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
