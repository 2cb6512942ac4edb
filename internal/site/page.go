package site

import (
	"bytes"
	"embed"
	"html/template"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/internal/diff/printer"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// policy allows a page only the style sheet and the scripts of the site. The icon is an
// empty data URL, because browsers request one otherwise.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

var (
	//go:embed templates/*.html
	templateFiles embed.FS
	//go:embed assets/*
	assetFiles embed.FS
)

// The templates sanitize every text; html/template escapes it. They are parsed on first
// use, so that other commands do not pay for it.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"line": sanitize.Line, "lines": render.Lines, "number": render.Number, "count": count, "date": date, "tag": languageTag, "web": isWeb, "policy": func() string { return policy },
	}).ParseFS(templateFiles, "templates/*.html"))
})

// page is the common data of every page.
type page struct {
	// Root is the path to the root of the site: "", or for example "../../".
	Root  string
	Title string
	// Feed is the path of the page's feed from its folder.
	Feed    string
	Scripts []string
	Site    siteFacts
}

// siteFacts are the facts about the library on every page.
type siteFacts struct {
	Version, Digest string
	Bundle          string // "" if it can't be downloaded
}

// newPage returns the common data of the page at the path name.
func (b *builder) newPage(name, title string, scripts ...string) page {
	p := page{Root: strings.Repeat("../", strings.Count(name, "/")), Title: title, Scripts: scripts, Feed: feedName}
	p.Site = siteFacts{Version: b.library.Version, Digest: b.library.Digest}
	if b.options.Bundle != "" {
		p.Site.Bundle = bundleName
	}
	if dir := path.Dir(name); dir == "." || strings.HasPrefix(dir, "types/") {
		p.Feed = p.Root + feedName
	}
	return p
}

// putPage writes a page under one or several names in the same folder.
func (b *builder) putPage(templateName string, data any, names ...string) error {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, templateName, data); err != nil {
		return err
	}
	for _, name := range names {
		if err := b.put(name, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// asset is a file that pages load.
type asset struct{ name, content string }

const (
	clientName     = "assets/client.js"
	scriptName     = "assets/page.js"
	searchName     = "assets/search.js"
	searchDataName = "assets/search-data.js"
	rubricName     = "assets/rubric.js"
	ruleSetName    = "assets/ruleset.js"
	styleName      = "assets/style.css"
)

// assets returns the assets, which are the same in every site except for the search data.
func assets() []asset {
	own := func(name string) string {
		data, err := assetFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(data)
	}
	return []asset{
		{styleName, printer.Style() + own("assets/site.css")}, {clientName, clientScript()}, {scriptName, own(scriptName)},
		{searchName, own(searchName)}, {rubricName, own(rubricName)}, {ruleSetName, own(ruleSetName)}, {searchDataName, ""},
	}
}

func (b *builder) writeAssets() error {
	for _, a := range assets() {
		if a.name == searchDataName {
			continue // writeData
		}
		if err := b.put(a.name, []byte(a.content)); err != nil {
			return err
		}
	}
	return nil
}

// date returns the day of a time, or "" if it is unknown.
func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

var isTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// languageTag returns the language of a document's texts as a valid lang attribute.
func languageTag(language string) string {
	if !isTag.MatchString(language) {
		return "en"
	}
	return language
}

// isWeb reports whether an address is an http or https URL.
func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// exported matches the exported declarations of the client.
var exported = regexp.MustCompile(`(?m)^export (async function|function|class|const) (\w+)`)

// clientScript returns the client as a classic script whose global rubricBundle has the
// exports of the module, because browsers do not load modules from a local folder.
func clientScript() string {
	var names []string
	for _, match := range exported.FindAllStringSubmatch(javascript.Source, -1) {
		names = append(names, match[2])
	}
	body := exported.ReplaceAllString(javascript.Source, "$1 $2")
	return "\"use strict\";\nconst rubricBundle = (() => {\n" + body + "\nreturn Object.freeze({ " + strings.Join(names, ", ") + " });\n})();\n"
}
