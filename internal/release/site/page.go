package site

import (
	"embed"
	"html/template"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
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
		"next": func(i int) int { return i + 1 }, "line": sanitize.Line, "prose": render.Prose,
		"sentences": sentences, "short": func(hash string) string { return hash[:min(12, len(hash))] },
		"lines": render.Lines, "number": render.Number, "count": count, "date": date, "tag": languageTag,
		"words": typeWords, "first": render.FirstSentence, "web": isWeb().MatchString,
		"policy": func() string { return policy },
	}).ParseFS(templateFiles, "templates/*"))
})

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
	return "\"use strict\";\nfunction makeClient() {\n" + body + "\nreturn Object.freeze({ " +
		strings.Join(names, ", ") + " });\n}\n"
}

// The pages about the library as a whole.
const (
	usePage        = "use.html"
	readingPage    = "reading.html"
	governancePage = "governance.html"
	decisionsPage  = "decisions.html"
	releasesPage   = "releases.html"
	missingPage    = "404.html"
)

var isWeb = lazy.Expr(`^https?://`)
