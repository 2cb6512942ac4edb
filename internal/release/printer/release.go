package printer

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// Release is the record of a release, one of its own files.
type Release struct {
	SchemaVersion int    `json:"schema_version"`
	Tag           string `json:"tag"`
	Version       string `json:"version"`
	// Commit is the commit that is released. The bundle names the last commit that
	// changed its content, which can be an earlier one.
	Commit   string           `json:"commit"`
	Digest   string           `json:"digest"`
	Previous *PreviousRelease `json:"previous"` // null before the first release
	Files    []ReleaseFile    `json:"files"`
}

// PreviousRelease is the release before.
type PreviousRelease struct {
	Tag    string `json:"tag"`
	Digest string `json:"digest"`
}

// ReleaseFile is a file of a release.
type ReleaseFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// ReleaseFiles lists the files of a folder, sorted by name. Anything else in it is an
// error, because the release would lack it.
func ReleaseFiles(dir string) ([]ReleaseFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []ReleaseFile
	for _, e := range entries {
		if !e.Type().IsRegular() {
			return nil, fmt.Errorf("%s in the folder of the release is not a regular file. Remove it", e.Name())
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, ReleaseFile{e.Name(), fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	return files, nil
}
