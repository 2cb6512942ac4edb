package site

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// indexDataVersion is the schema_version of index.json. It is incremented with each
// incompatible change.
const indexDataVersion = 4

// indexData is index.json: the data of the index page for programs.
type indexData struct {
	SchemaVersion  int      `json:"schema_version"`
	LibraryVersion string   `json:"library_version,omitempty"`
	Digest         string   `json:"digest,omitempty"`
	Bundle         string   `json:"bundle,omitempty"`
	Feed           string   `json:"feed"`
	Counts         counts   `json:"counts"`
	Documents      []*entry `json:"documents"`
}

// searchData is the data of a document for the search on the index page.
type searchData struct {
	Page       string   `json:"page"`
	Name       string   `json:"name"`
	Summary    string   `json:"summary,omitempty"`
	Kind       string   `json:"kind"`
	Status     string   `json:"status"`
	Calibrated bool     `json:"calibrated,omitempty"`
	Facts      []fact   `json:"facts"`
	Chips      []string `json:"chips,omitempty"`
	// Line is not sanitized.
	Line bundlefile.IndexLine `json:"line"`
	// Owners are those of the metadata and of CODEOWNERS, each of these with an @.
	Owners   []string `json:"owners,omitempty"`
	Language string   `json:"language"`
	// Ended is why the document is deprecated or retired, and ReplacedBy the ID to use instead.
	Ended      string `json:"ended,omitempty"`
	ReplacedBy string `json:"replaced_by,omitempty"`
	// Versions are those that are available, in ascending order.
	Versions []searchVersion `json:"versions"`
}

// searchIndex is what the search on the index page finds.
type searchIndex struct {
	Documents []searchData    `json:"documents"`
	Withdrawn []withdrawal    `json:"withdrawn"`
	Releases  []searchRelease `json:"releases"`
	// Gone are the retired documents of which no version is left.
	Gone []searchGone `json:"gone"`
}

type searchVersion struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
	Commit  string `json:"commit,omitempty"`
	Release string `json:"release,omitempty"`
	// Yanked is why the version is yanked, or "".
	Yanked string `json:"yanked,omitempty"`
}

type searchRelease struct {
	Version string `json:"version"`
	Digest  string `json:"digest,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Page    string `json:"page"`
}

type searchGone struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// searchIndex returns what the search finds, with sanitized reasons.
func (b *builder) searchIndex() (searchIndex, error) {
	s := searchIndex{
		Documents: []searchData{}, Withdrawn: []withdrawal{}, Releases: []searchRelease{}, Gone: []searchGone{},
	}
	for _, e := range b.entries {
		s.Documents = append(s.Documents, e.searchData())
	}
	for _, w := range b.withdrawn {
		w.Reason = sanitize.Line(w.Reason)
		s.Withdrawn = append(s.Withdrawn, w)
	}
	for _, r := range b.releases() {
		s.Releases = append(s.Releases, searchRelease{sanitize.Line(r.Version), r.Digest, r.Commit, r.Address()})
	}
	gone, err := b.retiredEntries()
	for _, e := range gone {
		reason := e.Retired.Reason
		if e.Retired.ReplacedBy != "" {
			reason += " Use " + e.Retired.ReplacedBy + " instead."
		}
		s.Gone = append(s.Gone, searchGone{e.ID, sanitize.Line(reason)})
	}
	return s, err
}

func (b *builder) writeData() error {
	index := indexData{
		SchemaVersion: indexDataVersion, LibraryVersion: b.library.Version(), Digest: b.library.Digest(), Feed: feedName,
		Counts: b.counts(), Documents: b.entries,
	}
	if b.options.Bundle != "" {
		index.Bundle = bundleName
	}
	search, err := b.searchIndex()
	if err != nil {
		return err
	}
	data, err := encode(index)
	if err != nil {
		return err
	}
	if err := b.put(indexDataName, data); err != nil {
		return err
	}
	return b.putPacked(searchDataName, "librarySearch", search)
}

// putPacked writes a script with a compressed value under a name, which unpack in page.js reads.
func (b *builder) putPacked(file, name string, value any) error {
	data, err := encode(value)
	if err != nil {
		return err
	}
	var script bytes.Buffer
	script.WriteString("\"use strict\";\nconst " + name + " = \"")
	text := base64.NewEncoder(base64.StdEncoding, &script)
	packed, err := flate.NewWriter(text, flate.BestCompression)
	if err != nil {
		return err
	}
	_, err = packed.Write(data)
	if err = errors.Join(err, packed.Close(), text.Close()); err != nil {
		return err
	}
	script.WriteString("\";\n")
	return b.put(file, script.Bytes())
}

// searchData returns sanitized data, because the search shows it unchanged. The names of
// parts have a form that hides nothing.
func (e *entry) searchData() searchData {
	s := searchData{
		Page: e.Page, Name: sanitize.Line(e.Name), Summary: sanitize.Line(e.Summary()),
		Kind: string(e.Kind), Status: e.Status,
		Calibrated: e.isCalibrated(), Chips: e.Chips(), Line: e.Line, Owners: e.owners(), Language: e.language(),
	}
	switch {
	case e.Retired != nil:
		s.Ended, s.ReplacedBy = sanitize.Line(e.Retired.Reason), e.Retired.ReplacedBy
	case e.Deprecated != nil:
		s.Ended, s.ReplacedBy = sanitize.Line(e.Deprecated.Reason), e.Deprecated.ReplacedBy
	}
	for _, v := range e.Versions {
		s.Versions = append(s.Versions, searchVersion{v.Version, v.Digest, v.Commit, v.Release, sanitize.Line(v.Yanked)})
	}
	for _, f := range e.Facts() {
		s.Facts = append(s.Facts, fact{sanitize.Line(f.Text), f.Class})
	}
	return s
}

// encode returns JSON with HTML escapes, so that it is also safe in a script element.
func encode(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	return append(data, '\n'), err
}

// The feed is Atom (RFC 4287). The date of a version whose time is unknown is the
// fixed date of the entries of a bundle.
var unknownDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// mostEntries is how many entries the feed has, the newest. Readers keep what they have seen.
const mostEntries = 50

// feedEntry is the latest version of a document in the feed.
type feedEntry struct {
	*entry
	ID      string
	Updated time.Time
}

// Text returns what a list shows of the document, and the class of its last change.
func (f *feedEntry) Text() string {
	text := ""
	for _, each := range f.Facts() {
		text += each.Text + " · "
	}
	return sanitize.Line(text + "last change: " + f.Change)
}

// writeFeed writes the feed of the library: the latest version of each document, newest
// first if the times are known.
func (b *builder) writeFeed() error {
	base := b.options.BaseURL
	feed := struct {
		ID, Name, Base string
		Updated        time.Time
		Entries        []feedEntry
	}{ID: urn("feed of " + base + " ."), Name: b.options.Name, Base: base, Updated: unknownDate}
	for _, e := range b.entries {
		f := feedEntry{e, urn(e.ID + "@" + e.Latest + "#" + e.Newest().Digest), e.Newest().from}
		if f.Updated.IsZero() {
			f.Updated = unknownDate
		}
		feed.Entries = append(feed.Entries, f)
	}
	slices.SortStableFunc(feed.Entries, func(x, y feedEntry) int { return y.Updated.Compare(x.Updated) })
	feed.Entries = feed.Entries[:min(mostEntries, len(feed.Entries))]
	if len(feed.Entries) > 0 && feed.Entries[0].Updated.After(feed.Updated) {
		feed.Updated = feed.Entries[0].Updated
	}
	var out bytes.Buffer
	out.WriteString(xml.Header) // which a template would escape
	err := templates().ExecuteTemplate(&out, "feed.xml", feed)
	return errors.Join(err, b.put(feedName, out.Bytes()))
}

// urn returns a permanent ID for a text: a version 8 UUID (RFC 9562) from the text's
// SHA-256.
func urn(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
