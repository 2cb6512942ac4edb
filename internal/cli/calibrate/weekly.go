package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

func (c *calibrateCommand) weeklyCommand() *cobra.Command {
	f, r := &reportFlags{}, &runFlags{}
	accept := ""
	cmd := &cobra.Command{
		Use: "weekly [RUBRIC...] [--judge NAME --model TEXT -- COMMAND]",
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			if dash < 0 {
				return c.reportWeek(args, f, accept)
			}
			if len(f.judges) > 1 {
				return fmt.Errorf("--judge must be one judge, which the command asks, got %d", len(f.judges))
			}
			r.judge, r.plan.Name = strings.Join(f.judges, ""), f.run
			if f.asOf != today() { // else the runs begin now
				r.date = f.asOf
			}
			return c.askAndReport(args[:dash], args[dash:], f, r, accept)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&accept, "accept", "",
		"make the run the reference that later runs of the judge are compared with, for this reason")
	r.add(cmd)
	command.FormatFlag(cmd, &c.formats, reportFormats)
	return cmd
}

// askAndReport asks a judge about the dataset of every rubric, and then reports.
// Unreadable answers are recorded and lower the coverage.
func (c *calibrateCommand) askAndReport(ids, judge []string, f *reportFlags, r *runFlags, accept string) error {
	if _, err := command.OutputsOf(c.formats, reportFormats); err != nil {
		return err
	}
	if err := c.open(); err != nil {
		return err
	}
	all, err := c.readCalibrated(ids)
	if err != nil {
		return err
	}
	for _, one := range all {
		asked := *r
		asked.dataset, asked.rubric = one.dataset.Name, one.subject.Rubric.ID
		if err := asked.read(judge, 0); err != nil {
			return err
		}
		quiet := *c
		quiet.Out = c.Err // only the report goes to the output
		if err := quiet.judge(&asked); err != nil && !errors.Is(err, command.ErrFindings) {
			return err
		}
	}
	return c.reportWeek(ids, f, accept)
}

// reportWeek reports. With a reason to accept the runs, they become references.
func (c *calibrateCommand) reportWeek(ids []string, f *reportFlags, accept string) error {
	worse := false
	_, err := c.show(ids, f, func(d *calibration.Dataset, decision *decide.Decision) error {
		worse = worse || decision.NeedsAttention()
		if accept == "" || decision.Judge == nil {
			return nil
		}
		return c.accept(d, decision.Judge, f.asOf, accept)
	})
	if err == nil && worse {
		return command.ErrFindings
	}
	return err
}

// accept makes a run the reference for later runs of the judge, unless it is.
func (c *calibrateCommand) accept(d *calibration.Dataset, run *measure.Judge, date, reason string) error {
	judge := run.Identity()
	if recorded := d.Judge(judge.Name).Run(run.Run); recorded.WasStopped() {
		return fmt.Errorf("run %s of %s was stopped, so it can't be accepted: it says nothing about the judge. Run the judge again", run.Run, judge.Name)
	}
	if d.AcceptedRun(judge) == run.Run {
		return nil
	}
	accepted := calibration.Acceptance{
		Judge: judge.Name, Model: judge.Model, PromptDigest: judge.Prompt, Repeats: judge.Repeats, Run: run.Run,
		Date: date, Reason: reason,
	}
	file := path.Join(calibration.Root, d.Name, calibration.DatasetFile)
	data, err := authoring.WithAccepted(d.Head, &accepted)
	if err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(c.library, filepath.FromSlash(file)), data, 0o666); err != nil {
		return fmt.Errorf("%s could not be written: %w", file, safefile.Reason(err))
	}
	head, problems, err := calibration.Load(safefile.DirFS(c.library), d.Name)
	if err != nil || len(problems) > 0 {
		return cmp.Or(err, fmt.Errorf("%s can't be read again", file))
	}
	d.Accepted, d.Head, d.File = head.Accepted, head.Head, head.File // another run can follow
	fmt.Fprintf(c.Err, "accepted run %s of %s in %s\n", sanitize.Line(run.Run), sanitize.Line(judge.Name), file)
	return nil
}
