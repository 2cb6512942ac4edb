package calibrate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// areScores reports whether scores of a judge are imported, and checks that all flags are
// for that or for labels.
func (n *importFlags) areScores(given *pflag.FlagSet) (bool, error) {
	only, advice := []string{"model", "date", "prompt-digest", "run"}, "scores of a judge: add --judge, or omit it"
	if given.Changed("judge") {
		only, advice = []string{"rater", "labeled-by", "method", "license", "replace", "dev"}, "labels: omit it with --judge"
	}
	for _, name := range only {
		if given.Changed(name) {
			return false, fmt.Errorf("--%s is for %s", name, advice)
		}
	}
	return given.Changed("judge"), nil
}

// checkScores validates the flags for scores.
func (n *importFlags) checkScores() error {
	r := &n.scores
	r.dataset = n.dataset
	r.rubric, n.version, _ = strings.Cut(n.rubric, "@")
	start, isStart := calibration.ParseStart(r.date)
	switch {
	case !calibration.IsJudgeName(r.judge):
		return fmt.Errorf("--judge: %s is not a judge name: expected at most 64 lowercase letters and digits with single dashes or underscores", schema.Quote(r.judge))
	case strings.TrimSpace(r.plan.Model) == "":
		return errors.New("--model is required: the exact name and version of the model that the judge used")
	case r.rubric == "" || n.version == "":
		return errors.New("--rubric is required with the version that the judge read, such as user_story_quality_v1@1.1.1")
	case !isStart:
		return fmt.Errorf("--date is required: when the judge gave the scores, such as 2026-11-21 or 2026-11-21T09:30:00Z, got %q", r.date)
	}
	r.plan.Start = start
	return nil
}

func (c *calibrateCommand) importScores(n *importFlags, f *source.File) error {
	r := &n.scores
	if s, err := c.subject(r.rubric); err != nil {
		return err
	} else if s.Rubric.Version != n.version {
		return fmt.Errorf("--rubric: the library has %s@%s, not %s, and answers are only valid for the words that the judge read. "+
			"Import in a checkout of the commit that has version %[3]s, or name %[2]s if the judge read its words", r.rubric, s.Rubric.Version, n.version)
	}
	return c.withRun(r, !n.dryRun, func(d *calibration.Dataset, run *judging.Run) error {
		return c.recordScores(n, f, d, run)
	})
}

func (c *calibrateCommand) recordScores(
	n *importFlags, f *source.File, d *calibration.Dataset, run *judging.Run,
) error {
	r := &n.scores
	if run.Start.Date != r.plan.Start.Date {
		return fmt.Errorf("--date: run %s is dated %s. Use that date, or another --run", run.Name, run.Start.Date)
	}
	if len(run.Unlabeled) > 0 {
		fmt.Fprintf(c.Err, "note: %s of %s %s not imported: no labels in %s.\n",
			schema.Or(run.Unlabeled, "and"), r.rubric, command.IsOrAre(len(run.Unlabeled)), r.dataset)
	}
	n.options.Scores, n.options.Model = true, r.plan.Model
	n.options.Criteria, n.options.Ignored = run.Criteria, run.Unlabeled
	read, problems := labels.Read(f, n.options)
	if len(problems) > 0 {
		return c.Refuse(f, problems)
	}
	target := &labels.Target{Dataset: d, Criteria: run.Criteria, Run: run.Answer(), Recorded: run.RecordedAnswers()}
	answers, unchanged, problems := target.Answers(read)
	if len(problems) > 0 {
		return c.Refuse(f, problems)
	}
	if len(answers)+unchanged == 0 {
		return fmt.Errorf("%s has no scores, so nothing was written", f.Path)
	}
	if err := run.Import(answers); err != nil {
		return err
	}
	return report.Say(c.Out, "scores", map[string]any{
		"File": r.file(), "Run": run.Name, "DryRun": n.dryRun, "Added": len(answers), "Unchanged": unchanged,
		"Count": run.Count(), "Unread": read.Unread,
	})
}
