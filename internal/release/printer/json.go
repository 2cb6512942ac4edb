package printer

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// SchemaVersion is the schema_version of the output of the commands about bundles, and
// ListVersion that of lists of documents. They increase with changes that break programs that
// read the output.
const (
	SchemaVersion = 1
	ListVersion   = 2
)

// Built is a bundle that was built, or the reasons not to publish it.
type Built struct {
	SchemaVersion int  `json:"schema_version"`
	OK            bool `json:"ok"`
	// File, Digest, and Size, in bytes, are null and 0 if there are problems and no file
	// was written.
	File           *string                  `json:"file"`
	Digest         *string                  `json:"digest"`
	Size           int                      `json:"size"`
	LibraryVersion string                   `json:"library_version"`
	Commit         string                   `json:"commit"`
	Previous       render.Optional          `json:"previous"`
	Counts         bundlefile.Counts        `json:"counts"`
	Problems       []release.VersionProblem `json:"problems"`
	Notes          []release.VersionProblem `json:"notes"`
	Refused        []bundlefile.Omission    `json:"refused"`
	Tombstones     []bundlefile.Omission    `json:"tombstones"`

	// TagCommand is the command that creates the tag of the release, or "" if it has one.
	TagCommand string `json:"-"`
}

// NewBuilt returns the record of a build whose file is not written.
func NewBuilt(b *release.Build) *Built {
	m := &b.Manifest
	return &Built{
		SchemaVersion: SchemaVersion, OK: len(b.Problems) == 0,
		LibraryVersion: m.LibraryVersion, Commit: m.Commit, Previous: render.Optional(m.Previous),
		Counts: bundlefile.Count(b.Index), Problems: render.OrEmpty(b.Problems), Notes: render.OrEmpty(b.Notes),
		Refused: render.OrEmpty(m.Refused), Tombstones: render.OrEmpty(m.Tombstones),
	}
}

// Verification is the result of verifying a bundle.
type Verification struct {
	SchemaVersion int    `json:"schema_version"`
	OK            bool   `json:"ok"`
	File          string `json:"file"`
	// Digest and Manifest are the bundle's, null if it can't be trusted.
	Digest   *string              `json:"digest"`
	Manifest *bundlefile.Manifest `json:"manifest"`
	// Problems say why the file can't be trusted.
	Problems []string `json:"problems"`
	// Texts is the result of bundlecheck.Texts, null if something else is wrong.
	Texts *Texts `json:"texts"`

	// Attested is what the record of the release says about attestations, which are not
	// verified. null: no record was given, or it does not say it.
	Attested *bool `json:"attested"`

	// Expected is the expected digest, and After the file of the earlier bundle that it was
	// compared with, or "".
	Expected, After string `json:"-"`
	// Release is the record that the bundle was compared with, or nil.
	Release *Release `json:"-"`
}

// Texts is the result of checking the texts in a bundle.
type Texts struct {
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	// Notes are about versions that consumers get only if they ask for them.
	Notes []string `json:"notes"`
}

// AddResult adds the result of verifying the structure of a bundle, and of its texts with the
// documents that the clients refuse.
func (v *Verification) AddResult(b *bundlefile.Bundle, texts error, refused *bundlecheck.Refused) {
	m := b.Manifest()
	m.Refused, m.Tombstones = render.OrEmpty(m.Refused), render.OrEmpty(m.Tombstones)
	problems := append(Problems(texts), messages(refused.Latest)...)
	v.OK = len(problems) == 0
	v.Digest, v.Manifest, v.Texts = new(b.Digest()), &m, &Texts{v.OK, problems, messages(refused.Others)}
	if v.Release == nil {
		return
	}
	v.Attested = v.Release.Attested
	if v.Release.Version != m.LibraryVersion {
		v.OK = false
		v.Problems = append(v.Problems, fmt.Sprintf("the record of the release names the library version %q, and the bundle is library %s",
			v.Release.Version, m.LibraryVersion))
	}
}

// Bundle identifies a bundle.
type Bundle struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
}

// Documents is a list of documents: of *library.Entry, or of library.Match.
type Documents[D any] struct {
	SchemaVersion int     `json:"schema_version"`
	Bundle        *Bundle `json:"bundle"` // null for a folder
	Documents     []D     `json:"documents"`
}

// NewDocuments returns the record of documents of a library.
func NewDocuments[D any](l *library.Library, documents []D) *Documents[D] {
	d := &Documents[D]{SchemaVersion: ListVersion, Documents: render.OrEmpty(documents)}
	if l.Digest() != "" {
		d.Bundle = &Bundle{l.Version(), l.Digest()}
	}
	return d
}

// Contracts are the findings in contracts.
type Contracts struct {
	SchemaVersion int               `json:"schema_version"`
	Findings      []release.Finding `json:"findings"`
	Summary       struct {
		Errors     int `json:"errors"`
		Files      int `json:"files"`
		References int `json:"references"`
		Warnings   int `json:"warnings"`
	} `json:"summary"`
}

// NewContracts returns the record of the findings in contracts.
func NewContracts(contracts []release.Contract) *Contracts {
	out := &Contracts{SchemaVersion: SchemaVersion, Findings: []release.Finding{}}
	out.Summary.Files = len(contracts)
	for _, c := range contracts {
		out.Summary.References += c.References
		out.Findings = append(out.Findings, c.Findings...)
	}
	for _, f := range out.Findings {
		if f.Severity == release.Warning {
			out.Summary.Warnings++
		} else {
			out.Summary.Errors++
		}
	}
	return out
}

// Release is the record of a release, one of its own files.
type Release struct {
	SchemaVersion int    `json:"schema_version"`
	Tag           string `json:"tag"`
	Version       string `json:"version"`
	// Commit is the commit that is released. The bundle names the last commit that
	// changed its content, which can be an earlier one.
	Commit string `json:"commit"`
	Digest string `json:"digest"`
	// Attested says whether the files are attested. Earlier records do not say it.
	Attested *bool            `json:"attested"`
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
