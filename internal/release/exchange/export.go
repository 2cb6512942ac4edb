package exchange

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Export is a document in the format of another tool, or a project with several documents.
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
	origin               // of an export of one document
	// Documents are those of a project.
	Documents    []origin `json:"documents,omitempty"`
	NotExpressed []Loss   `json:"not_expressed"`
	// Digests has the SHA-256 of each file by name.
	Digests map[string]string `json:"files"`
}

// origin is the version of a document that an export has.
type origin struct {
	ID      string `json:"id,omitempty"`
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
}

// Subject names what an export has.
func (m *manifest) Subject() string {
	if m.ID == "" {
		return render.Count(len(m.Documents), "document")
	}
	return m.ID + " " + m.Version
}

// exporters write the formats, and some of them also rule sets: the files by name, and what
// they lack. lost are the keys that `rubric import` can't read back, in formats that it reads.
var exporters = []struct {
	format   string
	export   func(*library.Document) (files map[string]string, losses []Loss)
	ruleSets bool
	lost     []string
}{
	{"promptfoo", promptfoo, true, append(head, "scoring")},
	{"inspect", inspect, false, nil},
	{
		"deepeval", deepEval, false,
		append(head, "scoring", "criteria.weight", "criteria.relative_weight", "criteria.threshold",
			"criteria.examples", "negative_criteria"),
	},
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

// CheckFormat returns an error for a format that does not exist.
func CheckFormat(format string) error {
	formats := ExportFormats("")
	if slices.Contains(formats, format) {
		return nil
	}
	return fmt.Errorf("the format must be %s, got %q%s", schema.Or(formats, "or"), format,
		suggest.Question(". Did you mean %s?", format, formats))
}

// NewExport converts a document. The error is that the format does not exist or has no form
// for this kind of document, and lists the formats that do.
func NewExport(format string, d *library.Document) (*Export, error) {
	ref := d.Reference
	if err := CheckFormat(format); err != nil {
		return nil, err
	}
	if formats := ExportFormats(d.Kind()); !slices.Contains(formats, format) {
		return nil, fmt.Errorf("the rule set %s has no form in %s. The formats of rule sets are %s",
			ref.ID, format, schema.Or(formats, "and"))
	}
	exporter := exporters[slices.Index(ExportFormats(""), format)]
	files, losses := exporter.export(d)
	isAbsent := func(path string) bool { return !has(d, path) }
	if format == "markdown" && d.Rubric != nil {
		losses = append(losses, Loss{What: "`rubric import` can't read a rubric in Markdown."})
	} else if lost := slices.DeleteFunc(slices.Clone(exporter.lost), isAbsent); len(lost) > 0 {
		losses = append(losses, Loss{What: "`rubric import` can't read back: " + strings.Join(lost, ", ") + "."})
	}
	e := &Export{manifest{1, format, origin{ref.ID, ref.Version, ref.Digest}, nil, losses, map[string]string{}}, files}
	return e.seal(), nil
}

// NewProject converts documents to one export. The files of a document begin with its ID, and
// the code, which is the same for every document, is there once. A document without a form in
// the format is not expressed. The error is that the format does not exist, or that no document
// has a form in it.
func NewProject(format string, documents []*library.Document) (*Export, error) {
	p := &Export{manifest{1, format, origin{}, nil, []Loss{}, map[string]string{}}, map[string]string{}}
	var without []string
	for _, d := range documents {
		if slices.Contains(ExportFormats(""), format) && !slices.Contains(ExportFormats(d.Kind()), format) {
			without = append(without, d.Reference.ID)
			continue
		}
		e, err := NewExport(format, d)
		if err != nil {
			return nil, err
		}
		for name := range e.Digests {
			in := name
			if ext := path.Ext(name); ext != ".mjs" && ext != ".py" && !strings.HasPrefix(name, e.ID+".") {
				in = e.ID + "." + name
			}
			p.files[in] = e.files[name]
		}
		p.Documents = append(p.Documents, e.origin)
		for _, l := range e.NotExpressed {
			if !slices.Contains(p.NotExpressed, l) {
				p.NotExpressed = append(p.NotExpressed, l)
			}
		}
	}
	if len(p.Documents) == 0 {
		return nil, fmt.Errorf("no document of the library has a form in the format %q. Choose %s",
			format, schema.Or(ExportFormats(library.KindRuleSet), "or"))
	}
	if len(without) > 0 {
		p.NotExpressed = append(p.NotExpressed, Loss{
			What: "Rule sets are left out, because the format has no form for them: " + strings.Join(without, ", ") + ".",
		})
	}
	return p.seal(), nil
}

// seal adds the manifest.
func (e *Export) seal() *Export {
	for name, text := range e.files {
		e.Digests[name] = digest(text)
	}
	e.files[manifestName] = indented(e.manifest)
	return e
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
	return fmt.Errorf("a verdict on %s can differ with the %s export. To export it anyway, set --lossy:%s",
		cmp.Or(e.ID, e.Subject()), e.Format, strings.Join(reasons, ""))
}

func digest(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
