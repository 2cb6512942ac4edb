package release

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Finding is one problem of a contract.
type Finding struct {
	Code string `json:"rule"`
	// Severity is Warning if the reference still works, otherwise Error.
	Severity string `json:"severity"`
	File     string `json:"file"`
	source.Position
	// ID is the ID of the document, or "".
	ID      string `json:"id"`
	Message string `json:"message"`
}

// The severities of findings in contracts.
const (
	Error   = "error"
	Warning = "warning"
)

// The codes of findings in contracts.
const (
	CodeUnreadable  = "contract-unreadable"   // the file is empty, or not what its name says
	CodeNone        = "no-reference"          // the contract refers to nothing
	CodeKey         = "unknown-reference-key" // an ignored key looks like a key for references
	CodeReference   = "reference-malformed"   // a value is not a reference where one is expected
	CodeUnknown     = "reference-unknown"     // no document has the ID
	CodeKind        = "reference-kind"        // the document is of the other kind
	CodeRetired     = "reference-retired"     // the document is retired
	CodeDeprecated  = "reference-deprecated"  // the document should no longer be used
	CodeYanked      = "reference-yanked"      // the version should no longer be used
	CodeUnsatisfied = "reference-unsatisfied" // no version satisfies the constraint
	CodeOtherText   = "reference-other-text"  // the version has another text
	CodeEmbedded    = "rubric-embedded"       // a whole rubric where a reference is expected
	CodeRuleSet     = "ruleset-embedded"      // a whole rule set where a reference is expected
)

// Contract is a file that refers to documents.
type Contract struct {
	File string
	// References is the number of references, valid or not.
	References int
	Findings   []Finding
}

// contract checks one file.
type contract struct {
	Contract
	library *library.Library
	// walked reports whether a value contains a reference, for each value below a key
	// for references or another key (""). Aliases can repeat a value in many places.
	walked map[place]bool
}

type place struct {
	value *yamltree.Loose
	key   string
}

// notations are the notations of JSON by the extensions of files.
var notations = map[string]yamltree.Notation{".json": yamltree.JSON, ".jsonc": yamltree.JSONC, ".json5": yamltree.JSON5}

// parseContract reads a file as its name says, and as YAML if the name says nothing.
func parseContract(f *source.File) ([]*yamltree.Loose, []source.Problem) {
	extension := strings.ToLower(path.Ext(f.Path))
	notation, isJSON := notations[extension]
	switch {
	case len(bytes.TrimSpace(f.Data)) == 0:
		return nil, []source.Problem{{
			Code:    yamltree.CodeEmpty,
			Message: "The file is empty: expected references to documents. Add one, or remove the file from the command.",
		}}
	case extension == ".toml":
		return nil, []source.Problem{{
			Code:    CodeUnreadable,
			Message: "TOML is not read: expected YAML or JSON. Move the references to a file such as rubrics.json.",
		}}
	case !isJSON:
		return yamltree.ParseLoose(f)
	}
	root, problems := yamltree.ParseLooseJSON(f, notation)
	if root == nil {
		return nil, problems
	}
	return []*yamltree.Loose{root}, problems
}

// Check looks for the references in a contract, YAML or JSON, and checks them:
// `rubric: ID` or `ID@CONSTRAINT`, a list of these, `rubric_id: ID` with
// `rubric_version: CONSTRAINT` in the same mapping, and the same for `ruleset`.
func Check(l *library.Library, name string, data []byte) Contract {
	file := source.NewFile(name, data)
	c := &contract{Contract: Contract{File: name}, library: l, walked: map[place]bool{}}
	documents, problems := parseContract(file)
	for _, p := range problems {
		c.add(CodeUnreadable, file.Position(p.Span.Start), "", p.Message)
	}
	for _, root := range documents {
		c.walk(root)
	}
	if c.References == 0 && len(problems) == 0 {
		c.add(CodeNone, source.Position{Line: 1, Column: 1}, "",
			`This contract refers to no document: expected a key such as "rubric: ID" or "ruleset: ID". Add it, or use --allow-none if contracts need no reference.`)
	}
	slices.SortStableFunc(c.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	c.Findings = slices.Compact(c.Findings)
	return c.Contract
}

func (c *contract) add(code string, at source.Position, id, message string) {
	severity := Error
	if code == CodeKey || code == CodeDeprecated || code == CodeYanked {
		severity = Warning
	}
	c.Findings = append(c.Findings, Finding{code, severity, c.File, at, id, message})
}

// lookOnce calls look for a value that is new below a key, and reports whether it contains a
// reference.
func (c *contract) lookOnce(n *yamltree.Loose, key string, look func() bool) bool {
	p := place{n, key}
	holds, known := c.walked[p]
	if !known {
		holds = look()
		c.walked[p] = holds
	}
	return holds
}

// walk searches a value for keys for references, and reports whether it contains a
// reference.
func (c *contract) walk(n *yamltree.Loose) bool {
	if n.Kind == yamltree.Scalar {
		return false
	}
	return c.lookOnce(n, "", func() (holds bool) {
		if k := embeddedKind(n); k != nil {
			c.reportEmbedded(n, k)
			return true
		}
		for _, e := range n.Entries {
			holds = c.entry(n, e) || holds
		}
		for _, item := range n.Items {
			holds = c.walk(item) || holds
		}
		return holds
	})
}

func (c *contract) entry(n *yamltree.Loose, e yamltree.LooseEntry) bool {
	switch k, part := referenceKey(e.Key); {
	case k == nil:
		if known := misspelled(e.Key); known != "" {
			c.add(CodeKey, e.At, "", fmt.Sprintf("The key %q is ignored: it is not a key for references. Did you mean %q?",
				e.Key, known))
		}
		return c.walk(e.Value)
	case part == idPart:
		c.pair(e.Key, e.Value, n.Get(stem(k)+versionPart))
		return true
	case part == versionPart:
		if n.Get(k.IDKey) == nil {
			c.add(CodeKey, e.At, "", fmt.Sprintf("The key %q is ignored: it requires the key %q in the same mapping. Add that key, or write %q.",
				e.Key, k.IDKey, stem(k)+": ID@CONSTRAINT"))
		}
		return false
	}
	return c.value(e.Key, e.Value)
}

// value checks the value of a key for references: a reference, a list of references, or
// a mapping with one.
func (c *contract) value(key string, n *yamltree.Loose) (holds bool) {
	switch n.Kind {
	case yamltree.Scalar:
		c.References++
		r, err := ParseReference(n.Value)
		if err != nil {
			c.reportMalformed(n, err.Error())
		} else {
			c.resolve(key, n, r)
		}
		return true
	case yamltree.Sequence:
		return c.lookOnce(n, key, func() bool {
			for _, item := range n.Items {
				holds = c.value(key, item) || holds
			}
			return holds
		})
	}
	if holds = c.walk(n); !holds {
		k, _ := referenceKey(key)
		c.reportMalformed(n, fmt.Sprintf("expected an ID, got a mapping without the key %q", k.IDKey))
	}
	return holds
}

// pair checks an ID with the constraint from the same mapping, which can be nil.
func (c *contract) pair(key string, id, constraint *yamltree.Loose) {
	c.References++
	text, at := "", id
	if constraint != nil {
		text, at = constraint.Value, constraint
	}
	r := library.Reference{ID: id.Value, Version: strings.TrimSpace(text)}
	switch err := r.Check(); {
	case err == nil:
		c.resolve(key, at, r)
	case !document.IsID(id.Value):
		c.reportMalformed(id, err.Error())
	default:
		c.reportMalformed(at, err.Error())
	}
}

func (c *contract) reportMalformed(n *yamltree.Loose, reason string) {
	c.add(CodeReference, n.At, "", "Invalid reference: "+reason+".")
}

func (c *contract) resolve(key string, n *yamltree.Loose, r library.Reference) {
	found, err := Resolve(c.library, r)
	var entry library.Entry
	if err == nil {
		entry, err = c.library.Entry(r.ID)
	}
	if err == nil && found.Retired != nil {
		err = found.Retired
	}
	if err == nil && c.library.Yanked(r.ID, found.Version) != "" {
		c.add(CodeYanked, n.At, r.ID, fmt.Sprintf("%s %s is yanked: %s", r.ID, found.Version,
			c.library.Yanked(r.ID, found.Version)))
	}
	if err != nil {
		c.add(codeOf(err), n.At, r.ID, sentence(err))
	} else if d := entry.Deprecated; d != nil {
		instead := ""
		if d.ReplacedBy != "" {
			instead = " Use " + d.ReplacedBy + " instead."
		}
		c.add(CodeDeprecated, n.At, r.ID, fmt.Sprintf("%s %s is deprecated: %s%s", r.ID, found.Version, d.Reason, instead))
	}
	if want, part := referenceKey(key); entry.Kind != "" && string(entry.Kind) != want.Name {
		for _, k := range document.Kinds() {
			if k.Name == string(entry.Kind) {
				c.add(CodeKind, n.At, r.ID, fmt.Sprintf("%s is a %s: the key %q refers to a %s. Use the key %q.",
					r.ID, k.Noun, key, want.Noun, stem(k)+part))
			}
		}
	}
}

// sentence turns an error into a sentence.
func sentence(err error) string {
	text := err.Error()
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".") {
		text += "."
	}
	if strings.HasPrefix(text, "the ") || strings.HasPrefix(text, "no ") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}
