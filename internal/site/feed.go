package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// The feeds are Atom (RFC 4287). The date of a version whose time is unknown is the
// fixed date of the entries of a bundle.
var unknownDate = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  atomAuthor  `xml:"author"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomAuthor struct {
	Name string `xml:"name"`
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

// documentFeed writes the feed of a document: its versions, newest first.
func (b *builder) documentFeed(e *entry, versions []version) error {
	feed := atomFeed{Title: e.Name + " (" + e.ID + ")"}
	for _, v := range newestFirst(versions) {
		entry := b.atomEntry(e, &v, b.link(e.Folder, v.Page()))
		if v.Before != "" {
			entry.Links = append(entry.Links, atomLink{"related", "text/html", b.link(e.Folder, v.Comparison())})
		}
		feed.Entries = append(feed.Entries, entry)
	}
	return b.putFeed(e.Folder, feed)
}

// writeFeed writes the feed of the library: the latest version of each document, newest
// first if the times are known.
func (b *builder) writeFeed() error {
	feed := atomFeed{Title: "Rubric library"}
	for _, e := range b.entries {
		digest := e.Versions[len(e.Versions)-1].Digest
		v := version{Version: e.Latest, Digest: digest, When: e.When}
		entry := b.atomEntry(e, &v, b.link(".", path.Join(e.Folder, v.Page())))
		entry.Summary = strings.Join(e.Facts(), " · ")
		feed.Entries = append(feed.Entries, entry)
	}
	slices.SortStableFunc(feed.Entries, func(x, y atomEntry) int { return cmp.Compare(y.when.Unix(), x.when.Unix()) })
	return b.putFeed(".", feed)
}

func (b *builder) atomEntry(e *entry, v *version, link string) atomEntry {
	when := dated(v.When)
	changes := []string{v.Change()}
	for _, c := range v.Changes() {
		changes = append(changes, c.Class.String()+": "+c.Message)
	}
	return atomEntry{
		ID: urn(e.ID + "@" + v.Version + "#" + v.Digest), Title: sanitize.Line(e.Name + " " + v.Version), Updated: when.Format(time.RFC3339),
		Links: []atomLink{{"alternate", "text/html", link}}, Summary: sanitize.Line(strings.Join(changes, " ")), when: when,
	}
}

func dated(t time.Time) time.Time {
	if t.IsZero() {
		return unknownDate
	}
	return t
}

// putFeed writes a feed to a folder.
func (b *builder) putFeed(dir string, feed atomFeed) error {
	feed.Title = sanitize.Line(feed.Title)
	feed.Author.Name = "Rubric library"
	feed.ID = urn("feed of " + b.options.BaseURL + " " + dir)
	newest := unknownDate
	for i := range feed.Entries {
		feed.Entries[i].Summary = sanitize.Line(feed.Entries[i].Summary)
		if feed.Entries[i].when.After(newest) {
			newest = feed.Entries[i].when
		}
	}
	feed.Updated = newest.Format(time.RFC3339)
	feed.Links = []atomLink{{"alternate", "text/html", b.link(dir, "index.html")}}
	if b.options.BaseURL != "" {
		feed.Links = append(feed.Links, atomLink{"self", "application/atom+xml", b.link(dir, feedName)})
	}
	data, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return err
	}
	return b.put(path.Join(dir, feedName), append([]byte(xml.Header), append(data, '\n')...))
}

// link returns the URL of a file in a folder, as written in a feed in that folder.
func (b *builder) link(dir, name string) string {
	if b.options.BaseURL == "" {
		return name
	}
	return b.options.BaseURL + path.Join(dir, name)
}

// urn returns a permanent ID for a text: a version 8 UUID (RFC 9562) from the text's
// SHA-256.
func urn(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
