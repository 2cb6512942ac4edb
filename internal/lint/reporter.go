package lint

import (
	"cmp"
	"fmt"
)

// mostFindings is how many findings of a lint rule are listed per file. The others are
// only counted, so that a hostile file can't fill the output.
const mostFindings = 100

// reporter collects the findings of the lint rules of a pass, one rule after the other.
type reporter struct {
	rule     *Rule
	findings []Finding
	counts   map[ruleInFile]int // how many findings each lint rule has in a file
}

type ruleInFile struct {
	rule *Rule
	file string
}

func (r *reporter) begin(rule *Rule) { r.rule = rule }

// KeptResult returns the result of the running rule's Keep for a document.
func (r *reporter) KeptResult(f *Facts) any { return f.kept[r.rule] }

// RunningRule returns the ID of the running rule.
func (r *reporter) RunningRule() string { return r.rule.ID }

// admit counts a finding of the running rule in a file and reports whether it is listed, because
// there are not too many.
func (r *reporter) admit(file string) bool {
	if r.counts == nil {
		r.counts = map[ruleInFile]int{}
	}
	key := ruleInFile{r.rule, file}
	r.counts[key]++
	return r.counts[key] <= mostFindings
}

// Add adds a finding of the running rule, with the severity of the rule unless it has its own.
func (r *reporter) Add(f Finding) {
	f.Rule, f.Severity, f.Spec = r.rule, cmp.Or(f.Severity, r.rule.Severity), cmp.Or(f.Spec, r.rule.Spec.String())
	r.findings = append(r.findings, f)
}

// countHidden adds a finding for each lint rule that has more findings in a file than are
// listed.
func (r *reporter) countHidden() {
	last := map[ruleInFile]Finding{}
	for _, f := range r.findings {
		if key := (ruleInFile{f.Rule, f.File}); r.counts[key] > mostFindings {
			last[key] = f
		}
	}
	for key, f := range last {
		f.Path, f.Fix, f.Related = "more", nil, nil
		f.Message = fmt.Sprintf("There are at least %d more of these in this file. Fix the listed ones first.",
			r.counts[key]-mostFindings)
		r.findings = append(r.findings, f)
	}
}

// run runs the lint rules whose check is a C on a pass; where describes the subject of the pass in
// errors.
func run[C interface {
	~func(P)
	Check
}, P interface{ begin(*Rule) }](rules []*Rule, p P, where string) error {
	return runEach(rules, p, where, func(rule *Rule) func(P) {
		check, _ := rule.Check.(C)
		return check
	})
}

// runEach runs a function for each lint rule that has one on a pass. A panic becomes an error with
// the name of the rule, because its result is incomplete.
func runEach[P interface{ begin(*Rule) }](rules []*Rule, p P, where string, function func(*Rule) func(P)) (err error) {
	var rule *Rule
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("lint rule %s failed on %s: %v. This is a bug in rubric-lint, not a problem in the file", rule.ID, where, cause)
		}
	}()
	for _, rule = range rules {
		if check := function(rule); check != nil {
			p.begin(rule)
			check(p)
		}
	}
	return nil
}

// memory has the results that lint rules share in a pass.
type memory struct{ values map[any]any }

func (m *memory) sharedMemory() *memory { return m }

// Once returns a function that computes a value for a pass once and remembers it, so that
// lint rules share it for a document, for all datasets, or for the repository.
func Once[P interface{ sharedMemory() *memory }, T any](compute func(P) T) func(P) T {
	key := new(byte) // of this function alone
	return func(p P) T {
		m := p.sharedMemory()
		if value, known := m.values[key]; known {
			return value.(T)
		}
		value := compute(p)
		if m.values == nil {
			m.values = map[any]any{}
		}
		m.values[key] = value
		return value
	}
}
