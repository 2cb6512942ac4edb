package normalize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// EncodeJSON writes rules in the layout of the Rule Schema, as a list, or, alone, as the
// one rule itself. YAML reads it back.
func EncodeJSON(rules []ruleset.Rule, alone bool) []byte {
	list := make([]jsonRule, len(rules))
	for i, r := range rules {
		list[i] = jsonRule{r.ID, r.Description, r.Severity, json.Number(number(r.Weight)), r.Phase, r.Check, r.Checks}
	}
	var value any = list
	if alone && len(list) == 1 {
		value = list[0]
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(value) // strings and finite numbers can always be written
	return yamltree.Escape(b.Bytes())
}

// jsonRule is a ruleset.Rule whose weight is written without an exponent.
type jsonRule struct {
	ID          string           `json:"id"`
	Description string           `json:"description"`
	Severity    ruleset.Severity `json:"severity"`
	Weight      json.Number      `json:"weight"`
	Phase       ruleset.Phase    `json:"phase"`
	Check       string           `json:"check"`
	Checks      []ruleset.Check  `json:"checks,omitempty"`
}

// number is a number as the tables of documents want it.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// EncodeYAML writes rules as the key rules of a rule set. YAML reads it back.
func EncodeYAML(rules []ruleset.Rule) []byte {
	if len(rules) == 0 {
		return []byte("rules: []\n")
	}
	w := &yamlWriter{}
	w.out.WriteString("rules:\n")
	for i, r := range rules {
		if i > 0 {
			w.out.WriteByte('\n')
		}
		w.rule(r)
	}
	return []byte(w.out.String())
}

// yamlWriter writes the elements of lists key by key.
type yamlWriter struct {
	out  strings.Builder
	head string // what the next line begins with
}

func (w *yamlWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.out, w.head+format+"\n", args...)
	w.head = strings.Repeat(" ", len(w.head))
}

func (w *yamlWriter) rule(r ruleset.Rule) {
	w.head = "  - "
	w.line("id: %s", quote(r.ID))
	w.line("description: %s", quote(r.Description))
	w.line("severity: %s", r.Severity)
	w.line("weight: %s", number(r.Weight))
	w.line("phase: %s", r.Phase)
	w.line("check: %s", quote(r.Check))
	if len(r.Checks) > 0 {
		w.line("checks:")
	}
	for _, c := range r.Checks {
		w.head = "      - "
		w.check(c)
	}
}

func (w *yamlWriter) check(c ruleset.Check) {
	w.line("type: %s", c.Type)
	if c.Pattern != "" {
		w.line("pattern: %s", quotePattern(c.Pattern))
	}
	if c.Literal != "" {
		w.line("literal: %s", quote(c.Literal))
	}
	if c.IgnoreCase {
		w.line("ignore_case: true")
	}
	if c.Multiline {
		w.line("multiline: true")
	}
	if c.Expect != "" {
		w.line("expect: %s", c.Expect)
	}
	if c.MinCount != nil {
		w.line("min_count: %d", *c.MinCount)
	}
	if c.MaxCount != nil {
		w.line("max_count: %d", *c.MaxCount)
	}
	if len(c.Command) > 0 {
		quoted := make([]string, len(c.Command))
		for i, argument := range c.Command {
			quoted[i] = quote(argument)
		}
		w.line("command: [%s]", strings.Join(quoted, ", "))
	}
}

// quote writes a text so that it shows what it holds, and does nothing, where the
// rules are printed.
func quote(text string) string {
	return string(sanitize.YAML([]byte(yamltree.Quote(text, yamltree.DoubleQuoted))))
}

// quotePattern prefers single quotes, in which a pattern needs no escapes.
func quotePattern(pattern string) string {
	single := yamltree.Quote(pattern, yamltree.SingleQuoted)
	if string(sanitize.YAML([]byte(single))) != single {
		return quote(pattern)
	}
	return single
}
