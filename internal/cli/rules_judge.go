package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets/consult"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Files next to the run file, by what replaces .json in its name.
const (
	verdictsFile  = ".verdicts.jsonl" // where the verdicts of a judge are recorded
	proposalsFile = ".proposals.json" // where checks are proposed that nobody can confirm
)

func (c *rulesCommand) beside(suffix string) string {
	return strings.TrimSuffix(c.run, ".json") + suffix
}

// beforeDash splits the arguments at --.
func beforeDash(cmd *cobra.Command, args []string) (before, after []string) {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash], args[dash:]
	}
	return args, nil
}

// checkCommand validates the command after --, which requires the flag.
func (j *judgeFlags) checkCommand(flag string, given bool) error {
	switch n := len(j.command.Command); {
	case !given && n > 0:
		return fmt.Errorf("a command after -- requires %s", flag)
	case !given:
		return nil
	case n == 0:
		return fmt.Errorf("%s requires a command after --: %s -- COMMAND", flag, flag)
	}
	if err := j.check(); err != nil {
		return err
	}
	return j.command.Find()
}

// checkJudge validates the flags about external verdicts.
func (e *evaluateFlags) checkJudge() error {
	e.command.TimeLimit = e.options.TimeLimit
	switch {
	case e.options.TimeLimit <= 0:
		return fmt.Errorf("--time-limit must be positive, such as 30s, got %v", e.options.TimeLimit)
	case e.judge && strings.TrimSpace(e.model) == "":
		return errors.New("--model is required with --judge: the exact name and version of the model that the judge uses")
	case e.pending != "" && exists(e.pending):
		return fmt.Errorf("%s already exists, and nothing was changed. Write another file with --pending", e.pending)
	}
	return e.checkCommand("--judge", e.judge)
}

// askForVerdicts asks the judge about the rules that have no verdict.
func (c *rulesCommand) askForVerdicts(ctx context.Context, e *evaluateFlags, run *runfile.Run, artifact *evaluate.Artifact, rules []evaluate.RuleResult) error {
	view, err := artifact.View()
	if err != nil {
		return err
	}
	var requests []consult.Request
	var asked []*evaluate.RuleResult
	set := run.RuleSet()
	for i := range rules {
		if r := &rules[i]; r.Source == evaluate.SourceNone {
			requests = append(requests, consult.NewRequest(consult.ForVerdict, run, ruleOf(set, r.ID), &view))
			asked = append(asked, r)
		}
	}
	if len(requests) == 0 {
		return nil
	}
	file := c.beside(verdictsFile)
	v, err := consult.OpenVerdicts(file, e.model)
	if err != nil {
		return fmt.Errorf("%s can't be used: %w", file, safefile.Reason(err))
	}
	defer v.Close()
	if v.Cut > 0 {
		fmt.Fprintf(c.Err, "note: removed an incomplete last line from %s, likely left by a crash.\n", sanitize.Line(file))
	}
	shown := &progress{out: c.Err, live: terminal(c.Err)}
	replies, recorded, err := v.Ask(ctx, &e.command, e.parallel, requests, shown.report)
	shown.end()
	if recorded > 0 {
		fmt.Fprintf(c.Err, "note: %d of %s are from %s, which are not asked for again.\n", recorded, render.Count(len(requests), "verdict"), sanitize.Line(file))
	}
	switch kept := fmt.Sprintf("There is no result. Verdicts so far are recorded in %s. Run the command again to ask for the rest", file); {
	case ctx.Err() != nil && err != nil:
		return errors.New("interrupted\n" + kept)
	case err != nil:
		return fmt.Errorf("%w\n%s", err, kept)
	}
	for i, r := range replies {
		if r.Answer != nil {
			asked[i].Judge(&ruleset.Result{Verdict: r.Verdict, Reason: r.Reason}, "")
		} else {
			asked[i].Judge(nil, sanitize.Line(r.Failure))
		}
	}
	return nil
}

func ruleOf(s *ruleset.RuleSet, id string) *ruleset.Rule {
	for i := range s.Rules {
		if s.Rules[i].ID == id {
			return &s.Rules[i]
		}
	}
	return nil
}

// pendingVerdict is an entry of a file of verdicts to fill in, with the words of the rule.
// It has no reason, because an empty one would be a mistake.
type pendingVerdict struct {
	Rule        string `json:"rule"`
	Verdict     string `json:"verdict"`
	Description string `json:"description"`
	Check       string `json:"check"`
}

// writePending writes the verdicts that are missing to a new file.
func (c *rulesCommand) writePending(name string, set *ruleset.RuleSet, rules []evaluate.RuleResult) error {
	if name == "" {
		return nil
	}
	missing := []pendingVerdict{}
	for _, r := range rules {
		if r.Source == evaluate.SourceNone {
			rule := ruleOf(set, r.ID)
			missing = append(missing, pendingVerdict{Rule: r.ID, Description: rule.Description, Check: rule.Check})
		}
	}
	if err := createJSON(name, map[string]any{"verdicts": missing}); err != nil {
		return err
	}
	fmt.Fprintf(c.Err, "note: wrote %s that %s missing to %s. Fill in each verdict (pass, fail, or skipped), add a reason, and pass the file with --verdicts.\n",
		render.Count(len(missing), "verdict"), isOrAre(len(missing)), sanitize.Line(name))
	return nil
}

// createJSON writes a new file.
func createJSON(name string, value any) error {
	data, err := jsontext.Encode(value, "", "  ")
	if err == nil {
		err = safefile.Create(name, append(sanitize.JSON(data), '\n'), 0o666)
	}
	if err != nil {
		err = fmt.Errorf("%s could not be written: %w", name, safefile.Reason(err))
	}
	return err
}
