package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type contentCheck struct {
	ruleset.Check
	rule *ruleset.Rule
	path *schema.Path
	node *yamltree.Node
}

func eachContentCheck(p *lint.DocumentPass, do func(contentCheck)) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	for i, rule := range p.Root().Get("rules").List() {
		r := &s.Rules[i]
		at := lint.Key("rules").Elem(i, r.ID, "rule").Key("checks", "")
		for j, check := range rule.Get("checks").List() {
			if r.Checks[j].Type == ruleset.CheckContent {
				do(contentCheck{r.Checks[j], r, at.Elem(j, "", "check"), check})
			}
		}
	}
}

// reportAt adds a finding at a key of the check.
func (c contentCheck) reportAt(p *lint.DocumentPass, key, format string, args ...any) {
	p.ReportAt(c.path.Key(key, ""), c.node.Get(key), format, args...)
}

// unlimited is the maximum of matches without a limit.
const unlimited = math.MaxInt

type counts struct{ least, most int }

// passing returns the numbers of matches with which the check passes.
func (c contentCheck) passing() counts {
	if c.Expect == ruleset.ExpectAbsent {
		return counts{0, 0}
	}
	n := counts{1, unlimited}
	if c.MinCount != nil {
		n.least = *c.MinCount
	}
	if c.MaxCount != nil {
		n.most = *c.MaxCount
	}
	return n
}

func (n counts) String() string {
	switch {
	case n.most == 0:
		return "no match"
	case n.most == unlimited:
		return fmt.Sprintf("%d or more matches", n.least)
	case n.least == n.most:
		return fmt.Sprintf("exactly %d", n.least)
	}
	return fmt.Sprintf("%d to %d matches", n.least, n.most)
}

// search is what a content check counts in the artifact.
type search struct {
	pattern, literal, files string
	ignoreCase, multiline   bool
}

// searched returns the key that says what is counted.
func (c contentCheck) searched() string {
	if c.Literal != "" {
		return "literal"
	}
	return "pattern"
}

// together identifies checks that must pass together: those of one rule, and those of
// all fail rules, because an artifact must pass all of them.
type together struct {
	rule string // empty for all fail rules
	search
}

// extremes are, of the checks with the same search, the one that needs the most matches
// and the one that allows the fewest. A check that can pass together with these two can
// pass together with all.
type extremes struct{ strictest, tightest contentCheck }

// checkNeverPasses reports requirements that are impossible to meet. The share of passed
// weights reaches 1 as soon as every rule passes, so a pass threshold is out of reach only
// if a rule is. Requirements that can't be missed are found by check-never-fails and
// pattern-empty.
func checkNeverPasses(p *lint.DocumentPass) {
	seen := map[together]extremes{}
	eachContentCheck(p, func(c contentCheck) {
		n := c.passing()
		if n.least > n.most {
			if n.most == 0 && n.least == 1 {
				c.reportAt(p, "max_count", "Write expect: absent instead, or raise max_count: a match is needed but none is allowed, so no artifact passes.")
			} else {
				c.reportAt(p, "max_count", "Raise max_count or lower min_count: %d matches are needed but only %d allowed, so no artifact passes.", n.least, n.most)
			}
			return
		}
		with := together{search: search{c.Pattern, c.Literal, strings.Join(c.Files, "\n"), c.IgnoreCase, c.Multiline && c.Pattern != ""}}
		if c.rule.Severity != ruleset.SeverityFail {
			with.rule = c.rule.ID
		}
		before, found := seen[with]
		switch {
		case !found:
			before = extremes{c, c}
		case before.strictest.passing().least > n.most:
			reportContradiction(p, c, before.strictest)
			return
		case before.tightest.passing().most < n.least:
			reportContradiction(p, c, before.tightest)
			return
		}
		if n.least > before.strictest.passing().least {
			before.strictest = c
		}
		if n.most < before.tightest.passing().most {
			before.tightest = c
		}
		seen[with] = before
	})
}

func reportContradiction(p *lint.DocumentPass, c, other contentCheck) {
	k := c.searched()
	p.ReportBeside(c.path.Key(k, ""), c.node.Get(k), other.node.Get(other.searched()), "the other check",
		"Change or remove this check or the other one for the same text: this one passes with %v, the other one with %v, so no artifact passes both.",
		c.passing(), other.passing())
}

func checkNeverFails(p *lint.DocumentPass) {
	eachContentCheck(p, func(c contentCheck) {
		if c.passing() == (counts{0, unlimited}) {
			c.reportAt(p, "min_count", "Add max_count or raise min_count: every artifact has 0 or more matches, so the check never fails.")
		}
	})
}

// shells are the programs that read an argument as commands.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh"}

func shellCheck(p *lint.DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *yamltree.Node) {
		for i, check := range rule.Get("checks").List() {
			command := check.Get("command").List()
			if len(command) > 1 && program(command[0].Text()) == "env" {
				command = command[1:]
			}
			if len(command) == 0 || !slices.Contains(shells, program(command[0].Text())) {
				continue
			}
			p.ReportAt(at.Key("checks", "").Elem(i, "", "check").Key("command", ""), command[0],
				"Run the program itself, or add an ignore comment that says why a shell is needed: %s runs its arguments as commands, and differs between machines.", schema.Quote(command[0].Text()))
		}
	})
}

// program returns the name of a program without its folder and .exe.
func program(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}
