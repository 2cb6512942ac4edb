package gitrepo

import (
	"errors"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

func TestMalformedTrees(t *testing.T) {
	r := newRepo(t)
	blob := r.object("blob", "x")
	raw := string(rawHash(t, blob))
	folder := string(rawHash(t, r.object("tree", "100644 x\x00"+raw)))
	tests := []struct{ reason, content, want string }{
		{"a name twice", "100644 a\x00" + raw + "100644 a\x00" + raw, "out of order"},
		{"not sorted", "100644 b\x00" + raw + "100644 a\x00" + raw, "out of order"},
		{"a file and a folder of one name", "100644 a\x00" + raw + "100644 a.b\x00" + raw + "40000 a\x00" + folder, "twice"},
		{"a path as a name", "100644 a/b\x00" + raw, "is not a valid"},
		{"no name", "100644 \x00" + raw, "is not a valid"},
		{"the folder itself", "40000 .\x00" + folder, "is not a valid"},
		{"the folder above", "40000 ..\x00" + folder, "is not a valid"},
		{"a hash that is cut off", "100644 a\x00" + raw[:19], "truncated"},
		{"a name that is cut off", "100644 a", "truncated"},
		{"a mode that is not a number", "100844 a\x00" + raw, "is not a valid file mode"},
	}
	for _, tt := range tests {
		repo := r.open()
		commit := r.object("commit", "tree "+r.object("tree", tt.content)+"\n\nx")
		s := repo.Snapshot(r.resolve(repo, commit), "")
		entries, err := s.Entries()
		var e *objects.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v, want %q", tt.reason, entries, err, tt.want)
		}
	}
}

func rawHash(t *testing.T, hex string) []byte {
	t.Helper()
	h, ok := objects.ParseHash(hex)
	if !ok {
		t.Fatalf("%q is not a hash", hex)
	}
	return h[:]
}

// TestFoldersWithoutEndAreRefused builds folders that each contain the next one ten
// times: twelve small objects for a trillion files.
func TestFoldersWithoutEndAreRefused(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	mode, inner := "100644", r.object("blob", "x")
	for range 12 {
		var s strings.Builder
		for _, name := range numbered("%d", 10) {
			s.WriteString(mode + " " + name + "\x00" + string(rawHash(t, inner)))
		}
		mode, inner = "40000", r.object("tree", s.String())
	}
	deep := r.object("tree", "100644 x\x00"+string(rawHash(t, r.object("blob", "x"))))
	for range 8 {
		deep = r.object("tree", "40000 "+strings.Repeat("d", 4000)+"\x00"+string(rawHash(t, deep)))
	}
	repo := r.open()
	for _, tree := range []string{inner, deep} {
		s := repo.Snapshot(r.resolve(repo, r.object("commit", "tree "+tree+"\n\nx")), "")
		if entries, err := s.Entries(); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%d entries, %v", len(entries), err)
		}
	}
}

func FuzzParseTree(f *testing.F) {
	raw := strings.Repeat("h", 20)
	f.Add([]byte("100644 a\x00" + raw + "100755 b\x00" + raw + "40000 c\x00" + raw + "120000 d\x00" + raw + "160000 e\x00" + raw))
	f.Add([]byte("100644 a\x00" + raw + "100644 a.b\x00" + raw + "40000 a\x00" + raw))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for e := range entries.all() {
			found, ok := entries.find(e.name)
			if !ok || found != e || seen[e.name] || !validPath(e.name) || strings.Contains(e.name, "/") {
				t.Errorf("%q: %+v, %v", e.name, found, ok)
			}
			seen[e.name] = true
		}
	})
}
