package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
)

type reportFlags struct {
	judges           []string
	run, asOf, split string
}

func (f *reportFlags) add(cmd *cobra.Command) {
	command.InOrder(cmd).StringArrayVar(&f.judges, "judge", nil, "only this judge (repeatable)")
	cmd.Flags().StringVar(&f.run, "run", "", "this run instead of the newest")
	cmd.Flags().StringVar(&f.asOf, "as-of", today(), "the date at which the age of a run is measured")
	cmd.Flags().Lookup("as-of").DefValue = "today"
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

var reportFormats = []string{"text", "json", "markdown"}

func (c *calibrateCommand) reportCommand() *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use: "report [RUBRIC...]",
		RunE: func(_ *cobra.Command, args []string) error {
			switch f.split {
			case "", "test":
			case calibration.Dev:
				return c.showDev(args, f)
			default:
				return fmt.Errorf("--split must be test or dev, got %q", f.split)
			}
			_, err := c.show(args, f, nil)
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.split, "split", "test",
		"test, or dev: where judges and people disagree on the items for tuning, with texts")
	command.FormatFlag(cmd, &c.formats, reportFormats)
	return cmd
}

// checkCommand fails unless every judge may be used.
func (c *calibrateCommand) checkCommand() *cobra.Command {
	f, use := &reportFlags{}, "gate"
	cmd := &cobra.Command{
		Use: "check [RUBRIC...]",
		RunE: func(_ *cobra.Command, args []string) error {
			answer := map[string]func(*report.View) decide.Answer{
				"gate": func(v *report.View) decide.Answer { return v.Gate.Answer },
				"rank": func(v *report.View) decide.Answer { return v.Rank.Answer },
			}[use]
			if answer == nil {
				return fmt.Errorf("--for must be gate or rank, got %q", use)
			}
			views, err := c.show(args, f, nil)
			if err == nil && slices.ContainsFunc(views, func(v *report.View) bool { return !answer(v).Given() }) {
				return command.ErrFindings
			}
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&use, "for", use, "what every judge must be allowed to do: gate, or only rank")
	command.FormatFlag(cmd, &c.formats, reportFormats)
	return cmd
}

func (c *calibrateCommand) show(ids []string, f *reportFlags, use useReport) ([]*report.View, error) {
	outputs, err := command.OutputsOf(c.formats, reportFormats)
	if err != nil {
		return nil, err
	}
	views, err := c.reports(ids, f, use)
	if err != nil {
		return nil, err
	}
	return views, command.PrintOutputs(c.Out, outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return report.JSON(w, views)
		case "markdown":
			return report.Markdown(w, views)
		}
		return report.Text(w, views, c.TextOptions(w, ""))
	})
}

// showDev shows where judges, side by side, and people disagree on the items for tuning.
func (c *calibrateCommand) showDev(ids []string, f *reportFlags) error {
	outputs, err := command.OutputsOf(c.formats, reportFormats)
	if err != nil {
		return err
	}
	if err := c.open(); err != nil {
		return err
	}
	all, err := c.readCalibrated(ids)
	if err != nil {
		return err
	}
	var devs []*measure.Dev
	// Without a named rubric, those without dev items say nothing, unless that is all of them.
	hasDev := func(one calibrated) bool { return len(one.dataset.Dev().Items) > 0 }
	some := slices.DeleteFunc(slices.Clone(all), func(one calibrated) bool { return !hasDev(one) })
	if len(ids) == 0 && len(some) > 0 {
		all = some
	}
	for _, one := range all {
		runs, err := one.runs(f)
		if err != nil {
			return err
		}
		dev, err := measure.DevOf(one.dataset, one.subject, runs)
		if err != nil {
			return err
		}
		devs = append(devs, dev)
	}
	return command.PrintOutputs(c.Out, outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return report.DevJSON(w, devs)
		case "markdown":
			return report.DevMarkdown(w, devs)
		}
		return report.DevText(w, devs, c.TextOptions(w, ""))
	})
}

// useReport is called with each decision before the next one is computed.
type useReport func(d *calibration.Dataset, decision *decide.Decision) error

// calibrated is a rubric with its dataset.
type calibrated struct {
	subject *calibration.Subject
	dataset *calibration.Dataset
}

// reports computes a report for each judge of each rubric, or of the named rubrics.
// use can be nil.
func (c *calibrateCommand) reports(ids []string, f *reportFlags, use useReport) ([]*report.View, error) {
	options, err := c.options(f.asOf)
	if err != nil {
		return nil, err
	}
	all, err := c.readCalibrated(ids)
	if err != nil {
		return nil, err
	}
	var views []*report.View
	watch := c.Watch()
	defer watch.Stop()
	for _, one := range all {
		runs, err := one.runs(f)
		if err != nil {
			return nil, err
		}
		if len(runs) == 0 {
			runs = append(runs, nil)
		}
		decider := decide.On(one.dataset, one.subject, options)
		for _, run := range runs {
			if run != nil && run.Date > f.asOf {
				return nil, fmt.Errorf("run %s of %s is dated %s, which is after --as-of %s. Correct the date in its answers, or give a later --as-of",
					run.Name, run.Judge, run.Date, f.asOf)
			}
			if run != nil {
				watch.Report(fmt.Sprintf("measuring run %s of %s for %s", run.Name, run.Judge, one.subject.Rubric.ID), 0, 0)
			}
			decision := decider.Track(run)
			v := report.Of(decision)
			if use != nil {
				if err := use(one.dataset, decision); err != nil {
					return nil, err
				}
			}
			views = append(views, v)
		}
	}
	return views, nil
}

func (c *calibrateCommand) options(asOf string) (o decide.Options, err error) {
	if err := c.open(); err != nil {
		return o, err
	}
	if _, err := time.Parse(time.DateOnly, asOf); err != nil {
		return o, fmt.Errorf("--as-of must be a date such as 2026-11-21, got %q", asOf)
	}
	// The limits are those that lint has.
	config, err := check.ConfigOf(c.Streams, c.library)
	if err != nil {
		return o, err
	}
	return decide.Options{Settings: config.Calibration, Seed: measure.Seed, AsOf: asOf}, nil
}

func (c *calibrateCommand) readCalibrated(ids []string) ([]calibrated, error) {
	named := len(ids) > 0
	if !named {
		ids = slices.Sorted(maps.Keys(c.rubrics))
	}
	datasets := map[string]*calibration.Dataset{}
	var all []calibrated
	for _, id := range ids {
		s, err := c.subject(id)
		if err != nil {
			return nil, err
		}
		name, err := datasetOf(s)
		if err != nil && !named {
			continue
		}
		if err != nil {
			return nil, err
		}
		if datasets[name] == nil {
			if datasets[name], err = c.datasetWithPast(name); err != nil {
				return nil, err
			}
		}
		if !datasets[name].Joins(s) {
			return nil, fmt.Errorf("%s names the dataset %s, which does not list it in applies_to. Run `rubric lint` for details", id, name)
		}
		all = append(all, calibrated{s, datasets[name]})
	}
	if len(all) == 0 {
		return nil, errors.New("no rubric of this library has a dataset in calibration/. `rubric calibrate import` creates one")
	}
	return all, c.countElsewhere(datasets)
}

// runs are the requested runs of the requested judges in their order, or of all judges: the
// newest for the rubric's current text, else for an older one.
func (one *calibrated) runs(f *reportFlags) ([]*calibration.Run, error) {
	var judges []*calibration.Judge
	for _, name := range f.judges {
		j := one.dataset.Judge(name)
		if j == nil {
			return nil, fmt.Errorf("%s has no answers from the judge %s", one.dataset.Name, name)
		}
		if !slices.Contains(judges, j) {
			judges = append(judges, j)
		}
	}
	for i := range one.dataset.Judges {
		if len(f.judges) == 0 {
			judges = append(judges, &one.dataset.Judges[i])
		}
	}
	var runs []*calibration.Run
	for _, j := range judges {
		run := j.Run(f.run)
		if f.run == "" {
			run = j.NewestRun(one.subject.Digest)
		}
		if run != nil {
			runs = append(runs, run)
		}
	}
	if f.run != "" && len(runs) == 0 {
		return nil, fmt.Errorf("%s has no run %s", one.dataset.Name, f.run)
	}
	return runs, nil
}

func (c *calibrateCommand) rateCommand() *cobra.Command {
	f := &reportFlags{}
	var passed agreement.Share
	cmd := &cobra.Command{
		Use:  "rate RUBRIC --judge NAME --passed N --of N",
		Args: command.Arguments(1, 1, "the ID of a rubric"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(f.judges) != 1 || passed.Whole < 1 || passed.Part < 0 || passed.Part > passed.Whole {
				return errors.New("--judge, --passed, and --of are required, such as --judge my-judge --passed 820 --of 1000")
			}
			return c.rate(args, f, passed)
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&passed.Part, "passed", 0, "how many of the items the judge passed (required)")
	cmd.Flags().IntVar(&passed.Whole, "of", 0, "how many items the judge has scored (required)")
	return cmd
}

func (c *calibrateCommand) rate(ids []string, f *reportFlags, passed agreement.Share) error {
	reports, err := c.reports(ids, f, nil)
	if err != nil {
		return err
	}
	r := reports[0] // --judge leaves one
	estimate := agreement.CorrectPassRate(passed, r.Verdict.Passes(), r.Verdict.Fails())
	if !estimate.IsDefined() || !estimate.Interval.IsDefined() {
		return fmt.Errorf("the pass rate can't be corrected: %s", cmp.Or(estimate.Undefined, estimate.Interval.Undefined))
	}
	return report.Say(c.Out, "rate", map[string]any{"Report": r, "Passed": passed, "Corrected": estimate})
}
