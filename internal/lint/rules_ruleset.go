package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/near"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

var ruleSetRules = []*Rule{
	{
		ID: "rule-phase", Family: FamilyRuleSets, Severity: Error, Firm: true,
		Summary: "a rule whose phase is not the one that its ID begins with",
		Why:     "People read the phase off the ID. If it says something else, a rule counts when nobody expects it.",
		Bad:     "id: a.style.naming\nphase: B",
		Good:    "id: b.style.naming\nphase: B",
		Document: func(p *DocumentPass) {
			eachRule(p, func(at *schema.Path, rule *node) {
				id, phase := text(rule.Get("id")), rule.Get("phase")
				if phase == nil || phase.Value != "A" && phase.Value != "B" {
					return
				}
				begin, _, found := strings.Cut(id, ".")
				if !found || begin != "a" && begin != "b" || strings.ToUpper(begin) == phase.Value {
					return
				}
				p.ReportAt(at.Key("phase", ""), phase, "Write phase %s, or begin the ID with %s: people read the phase off the ID.",
					strings.ToUpper(begin), strings.ToLower(phase.Value))
			})
		},
	},
	{
		ID: "rule-weight", Family: FamilyRuleSets, Severity: Error, Firm: true,
		Summary:  "a weight that contradicts the severity",
		Why:      "Info rules are never scored, and a fail or warn rule without weight would not count in the score.",
		Bad:      "severity: info\nweight: 1",
		Good:     "severity: info",
		Document: ruleWeight,
	},
	{
		ID: "unusual-weight", Family: FamilyRuleSets, Severity: Warning,
		Summary:  "a weight that is not the standard one of its severity, once a file",
		Why:      "Readers expect a fail rule to weigh 2 and a warn rule 1. Another weight changes the score of everybody, and is easily left over from a copy.",
		Bad:      "severity: warn\nweight: 5",
		Good:     "severity: warn",
		Document: unusualWeight,
	},
	{
		ID: "rule-category", Family: FamilyRuleSets, Severity: Warning,
		Summary:  "a rule whose category is nearly one of the common ones",
		Why:      "A misspelt category is one of its own for everybody who groups or searches by it. Other categories than the common ones are free: correctness, completeness, style, performance, security.",
		Bad:      "id: a.correctnes.endpoints",
		Good:     "id: a.correctness.endpoints",
		Document: ruleCategory,
	},
	{
		ID: "duplicate-description", Family: FamilyRuleSets, Severity: Warning,
		Summary:  "two rules of one rule set with the same description",
		Why:      "What one rule says would count twice, or a copy was not finished.",
		Bad:      "- id: a.style.naming\n  description: Names are in lower case.\n- id: a.style.paths\n  description: Names are in lower case.",
		Good:     "- id: a.style.naming\n  description: Names are in lower case.\n- id: a.style.paths\n  description: Paths are plural nouns.",
		Document: duplicateDescription,
	},
	{
		ID: "shell-check", Family: FamilyRuleSets, Severity: Warning,
		Summary:  "an executable check that runs a shell",
		Why:      "A shell reads its argument as a program, differs from machine to machine, and makes it hard to see in a review what runs. It is allowed where a program alone can't do it.",
		Bad:      `command: ["sh", "-c", "markdownlint *.md"]`,
		Good:     `command: ["markdownlint", "artifact.md"]`,
		Document: shellCheck,
	},
}

// shells are the programs that read an argument as commands.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh"}

// commonCategories are those that the rule schema names as examples.
var commonCategories = []string{"correctness", "completeness", "style", "performance", "security"}

func eachRule(p *DocumentPass, do func(at *schema.Path, rule *node)) {
	if !p.is(&document.RuleSet) {
		return
	}
	for i, rule := range items(p.Root().Get("rules")) {
		do(key("rules").Elem(i, text(rule.Get("id")), "rule"), rule)
	}
}

func ruleWeight(p *DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *node) {
		n := rule.Get("weight")
		if n == nil {
			return
		}
		weight, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || weight < 0 {
			return // the structural checks say it
		}
		switch severity := text(rule.Get("severity")); {
		case severity == "info" && weight > 0:
			p.ReportAt(at.Key("weight", ""), n, "Remove the weight, or write 0: the rule is info, which is recorded and never scored.")
		case (severity == "fail" || severity == "warn") && weight == 0:
			p.ReportAt(at.Key("weight", ""), n, "Write a weight above 0, or make the rule info: with 0 it does not count in the score.")
		}
	})
}

// unusualWeight reports the first one: whoever weighs rules of their own means it
// for all, and can say so once.
func unusualWeight(p *DocumentPass) {
	s := p.RuleSet()
	if s == nil {
		return
	}
	first, count := -1, 0
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.Weight == ruleset.StandardWeight(r.Severity) || r.Severity == ruleset.SeverityInfo || r.Weight == 0 {
			continue // what is wrong with info rules and with 0, rule-weight says
		}
		if count++; first < 0 {
			first = i
		}
	}
	if first < 0 {
		return
	}
	at := key("rules").Elem(first, s.Rules[first].ID, "rule").Key("weight", "")
	p.ReportAt(at, p.Root().Get("rules").Items[first].Get("weight"),
		"Remove the weight, or say in an ignore why it is meant: a fail rule weighs 2 and a warn rule 1, and for %d of the %d rules that is not so.",
		count, len(s.Rules))
}

func ruleCategory(p *DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *node) {
		n := rule.Get("id")
		parts := strings.Split(text(n), ".")
		if len(parts) != 3 {
			return
		}
		// With another first letter it is a word of its own: conformance.
		if meant := near.Word(parts[1], commonCategories); meant != "" && meant != parts[1] && meant[0] == parts[1][0] {
			p.ReportAt(at.Key("id", ""), n, "Write %s.%s.%s if the category %s is meant: a misspelt one is found by nobody who looks for it.", parts[0], meant, parts[2], schema.Quote(meant))
		}
	})
}

func duplicateDescription(p *DocumentPass) {
	seen := map[string]string{}
	eachRule(p, func(at *schema.Path, rule *node) {
		n, id := rule.Get("description"), text(rule.Get("id"))
		said := strings.ToLower(strings.Join(strings.Fields(text(n)), " "))
		if said == "" {
			return
		}
		if before, found := seen[said]; found {
			p.ReportAt(at.Key("description", ""), n, "Say what this rule checks, or remove it: the description is that of %s.", schema.Quote(before))
			return
		}
		seen[said] = id
	})
}

func shellCheck(p *DocumentPass) {
	eachRule(p, func(at *schema.Path, rule *node) {
		for i, check := range items(rule.Get("checks")) {
			command := items(check.Get("command"))
			if len(command) > 1 && program(text(command[0])) == "env" {
				command = command[1:]
			}
			if len(command) == 0 || !slices.Contains(shells, program(text(command[0]))) {
				continue
			}
			p.ReportAt(at.Key("checks", "").Elem(i, "", "check").Key("command", ""), command[0],
				"Run the program itself, or say in an ignore why it takes a shell: %s reads its arguments as commands, and not alike on every machine.", schema.Quote(text(command[0])))
		}
	})
}

// program is the name of a program without its folder and .exe.
func program(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}
