package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/source"
	"github.com/rubric-library/rubric-library/internal/yamltree"
)

// Finding is one thing that is wrong with a contract.
type Finding struct {
	Code string
	// Warning tells that it still works.
	Warning bool
	File    string
	At      source.Position
	// ID is that of the document it is about, "" if there is none.
	ID      string
	Message string
}

// The codes of findings in contracts.
const (
	CodeUnreadable  = "contract-unreadable"   // the file can't be read
	CodeReference   = "reference-malformed"   // no reference stands where one belongs
	CodeUnknown     = "reference-unknown"     // no document has the ID
	CodeRetired     = "reference-retired"     // the document is retired
	CodeDeprecated  = "reference-deprecated"  // the document should no longer be used
	CodeUnsatisfied = "reference-unsatisfied" // no version satisfies the constraint
	CodeOtherText   = "reference-other-text"  // the version has another text
	CodeEmbedded    = "rubric-embedded"       // a rubric stands where a reference belongs
)

// Contract is a file that refers to documents.
type Contract struct {
	File string
	// References counts those that were found, right or wrong.
	References int
	Findings   []Finding
}

// contract checks one file.
type contract struct {
	Contract
	library *Library
	file    *source.File
}

// Check looks for the references in a contract, YAML or JSON, and checks them:
// `rubric: ID` or `ID@CONSTRAINT`, a list of these under `rubrics`, and
// `rubric_id: ID` with `rubric_version: CONSTRAINT` beside it.
func (l *Library) Check(name string, data []byte) Contract {
	file := source.NewFile(name, data)
	c := &contract{Contract: Contract{File: name}, library: l, file: file}
	tree, problems := yamltree.Parse(file)
	for _, p := range problems {
		if p.Code != yamltree.CodeLineEndings {
			c.add(CodeUnreadable, false, p.Span, "", p.Message)
		}
	}
	if tree != nil {
		c.walk(tree.Root)
	}
	slices.SortStableFunc(c.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return c.Contract
}

func (c *contract) add(code string, warning bool, span source.Span, id, message string) {
	c.Findings = append(c.Findings, Finding{
		Code: code, Warning: warning, File: c.File, At: c.file.Position(span.Start), ID: id, Message: message,
	})
}

func (c *contract) walk(n *yamltree.Node) {
	if n == nil {
		return
	}
	if isRubric(n) {
		c.References++
		c.embedded(n)
		return
	}
	for _, e := range n.Entries {
		switch e.Key.Value {
		case "rubric":
			c.value(e.Value)
		case "rubrics":
			if e.Value.Kind != yamltree.Sequence {
				c.value(e.Value)
				continue
			}
			for _, item := range e.Value.Items {
				c.value(item)
			}
		case "rubric_id":
			c.pair(e.Value, n.Get("rubric_version"))
		default:
			c.walk(e.Value)
		}
	}
	for _, item := range n.Items {
		c.walk(item)
	}
}

// isRubric tells whether a mapping is a rubric itself: criteria with anchors.
func isRubric(n *yamltree.Node) bool {
	criteria := n.Get("criteria")
	return criteria != nil && slices.ContainsFunc(criteria.Items, func(item *yamltree.Node) bool { return item.Get("anchors") != nil })
}

// embedded reports a rubric that was copied into a contract.
func (c *contract) embedded(n *yamltree.Node) {
	id := ""
	if v := n.Get("rubric_id"); v != nil {
		id = v.Value
	}
	advice := "Put it into the library and refer to it by its ID"
	if c.library.Find(id) != nil {
		advice = "Write rubric: " + id + " in its place"
	}
	c.add(CodeEmbedded, false, n.Span, id, "A whole rubric stands here, where a reference to one belongs: nobody would see that it differs from the one in the library. "+advice+".")
}

// value checks what stands where a reference belongs.
func (c *contract) value(n *yamltree.Node) {
	if n.Kind != yamltree.Scalar {
		c.walk(n)
		return
	}
	c.References++
	r, err := ParseReference(n.Value)
	if err != nil {
		c.malformed(n, err)
		return
	}
	c.resolve(n, r)
}

// pair checks an ID with the constraint beside it, which can be nil.
func (c *contract) pair(id, constraint *yamltree.Node) {
	c.References++
	text, at := "", id
	if constraint != nil {
		text, at = constraint.Value, constraint
	}
	r, err := newReference(id.Value, text)
	switch {
	case err == nil:
		c.resolve(at, r)
	case !isID.MatchString(id.Value):
		c.malformed(id, err)
	default:
		c.malformed(at, err)
	}
}

func (c *contract) malformed(n *yamltree.Node, err error) {
	c.add(CodeReference, false, n.Span, "", "No reference can be read here: "+err.Error()+".")
}

func (c *contract) resolve(n *yamltree.Node, r Reference) {
	line, version, err := c.library.Resolve(r)
	var unknown *UnknownError
	switch {
	case errors.As(err, &unknown) && unknown.Retired != nil:
		c.add(CodeRetired, false, n.Span, r.ID, sentence(err))
	case unknown != nil:
		c.add(CodeUnknown, false, n.Span, r.ID, sentence(err))
	case errors.As(err, new(*OtherTextError)):
		c.add(CodeOtherText, false, n.Span, r.ID, sentence(err))
	case err != nil:
		c.add(CodeUnsatisfied, false, n.Span, r.ID, sentence(err))
	case line.Retired:
		c.add(CodeRetired, false, n.Span, r.ID, sentence(&UnknownError{ID: r.ID, Retired: c.library.ending(r.ID)}))
	case line.Deprecated != nil:
		c.add(CodeDeprecated, true, n.Span, r.ID, fmt.Sprintf("%s %s should no longer be used: %s%s", r.ID, version, line.Deprecated.Reason, instead(line.Deprecated.ReplacedBy)))
	}
}

// sentence is an error as a sentence.
func sentence(err error) string {
	text := err.Error()
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".") {
		text += "."
	}
	if strings.HasPrefix(text, "there ") || strings.HasPrefix(text, "no ") || strings.HasPrefix(text, "version ") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}
