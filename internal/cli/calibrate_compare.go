package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/printer"
	"github.com/rubric-library/rubric-library/internal/render"
)

var compareFormats = []string{"text", "json", "markdown"}

func (c *calibrateCommand) compareCommand() *cobra.Command {
	var name string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "compare --dataset NAME BEFORE AFTER",
		Short: "Compare two runs on the same items",
		Long: `Compare two runs on the same items: two judges, one judge at two times, or one judge
with two versions of a rubric. Both see the same items, so the interval is that of
the difference. A difference counts as a change if its interval excludes zero and it
is larger than a random permutation of the answers produces, so the judge's own
noise does not explain it.

BEFORE and AFTER are a judge, which means its newest run, or JUDGE@RUN.

Exit codes: 0 compared, 2 the files can't be used.`,
		Example: `  rubric calibrate compare --dataset user_story_quality my-judge other-judge
  rubric calibrate compare --dataset user_story_quality my-judge@2026-11-14 my-judge@2026-11-21`,
		Args: arguments(2, 2, "two runs, each a judge or JUDGE@RUN"),
		RunE: func(_ *cobra.Command, args []string) error {
			if name == "" {
				return errors.New("--dataset is required: the name of a folder in calibration/")
			}
			return c.compare(name, args[0], args[1], seed)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset: the name of a folder in calibration/")
	cmd.Flags().Uint64Var(&seed, "seed", calibration.Seed, "the seed of the intervals, which makes them reproducible")
	formatFlag(cmd, &c.formats, compareFormats)
	return cmd
}

func (c *calibrateCommand) compare(name, before, after string, seed uint64) error {
	outputs, err := outputsOf(c.formats, compareFormats)
	if err != nil {
		return err
	}
	root, options, err := c.options(seed, today())
	if err != nil {
		return err
	}
	d, err := c.dataset(root, name)
	if err != nil {
		return err
	}
	first, err := runOfJudge(d, before)
	if err != nil {
		return err
	}
	second, err := runOfJudge(d, after)
	if err != nil {
		return err
	}
	if first.Judge == second.Judge && first.Name == second.Name {
		return fmt.Errorf("%s and %s are the same run", before, after)
	}
	comparison := calibration.Compare(d, first, second, options)
	if line := d.LabeledBy.Demonstration(); line != "" {
		comparison.Messages = append([]string{line}, comparison.Messages...)
	}
	return printOutputs(c.Out, outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return printer.ComparisonJSON(w, comparison)
		case "markdown":
			return printer.ComparisonMarkdown(w, comparison)
		}
		return printer.ComparisonText(w, comparison, render.TextOptions{Color: c.color(w)})
	})
}

// runOfJudge is the run that JUDGE or JUDGE@RUN names.
func runOfJudge(d *calibration.Dataset, text string) (*calibration.Run, error) {
	judge, name, named := strings.Cut(text, "@")
	j := d.Judge(judge)
	if j == nil || len(j.Answers) == 0 {
		var judges []string
		for _, known := range d.Judges {
			judges = append(judges, known.Name)
		}
		if len(judges) == 0 {
			return nil, fmt.Errorf("%s has no answers from a judge. Run `rubric calibrate run` first", d.Name)
		}
		return nil, fmt.Errorf("%s has no answers from the judge %s. It has answers from %s", d.Name, judge, strings.Join(judges, ", "))
	}
	if !named {
		return j.Newest(), nil
	}
	if run := j.Run(name); run != nil {
		return run, nil
	}
	var names []string
	for _, run := range j.Runs() {
		names = append(names, run.Name)
	}
	return nil, fmt.Errorf("%s has no run %s. The runs are %s", judge, name, strings.Join(names, ", "))
}
