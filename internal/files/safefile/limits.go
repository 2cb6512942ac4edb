package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// The limits by kind of file, in bytes.
const (
	// MaxDocument is the limit of a YAML file: a rubric, a rule set, the ledger, the
	// exceptions, the configuration, and dataset.yaml.
	MaxDocument = 256 << 10
	// MaxRun is the limit of a JSON file: the baseline, a JSON Schema, and the files of a
	// run, which have the texts of a rule set about twice.
	MaxRun = 4 << 20
	// MaxOwners is the limit of CODEOWNERS, the same as on GitHub.
	MaxOwners = 3 << 20
	// MaxDataset is the limit of a JSON Lines file: the items, the answers of a judge,
	// and the history of a dataset. MaxLine is the limit of one line.
	MaxDataset = 256 << 20
	MaxLine    = 1 << 20
	// MaxBundle is the limit of a bundle that is sent to a registry, or that is fetched.
	MaxBundle = 1 << 30
	// MaxOther is the limit of any other file.
	MaxOther = 4 << 20
)

// MaxFetchTime is how long the download of a bundle may take, so that a source that stalls is an
// error: enough for 1 GiB at 3.6 MB a second.
const MaxFetchTime = 5 * time.Minute

// The limits of Git objects other than files, in bytes.
const (
	// MaxCommit is the limit of a commit or a tag with its message.
	MaxCommit = 4 << 20
	// MaxTree is the limit of the listing of a folder: about half a million files.
	MaxTree = 32 << 20
)

// Limit returns the limit, in bytes, of the file with a name or path.
func Limit(name string) int64 {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".yaml", ".yml":
		return MaxDocument
	case ".json":
		return MaxRun
	case ".jsonl":
		return MaxDataset
	}
	if base == "codeowners" {
		return MaxOwners
	}
	return MaxOther
}

// TooLargeError means that something was not read because of its size.
type TooLargeError struct {
	// Name is the path of a file, or describes a Git object.
	Name string
	// Size and Max are in bytes. Size is 0 if it is unknown but more than Max.
	Size, Max int64
}

func (e *TooLargeError) Error() string {
	size := fmt.Sprintf("it has %d bytes, more than the limit of %d", e.Size, e.Max)
	if e.Size == 0 {
		size = fmt.Sprintf("the limit is %d bytes", e.Max)
	}
	return fmt.Sprintf("%s is too large: %s", e.Name, size)
}

// IsTooLarge reports whether an error is a *TooLargeError.
func IsTooLarge(err error) bool { return errors.As(err, new(*TooLargeError)) }

// ReadFile reads a file. The error is a *TooLargeError if the file exceeds the limit of
// its kind, and a *PointerError if its content is elsewhere.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	limit := Limit(name)
	if info.Mode().IsRegular() && info.Size() > limit {
		return nil, &TooLargeError{Name: name, Size: info.Size(), Max: limit}
	}
	data, err := Read(f, name, info.Size())
	if err == nil {
		err = checkPointer(data)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Read reads a stream without a known size, such as a pipe, up to the limit of a file
// with this name. size is the expected size in bytes, or 0.
func Read(r io.Reader, name string, size int64) ([]byte, error) {
	limit := Limit(name)
	var data bytes.Buffer
	data.Grow(int(min(max(size, 0), limit)) + bytes.MinRead)
	_, err := data.ReadFrom(io.LimitReader(r, limit+1))
	switch {
	case int64(data.Len()) > limit:
		return nil, &TooLargeError{Name: name, Max: limit}
	case err != nil:
		return nil, err
	}
	return data.Bytes(), nil
}
