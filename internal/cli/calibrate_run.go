package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// runFlags is what run was told.
type runFlags struct {
	dataset, rubric string
	judge           string // the name of the judge
	plan            judging.Plan
	command         judging.Judge
	parallel        int
}

func (c *calibrateCommand) runCommand() *cobra.Command {
	r := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run --dataset NAME --model TEXT --judge COMMAND",
		Short: "Hand the items of a dataset to a judge command and record its answers",
		Long: `Hand the items of a dataset to a judge command and record its answers in
calibration/<dataset>/judges/<judge>.jsonl.

The command is started once for each item and repeat, without a shell. It reads one
JSON object with the rubric's words and the item, and writes one with the scores:
docs/judge-protocol.md says how. It has the environment and the working folder of
this command, so its keys are where you keep them. It sees no labels.

--judge COMMAND is a program without arguments, and the judge is called like its
file. With arguments, the command stands behind --, and --judge is the name:

  rubric calibrate run --dataset stories --model m --judge my-judge -- python3 judge.py

What was answered is kept whatever happens. The same call again asks only what has no
readable answer yet; --run NAME asks all anew under another name.

Exit codes: 0 every item has an answer, 1 some answers could not be read, which is
recorded, 2 the command could not do its work.`,
		Example: `  rubric calibrate run --dataset stories --model my-model-2026-01 --judge ./my-judge
  rubric calibrate run --rubric user_story_quality_v1 --model my-model-2026-01 \
    --judge my-judge --repeats 3 -- python3 judge.py --temperature 0`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.read(args, cmd.ArgsLenAtDash()); err != nil {
				return err
			}
			return c.judge(r)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.dataset, "dataset", "", "the dataset; without it, the one that the rubric names")
	f.StringVar(&r.rubric, "rubric", "", "the ID of the rubric; without it, the one that the dataset is for")
	f.StringVar(&r.judge, "judge", "", "the judge's command, or its name where the command stands behind --")
	f.StringVar(&r.plan.Name, "run", "", "the name of the run; without it, its date")
	r.add(cmd)
	return cmd
}

// add gives a command the flags that say how a judge is asked.
func (r *runFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.plan.Model, "model", "", "the exact name and version of the model that the judge uses")
	f.IntVar(&r.plan.Repeats, "repeats", 1, "how often each item is asked")
	f.IntVar(&r.parallel, "parallel", 4, "how many commands run at once")
	f.DurationVar(&r.command.TimeLimit, "time-limit", 2*time.Minute, "how long each command may run")
	f.IntVar(&r.command.Retries, "retries", 2, "how often a command that failed is started again")
	f.DurationVar(&r.command.Pause, "pause", time.Second, "the time before the first retry; each further one takes twice as long, up to a minute")
	f.StringVar(&r.plan.Date, "date", time.Now().UTC().Format(time.DateOnly), "the date of a new run")
	_ = f.MarkHidden("date") // the flag is there
}

// read makes sense of the flags. dash is how many arguments stand before --, or
// -1.
func (r *runFlags) read(args []string, dash int) error {
	switch {
	case r.dataset == "" && r.rubric == "":
		return errors.New("say --dataset or --rubric: what is to be judged")
	case r.judge == "":
		return errors.New("say --judge: the command that judges, or its name where the command stands behind --")
	case strings.TrimSpace(r.plan.Model) == "":
		return errors.New("say --model: the exact name and version of the model that the judge uses")
	case dash < 0 && len(args) > 0:
		return fmt.Errorf("a command with arguments stands behind --, and --judge is the judge's name: --judge NAME -- %s %s", r.judge, strings.Join(args, " "))
	case dash > 0:
		return fmt.Errorf("%s stands before the --: nothing but flags does", schema.Quote(args[0]))
	case dash == 0 && len(args) == 0:
		return errors.New("the command of the judge is missing behind --")
	case r.plan.Repeats < 1 || r.plan.Repeats > 1000:
		return fmt.Errorf("--repeats is %d, and it has to be from 1 to 1000", r.plan.Repeats)
	case r.parallel < 1 || r.parallel > 1000:
		return fmt.Errorf("--parallel is %d, and it has to be from 1 to 1000", r.parallel)
	case r.command.Retries < 0 || r.command.Pause < 0:
		return errors.New("--retries and --pause can't be less than nothing")
	case r.command.TimeLimit <= 0:
		return fmt.Errorf("the time limit is %v, and it has to be more than nothing, such as 30s", r.command.TimeLimit)
	}
	r.command.Command = args
	if dash < 0 {
		r.command.Command = []string{r.judge}
		base := filepath.Base(r.judge)
		r.judge = strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
	}
	if !calibration.IsJudgeName(r.judge) {
		return fmt.Errorf("%s is no name of a judge: lower-case letters and digits with single dashes or underscores. Write --judge NAME -- COMMAND", schema.Quote(r.judge))
	}
	return r.command.Find()
}

// judge asks a judge.
func (c *calibrateCommand) judge(r *runFlags) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	subjects, err := c.subjects(root)
	if err != nil {
		return err
	}
	if err := r.findDataset(root, subjects); err != nil {
		return err
	}
	file := calibration.JudgeFile(r.dataset, r.judge)
	journal, err := judging.OpenJournal(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", file, safefile.Reason(err))
	}
	defer journal.Close()
	if journal.Cut > 0 {
		fmt.Fprintf(c.Err, "note: %s ended in an incomplete line, as after a crash, which was removed.\n", file)
	}
	d, err := c.dataset(root, r.dataset)
	if err != nil {
		return err
	}
	s, err := r.subject(d, subjects)
	if err != nil {
		return err
	}
	run, err := judging.NewRun(d, s, r.judge, journal, r.plan)
	if err != nil {
		return err
	}
	return c.ask(run, r, file)
}

// findDataset finds the dataset where only the rubric was named, and makes sure
// that it is there before anything is written.
func (r *runFlags) findDataset(root string, subjects map[string]*calibration.Subject) error {
	if r.dataset == "" {
		s, err := subject(subjects, r.rubric)
		if err != nil {
			return err
		}
		if r.dataset = calibration.NameOf(s.Rubric.CalibrationDataset); r.dataset == "" {
			return fmt.Errorf("%s names no dataset of the library in its calibration_dataset", r.rubric)
		}
	}
	names, err := calibration.Names(safefile.DirFS(root))
	if err == nil && !slices.Contains(names, r.dataset) {
		err = noDataset(root, r.dataset)
	}
	return err
}

// subject is the rubric that was named, or the only one that the dataset is for.
// The two have to know of each other.
func (r *runFlags) subject(d *calibration.Dataset, subjects map[string]*calibration.Subject) (*calibration.Subject, error) {
	id := r.rubric
	if id == "" {
		if len(d.AppliesTo) > 1 {
			return nil, fmt.Errorf("the dataset %s is for %s. Say which: --rubric ID", d.Name, schema.Or(d.AppliesTo, "and"))
		}
		id = d.AppliesTo[0]
	}
	s, err := subject(subjects, id)
	if err != nil {
		return nil, err
	}
	r.rubric = id
	if !d.Joins(s) {
		return nil, fmt.Errorf("%s and the dataset %s do not belong together: the rubric's calibration_dataset names the dataset, and the dataset's applies_to lists the rubric", id, d.Name)
	}
	return s, nil
}

// ask asks what was not answered and says how it came out.
func (c *calibrateCommand) ask(run *judging.Run, r *runFlags, file string) error {
	if len(run.Unlabelled) > 0 {
		fmt.Fprintf(c.Err, "note: %s of %s %s not labelled in %s, and not asked.\n", schema.Or(run.Unlabelled, "and"), r.rubric, isOrAre(len(run.Unlabelled)), r.dataset)
	}
	all, before := run.Count()
	if before > 0 {
		fmt.Fprintf(c.Err, "note: %d of %d answers of run %s are there already, and not asked again.\n", before, all, run.Name)
	}
	ctx, stop := untilInterrupted()
	defer stop()
	shown := &progress{out: c.Err, live: terminal(c.Err)}
	err := run.Ask(ctx, &r.command, r.parallel, shown.report)
	shown.end()
	_, answered := run.Count()
	kept := "No answer was there yet"
	if answered > 0 {
		kept = fmt.Sprintf("%d of %d answers are kept in %s. The same call with --run %s asks for the rest", answered, all, file, run.Name)
	}
	switch wrong := (*judging.ModelError)(nil); {
	case errors.As(err, &wrong):
		return fmt.Errorf("%w. All answers of a run are by one model: say its exact name with --model, and where it changed begin another --run\n%s", err, kept)
	case err != nil && ctx.Err() != nil:
		return errors.New("interrupted\n" + kept)
	case err != nil:
		return fmt.Errorf("%w\n%s", err, kept)
	}
	fmt.Fprintf(c.Out, "run %s of %s on %s: %s in %s\n", run.Name, r.judge, r.dataset, answersText(all, all-answered), file)
	if answered < all {
		return errFindings
	}
	return nil
}

func answersText(all, failed int) string {
	if failed == 0 {
		return fmt.Sprintf("%d answers", all)
	}
	return fmt.Sprintf("%d answers, %d of which could not be read,", all, failed)
}
