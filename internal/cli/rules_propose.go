package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets/consult"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// propose asks the command for checks of the rules without any, and returns those that the
// user confirms. Without a terminal, it writes the proposals to a file instead, and confirmed
// is false.
func (c *rulesCommand) propose(p *prepareFlags, run *runfile.Run, outside []string) (accepted map[string][]ruleset.Check, confirmed bool, err error) {
	var artifact *evaluate.Artifact
	var view *evaluate.View
	if p.artifact != "" {
		if artifact, err = c.readArtifact(p.artifact, p.checks); err != nil {
			return nil, false, err
		}
		v, err := artifact.View()
		if err != nil {
			return nil, false, err
		}
		view = &v
	}
	var requests []consult.Request
	set := run.RuleSet()
	for _, id := range outside {
		requests = append(requests, consult.NewRequest(consult.ForChecks, run, ruleOf(set, id), view))
	}
	ctx, stop := untilInterrupted()
	shown := &progress{out: c.Err, live: terminal(c.Err)}
	replies, err := consult.Ask(ctx, &p.command, p.parallel, requests, func(int, *consult.Answer) error { return nil }, func() error { return nil }, shown.report)
	stop()
	shown.end()
	if err != nil {
		return nil, false, fmt.Errorf("%w\nNothing was changed", err)
	}
	accepted = map[string][]ruleset.Check{}
	out := c.Out
	if c.canAsk() {
		out = c.Err
	}
	for i, reply := range replies {
		if reply.Answer == nil {
			continue // reported
		}
		rule := ruleOf(set, outside[i])
		if problem := unusable(rule, reply.Answer); problem != "" {
			fmt.Fprintf(out, "%s: rejected: %s\n", rule.ID, sanitize.Line(problem))
			continue
		}
		showProposal(out, rule, reply.Answer, p.artifact, artifact)
		if yes, err := c.confirm("Use these checks"); err != nil {
			return nil, false, err
		} else if yes {
			accepted[rule.ID] = reply.Checks
		}
	}
	if c.canAsk() {
		return accepted, true, nil
	}
	return nil, false, c.writeProposals(accepted, outside)
}

// confirm asks for yes or no. Without a terminal, the answer is yes.
func (c *rulesCommand) confirm(text string) (yes bool, err error) {
	if !c.canAsk() {
		return true, nil
	}
	var said string
	err = c.answer(&question{text: text + " (yes or no)", value: &said, check: func(s string) error {
		if s != "yes" && s != "no" {
			return fmt.Errorf("expected yes or no, got %q", s)
		}
		return nil
	}})
	return said == "yes", err
}

// writeProposals writes a file of checks for a review.
func (c *rulesCommand) writeProposals(checks map[string][]ruleset.Check, order []string) error {
	list := []runfile.RuleChecks{}
	for _, id := range order {
		if len(checks[id]) > 0 {
			list = append(list, runfile.RuleChecks{Rule: id, Checks: checks[id]})
		}
	}
	name := c.beside(proposalsFile)
	if err := createJSON(name, map[string]any{"checks": list}); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "wrote the checks of %s to %s, and did not change %s. Remove those that you don't want, and use the others with --checks\n",
		render.Count(len(list), "rule"), sanitize.Line(name), sanitize.Line(c.run))
	return nil
}

// longestPattern is how long a proposed pattern, literal, or argument can be.
const longestPattern = 1000

// unusable is the problem with proposed checks, or "": the linter finds a mistake, or they
// do not do what their examples show.
func unusable(r *ruleset.Rule, a *consult.Answer) string {
	var contents []ruleset.Check
	for _, c := range a.Checks {
		if len(c.Pattern+c.Literal+strings.Join(c.Command, " ")) > longestPattern {
			return fmt.Sprintf("a check is longer than %d bytes", longestPattern)
		}
		if c.Type == ruleset.CheckContent {
			c.Files = nil // an example is one text
			contents = append(contents, c)
		}
	}
	if problem := lintChecks(a.Checks); problem != "" {
		return problem
	}
	if len(contents) == 0 {
		return ""
	}
	for _, example := range []struct {
		name, text string
		want       ruleset.Verdict
	}{{"pass_example", a.PassExample, ruleset.VerdictPass}, {"fail_example", a.FailExample, ruleset.VerdictFail}} {
		if example.text == "" {
			return example.name + " is missing"
		}
		if got := tried(r, contents, evaluate.NewText(example.text)); got.Verdict != example.want {
			return fmt.Sprintf("the checks must %s on %s: %s", example.want, example.name, got.Reason)
		}
	}
	return ""
}

// tried runs checks on an artifact, without commands.
func tried(r *ruleset.Rule, checks []ruleset.Check, a *evaluate.Artifact) ruleset.Result {
	one := &ruleset.RuleSet{Rules: []ruleset.Rule{*r}}
	results, err := evaluate.Rules(context.Background(), one, r.Phase, map[string][]ruleset.Check{r.ID: checks}, nil, a, evaluate.Options{TimeLimit: 10 * time.Second})
	if err != nil {
		return ruleset.Result{Verdict: ruleset.VerdictSkipped, Reason: err.Error()}
	}
	return results[0].Result
}

// lintChecks returns the first error or warning that the linter has for checks, or "".
func lintChecks(checks []ruleset.Check) string {
	rule := ruleset.Rule{ID: "a.x.y", Description: "d", Severity: ruleset.SeverityFail, Weight: 2, Phase: ruleset.PhaseA, Check: "c", Checks: checks}
	text := fmt.Sprintf(`{"ruleset_id": "proposal_v1", "name": "n", "version": "0.1.0", "artifact_type": "x", "scoring": {"pass_threshold": 1}, "rules": %s}`,
		strings.TrimSpace(string(normalize.EncodeJSON([]ruleset.Rule{rule}, false))))
	dir, err := os.MkdirTemp("", "rubric-proposal-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = safefile.Create(filepath.Join(dir, "rubrics", "x", "proposal_v1.yaml"), []byte(text), 0o600)
	}
	if err != nil {
		return "can't be checked: " + safefile.Reason(err).Error()
	}
	report, err := lint.Run(safefile.DirFS(dir), rules.All(), lint.Options{})
	if err != nil {
		return "can't be checked: " + err.Error()
	}
	for _, f := range report.Findings {
		if f.Severity != lint.Note && (f.Pointer == "" || strings.HasPrefix(f.Pointer, "/rules/0/checks")) {
			return f.Message
		}
	}
	return ""
}

// showProposal prints checks with the words of their rule and what they find.
func showProposal(w io.Writer, r *ruleset.Rule, a *consult.Answer, name string, artifact *evaluate.Artifact) {
	fmt.Fprintf(w, "%s, severity %s: %s\n  instruction: %s\n", r.ID, r.Severity, sanitize.Line(r.Description), sanitize.Line(r.Check))
	for i, c := range a.Checks {
		data, _ := jsontext.Encode(c, "", "") // texts and numbers can always be written
		fmt.Fprintf(w, "  check %d: %s\n", i+1, sanitize.Line(string(data)))
		if c.Type == ruleset.CheckExecutable {
			fmt.Fprintln(w, "    This command has not been run. It runs when you evaluate with --allow-exec.")
		}
	}
	if a.PassExample != "" && a.FailExample != "" {
		fmt.Fprintf(w, "  pass_example: %s\n  fail_example: %s\n", sanitize.Line(a.PassExample), sanitize.Line(a.FailExample))
	}
	if artifact != nil {
		got := tried(r, a.Checks, artifact)
		fmt.Fprintf(w, "  %s: %s: %s\n", sanitize.Line(name), got.Verdict, sanitize.Line(got.Reason))
	}
}
