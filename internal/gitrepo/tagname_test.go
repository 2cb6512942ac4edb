package gitrepo

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestTagPrefix: Git accepts the name of every release tag.
func TestTagPrefix(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("one")
	repo := r.open()
	for _, tt := range []struct{ reason, folder, want string }{
		{"the root", "", "library-v"},
		{"a folder", "team/x", "team/x/library-v"},
		{"other languages", "équipe/検索", "équipe/検索/library-v"},
		{"what the shell reads", "a$b'c\"d;e", "a$b'c\"d;e/library-v"},
		{"a space and a percent sign", "my team/100%", "my%20team/100%25/library-v"},
		{"a folder that looks like an escaped one", "my%20team", "my%2520team/library-v"},
		{"dots that Git does not allow", ".x/a..b/c.lock/d.", "%2Ex/a%2E.b/c%2Elock/d./library-v"},
		{"what revisions are written with", "a~1/b^/c:d/@/e@{f", "a%7E1/b%5E/c%3Ad/%40/e@%7Bf/library-v"},
		{"patterns and a backslash", `a*/b?/c[d/e\f`, "a%2A/b%3F/c%5Bd/e%5Cf/library-v"},
		{"a dash at the beginning", "-x/-y", "%2Dx/-y/library-v"},
		{"control characters, and bytes that are not text", "a\tb\x7f\xff", "a%09b%7F%FF/library-v"},
		{"a folder named like a tag of the root", "library-v1.0.0", "library%2Dv1.0.0/library-v"},
		{"and one that is the same on some disks", "x/Library-V1.0.0-y", "x/Library%2DV1.0.0-y/library-v"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			if got := TagPrefix(tt.folder); got != tt.want {
				t.Errorf("the prefix is %q, want %q", got, tt.want)
			}
			r.release(TagPrefix(tt.folder)+"1.0.0", "HEAD")
			last, _, err := repo.LastRelease(tt.folder, r.resolve(repo, "HEAD"))
			if err != nil || last.Name != tt.want+"1.0.0" {
				t.Errorf("the last release is %q, %v", last.Name, err)
			}
		})
	}
	if problems := r.git("fsck", "--no-dangling"); problems != "" {
		t.Error(problems)
	}
}

// TestTagPrefixIsExact: tags of libraries in different folders are different, and none is
// a folder of the tags of another.
func TestTagPrefixIsExact(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"x", "y", "library-v1.0.0", "library%2Dv1.0.0", "library-v", "v1.0.0", "%", "%25", "a b", "a%20b", ".", "..a", "@", "-", "x.lock"})
	folder := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(part, 0, 3).Draw(t, "parts"), "/") })
	rapid.Check(t, func(t *rapid.T) {
		a, b := folder.Draw(t, "a"), folder.Draw(t, "b")
		tagA, tagB := TagPrefix(a)+"1.0.0", TagPrefix(b)+"1.0.0"
		if a != b && (tagA == tagB || strings.HasPrefix(tagA, tagB+"/") || strings.HasPrefix(tagB, tagA+"/")) {
			t.Errorf("the libraries in %q and %q have the tags %q and %q", a, b, tagA, tagB)
		}
		if !validRef(tagRefs + tagA) {
			t.Errorf("Git does not allow the tag %q", tagA)
		}
	})
}

// TestTagsOfTwoLibraries: no library reads the tags of another one, also of one in its folder.
func TestTagsOfTwoLibraries(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("one")
	folders := []string{"", "x", "x/y", "x/library-v1.0.0", "library-v1.0.0"}
	for i, folder := range folders {
		r.release(TagPrefix(folder)+"1.0.0", "HEAD")
		r.release(TagPrefix(folder)+"1."+strings.Repeat("1", i+1)+".0", "HEAD")
	}
	for _, packed := range []bool{false, true} {
		if packed {
			r.git("pack-refs", "--all")
		}
		repo := r.open()
		for i, folder := range folders {
			var got []string
			for tag, err := range repo.ReleaseTags(folder, r.resolve(repo, "HEAD")) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, tag.Version)
			}
			want := []string{"1." + strings.Repeat("1", i+1) + ".0", "1.0.0"}
			if !slices.Equal(got, want) {
				t.Errorf("packed %v, %q (-want +got):\n%s", packed, folder, cmp.Diff(want, got))
			}
		}
	}
}
