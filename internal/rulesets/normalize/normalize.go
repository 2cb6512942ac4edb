// Package normalize converts shorthand rows of rules in Markdown tables, YAML, or JSON to
// full rules with all six fields, and encodes rules in the layout of the Rule Schema.
//
// It promises that no content of a row is lost silently: every unreadable, missing, or
// contradictory value is a problem with a position. Every resulting rule is valid by the
// table of rule sets. For any input, reading never panics and takes linear time; the
// input is limited to yamltree.MaxBytes.
package normalize

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// The codes of the problems that this package reports in addition to those of
// schema.Check and yamltree.
const (
	CodeTable     = "rule-table"   // a table, or lines meant as one, that can't be read as rules
	CodeSection   = "section"      // a section that does not exist or has no rules
	CodeNoRules   = "no-rules"     // no rows
	CodeDuplicate = "duplicate-id" // two rows with the same ID
	CodePhase     = "rule-phase"   // a phase that contradicts the ID
	CodeWeight    = "rule-weight"  // a weight that contradicts the severity
	// CodeConstraint is a problem of a constraint. Its span is meaningless, because
	// the constraint is not in a file.
	CodeConstraint = "constraint"
)

// Rules converts the rows of one file to full rules, in the same order. A missing weight
// is derived from the severity, a missing phase from the ID, and a missing check from
// constraints, which are instructions by rule ID. A row with a problem, even one that was
// already reported when the row was read, has no rule.
func Rules(rows []Row, constraints map[string]string) ([]ruleset.Rule, []source.Problem) {
	var rules []ruleset.Rule
	problems := checkConstraints(rows, constraints)
	first := map[string]Row{}
	for _, row := range rows {
		full := row.withCheck(constraints)
		found := full.check()
		if id := row.ID(); id != "" {
			if other, twice := first[id]; twice {
				found = append(found, row.duplicateProblem(other))
			} else {
				first[id] = row
			}
		}
		if len(found) == 0 && !row.broken {
			var rule ruleset.Rule
			schema.Decode(document.RuleTable(), full.value, &rule)
			rules = append(rules, rule)
		}
		problems = append(problems, found...)
	}
	return rules, inOrder(problems)
}

const mostProblems = 2000

func problemAt(code string, span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: code, Span: span, Message: fmt.Sprintf(format, args...)}
}

// inOrder returns the first problems in the order of the file.
func inOrder(problems []source.Problem) []source.Problem {
	slices.SortStableFunc(problems, func(a, b source.Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return problems[:min(len(problems), mostProblems)]
}

// withCheck returns the row with the constraint for its rule as the check, unless it has
// a check.
func (r Row) withCheck(constraints map[string]string) Row {
	text, given := constraints[r.ID()]
	if !given || r.value.Get(checkKey) != nil {
		return r
	}
	// Its position is that of the ID, because it is not in the file.
	id := r.value.Get(idKey)
	value := *r.value
	value.Entries = append(slices.Clone(value.Entries), entry(checkKey, yamltree.String, text, id.Span))
	r.value = &value
	return r
}

// check checks the row against the table of a rule, and its fields against each other.
func (r Row) check() []source.Problem {
	noun := "rule"
	if id := r.ID(); id != "" {
		noun += " " + schema.Quote(id)
	}
	problems := schema.Check(document.RuleTable(), r.value, noun)
	for i := range problems {
		p := &problems[i]
		if p.Code == schema.CodeMissingKey && p.Path == checkKey {
			p.Message = fmt.Sprintf("The %s has no check. Add %s how to verify it, or add a constraint for it.",
				noun, r.place(checkKey))
		}
		if p.Code == schema.CodeMissingKey && p.Pointer == "" || p.Span.Len() == 0 {
			p.Span = r.span()
		}
		p.Message = r.prefix(p.Path) + strings.TrimSpace(p.Message)
	}
	return append(problems, r.contradictions()...)
}

func (r Row) contradictions() (problems []source.Problem) {
	weight, err := strconv.ParseFloat(r.Field(weightKey).Text(), 64)
	if err != nil {
		weight = math.NaN()
	}
	for _, p := range Contradictions(r.value, ruleset.Rule{
		ID: r.ID(), Phase: ruleset.Phase(r.Field(phaseKey).Text()),
		Severity: ruleset.Severity(r.Field(severityKey).Text()), Weight: weight,
	}) {
		p.Message = r.prefix(p.Path) + p.Message
		problems = append(problems, p)
	}
	return problems
}

// Contradictions are fields of a rule that contradict each other. Otherwise, a rule could
// silently be left out of a phase or of the score. n has the fields as written.
func Contradictions(n *yamltree.Node, r ruleset.Rule) (problems []source.Problem) {
	report := func(code, field, format string, args ...any) {
		problems = append(problems, source.Problem{
			Code: code, Span: n.Get(field).Span, Pointer: "/" + field, Path: field,
			Message: fmt.Sprintf(format, args...),
		})
	}
	want, ok := ruleset.PhaseOf(r.ID)
	if ok && (r.Phase == ruleset.PhaseA || r.Phase == ruleset.PhaseB) && r.Phase != want {
		report(CodePhase, phaseKey,
			"Write phase %s, or begin the ID with %s: people read the phase from the ID.", want, strings.ToLower(string(r.Phase)))
	}
	switch {
	case r.Severity == ruleset.SeverityInfo && r.Weight > 0:
		report(CodeWeight, weightKey, "Remove the weight or write 0: the rule is info, so it is recorded but never scored.")
	case (r.Severity == ruleset.SeverityFail || r.Severity == ruleset.SeverityWarn) && r.Weight == 0:
		report(CodeWeight, weightKey, "Write a weight above 0, or make the rule info: with 0, it does not count in the score.")
	}
	return problems
}

func (r Row) duplicateProblem(other Row) source.Problem {
	return source.Problem{
		Code: CodeDuplicate, Span: r.span(), Pointer: "/" + idKey, Path: idKey,
		Message: r.prefix(idKey) + fmt.Sprintf("%s already has the ID %s, and verdicts refer to rules by ID. Choose another ID.",
			other.Where, schema.Quote(r.ID())),
		Related: []source.Related{{Span: other.span(), Message: "first used here"}},
	}
}

// checkConstraints reports constraints that do not apply to any rule.
func checkConstraints(rows []Row, constraints map[string]string) []source.Problem {
	var problems []source.Problem
	byID := map[string]Row{}
	var ids []string
	for _, row := range rows {
		if id := row.ID(); id != "" && byID[id].value == nil {
			byID[id] = row
			ids = append(ids, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(constraints)) {
		p := source.Problem{Code: CodeConstraint}
		row, known := byID[id]
		switch {
		case !known:
			p.Message = fmt.Sprintf("The rule %s of the constraint does not exist.%s",
				schema.Quote(id), schema.DidYouMean(id, ids))
		case row.value.Get(checkKey) != nil:
			p.Message = fmt.Sprintf("The rule %s already has a check. Remove the constraint or the check %s.",
				schema.Quote(id), row.place(checkKey))
			p.Related = []source.Related{{Span: row.value.Get(checkKey).Span, Message: "the check"}}
		default:
			continue
		}
		problems = append(problems, p)
	}
	return problems
}

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
