package gitrepo

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFSIsAFileSystem(t *testing.T) {
	r := newRepo(t)
	files := []string{"a.yaml", "a/b.yaml", "a/c/d.yaml", "a.b/x", "empty"}
	for _, f := range files {
		r.write("library/"+f, strings.TrimPrefix(f, "empty"))
	}
	r.commit("files")
	if err := fstest.TestFS(r.snapshot("library"), files...); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(r.snapshot(""), "library/a/c/d.yaml"); err != nil {
		t.Error(err)
	}
}

func TestFSShowsWhatIsNoFile(t *testing.T) {
	r := newRepo(t)
	r.write("file", "content")
	r.git("add", "-A")
	r.git("update-index", "--chmod=+x", "file")
	r.git("update-index", "--add", "--cacheinfo", "120000,"+r.object("blob", "../out")+",link")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",sub")
	r.git("commit", "-q", "-m", "x")
	s := r.snapshot("")
	tests := []struct {
		reason, path string
		mode         fs.FileMode
		size         int64
		opens        bool
	}{
		{"a file with the right to execute", "file", 0o755, 7, true},
		{"a symbolic link is not followed", "link", fs.ModeSymlink | 0o777, 6, false},
		{"a submodule has no content", "sub", fs.ModeIrregular, 0, false},
	}
	for _, tt := range tests {
		info, err := fs.Lstat(s, tt.path)
		if err != nil || info.Mode() != tt.mode || info.Size() != tt.size || info.Name() != tt.path || !info.ModTime().Equal(s.Commit().When) {
			t.Errorf("%s: Lstat: %v, %v", tt.reason, info, err)
		}
		_, err1 := s.Open(tt.path)
		_, err2 := fs.ReadFile(s, tt.path)
		_, err3 := fs.Stat(s, tt.path)
		for _, err := range []error{err1, err2, err3} {
			if (err == nil) != tt.opens || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: opening it: %v", tt.reason, err)
			}
		}
	}
	if target, err := fs.ReadLink(s, "link"); target != "../out" || err != nil {
		t.Errorf("ReadLink = %q, %v", target, err)
	}
	if target, err := fs.ReadLink(s, "file"); err == nil {
		t.Errorf("ReadLink of a file = %q", target)
	}
}

func TestFSOfAFolderThatIsNotThere(t *testing.T) {
	r := newRepo(t)
	r.change("a", "a")
	none := r.snapshot("rubrics")
	for _, path := range []string{".", "a"} {
		if _, err := fs.Stat(none, path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Stat(%q): %v", path, err)
		}
		if _, err := fs.ReadDir(none, path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("ReadDir(%q): %v", path, err)
		}
	}
	if _, err := fs.ReadDir(r.snapshot(""), "a"); err == nil {
		t.Error("a file was listed as a folder")
	}
}
