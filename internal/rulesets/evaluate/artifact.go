package evaluate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

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

// Place is the start of a match.
type Place struct {
	// Line and Column count from 1 in the artifact's normalized text, columns in
	// characters (Unicode code points).
	Line   int `json:"line"`
	Column int `json:"column"`
	// Excerpt is the line in which the match starts. A long line is shortened to
	// about 120 characters around the start of the match, with "…" where it is cut.
	Excerpt string `json:"excerpt"`
}

// An excerpt has at least excerptFrom characters from the start of the match, unless the
// line ends before.
const (
	excerptLength = 120
	excerptFrom   = 80
)

// placeOf returns the place of the byte offset start in a text.
func placeOf(text string, start int) Place {
	lineStart := strings.LastIndexByte(text[:start], '\n') + 1
	line := text[lineStart:]
	if end := strings.IndexByte(text[start:], '\n'); end >= 0 {
		line = text[lineStart : start+end]
	}
	return Place{
		Line:    1 + strings.Count(text[:lineStart], "\n"),
		Column:  1 + utf8.RuneCountInString(text[lineStart:start]),
		Excerpt: excerpt(line, start-lineStart),
	}
}

// excerpt shortens a line around the byte offset at.
func excerpt(line string, at int) string {
	before, from := line[:at], line[at:]
	room := excerptLength - utf8.RuneCountInString(first(from, excerptFrom))
	shownBefore := last(before, room)
	shownFrom := first(from, excerptLength-utf8.RuneCountInString(shownBefore))

	text := shownBefore + shownFrom
	if len(shownBefore) < len(before) {
		text = "…" + text
	}
	if len(shownFrom) < len(from) {
		text += "…"
	}
	return text
}

func first(text string, n int) string {
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}

func last(text string, n int) string {
	start := len(text)
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	return text[start:]
}
