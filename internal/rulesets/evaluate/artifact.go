package evaluate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// maxArtifact is the size in bytes of the largest artifact.
const maxArtifact = 64 << 20

// Artifact is the file that rules are evaluated on, as it was when it was read.
// Content checks search what was read; commands read the file again.
type Artifact struct {
	folder string // absolute
	name   string // within folder
	digest string
	// text is what content checks search: normalized, or empty if the file is
	// no UTF-8.
	text   string
	isText bool
}

// ReadArtifact reads a regular file of at most 64 MiB; links are followed. The
// error says what is there instead and names the path as it was given.
func ReadArtifact(path string) (*Artifact, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, fmt.Errorf("artifact %q can't be read: %w", path, err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("artifact %q has no absolute path: %w", path, err)
	}
	return newArtifact(absolute, data), nil
}

func newArtifact(path string, data []byte) *Artifact {
	a := &Artifact{
		folder: filepath.Dir(path),
		name:   filepath.Base(path),
		digest: fmt.Sprintf("sha256:%x", sha256.Sum256(data)),
		isText: utf8.Valid(data),
	}
	if a.isText {
		a.text = rubric.Normalize(string(data))
	}
	return a
}

// Digest is the SHA-256 of the file's bytes as they were read, such as
// "sha256:9f86d0…", with 64 hexadecimal digits.
func (a *Artifact) Digest() string { return a.digest }

// readRegular looks before it opens, because opening a pipe can wait for ever.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(path)
	}
	if err != nil {
		return nil, safefile.Reason(err)
	}
	if info.IsDir() {
		return nil, errors.New("it is a folder, expected a file")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is a device, pipe or socket, expected a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, safefile.Reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxArtifact+1))
	if err != nil {
		return nil, safefile.Reason(err)
	}
	if len(data) > maxArtifact {
		return nil, errors.New("it is larger than 64 MiB")
	}
	return data, nil
}

// missing says that there is no such file, and which one may have been meant.
func missing(path string) error {
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if word := suggest.Word(filepath.Base(path), names); word != "" {
		return fmt.Errorf("there is no such file; did you mean %q?", filepath.Join(filepath.Dir(path), word))
	}
	return errors.New("there is no such file")
}
