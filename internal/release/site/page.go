package site

import (
	"bytes"
	"embed"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// policy allows a page only the style sheet, the scripts, and the icon of the site, and a
// worker made from these scripts. The worker inherits the policy, so it can't send a text
// anywhere; one loaded from a file would have none.
const policy = "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

var (
	//go:embed templates/*.html templates/*.xml
	templateFiles embed.FS
	//go:embed assets/*
	assetFiles embed.FS
)

// The templates sanitize every text; html/template escapes it. They are parsed on first
// use, so that other commands do not pay for it.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"next": func(i int) int { return i + 1 }, "line": sanitize.Line, "prose": render.Prose, "sentences": sentences, "short": func(hash string) string { return hash[:min(12, len(hash))] }, "lines": render.Lines, "number": render.Number, "count": count, "date": date, "tag": languageTag, "words": typeWords, "first": render.FirstSentence, "web": isWeb().MatchString, "policy": func() string { return policy },
	}).ParseFS(templateFiles, "templates/*"))
})

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

func (b *builder) putPage(templateName string, data any, name string) error {
	made, err := b.made(templateName, data)
	if err != nil {
		return err
	}
	return b.put(name, made)
}

func (b *builder) made(templateName string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := templates().ExecuteTemplate(&out, templateName, data)
	return out.Bytes(), err
}

// The files that pages load.
const (
	clientName     = "assets/client.js"
	scriptName     = "assets/page.js"
	searchName     = "assets/search.js"
	listsName      = "assets/lists.js"
	searchDataName = "assets/search-data.js"
	lookupName     = "assets/lookup.js"
	benchName      = "assets/workbench.js"
	styleName      = "assets/style.css"
	documentName   = "assets/document.css"
	levelsName     = "assets/levels.js"
	iconName       = "assets/icon.svg"
)

// writeAssets writes the assets, which are the same in every site. writeData writes the rest.
func (b *builder) writeAssets() error {
	own := func(name string) string {
		data, err := assetFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(data)
	}
	basics, _, _ := strings.Cut(render.PageStyle, "/* Reports */") // lists need no more, and load fast
	assets := map[string]string{
		styleName:    basics + own("assets/site.css"),
		documentName: printer.Style() + own("assets/site.css") + own(documentName),
		clientName:   clientScript(),
		levelsName:   labels.LevelsScript,
	}
	for _, name := range []string{scriptName, searchName, listsName, lookupName, benchName, iconName} {
		assets[name] = own(name)
	}
	for name, content := range assets {
		if err := b.put(name, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// sentences splits a text into its different sentences.
func sentences(text string) (list []string) {
	for text = render.OneLine(text); text != ""; {
		first := render.FirstSentence(text)
		if !slices.Contains(list, first) {
			list = append(list, first)
		}
		text = strings.TrimSpace(text[len(first):])
	}
	return list
}

// date returns the day of a time, or "" if it is unknown.
func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

func typeWords(artifactType string) string {
	return strings.ReplaceAll(sanitize.Line(artifactType), "_", " ")
}

var isTag = lazy.Expr(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// languageTag returns the language of a document's texts as a valid lang attribute.
func languageTag(language string) string {
	if !isTag().MatchString(language) {
		return "en"
	}
	return language
}

// exported matches the exported declarations of the client.
var exported = lazy.Expr(`(?m)^export (async function|function|class|const) (\w+)`)

// clientScript returns the client as a classic script, because browsers do not load modules
// from a local folder. Its global function makeClient returns the exports of the module and the
// parts that search for a pattern and in documents; the text of the function is the source of a
// worker.
func clientScript() string {
	names := []string{"Translator", "findAll", "NAMES_ASCII", "fold", "oneEdit", "contains", "REFERENCE"}
	for _, match := range exported().FindAllStringSubmatch(javascript.Source, -1) {
		names = append(names, match[2])
	}
	body := exported().ReplaceAllString(javascript.Source, "$1 $2")
	return "\"use strict\";\nfunction makeClient() {\n" + body + "\nreturn Object.freeze({ " + strings.Join(names, ", ") + " });\n}\n"
}
