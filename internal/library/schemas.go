package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// SchemaFolder is the folder of the JSON Schemas of a library, which editors and consumers read.
const SchemaFolder = "schema"

// Schemas reads what a bundle has of the folder SchemaFolder: the files in it that end in .json.
// A file with such a name that no bundle can have is a problem, also for the linter. The error is
// that something can't be read.
func Schemas(fsys fs.FS) (files []bundlefile.File, problems []FolderProblem, err error) {
	info, err := fs.Lstat(fsys, SchemaFolder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	entries, err := fs.ReadDir(fsys, SchemaFolder)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".json" {
			continue
		}
		f := bundlefile.File{Path: SchemaFolder + "/" + e.Name()}
		problem, err := readSchema(fsys, e, &f)
		if err != nil {
			return nil, nil, err
		}
		if problem == nil {
			files = append(files, f)
		} else {
			problems = append(problems, *problem)
		}
	}
	return files, problems, nil
}

// readSchema reads a file, or returns why no bundle can have it.
func readSchema(fsys fs.FS, e fs.DirEntry, f *bundlefile.File) (*FolderProblem, error) {
	if !e.Type().IsRegular() {
		return &FolderProblem{
			Path:    f.Path,
			Message: "This is not a regular file, so it can't be in a bundle. Replace it with the file itself, or give it another extension.",
		}, nil
	}
	if !bundlefile.IsName(f.Path) {
		return &FolderProblem{
			Path:    f.Path,
			Message: "Rename this file: in a bundle, the name of a schema has only lowercase letters and digits, with single dots, dashes, or underscores between them.",
		}, nil
	}
	var err error
	if f.Data, err = safefile.ReadFile(fsys, f.Path); safefile.IsTooLarge(err) {
		return &FolderProblem{
			Path:    f.Path,
			Message: fmt.Sprintf("This file is too large: a schema can have at most %d bytes. Make it shorter.", safefile.Limit(f.Path)),
		}, nil
	} else if safefile.IsPointer(err) {
		return &FolderProblem{Path: f.Path, Message: safefile.AboutPointers}, nil
	} else if err != nil {
		return nil, err
	}
	var wrong bundlefile.BundleProblem
	if err := bundlecheck.Entry(f.Path, f.Data); !errors.As(err, &wrong) {
		return nil, err
	}
	message := fmt.Sprintf("This file can't be in a bundle, because it %s. Fix it, or remove it: `rubric init` writes its schemas again.", wrong.Message)
	problem := problemAt(source.NewFile(f.Path, f.Data), firstFault(f.Data), message)
	return &problem, nil
}

// firstFault is where a file is not UTF-8 or not JSON, or 0.
func firstFault(data []byte) int {
	for at := 0; !utf8.Valid(data) && at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	var wrong *json.SyntaxError
	if errors.As(json.Unmarshal(data, new(any)), &wrong) {
		return int(min(max(wrong.Offset-1, 0), int64(len(data))))
	}
	return 0
}
