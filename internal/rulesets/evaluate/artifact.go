package evaluate

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// An artifact has at most maxArtifact bytes. A folder or a diff has at most maxFiles files,
// and a folder has at most maxEntries files, links, and folders.
const (
	maxArtifact = 64 << 20
	maxFiles    = 10_000
	maxEntries  = 100_000
)

var errTooLarge = errors.New("it is larger than 64 MiB")

// Artifact is what rules are evaluated on: a file, the files of a folder, or the
// differences between two commits. Content checks get the texts from when it was
// read. Commands read a file again, and a copy of a folder or of differences.
type Artifact struct {
	folder   string // of a file, absolute; "" for the others
	name     string // the file that commands get, or "" for a folder
	digest   string
	isFolder bool
	files    []file
	// whole, if not nil, is the text that the files are parts of, without the text of
	// binary ones.
	whole  *file
	binary int
}

// file is a file of an artifact.
type file struct {
	path string // relative to the artifact, with slashes
	text string // normalized, or "" if the file is not UTF-8
	// binary means that the file has a zero byte near its start, as Git defines it.
	binary bool
	isText bool
	line   int // the number of lines before it in the whole
	data   []byte
	perm   fs.FileMode
}

func newFile(path string, data []byte, perm fs.FileMode) file {
	f := file{path: path, data: data, perm: perm, isText: utf8.Valid(data)}
	f.binary = isBinary(data)
	if f.isText {
		f.text = rubric.Normalize(string(data))
	}
	return f
}

func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// ReadArtifact reads a regular file, or all regular files of a folder, of at most 64 MiB.
// It follows a link to the artifact, but not the links in a folder, and leaves out .git and
// the files of except, whatever their path. The error names the path as given.
func ReadArtifact(path string, except ...string) (a *Artifact, err error) {
	defer func() {
		if err != nil {
			a, err = nil, fmt.Errorf("can't read the artifact %q: %w", path, err)
		}
	}()
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the file does not exist")
	case err != nil:
		return nil, safefile.Reason(err)
	case info.IsDir():
		return readFolder(path, except)
	case !info.Mode().IsRegular():
		return nil, errors.New("expected a regular file or a folder, got a device, pipe, or socket")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, safefile.Reason(err)
	}
	defer f.Close()
	data, err := readUpTo(f, maxArtifact)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return newArtifact(absolute, data), nil
}

func newArtifact(path string, data []byte) *Artifact {
	return &Artifact{
		folder: filepath.Dir(path), name: filepath.Base(path), digest: digestOf(data),
		files: []file{newFile(filepath.Base(path), data, 0o600)},
	}
}

func digestOf(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

func readUpTo(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, safefile.Reason(err)
	}
	if len(data) > most {
		return nil, errTooLarge
	}
	return data, nil
}

// readFolder reads through os.Root, so that a link that replaces a file or a folder in the
// meantime can't lead outside.
func readFolder(path string, except []string) (*Artifact, error) {
	omitted := existing(except)
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, safefile.Reason(err)
	}
	defer root.Close()
	a := &Artifact{isFolder: true}
	var list strings.Builder
	entries, room := 0, maxArtifact
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case err != nil:
			return fmt.Errorf("%q: %w", name, safefile.Reason(err))
		case entries > maxEntries || len(a.files) >= maxFiles:
			return fmt.Errorf("it has more than %d files or %d entries. Name a smaller folder", maxFiles, maxEntries)
		case strings.EqualFold(d.Name(), ".git") && d.IsDir():
			return fs.SkipDir
		case strings.EqualFold(d.Name(), ".git") || !d.Type().IsRegular():
			return nil
		case !utf8.ValidString(name):
			return fmt.Errorf("the name %q is not UTF-8. Rename the file", name)
		}
		data, info, err := readIn(root, name, room)
		if err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		if slices.ContainsFunc(omitted, func(o fs.FileInfo) bool { return os.SameFile(o, info) }) {
			return nil
		}
		room -= len(data)
		a.files = append(a.files, newFile(name, data, info.Mode().Perm()))
		fmt.Fprintf(&list, "%s %q\n", digestOf(data), name)
		return nil
	})
	if err == nil && len(a.files) == 0 {
		err = errors.New("the folder has no files")
	}
	a.digest = digestOf([]byte(list.String()))
	return a, err
}

// existing describes the files that exist.
func existing(names []string) (found []fs.FileInfo) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			found = append(found, info)
		}
	}
	return found
}

// readIn reads a file of a folder. Without O_NONBLOCK, opening a named pipe that replaced
// the file in the meantime would wait for a writer.
func readIn(root *os.Root, name string, room int) ([]byte, fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, safefile.Reason(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil, errors.New("is no longer a regular file")
	}
	data, err := readUpTo(f, room)
	if errors.Is(err, errTooLarge) {
		err = errors.New("with this file, the folder is larger than 64 MiB. Name a smaller folder")
	}
	return data, info, err
}

// Digest identifies the content: "sha256:" and 64 hexadecimal digits. For a file, it is the
// SHA-256 of its bytes.
func (a *Artifact) Digest() string { return a.digest }

// selectFiles returns the files that a content check searches.
func (a *Artifact) selectFiles(c *ruleset.Check) []file {
	if len(c.Files) == 0 && a.whole != nil {
		return []file{*a.whole}
	}
	if len(c.Files) == 0 {
		return a.files
	}
	globs := globs(c.Files)
	return slices.DeleteFunc(slices.Clone(a.files), func(f file) bool {
		return !globs.MatchString(rubric.Normalize(f.path))
	})
}

// unreadableFile returns the first file that is neither UTF-8 nor binary, or "". Only a folder
// can have binary files that nothing searches.
func (a *Artifact) unreadableFile(files []file) string {
	for _, f := range files {
		if !f.isText && !(a.isFolder && f.binary) {
			return f.path
		}
	}
	return ""
}

// globs returns an expression for the paths that match a pattern. Names are compared with
// case, and never opened, so no pattern can lead out of the artifact.
func globs(patterns []string) *regexp.Regexp {
	var all []string
	for _, p := range patterns {
		p = regexp.QuoteMeta(rubric.Normalize(p))
		all = append(all, strings.NewReplacer(`\*\*/`, `(?:[^/]+/)*`, `\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`).Replace(p))
	}
	return regexp.MustCompile(`(?s)^(?:` + strings.Join(all, "|") + `)$`)
}
