package exchange

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/library"
)

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

// exporters write the formats, and some of them also rule sets.
var exporters = []struct {
	format   string
	export   func(*library.Document) content
	ruleSets bool
}{
	{"promptfoo", promptfoo, false},
	{"inspect", inspect, false},
	{"deepeval", deepEval, false},
	{"prometheus", prometheus, false},
	{"rubric-spec", rubricSpec, false},
	{"json-schema", answerSchema, false},
	{"judge-view", judgeView, false},
	{"markdown", markdown, true},
	{"csv", table, true},
}

// ExportFormats are the formats of a kind of document, or all of them for "".
func ExportFormats(kind library.Kind) []string {
	var names []string
	for _, e := range exporters {
		if kind != library.KindRuleSet || e.ruleSets {
			names = append(names, e.format)
		}
	}
	return names
}

// NewExport converts a document. The error is that the format does not exist or has no form
// for this kind of document, and lists the formats that do.
func NewExport(format string, d *library.Document) (*Export, error) {
	ref := d.Reference
	if formats := ExportFormats(d.Kind()); !slices.Contains(formats, format) {
		return nil, fmt.Errorf("the format of %s must be %s, got %q", ref.ID, schema.Or(formats, "or"), format)
	}
	c := exporters[slices.Index(ExportFormats(""), format)].export(d)
	e := &Export{manifest{1, format, ref.ID, ref.Version, ref.Digest, c.losses, map[string]string{}}, c.files}
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
