package site

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/pkg/library"
)

type builder struct {
	library *library.Library
	options Options
	out     *folder
	packed  sync.Map            // functions that return a dataset of the bundle, by its name
	types   map[string][]*entry // by artifact type
	entries []*entry            // sorted by ID
	until   time.Time           // when the knowledge of the site ends
	// withdrawn are the withdrawn versions, sorted by ID and version.
	withdrawn []withdrawal
}

func newBuilder(l *library.Library, lines []*library.Entry, o Options) *builder {
	if o.Forge == nil {
		o.Forge = &Forge{}
	}
	b := &builder{library: l, options: o, types: map[string][]*entry{}}
	for _, line := range lines {
		e := &entry{Entry: line, Status: statusOf(line)}
		b.entries = append(b.entries, e)
		b.types[line.ArtifactType] = append(b.types[line.ArtifactType], e)
	}
	return b
}

// The names of files in the root of a site.
const (
	bundleName    = "rubrics.zip"
	indexDataName = "index.json"
	feedName      = "feed.xml"
	typesName     = "types/index.html"
)

func (b *builder) put(name string, data []byte) error { return b.out.put(name, bytes.NewReader(data)) }

func (b *builder) putPage(templateName string, data any, name string) error {
	made, err := b.execute(templateName, data)
	if err != nil {
		return err
	}
	return b.put(name, made)
}

func (b *builder) execute(templateName string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := templates().ExecuteTemplate(&out, templateName, data)
	return out.Bytes(), err
}

func (b *builder) newPage(name, title string, scripts ...string) page {
	p := page{
		Root: strings.Repeat("../", strings.Count(name, "/")), Title: title, Scripts: scripts, Style: styleName,
		Library: b.library, Options: &b.options,
	}
	if b.options.BaseURL != "" {
		p.Canonical = b.options.BaseURL + name
	}
	if p.Root != "" && !strings.HasPrefix(name, "types/") || slices.Contains([]string{usePage}, name) {
		p.Style = documentName
	}
	return p
}

// page is the common data of every page.
type page struct {
	// Root is the path to the root of the site: "", or for example "../../".
	Root  string
	Title string
	// Summary describes the page in a sentence, for search engines.
	Summary string
	// Canonical is the URL of the page, or "" if it is unknown.
	Canonical string
	Scripts   []string
	Style     string
	Library   *library.Library
	Options   *Options
}

// withdrawal is a version of which the site has no text, only a page that says so.
type withdrawal struct {
	library.Withdrawal
	// Release is the version of the library that withdrew it, and At its time; "" and zero if
	// they are not recorded.
	Release string    `json:"release,omitempty"`
	At      time.Time `json:"withdrawn,omitzero"`
	Page    string    `json:"page"` // from the root of the site
	entry   *library.Entry
}
