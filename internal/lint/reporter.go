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

// begin sets the running rule.
func (r *reporter) begin(rule *Rule) { r.rule = rule }

// full counts a finding of the running rule in a file and reports whether there are too
// many to list it.
func (r *reporter) full(file string) bool {
	if r.counts == nil {
		r.counts = map[ruleInFile]int{}
	}
	key := ruleInFile{r.rule, file}
	r.counts[key]++
	return r.counts[key] > mostFindings
}

// add adds a finding of the running rule.
func (r *reporter) add(f Finding) {
	f.Rule, f.Severity, f.Spec = r.rule, r.rule.Severity, cmp.Or(f.Spec, r.rule.Spec)
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
		f.Message = fmt.Sprintf("There are at least %d more of these in this file. Fix the listed ones first.", r.counts[key]-mostFindings)
		r.findings = append(r.findings, f)
	}
}

// run runs the function of each lint rule that has one on a pass; where describes the
// subject of the pass in errors. A panic of a rule becomes an error with the rule's name,
// because the result of that rule is incomplete.
func run[P interface{ begin(*Rule) }](rules []*Rule, p P, where string, function func(*Rule) func(P)) (err error) {
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
