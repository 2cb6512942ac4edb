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
	"github.com/rubric-library/rubric-library/pkg/ruleset"
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
	manifest
	files map[string]string // the content by name, with the manifest
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
	// Digests has the SHA-256 of each file by name.
	Digests map[string]string `json:"files"`
}

// content is what an exporter makes of a document: its files by name, and what they lack.
type content struct {
	files  map[string]string
	losses []Loss
}

// exporters write the formats. A kind of document without a function can't be exported.
var exporters = []struct {
	format  string
	rubric  func(*Document, *rubric.Rubric) content
	ruleSet func(*Document, *ruleset.RuleSet) content
}{
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
	if formats := ExportFormats(d.Kind); !slices.Contains(formats, format) {
		return nil, fmt.Errorf("the format of %s must be %s, got %q", d.ID, schema.Or(formats, "or"), format)
	}
	var r rubric.Rubric
	var s ruleset.RuleSet
	model := any(&r)
	if d.Kind == bundlefile.KindRuleSet {
		model = &s
	}
	if err := json.Unmarshal(d.Data, model); err != nil {
		return nil, err
	}
	var c content
	for _, e := range exporters {
		switch {
		case e.format != format:
		case model == &s:
			c = e.ruleSet(&d, &s)
		default:
			c = e.rubric(&d, &r)
		}
	}
	e := &Export{manifest{1, format, d.ID, d.Version, d.Digest, c.losses, map[string]string{}}, c.files}
	for name, text := range c.files {
		e.Digests[name] = digest(text)
	}
	e.files[manifestName] = indented(e.manifest)
	return e, nil
}

// Files lists the names of the files in the order in which they are written. The manifest is
// the last, so that a process that ends before leaves files that the next export accepts.
func (e *Export) Files() []string {
	return append(slices.Sorted(maps.Keys(e.Digests)), manifestName)
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

func digest(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
