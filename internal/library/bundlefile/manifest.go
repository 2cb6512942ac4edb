package bundlefile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// Manifest describes a bundle and its origin.
type Manifest struct {
	// FormatVersion and Counts are set by Write.
	FormatVersion int    `json:"format_version"`
	Counts        Counts `json:"counts"`
	// ReaderVersion is the lowest version of the programs and the clients that reads the
	// format. Write sets it; it is "" in format 1.
	ReaderVersion string `json:"reader_version,omitempty"`
	// LibraryVersion is the semantic version of the library, such as "1.4.0".
	LibraryVersion string `json:"library_version"`
	// Commit is the full hash of the commit that the bundle was built from.
	Commit string `json:"commit"`
	// Previous is the digest of the previous bundle, or "" for the first.
	Previous string `json:"previous"`
	// Refused are unreadable versions in the history that no earlier bundle has,
	// sorted by ID, version, and commit.
	Refused []Omission `json:"refused"`
	// Tombstones are versions whose content was withdrawn, in the same order.
	Tombstones []Omission `json:"tombstones"`
	// Yanked are versions in the bundle that constraints no longer select, in the same
	// order. Format 1 has none.
	Yanked []Omission `json:"yanked,omitempty"`
	// Retired are the sorted IDs of the documents that the library no longer has. Write
	// sets it. It lets readers choose a version without reading the index.
	Retired []string `json:"retired"`
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
	return fmt.Sprintf("%d documents (%d rubrics, %d rule sets) in %d versions", c.Documents, c.Rubrics, c.RuleSets, c.Versions)
}

// Omission is a version that is in the history but not in the bundle, or that is yanked.
type Omission struct {
	ID string `json:"id"`
	// Version is "" if it could not be read.
	Version string `json:"version"`
	// Commit is the full hash of the commit that added the version, or "" for every
	// commit.
	Commit string `json:"commit"`
	// Reason is for people.
	Reason string `json:"reason"`
}

func (m *Manifest) encode() []byte {
	out := appendText([]byte{'{'}, "commit", m.Commit)
	out = append(appendKey(out, "counts"), '{')
	out = appendInt(out, "documents", m.Counts.Documents)
	out = appendInt(out, "rubrics", m.Counts.Rubrics)
	out = appendInt(out, "rule_sets", m.Counts.RuleSets)
	out = append(appendInt(out, "versions", m.Counts.Versions), '}')
	out = appendInt(out, "format_version", m.FormatVersion)
	out = appendText(out, "library_version", m.LibraryVersion)
	out = appendText(out, "previous", m.Previous)
	if m.FormatVersion != 1 {
		out = appendText(out, "reader_version", m.ReaderVersion)
	}
	out = appendList(out, "refused", m.Refused, appendOmission)
	out = appendList(out, "retired", m.Retired, func(out []byte, id *string) []byte { return jsontext.Append(out, *id) })
	out = appendList(out, "tombstones", m.Tombstones, appendOmission)
	if m.FormatVersion != 1 {
		out = appendList(out, "yanked", m.Yanked, appendOmission)
	}
	return append(out, "}\n"...)
}

func appendOmission(out []byte, o *Omission) []byte {
	out = appendText(append(out, '{'), "commit", o.Commit)
	out = appendText(out, "id", o.ID)
	out = appendText(out, "reason", o.Reason)
	return append(appendText(out, "version", o.Version), '}')
}

func decodeManifest(data []byte) (Manifest, error) {
	var m Manifest
	err := decode(data, &m, func() []byte { return m.encode() })
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
		for i, o := range list.omissions {
			switch {
			case !IsID(o.ID):
				return wrong(list.key, o.ID, "the ID of a document")
			case (o.Version != "" || list.key == "yanked") && !IsVersion(o.Version):
				return wrong(list.key, o.Version, "a version such as 1.0.0")
			case o.Commit != "" && !isCommit(o.Commit):
				return wrong(list.key, o.Commit, "the full hash of a commit")
			case o.Reason == "" || !utf8.ValidString(o.Reason):
				return wrong(list.key, o.Reason, "a reason in UTF-8")
			case i > 0 && compareOmissions(list.omissions[i-1], o) >= 0:
				return wrong(list.key, o.ID+" "+o.Version, "each version once, sorted by ID, version, and commit")
			}
		}
	}
	return nil
}

func compareOmissions(a, b Omission) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Commit, b.Commit))
}

// isCommit accepts SHA-1 and SHA-256 hashes of commits.
func isCommit(s string) bool { return isHex(s, 40) || isHex(s, 64) }

// clone returns a deep copy of m.
func (m *Manifest) clone() Manifest {
	c := *m
	c.Refused, c.Tombstones, c.Yanked, c.Retired = slices.Clone(m.Refused), slices.Clone(m.Tombstones), slices.Clone(m.Yanked), slices.Clone(m.Retired)
	return c
}

// The functions below append JSON in the form of RFC 8785. Callers append the members
// of an object in the order of their keys. encoding/json is not used because it
// escapes more than RFC 8785 does, and its details change from version to version.

// appendKey appends a key, and a comma before it if necessary.
func appendKey(out []byte, key string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(jsontext.Append(out, key), ':')
}

func appendText(out []byte, key, value string) []byte {
	return jsontext.Append(appendKey(out, key), value)
}

// appendOptional appends a text unless it is empty.
func appendOptional(out []byte, key, value string) []byte {
	if value == "" {
		return out
	}
	return appendText(out, key, value)
}

func appendInt(out []byte, key string, value int) []byte {
	return strconv.AppendInt(appendKey(out, key), int64(value), 10)
}

func appendList[E any](out []byte, key string, elems []E, each func([]byte, *E) []byte) []byte {
	out = append(appendKey(out, key), '[')
	for i := range elems {
		if i > 0 {
			out = append(out, ',')
		}
		out = each(out, &elems[i])
	}
	return append(out, ']')
}

// decode reads JSON into a value and rejects what encode would not write for that
// value: unknown, repeated, and misspelled keys, keys in another case, spaces, other
// escapes, invalid UTF-8, and anything after the end.
func decode(data []byte, into any, encode func() []byte) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		want := encode()
		if bytes.Equal(data, want) {
			return nil
		}
		strict := json.NewDecoder(bytes.NewReader(data))
		strict.DisallowUnknownFields()
		if err = strict.Decode(into); err == nil {
			at := firstDifference(data, want)
			return fmt.Errorf("its JSON is not in canonical form: at byte %d, expected %s, got %s", at, excerpt(want, at), excerpt(data, at))
		}
	}
	return fmt.Errorf("its JSON is not valid in a bundle: %.200s", strings.TrimPrefix(err.Error(), "json: "))
}

// firstDifference is the index of the first byte that differs.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// excerpt quotes the data at an offset.
func excerpt(data []byte, at int) string {
	if at >= len(data) {
		return "the end"
	}
	return strconv.QuoteToASCII(string(data[at:min(len(data), at+20)]))
}
