// Package normalize turns shorthand rows of rules, in tables of Markdown, YAML or
// JSON, into full rules with all six fields, and writes rules in the layouts of
// the Rule Schema.
//
// It promises that nothing which stands in a row is lost silently: what can't be
// read, what is missing and what contradicts itself is a problem at its place. A
// rule that comes out has passed the table by which a rule set is checked.
// Whatever the bytes are, reading never panics and its time grows with their
// number, of which there are at most yamltree.MaxBytes.
package normalize

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// The problems that are reported here, besides those of schema.Check and
// yamltree.
const (
	CodeTable     = "rule-table"   // a table, or what should be one, that can't be read as rules
	CodeSection   = "section"      // a section that is not there or has no rules
	CodeNoRules   = "no-rules"     // no row at all
	CodeDuplicate = "duplicate-id" // two rows with one ID
	CodePhase     = "rule-phase"   // a phase that is not the one of the ID
	CodeWeight    = "rule-weight"  // a weight that contradicts the severity
	// CodeConstraint is a problem of a constraint, which stands in no file: its
	// span says nothing.
	CodeConstraint = "constraint"
)

// Rules makes full rules of the rows of one file. A missing weight comes from the
// severity, a missing phase from the ID, and a missing check from constraints:
// instructions by rule ID. A row with a problem, also one that was reported when
// it was read, gives no rule; the rules are in the order of the rows.
func Rules(rows []Row, constraints map[string]string) ([]ruleset.Rule, []source.Problem) {
	var rules []ruleset.Rule
	problems := checkConstraints(rows, constraints)
	first := map[string]Row{}
	for _, row := range rows {
		full := row.withCheck(constraints)
		found := full.check()
		if id := row.ID(); id != "" {
			if other, twice := first[id]; twice {
				found = append(found, row.duplicate(other))
			} else {
				first[id] = row
			}
		}
		if len(found) == 0 && !row.broken {
			rules = append(rules, document.RuleOf(full.value))
		}
		problems = append(problems, found...)
	}
	return rules, inOrder(problems)
}

// mostProblems is how many problems of one file are reported.
const mostProblems = 2000

// inOrder is the first problems in the order of the file.
func inOrder(problems []source.Problem) []source.Problem {
	slices.SortStableFunc(problems, func(a, b source.Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return problems[:min(len(problems), mostProblems)]
}

// withCheck is the row with the constraint for its rule as the check, if it has
// none of its own.
func (r Row) withCheck(constraints map[string]string) Row {
	text, given := constraints[r.ID()]
	if !given || isBlank(text) || r.value.Get(checkKey) != nil {
		return r
	}
	// It shows at the ID, because it has no place of its own.
	id := r.value.Get(idKey)
	value := *r.value
	value.Entries = append(slices.Clone(value.Entries), entry(checkKey, yamltree.String, text, id.Span))
	r.value = &value
	return r
}

// check compares the row with the table of a rule, and its fields with each other.
func (r Row) check() []source.Problem {
	noun := "rule"
	if id := r.ID(); id != "" {
		noun += " " + schema.Quote(id)
	}
	problems := schema.Check(document.RuleTable(), r.value, noun)
	for i := range problems {
		p := &problems[i]
		if p.Code == schema.CodeMissingKey && p.Path == checkKey {
			p.Message = fmt.Sprintf("The %s has no check. Write %s how to verify it, or give a constraint for it.", noun, r.place(checkKey))
		}
		if p.Code == schema.CodeMissingKey && p.Pointer == "" || p.Span.Len() == 0 {
			p.Span = r.at()
		}
		p.Message = r.prefix(p.Path) + strings.TrimSpace(p.Message)
	}
	return append(problems, r.contradictions()...)
}

// contradictions are fields that are each right and don't fit together.
func (r Row) contradictions() []source.Problem {
	var problems []source.Problem
	report := func(code, field, format string, args ...any) {
		problems = append(problems, source.Problem{
			Code: code, Span: r.value.Get(field).Span, Pointer: "/" + field, Path: field,
			Message: r.prefix(field) + fmt.Sprintf(format, args...),
		})
	}
	phase, _ := r.text(phaseKey)
	if want, ok := ruleset.PhaseOf(r.ID()); ok && (phase == "A" || phase == "B") && phase != string(want) {
		report(CodePhase, phaseKey, "Write phase %s, or begin the ID with %s: people read the phase off the ID.", want, strings.ToLower(phase))
	}
	text, _ := r.text(weightKey)
	weight, err := strconv.ParseFloat(text, 64)
	severity, _ := r.text(severityKey)
	switch {
	case err != nil:
	case severity == "info" && weight > 0:
		report(CodeWeight, weightKey, "Remove the weight, or write 0: the rule is info, which is recorded and never scored.")
	case (severity == "fail" || severity == "warn") && weight == 0:
		report(CodeWeight, weightKey, "Write a weight above 0, or make the rule info: with 0 it does not count in the score.")
	}
	return problems
}

func (r Row) duplicate(other Row) source.Problem {
	return source.Problem{
		Code: CodeDuplicate, Span: r.at(), Pointer: "/" + idKey, Path: idKey,
		Message: r.prefix(idKey) + fmt.Sprintf("Choose another ID: %s has %s already, and verdicts are given by ID, so one would stand for both.",
			other.Where, schema.Quote(r.ID())),
		Related: []source.Related{{Span: other.at(), Message: "first used here"}},
	}
}

// checkConstraints reports the constraints that no rule takes.
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
			p.Message = fmt.Sprintf("There is no rule %s for the constraint.%s", schema.Quote(id), suggestion(id, ids))
		case row.value.Get(checkKey) != nil:
			p.Message = fmt.Sprintf("The rule %s has a check already. Take away the constraint, or the check %s.", schema.Quote(id), row.place(checkKey))
			p.Related = []source.Related{{Span: row.value.Get(checkKey).Span, Message: "the check"}}
		case isBlank(constraints[id]):
			p.Message = fmt.Sprintf("The constraint for rule %s is empty. Write how to verify the rule.", schema.Quote(id))
			p.Related = []source.Related{{Span: row.at(), Message: "the rule"}}
		default:
			continue
		}
		problems = append(problems, p)
	}
	return problems
}

// suggestion is the end of a message about a word that is not known.
func suggestion(word string, known []string) string {
	if meant := suggest.Word(word, known); meant != "" {
		return " Did you mean " + schema.Quote(meant) + "?"
	}
	return ""
}
