package site

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
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
		{Version: "1.0.0", Release: "1.0.0", Commit: "c1", When: day},
		{Version: "1.0.1", Release: "1.1.0", Commit: "c2", When: day.AddDate(0, 0, 1)},
		{Version: "1.0.2", Release: "1.1.0", Commit: "c3", When: day.AddDate(0, 0, 2)},
		{Version: "1.1.0", Release: "2.0.0", Commit: "c4", When: day.AddDate(0, 4, 0)},
	}
	b.date(versions)
	var got []string
	for i := range versions {
		v := &versions[i]
		got = append(got, v.Version+" "+v.Interval()+", by "+v.By+", "+v.Approval())
	}
	want := []string{
		"1.0.0 1 March to 15 March 2026, by release, approved by ann, bob",
		"1.0.1 never: a later version came with the same release, by release, Cy (named in the commit, not verified)",
		"1.0.2 15 March to 1 June 2026, by release, not recorded",
		"1.1.0 since 1 June 2026, by commit, not recorded",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestReleasesAreListed with what the forge says, of which no address acts.
func TestReleasesAreListed(t *testing.T) {
	page := files(t, build(t, small(t), func(o *Options) { o.Forge = must.Get(ReadForge([]byte(forgeFile)))(t) }))[releasesPage]
	first, second := strings.Index(page, `id="library-1.1.0"`), strings.Index(page, `id="library-1.0.0"`)
	if first < 0 || second < first || strings.Contains(page, "javascript:") || !strings.Contains(page, `<a href="https://forge.example/1" rel="noreferrer">1.0.0</a>`) {
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
