package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/printer"
)

func (c *calibrateCommand) rateCommand() *cobra.Command {
	f := &reportFlags{}
	var passed agreement.Share
	cmd := &cobra.Command{
		Use:   "rate RUBRIC --judge NAME --passed N --of N",
		Short: "Estimate how many items people would pass, from a judge's passes",
		Long: `Estimate the share of items that people would pass, when a judge has passed --passed of
--of items that no one labeled. The estimate corrects for how often the judge was right
about items that people passed, and about items that they failed (Rogan and Gladen 1978).
The interval includes the uncertainty of all three rates. It assumes that the judge is
right as often on the new items as on the labeled ones.

Exit codes: 0 estimated, 2 there is no estimate.`,
		Example: "  rubric calibrate rate user_story_quality_v1 --judge my-judge --passed 820 --of 1000",
		Args:    arguments(1, 1, "the ID of a rubric"),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.judge == "" || passed.Whole < 1 || passed.Part < 0 || passed.Part > passed.Whole {
				return errors.New("--judge, --passed, and --of are required, such as --judge my-judge --passed 820 --of 1000")
			}
			return c.rate(args, f, passed)
		},
	}
	cmd.Flags().SortFlags = false
	f.add(cmd)
	cmd.Flags().IntVar(&passed.Part, "passed", 0, "how many of the items the judge passed (required)")
	cmd.Flags().IntVar(&passed.Whole, "of", 0, "how many items the judge has scored (required)")
	return cmd
}

func (c *calibrateCommand) rate(ids []string, f *reportFlags, passed agreement.Share) error {
	reports, err := c.reports(ids, f, func(string, *calibration.Dataset, *calibration.Tracked) error { return nil })
	if err != nil {
		return err
	}
	r := reports[0].Report // --judge leaves one
	estimate := agreement.CorrectPassRate(passed, r.Verdict.Passes(), r.Verdict.Fails())
	if !estimate.Defined() || !estimate.Interval.Defined() {
		return fmt.Errorf("the pass rate can't be corrected: %s", estimate.Undefined+estimate.Interval.Undefined)
	}
	return printer.PassRate(c.Out, r, passed, estimate)
}
