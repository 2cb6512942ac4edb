package exchange

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Document is a version of a document in a library.
type Document struct {
	Kind, ID, Version string
	// Digest is the document digest, and Data the canonical form.
	Digest string
	Data   []byte
}

// reference permanently identifies the text of the document.
func (d *Document) reference() string { return d.ID + "@" + d.Version + "#" + d.Digest }

// Export is a document in the format of another tool.
type Export struct {
	Format       string
	ID           string
	Version      string
	Digest       string
	NotExpressed []Loss
	manifest     []byte
	files        map[string]string // the content by name, without the manifest
}

// Loss is something that the target of an export can't express.
type Loss struct {
	What string `json:"what"`
	// Verdict reports whether the verdict there can differ because of it.
	Verdict bool `json:"verdict"`
}

// manifestName is the file that marks a folder as an export.
const manifestName = "export.json"

// manifest describes an export in its folder.
type manifest struct {
	SchemaVersion int    `json:"schema_version"`
	Format        string `json:"format"`
	ID            string `json:"id"`
	Version       string `json:"version"`
	Digest        string `json:"digest"`
	NotExpressed  []Loss `json:"not_expressed"`
	// Files has the SHA-256 of each file by name.
	Files map[string]string `json:"files"`
}

// exporter writes one format. A kind of document without a function can't be exported.
type exporter struct {
	format  string
	rubric  func(*Document, *rubric.Rubric) (files map[string]string, losses []Loss, err error)
	ruleSet func(*Document) (files map[string]string, losses []Loss, err error)
}

var exporters = []exporter{
	{"promptfoo", promptfoo, nil},
	{"inspect", inspect, nil},
	{"deepeval", deepEval, nil},
	{"prometheus", prometheus, nil},
	{"rubric-spec", rubricSpec, nil},
	{"json-schema", answerSchema, nil},
	{"judge-view", judgeView, nil},
	{"markdown", rubricMarkdown, ruleSetMarkdown},
	{"csv", rubricCSV, ruleSetCSV},
}

// ExportFormats are the formats of a kind of document, or all of them for "".
func ExportFormats(kind string) []string {
	var names []string
	for _, e := range exporters {
		if kind != bundlefile.KindRuleSet || e.ruleSet != nil {
			names = append(names, e.format)
		}
	}
	return names
}

// NewExport converts a document. The error is that the format does not exist or has no form
// for this kind of document, and lists the formats that do.
func NewExport(format string, d Document) (*Export, error) {
	formats := ExportFormats(d.Kind)
	i := slices.IndexFunc(exporters, func(e exporter) bool { return e.format == format })
	switch {
	case i < 0:
		return nil, fmt.Errorf("unknown format %q: expected %s", format, schema.Or(formats, "or"))
	case !slices.Contains(formats, format):
		return nil, fmt.Errorf("%s is a rule set, which %s can't express: expected %s", d.ID, format, schema.Or(formats, "or"))
	}
	e := &Export{Format: format, ID: d.ID, Version: d.Version, Digest: d.Digest}
	var err error
	if d.Kind == bundlefile.KindRuleSet {
		e.files, e.NotExpressed, err = exporters[i].ruleSet(&d)
	} else {
		var r rubric.Rubric
		if err := json.Unmarshal(d.Data, &r); err != nil {
			return nil, err
		}
		e.files, e.NotExpressed, err = exporters[i].rubric(&d, &r)
	}
	if err != nil {
		return nil, err
	}
	m := manifest{1, format, d.ID, d.Version, d.Digest, append([]Loss{}, e.NotExpressed...), map[string]string{}}
	for name, content := range e.files {
		m.Files[name] = fileDigest(content)
	}
	e.manifest = []byte(indented(m))
	return e, nil
}

// Files lists the names of the files, sorted.
func (e *Export) Files() []string {
	return slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(e.files)), manifestName)))
}

// content is that of a file.
func (e *Export) content(name string) string {
	if name == manifestName {
		return string(e.manifest)
	}
	return e.files[name]
}

// ErrLossy is the error that the verdict in the target can differ, with the reasons, or nil.
func (e *Export) ErrLossy() error {
	var reasons []string
	for _, l := range e.NotExpressed {
		if l.Verdict {
			reasons = append(reasons, "\n- "+l.What)
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("a verdict on %s can differ with the %s export. To export it anyway, set --lossy:%s", e.ID, e.Format, strings.Join(reasons, ""))
}

func fileDigest(content string) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content)))
}
