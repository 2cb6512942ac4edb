package normalize

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// The fields of a rule that need special treatment.
const (
	idKey          = "id"
	descriptionKey = "description"
	severityKey    = "severity"
	weightKey      = "weight"
	phaseKey       = "phase"
	checkKey       = "check"
)

// Row is one shorthand row with the positions of its fields.
type Row struct {
	// Where names the row within a sentence: "row 3 of the table in line 12",
	// "rule 2".
	Where string
	// Alone reports whether the file is this single rule instead of a list of rules.
	Alone bool

	// value is the row as a mapping. The row of a table is converted to one.
	value *yamltree.Node
	// columns are the names of a table's columns by field; nil outside tables.
	columns map[string]string
	// broken reports whether a problem of the row was reported when it was read.
	broken bool
}

// Field returns a field as written, or nil if the row does not have it, or if its value is a
// list or a mapping.
func (r Row) Field(name string) *yamltree.Node {
	if n := r.value.Get(name); n != nil && n.Kind == yamltree.Scalar {
		return n
	}
	return nil
}

// ID returns the rule's ID as written, valid or not, or "" if it is missing.
func (r Row) ID() string { return r.Field(idKey).Text() }

// Start returns where the row begins in its file.
func (r Row) Start() int { return r.value.Span.Start }

// span returns the span for problems of the whole row: its ID, or its first entry.
func (r Row) span() source.Span {
	if id := r.Field(idKey); id != nil && id.Span.Len() > 0 {
		return id.Span
	}
	switch span := r.value.Span; {
	case len(r.value.Entries) > 0:
		return r.value.Entries[0].Key.Span
	case span.Len() == 0:
		return source.Span{Start: span.Start - 1, End: span.Start} // the dash of an empty element
	default:
		return span
	}
}

// prefix returns the start of a message about a field of the row, so that the row can be
// found without counting lines. path is the field, or starts with it.
func (r Row) prefix(path string) string {
	inTable := r.columns != nil
	switch column, ok := r.columns[path]; {
	case ok:
		short, _, _ := strings.Cut(r.Where, " of ")
		return fmt.Sprintf("%s, column %s: ", capital(short), schema.Quote(column))
	case inTable || r.ID() == "":
		return capital(r.Where) + ": "
	}
	return ""
}

// place names the place of a field within a sentence.
func (r Row) place(field string) string {
	switch column, ok := r.columns[field]; {
	case ok:
		return "in the column " + schema.Quote(column)
	case r.columns != nil:
		return "in a column " + schema.Quote(capital(field))
	}
	return "under " + schema.Quote(field)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// entry returns a key with a text value, both with the same span.
func entry(key string, t yamltree.Type, text string, span source.Span) yamltree.KeyValue {
	style := yamltree.DoubleQuoted
	if t != yamltree.String {
		style = yamltree.Plain
	}
	return yamltree.KeyValue{
		Key:   &yamltree.Node{Kind: yamltree.Scalar, Type: yamltree.String, Style: yamltree.Plain, Value: key, Span: span},
		Value: &yamltree.Node{Kind: yamltree.Scalar, Type: t, Style: style, Value: text, Span: span},
	}
}

const rulesKey = "rules"

// YAML reads the rows of a YAML or JSON file: a list of rules, a single rule, or a list of
// rules under the key rules, as in a rule set. It ignores other keys and accepts CRLF line
// ends. If there are no rows, at least one problem says why.
func YAML(f *source.File) ([]Row, []source.Problem) {
	tree, problems := parse(f)
	problems = slices.DeleteFunc(problems, func(p source.Problem) bool { return p.Code == yamltree.CodeLineEndings })
	if tree == nil {
		return nil, problems
	}
	if isRule(tree.Root) {
		return []Row{{Where: "the rule", Alone: true, value: tree.Root}}, problems
	}
	list, p := listOf(f, tree.Root)
	if p != nil {
		return nil, append(problems, *p)
	}
	rows := make([]Row, len(list.Items))
	for i, item := range list.Items {
		rows[i] = Row{Where: fmt.Sprintf("rule %d", i+1), value: item}
	}
	return rows, problems
}

// parse reads a file as a tree. A file whose name is neither YAML nor JSON is JSON if it
// starts like JSON.
func parse(f *source.File) (*yamltree.Tree, []source.Problem) {
	text, name := string(bytes.TrimSpace(f.Data)), path.Ext(f.Path)
	beginsLikeIt := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
	if name == ".json" || beginsLikeIt && name != ".yaml" && name != ".yml" {
		return yamltree.ParseJSON("file", f, yamltree.MaxBytes)
	}
	return yamltree.Parse(f)
}

// isRule reports whether a file is a single rule instead of a mapping with a list of
// rules. It tolerates one misspelled key.
func isRule(root *yamltree.Node) bool {
	if root.Get(rulesKey) != nil {
		return false
	}
	return slices.ContainsFunc(root.Entries, func(e yamltree.KeyValue) bool {
		return schema.Find(document.RuleTable().Fields, e.Key.Value) != nil &&
			schema.Find(document.RuleSet.Table.Fields, e.Key.Value) == nil
	})
}

// listOf returns the list of rules in a file, or a problem.
func listOf(f *source.File, root *yamltree.Node) (*yamltree.Node, *source.Problem) {
	firstLine := f.LineSpan(f.Position(root.Span.Start).Line)
	list, at := root, source.Span{Start: root.Span.Start, End: min(firstLine.End, root.Span.End)}
	for _, e := range root.Entries {
		if e.Key.Value == rulesKey {
			list, at = e.Value, e.Key.Span
			break
		}
	}
	p := &source.Problem{Code: CodeNoRules, Span: at}
	switch {
	case list.Kind == yamltree.Sequence && len(list.Items) == 0:
		p.Message = "The list of rules is empty. Add at least one rule."
	case list.Kind == yamltree.Sequence:
		return list, nil
	case list != root:
		p.Message = `"rules" must be a list, with each rule after "- ".`
	default:
		p.Message = `The file must be a list of rules, a single rule with its id, description, and severity, or a rule set with a list under "rules".`
	}
	return nil, p
}
