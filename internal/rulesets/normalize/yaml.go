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
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

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
		return yamltree.ParseJSON(f, yamltree.MaxBytes)
	}
	return yamltree.Parse(f)
}

// isRule reports whether a file is a single rule instead of a mapping with a list of
// rules. It tolerates one misspelled key.
func isRule(root *yamltree.Node) bool {
	if root.Get(rulesKey) != nil {
		return false
	}
	return slices.ContainsFunc(root.Entries, func(e yamltree.Entry) bool {
		return schema.Find(document.RuleTable().Fields, e.Key.Value) != nil && schema.Find(document.RuleSet.Table.Fields, e.Key.Value) == nil
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
		for _, e := range root.Entries {
			if suggest.Word(e.Key.Value, []string{rulesKey}) != "" {
				p.Span, p.Message = e.Key.Span, fmt.Sprintf("%s is not a key of a rule or of a rule set. Did you mean %q?", schema.Quote(e.Key.Value), rulesKey)
			}
		}
	}
	return nil, p
}
