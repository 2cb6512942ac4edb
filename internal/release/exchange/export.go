package exchange

import (
	"crypto/sha256"
	"encoding/json"
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

// exporters write the formats, and some of them also rule sets: the files by name, and what
// they lack. lost are the keys that `rubric import` can't read back, in formats that it reads.
var exporters = []struct {
	format   string
	export   func(*library.Document) (files map[string]string, losses []Loss)
	ruleSets bool
	lost     []string
}{
	{"promptfoo", promptfoo, false, append(head, "scoring")},
	{"inspect", inspect, false, nil},
	{"deepeval", deepEval, false, append(head, "scoring", "criteria.weight", "criteria.threshold", "criteria.examples", "negative_criteria")},
	{"rubric-spec", rubricSpec, false, append(head[2:], "artifact_type", "scoring", "negative_criteria")},
	{"json-schema", answerSchema, false, nil},
	{"judge-view", judgeView, false, nil},
	{"markdown", markdown, true, append(head[3:], "rules.checks")},
}

// head are keys at the top of a document.
var head = []string{"artifact_type", "name", "description", "language", "deprecated", "calibration_dataset", "metadata"}

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
	exporter := exporters[slices.Index(ExportFormats(""), format)]
	files, losses := exporter.export(d)
	if format == "markdown" && d.Rubric != nil {
		losses = append(losses, Loss{What: "`rubric import` can't read a rubric in Markdown."})
	} else if lost := slices.DeleteFunc(slices.Clone(exporter.lost), func(path string) bool { return !has(d, path) }); len(lost) > 0 {
		losses = append(losses, Loss{What: "`rubric import` can't read back: " + strings.Join(lost, ", ") + "."})
	}
	e := &Export{manifest{1, format, ref.ID, ref.Version, ref.Digest, losses, map[string]string{}}, files}
	for name, text := range files {
		e.Digests[name] = digest(text)
	}
	e.files[manifestName] = indented(e.manifest)
	return e, nil
}

// has reports whether a document has a key, or one of its elements does.
func has(d *library.Document, path string) bool {
	var values map[string]any
	_ = json.Unmarshal(d.JSON(), &values) // it was decoded before
	key, inner, _ := strings.Cut(path, ".")
	if inner == "" {
		return values[key] != nil
	}
	elements, _ := values[key].([]any)
	return slices.ContainsFunc(elements, func(e any) bool { return e.(map[string]any)[inner] != nil })
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
