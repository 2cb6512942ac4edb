package site

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

const forgeFile = `{"schema_version": 1, "registry": "ghcr.io/acme/rubrics",
	"releases": [{"version": "1.0.0", "time": "2026-03-01T10:00:00+01:00", "digest": "sha256:aa", "commit": "c1", "page": "https://forge.example/1", "attestation": "javascript:alert(1)"},
		{"version": "1.1.0", "time": "2026-03-15T12:00:00Z"}],
	"changes": [{"commit": "c1", "pull_request": "https://forge.example/7", "approved_by": ["ann", "bob"]}]}`

// TestAVersionIsValidFromItsRelease until the release with a later version. A version that was
// never the latest of a release was never valid, and a time that is not recorded is that of
// the commit.
func TestAVersionIsValidFromItsRelease(t *testing.T) {
	b := &builder{options: Options{Forge: must.Get(ReadForge([]byte(forgeFile)))(t), Reviewers: func(commit string) []string {
		return map[string][]string{"c2": {"Cy"}}[commit]
	}}}
	day := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	versions := []version{
		{origin: origin{Version: "1.0.0", Release: "1.0.0", Commit: "c1"}, moments: moments{Committed: day}},
		{origin: origin{Version: "1.0.1", Release: "1.1.0", Commit: "c2"}, moments: moments{Committed: day.AddDate(0, 0, 1)}},
		{origin: origin{Version: "1.0.2", Release: "1.1.0", Commit: "c3"}, moments: moments{Committed: day.AddDate(0, 0, 2)}},
		{origin: origin{Version: "1.1.0", Release: "2.0.0", Commit: "c4"}, moments: moments{Committed: day.AddDate(0, 4, 0)}},
	}
	b.date(lineOf(versions), versions)
	var got []string
	for i := range versions {
		v := &versions[i]
		got = append(got, v.Version+" "+v.Interval()+", by "+v.By+", "+v.Approval())
	}
	want := []string{
		"1.0.0 valid 1 March to 15 March 2026, by release, approved by ann, bob",
		"1.0.1 never valid: its release has a later version, or yanks it, by release, named in the commit: Cy, not verified",
		"1.0.2 valid 15 March to 1 June 2026, by release, not recorded",
		"1.1.0 valid since 1 June 2026, by commit, not recorded",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// lineOf is the document with some versions, the last of which is the latest that is not yanked.
func lineOf(versions []version) *library.Entry {
	line := &library.Entry{ID: "story_v1"}
	for _, v := range versions {
		line.Versions = append(line.Versions, v.origin)
		if v.Yanked == "" || line.Latest == "" {
			line.Latest = v.Version
		}
	}
	return line
}

// TestWhatEndsAVersion: a yank and a retirement end a version as a later one does, and after a
// yank, constraints select the version before it again.
func TestWhatEndsAVersion(t *testing.T) {
	day := func(month, day int) time.Time { return time.Date(2026, time.Month(month), day, 12, 0, 0, 0, time.UTC) }
	valid := func(number string, when time.Time) version {
		return version{origin: origin{Version: number}, moments: moments{Committed: when}}
	}
	yanked := func(number string, when time.Time) version {
		return version{origin: origin{Version: number, Yanked: "It is bad."}, moments: moments{Committed: when}}
	}
	for _, test := range []struct {
		reason   string
		versions []version
		ended    map[string]time.Time // by version; "" is the document
		retired  bool
		want     []string
	}{
		{
			reason:   "the version before it is valid again, until a later one comes",
			versions: []version{valid("1.0.0", day(1, 1)), yanked("1.1.0", day(2, 1)), valid("1.1.1", day(4, 1))},
			ended:    map[string]time.Time{"1.1.0": day(3, 1)},
			want:     []string{"valid 1 January to 1 February 2026, and 1 March to 1 April 2026", "valid 1 February to 1 March 2026", "valid since 1 April 2026"},
		}, {
			reason:   "a yank of what is no longer the latest changes nothing",
			versions: []version{yanked("1.0.0", day(1, 1)), valid("1.1.0", day(2, 1))},
			ended:    map[string]time.Time{"1.0.0": day(3, 1)},
			want:     []string{"valid 1 January to 1 February 2026", "valid since 1 February 2026"},
		}, {
			reason:   "two yanks at once, and one by one",
			versions: []version{valid("1.0.0", day(1, 1)), yanked("1.1.0", day(2, 1)), yanked("1.2.0", day(3, 1)), yanked("1.3.0", day(4, 1))},
			ended:    map[string]time.Time{"1.1.0": day(6, 1), "1.2.0": day(5, 1), "1.3.0": day(5, 1)},
			want:     []string{"valid 1 January to 1 February 2026, and since 1 June 2026", "valid 1 February to 1 March 2026, and 1 May to 1 June 2026", "valid 1 March to 1 April 2026", "valid 1 April to 1 May 2026"},
		}, {
			reason:   "a yank before the release",
			versions: []version{valid("1.0.0", day(1, 1)), yanked("1.1.0", day(2, 1))},
			ended:    map[string]time.Time{"1.1.0": day(2, 1)},
			want:     []string{"valid since 1 January 2026", "never valid: its release has a later version, or yanks it"},
		}, {
			reason:   "the time of the yank is not recorded",
			versions: []version{valid("1.0.0", day(1, 1)), yanked("1.1.0", day(2, 1))},
			want:     []string{"valid 1 January to 1 February 2026, and now again", "valid from 1 February 2026 to a day that is not recorded"},
		}, {
			reason:   "a retirement",
			versions: []version{valid("1.0.0", day(1, 1)), valid("1.1.0", day(2, 1))},
			ended:    map[string]time.Time{"": day(3, 1)}, retired: true,
			want: []string{"valid 1 January to 1 February 2026", "valid 1 February to 1 March 2026"},
		}, {
			reason:   "the time of the retirement is not recorded",
			versions: []version{valid("1.0.0", day(1, 1))}, retired: true,
			want: []string{"valid from 1 January 2026 to a day that is not recorded"},
		}, {
			reason:   "no time is recorded",
			versions: []version{valid("1.0.0", time.Time{}), yanked("1.1.0", time.Time{})},
			want:     []string{"", ""},
		},
	} {
		b := &builder{options: Options{Forge: &Forge{}, Ended: func(_, version string) (string, time.Time) { return "", test.ended[version] }}}
		line := lineOf(test.versions)
		if test.retired {
			line.Retired = &library.Retirement{Reason: "Nobody used it."}
		}
		b.date(line, test.versions)
		var got []string
		for i := range test.versions {
			got = append(got, test.versions[i].Interval())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.reason, diff)
		}
	}
}

// TestReleasesAreListed with what the forge says, in UTC. None of its addresses acts.
func TestReleasesAreListed(t *testing.T) {
	page := files(t, build(t, small(t), func(o *Options) { o.Forge = must.Get(ReadForge([]byte(forgeFile)))(t) }))[releasesPage]
	first, second := strings.Index(page, `id="library-1.1.0"`), strings.Index(page, `id="library-1.0.0"`)
	if first < 0 || second < first || strings.Contains(page, "javascript:") || !strings.Contains(page, `<a href="https://forge.example/1" rel="noreferrer">release page</a>`) ||
		!strings.Contains(page, `<bdi>2026-03-01 09:00:00</bdi>`) {
		t.Errorf("the page has\n%s", page)
	}
}

func TestOtherFilesAreNoApprovals(t *testing.T) {
	for _, text := range []string{"", "[]", "{}", `{"schema_version": 2}`, `{"schema_version": 1, "registry": "a b; rm"}`, `{"schema_version": 1, "releases": [{"time": "soon"}]}`} {
		if _, err := ReadForge([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// TestOnlyLinesOfTheirOwnNameReviewers in the message of a commit.
func TestOnlyLinesOfTheirOwnNameReviewers(t *testing.T) {
	got := Reviewers("Fix it\n\nNot Reviewed-by: Eve\nReviewed-by: Ann Lee <ann@example.org>\nreviewed-by:  Bob\nReviewed-by: <only@example.org>\n")
	if diff := cmp.Diff([]string{"Ann Lee", "Bob"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
