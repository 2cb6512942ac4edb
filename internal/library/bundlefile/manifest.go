package bundlefile

import (
	"cmp"
	"fmt"
)

// Manifest describes a bundle and its origin. Its fields, and those of the other types that are
// written as JSON, are in the order of their keys.
type Manifest struct {
	// Commit is the full hash of the commit that the bundle was built from.
	Commit string `json:"commit"`
	// Counts and FormatVersion are set by Write.
	Counts        Counts `json:"counts"`
	FormatVersion int    `json:"format_version"`
	// LibraryVersion is the semantic version of the library, such as "1.4.0".
	LibraryVersion string `json:"library_version"`
	// Previous is the digest of the previous bundle, or "" for the first.
	Previous string `json:"previous"`
	// ReaderVersion is the lowest version of the programs and the clients that reads the
	// format. Write sets it; it is "" in format 1.
	ReaderVersion string `json:"reader_version,omitempty"`
	// Refused are versions in the history that no earlier bundle has and that can't be released,
	// because they are invalid or have a text that only stands for one, sorted by ID, version, and
	// commit.
	Refused []Omission `json:"refused"`
	// Retired are the sorted IDs of the documents that the library no longer has. Write
	// sets it. It lets readers choose a version without reading the index.
	Retired []string `json:"retired"`
	// Tombstones are versions whose content was withdrawn, in the same order as Refused.
	Tombstones []Omission `json:"tombstones"`
	// Yanked are versions in the bundle that constraints no longer select, in the same
	// order. Format 1 has none.
	Yanked []Omission `json:"yanked,omitzero"`
}

// Counts is the size of the library.
type Counts struct {
	Documents int `json:"documents"`
	Rubrics   int `json:"rubrics"`
	RuleSets  int `json:"rule_sets"`
	// Versions counts the versions of all documents.
	Versions int `json:"versions"`
}

// String returns the counts in words.
func (c Counts) String() string {
	return fmt.Sprintf("%d documents (%d rubrics, %d rule sets) in %d versions",
		c.Documents, c.Rubrics, c.RuleSets, c.Versions)
}

// Omission is a version that is in the history but not in the bundle, or that is yanked.
type Omission struct {
	// Commit is the full hash of the commit that added the version, or "" for every
	// commit.
	Commit string `json:"commit"`
	ID     string `json:"id"`
	// Reason is for people.
	Reason string `json:"reason"`
	// Version is "" if it could not be read, as of a refused one.
	Version string `json:"version"`
}

func (m *Manifest) encode() ([]byte, error) {
	shown := m.clone()
	if m.FormatVersion == 1 {
		shown.ReaderVersion, shown.Yanked = "", nil
	}
	data, err := canonical(shown)
	return append(data, '\n'), err
}

func decodeManifest(data []byte) (Manifest, error) {
	var m Manifest
	err := decode(data, &m)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return m, problemf(ManifestName, "%v", err)
	}
	return m, nil
}

// check returns an error if a bundle can't have the manifest.
func (m *Manifest) check() error {
	wrong := func(key, found, expected string) error {
		return fmt.Errorf("%s is %+.100q, expected %s", key, found, expected)
	}
	switch {
	case m.FormatVersion < 1 || m.FormatVersion > FormatVersion:
		return wrong("format_version", fmt.Sprint(m.FormatVersion), fmt.Sprint("1 to ", FormatVersion))
	case m.FormatVersion > 1 && !IsVersion(m.ReaderVersion):
		return wrong("reader_version", m.ReaderVersion, "three whole numbers such as 1.4.0")
	case !IsVersion(m.LibraryVersion):
		return wrong("library_version", m.LibraryVersion, "three whole numbers such as 1.4.0")
	case !isCommit(m.Commit):
		return wrong("commit", m.Commit, "the full hash of a commit: 40 or 64 hexadecimal digits")
	case m.Previous != "" && !IsDigest(m.Previous):
		return wrong("previous", m.Previous, "sha256: and 64 hexadecimal digits, or nothing")
	}
	for i, id := range m.Retired {
		if !IsID(id) || i > 0 && m.Retired[i-1] >= id {
			return wrong("retired", id, "the ID of a document, sorted, each once")
		}
	}
	for _, list := range []struct {
		key       string
		omissions []Omission
	}{{"refused", m.Refused}, {"tombstones", m.Tombstones}, {"yanked", m.Yanked}} {
		if err := checkOmissions(list.key, list.omissions, wrong); err != nil {
			return err
		}
	}
	return nil
}

func checkOmissions(key string, omissions []Omission, wrong func(key, found, expected string) error) error {
	for i, o := range omissions {
		switch {
		case !IsID(o.ID):
			return wrong(key, o.ID, "the ID of a document")
		case (o.Version != "" || key != "refused") && !IsVersion(o.Version):
			return wrong(key, o.Version, "a version such as 1.0.0")
		case o.Commit != "" && !isCommit(o.Commit):
			return wrong(key, o.Commit, "the full hash of a commit")
		case o.Reason == "":
			return wrong(key, o.Reason, "a reason")
		case i > 0 && compareOmissions(omissions[i-1], o) >= 0:
			return wrong(key, o.ID+" "+o.Version, "each version once, sorted by ID, version, and commit")
		}
	}
	return nil
}

func compareOmissions(a, b Omission) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Commit, b.Commit))
}

// isCommit accepts SHA-1 and SHA-256 hashes of commits.
func isCommit(s string) bool { return isHex(s, 40) || isHex(s, 64) }

// clone returns a deep copy, in which empty lists are not nil, because JSON would have null.
func (m *Manifest) clone() Manifest {
	c := *m
	for _, list := range []*[]Omission{&c.Refused, &c.Tombstones, &c.Yanked} {
		*list = append([]Omission{}, *list...)
	}
	c.Retired = append([]string{}, m.Retired...)
	return c
}
