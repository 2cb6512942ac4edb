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

// maxArtifact is the maximum size of an artifact in bytes.
const maxArtifact = 64 << 20

// Artifact is the file that rules are evaluated on. Content checks search the text from
// when it was read; commands read the file again.
type Artifact struct {
	folder string // absolute
	name   string // within folder
	digest string
	// text is the normalized text for content checks, empty if the file is not
	// UTF-8.
	text   string
	isText bool
}

// ReadArtifact reads a regular file of at most 64 MiB. It follows links. The error names
// the path as given.
func ReadArtifact(path string) (*Artifact, error) {
	data, err := readRegular(path)
	if err != nil {
		return nil, fmt.Errorf("can't read the artifact %q: %w", path, err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("can't determine the absolute path of the artifact %q: %w", path, err)
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

// Digest returns the SHA-256 of the bytes that were read: "sha256:" and 64 hexadecimal
// digits.
func (a *Artifact) Digest() string { return a.digest }

// readRegular checks the type of the file first: opening a pipe can block forever.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(path)
	}
	if err != nil {
		return nil, safefile.Reason(err)
	}
	if info.IsDir() {
		return nil, errors.New("expected a regular file, got a folder")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("expected a regular file, got a device, pipe, or socket")
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

// missing returns an error for a file that does not exist, with the likely intended file.
func missing(path string) error {
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if word := suggest.Word(filepath.Base(path), names); word != "" {
		return fmt.Errorf("the file does not exist; did you mean %q?", filepath.Join(filepath.Dir(path), word))
	}
	return errors.New("the file does not exist")
}
