// Package limits is the one table of how many bytes are read of a file, by the
// kind of the file. It holds wherever the file comes from: a working tree, a
// commit, or a folder that is served. Whoever writes a file must not be able to
// decide how much memory reading it takes, so the size is compared with the
// limit before the content is read.
package limits

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// The limits by kind of file, in bytes.
const (
	// Document is the limit of a file of YAML: a rubric, a rule set, the ledger,
	// the exceptions, the configuration, and dataset.yaml.
	Document = 256 << 10
	// Run is the limit of a JSON file: the baseline, and the files of a run, which
	// hold the texts of a rule set about twice. It is also that of a JSON Schema.
	Run = 4 << 20
	// Owners is the limit of CODEOWNERS: GitHub reads no more.
	Owners = 3 << 20
	// Attributes is the limit of .gitattributes.
	Attributes = 1 << 20
	// Dataset is the limit of a JSON Lines file: the items, the answers of a
	// judge, and the history of a dataset. Line is that of one of its lines.
	Dataset = 256 << 20
	Line    = 1 << 20
	// Other is the limit of any other file.
	Other = 4 << 20
)

// The limits of what Git stores beside files, in bytes.
const (
	// Commit is the limit of a commit or a tag with its message.
	Commit = 4 << 20
	// Tree is the limit of the list of one folder: about half a million files.
	Tree = 32 << 20
)

// table has the limits by the name of the file, in lower case. The first pattern
// that matches decides.
var table = []struct {
	pattern string
	limit   int64
}{
	{"codeowners", Owners},
	{".gitattributes", Attributes},
	{"*.yaml", Document},
	{"*.yml", Document},
	{"*.json", Run},
	{"*.jsonl", Dataset},
}

// Of is the limit of the file with this name or path.
func Of(name string) int64 {
	base := strings.ToLower(path.Base(name))
	for _, row := range table {
		if ok, _ := path.Match(row.pattern, base); ok { // the patterns are right
			return row.limit
		}
	}
	return Other
}

// TooLargeError says that something was not read because of its size.
type TooLargeError struct {
	// Name says what it is: the path of a file, or an object of Git.
	Name string
	// Size is 0 where it is not known: then it is more than Max.
	Size, Max int64
}

func (e *TooLargeError) Error() string {
	size := fmt.Sprintf("it has %d bytes, and at most %d are read", e.Size, e.Max)
	if e.Size == 0 {
		size = fmt.Sprintf("at most %d bytes are read", e.Max)
	}
	return fmt.Sprintf("%s is too large: %s", e.Name, size)
}

// IsTooLarge reports whether an error says that something is too large.
func IsTooLarge(err error) bool { return errors.As(err, new(*TooLargeError)) }

// ReadFile reads a file up to the limit of its kind. The error is a
// *TooLargeError if it has more.
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
	limit := Of(name)
	if info.Mode().IsRegular() && info.Size() > limit {
		return nil, &TooLargeError{Name: name, Size: info.Size(), Max: limit}
	}
	return Read(f, name, info.Size())
}

// Read reads what has no size of its own, such as a pipe, up to the limit of a
// file of this name. size is what is expected, or 0.
func Read(r io.Reader, name string, size int64) ([]byte, error) {
	limit := Of(name)
	data := make([]byte, 0, min(max(size, 0), limit)+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):min(cap(data), int(limit)+1)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, &TooLargeError{Name: name, Max: limit}
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
	}
}
