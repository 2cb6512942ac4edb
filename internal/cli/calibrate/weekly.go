package calibrate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/report"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/limits"
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
				return c.weekly(args, f, accept)
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
	cmd.Flags().StringVar(&accept, "accept", "", "make the run the reference that later runs are compared with, for this reason")
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
	all, err := c.calibrated(ids)
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
	return c.weekly(ids, f, accept)
}

// weekly reports and records. With a reason to accept the runs, they become references.
func (c *calibrateCommand) weekly(ids []string, f *reportFlags, accept string) error {
	worse := false
	_, err := c.show(ids, f, func(d *calibration.Dataset, decision *decide.Decision, v *report.View) error {
		worse = worse || decision.NeedsAttention()
		return c.record(d, v, accept)
	})
	if err == nil && worse {
		return command.ErrFindings
	}
	return err
}

// record appends a line to the history of a dataset, unless the run is recorded.
func (c *calibrateCommand) record(d *calibration.Dataset, r *report.View, accept string) error {
	if r.Judge == nil {
		return nil
	}
	record := report.NewRecord(r)
	record.Accepted = accept
	if report.Recorded(d, record) {
		return nil
	}
	line, err := record.Encode()
	if err != nil {
		return err
	}
	file := path.Join(calibration.Root, d.Name, calibration.HistoryFile)
	name := filepath.Join(c.library, filepath.FromSlash(file))
	data, err := limits.ReadFile(os.DirFS(c.library), file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return command.InputError(name, err)
	}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n')
	}
	if err := safefile.Write(name, append(data, line...), 0o666); err != nil {
		return fmt.Errorf("%s could not be written: %w", file, safefile.Reason(err))
	}
	d.History = append(d.History, bytes.TrimSpace(line))
	fmt.Fprintf(c.Err, "recorded run %s of %s in %s\n", sanitize.Line(r.Judge.Run), sanitize.Line(r.Judge.Name), file)
	return nil
}
