package normalize

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// EncodeJSON encodes rules in the layout of the Rule Schema, as a list, or if alone is
// set, as a single rule. YAML reads it back.
func EncodeJSON(rules []ruleset.Rule, alone bool) []byte {
	list := make([]jsonRule, len(rules))
	for i, r := range rules {
		list[i] = jsonRule{r.ID, r.Description, r.Severity, json.Number(render.Number(r.Weight)), r.Phase, r.Check, r.Checks}
	}
	var value any = list
	if alone && len(list) == 1 {
		value = list[0]
	}
	data, _ := render.JSON(value) // strings and finite numbers can always be written
	return data
}

// jsonRule is a ruleset.Rule whose weight is encoded without an exponent.
type jsonRule struct {
	ID          string           `json:"id"`
	Description string           `json:"description"`
	Severity    ruleset.Severity `json:"severity"`
	Weight      json.Number      `json:"weight"`
	Phase       ruleset.Phase    `json:"phase"`
	Check       string           `json:"check"`
	Checks      []ruleset.Check  `json:"checks,omitempty"`
}

// EncodeYAML encodes rules as the key rules of a rule set. YAML reads it back.
func EncodeYAML(rules []ruleset.Rule) []byte {
	if len(rules) == 0 {
		return []byte("rules: []\n")
	}
	data := EncodeJSON(rules, false)
	tree, _ := yamltree.ParseJSON("file", source.NewFile("rules.json", data), len(data))
	w := &yamlWriter{}
	w.out.WriteString("rules:\n")
	for i, rule := range tree.Root.Items {
		if i > 0 {
			w.out.WriteByte('\n')
		}
		w.element(document.RuleTable(), rule, "  ")
	}
	return []byte(w.out.String())
}

// yamlWriter writes the elements of lists key by key.
type yamlWriter struct {
	out  strings.Builder
	head string // the start of the next line
}

func (w *yamlWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.out, w.head+format+"\n", args...)
	w.head = strings.Repeat(" ", len(w.head))
}

// element writes an element of a list at an indentation.
func (w *yamlWriter) element(v *schema.Value, n *yamltree.Node, indent string) {
	w.head = indent + "- "
	for _, e := range n.Entries {
		key, value := e.Key.Value, schema.Find(v.FieldsOf(n), e.Key.Value).Value
		switch {
		case value.Shape == schema.List && value.Elem.Shape == schema.Object:
			w.line("%s:", key)
			for _, item := range e.Value.Items {
				w.element(value.Elem, item, indent+"    ")
			}
		case value.Shape == schema.List:
			var texts []string
			for _, item := range e.Value.Items {
				texts = append(texts, yamltree.QuoteVisibly(item.Value))
			}
			w.line("%s: [%s]", key, strings.Join(texts, ", "))
		case key == "pattern":
			w.line("%s: %s", key, yamltree.QuotePattern(e.Value.Value))
		case value.Shape == schema.Text:
			w.line("%s: %s", key, yamltree.QuoteVisibly(e.Value.Value))
		default:
			w.line("%s: %s", key, e.Value.Value)
		}
	}
	w.head = indent + "  "
}
