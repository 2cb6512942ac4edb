package site

import (
	"bytes"
	"cmp"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// indexDataVersion is the schema_version of index.json. It is incremented with each
// incompatible change.
const indexDataVersion = 3

// indexData is index.json: the data of the index page for programs.
type indexData struct {
	SchemaVersion  int            `json:"schema_version"`
	LibraryVersion string         `json:"library_version,omitempty"`
	Digest         string         `json:"digest,omitempty"`
	Bundle         string         `json:"bundle,omitempty"`
	Feed           string         `json:"feed"`
	Counts         counts         `json:"counts"`
	Documents      []documentData `json:"documents"`
}

type documentData struct {
	ID           string              `json:"id"`
	Kind         string              `json:"kind"`
	Name         string              `json:"name"`
	ArtifactType string              `json:"artifact_type"`
	Description  string              `json:"description,omitempty"`
	Language     string              `json:"language,omitempty"`
	Status       string              `json:"status"`
	Latest       string              `json:"latest"`
	Change       string              `json:"change"`
	Changed      string              `json:"changed,omitempty"` // such as 2026-11-22
	Criteria     int                 `json:"criteria,omitempty"`
	Rules        int                 `json:"rules,omitempty"`
	Deprecated   *rubric.Deprecation `json:"deprecated,omitempty"`
	Calibration  *measure            `json:"calibration,omitempty"`
	Page         string              `json:"page"`
	Versions     []version           `json:"versions"`
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
	// Line has the keys of a line of the index that are searched, not sanitized.
	Line searchLine `json:"line"`
}

type searchLine struct {
	ID           string            `json:"id"`
	ArtifactType string            `json:"artifact_type"`
	Name         string            `json:"name"`
	Description  string            `json:"description,omitempty"`
	Keywords     string            `json:"keywords,omitempty"`
	Parts        []bundlefile.Part `json:"parts,omitempty"`
}

func (b *builder) writeData() error {
	index := indexData{
		SchemaVersion: indexDataVersion, LibraryVersion: b.library.Version(), Digest: b.library.Digest(), Feed: feedName,
		Counts: b.counts(), Documents: []documentData{},
	}
	if b.options.Bundle != "" {
		index.Bundle = bundleName
	}
	search := []searchData{}
	for _, e := range b.entries {
		index.Documents = append(index.Documents, e.data())
		search = append(search, e.searchData())
	}
	data, err := encode(index)
	if err != nil {
		return err
	}
	if err := b.put(indexDataName, data); err != nil {
		return err
	}
	if data, err = encode(search); err != nil {
		return err
	}
	var script bytes.Buffer
	script.WriteString("\"use strict\";\nconst librarySearch = \"")
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
	return b.put(searchDataName, script.Bytes())
}

// searchData returns sanitized data, because the search shows it unchanged. The names of
// parts have a form that hides nothing.
func (e *entry) searchData() searchData {
	s := searchData{Page: e.Page(), Name: sanitize.Line(e.Name), Summary: sanitize.Line(e.Summary()), Kind: string(e.Kind), Status: e.Status()}
	s.Calibrated, s.Chips = e.calibrated(), e.Chips()
	s.Line = searchLine{e.ID, e.ArtifactType, e.Name, e.Description, e.Keywords, e.Parts}
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

func (e *entry) data() documentData {
	d := documentData{
		ID: e.ID, Kind: string(e.Kind), Name: e.Name, ArtifactType: e.ArtifactType, Description: e.Description, Language: e.Language,
		Status: e.Status(), Latest: e.Latest, Change: e.Change, Changed: date(e.When), Calibration: e.Measure,
		Page: e.Page(), Deprecated: (*rubric.Deprecation)(e.Deprecated), Versions: e.Versions,
	}
	if e.Kind == bundlefile.KindRuleSet {
		d.Rules = e.Count
	} else {
		d.Criteria = e.Count
	}
	return d
}

// The feed is Atom (RFC 4287). The date of a version whose time is unknown is the
// fixed date of the entries of a bundle.
var unknownDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// mostEntries is how many entries the feed has, the newest. Readers keep what they have seen.
const mostEntries = 50

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Links   []atomLink `xml:"link"`
	Summary string     `xml:"summary"`

	when time.Time
}

// writeFeed writes the feed of the library: the latest version of each document, newest
// first if the times are known.
func (b *builder) writeFeed() error {
	feed := atomFeed{
		ID: urn("feed of " + b.options.BaseURL + " ."), Title: sanitize.Line(b.options.Name), Author: sanitize.Line(b.options.Name),
		Links: []atomLink{{"alternate", "text/html", b.link("index.html")}},
	}
	if b.options.BaseURL != "" {
		feed.Links = append(feed.Links, atomLink{"self", "application/atom+xml", b.link(feedName)})
	}
	for _, e := range b.entries {
		feed.Entries = append(feed.Entries, b.atomEntry(e))
	}
	slices.SortStableFunc(feed.Entries, func(x, y atomEntry) int { return cmp.Compare(y.when.Unix(), x.when.Unix()) })
	feed.Entries = feed.Entries[:min(mostEntries, len(feed.Entries))]
	newest := unknownDate
	for _, e := range feed.Entries {
		if e.when.After(newest) {
			newest = e.when
		}
	}
	feed.Updated = newest.Format(time.RFC3339)
	data, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return err
	}
	return b.put(feedName, append([]byte(xml.Header), append(data, '\n')...))
}

func (b *builder) atomEntry(e *entry) atomEntry {
	when := e.When
	if when.IsZero() {
		when = unknownDate
	}
	var facts []string
	for _, f := range e.Facts() {
		facts = append(facts, f.Text)
	}
	return atomEntry{
		ID:    urn(e.ID + "@" + e.Latest + "#" + e.Newest().Digest),
		Title: sanitize.Line(e.Name + " " + e.Latest), Updated: when.Format(time.RFC3339),
		Links:   []atomLink{{"alternate", "text/html", b.link(e.Folder + "/" + e.Latest + ".html")}},
		Summary: sanitize.Line(strings.Join(append(facts, "last change: "+e.Change), " · ")), when: when,
	}
}

// link returns the URL of a file, as written in the feed.
func (b *builder) link(name string) string { return b.options.BaseURL + name }

// urn returns a permanent ID for a text: a version 8 UUID (RFC 9562) from the text's
// SHA-256.
func urn(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
