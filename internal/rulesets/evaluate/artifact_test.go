package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestDigestIsOfTheBytesAsRead(t *testing.T) {
	a := artifact(t, "artifact.md", "abc\r\n")
	// printf 'abc\r\n' | sha256sum
	const want = "sha256:552bab6864c7a7b69a502ed1854b9245c0e1a30f008aaa0b281da62585fdb025"
	if got := a.Digest(); got != want {
		t.Errorf("digest is %s, want %s", got, want)
	}
}

func TestReadArtifactFollowsLinks(t *testing.T) {
	target := artifact(t, "artifact.md", "text")
	link := filepath.Join(t.TempDir(), "link.md")
	if err := os.Symlink(filepath.Join(target.folder, target.name), link); err != nil {
		t.Skip("there are no links here: ", err)
	}
	a := must.Get(ReadArtifact(link))(t)
	if a.Digest() != target.Digest() || a.folder != filepath.Dir(link) {
		t.Errorf("the link's artifact is in %s with %s", a.folder, a.Digest())
	}
}

func TestReadArtifactSaysWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.WriteFile(path("artifact.md"), []byte("x"), 0o600))
	for name, size := range map[string]int64{"largest": maxArtifact, "too-large": maxArtifact + 1} {
		must.Do(t, os.WriteFile(path(name), nil, 0o600))
		must.Do(t, os.Truncate(path(name), size))
	}
	tests := []struct{ reason, path, want string }{
		{"a name that is not there", path("x"), "the file does not exist"},
		{"a folder that is not there", path("no/file"), "the file does not exist"},
		{"a folder that is too large", dir, `"largest": with this file, the folder is larger than 64 MiB. Name a smaller folder`},
		{"a folder without files", t.TempDir(), "the folder has no files"},
		{"a file as a folder", path("artifact.md") + "/x", "not a directory"},
		{"too much to hold", path("too-large"), "it is larger than 64 MiB"},
		{"a device without an end", "/dev/zero", "expected a regular file or a folder, got a device, pipe, or socket"},
		{"no path at all", "", "the file does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if _, err := os.Stat(tt.path); os.IsNotExist(err) && strings.HasPrefix(tt.path, "/dev/") {
				t.Skip("there is no " + tt.path)
			}
			_, err := ReadArtifact(tt.path)
			if want := "can't read the artifact \"" + tt.path + "\": " + tt.want; err == nil || err.Error() != want {
				t.Errorf("error is\n%v\nwant\n%s", err, want)
			}
		})
	}
	if _, err := ReadArtifact(path("largest")); err != nil {
		t.Errorf("64 MiB: %v", err)
	}
}
