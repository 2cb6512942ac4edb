package calibrate

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
)

type runFlags struct {
	dataset, rubric string
	judge           string // the name of the judge
	date            string // the start of the run; "" is now
	named           bool   // --run names it
	plan            judging.Plan
	command         judging.Judge
	parallel        int
}

func (c *calibrateCommand) runCommand() *cobra.Command {
	r := &runFlags{}
	cmd := &cobra.Command{
		Use: "run --dataset NAME --model TEXT --judge COMMAND",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.read(args, cmd.ArgsLenAtDash()); err != nil {
				return err
			}
			return c.judge(r)
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&r.dataset, "dataset", "", "the dataset (default: the one that the rubric names)")
	f.StringVar(&r.rubric, "rubric", "", "the ID of the rubric (default: the one that the dataset applies to)")
	f.StringVar(&r.judge, "judge", "", "the judge's command, or its name if the command is after --")
	f.StringVar(&r.plan.Name, "run", "", "the name of the run (default: its date)")
	r.add(cmd)
	f.StringVar(&r.date, "date", "", "when a new run begins: a date, or a time such as 2026-11-21T09:30:00Z (default: now)")
	return cmd
}

func (r *runFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.plan.Model, "model", "", "the exact name and version of the model that the judge uses")
	f.IntVar(&r.plan.Repeats, "repeats", 1, "how many times the judge is asked about each item")
	f.DurationVar(&r.command.TimeLimit, "time-limit", 2*time.Minute, "how long each command may run")
	f.IntVar(&r.parallel, "parallel", 4, "how many commands run at once")
	f.BoolVar(&r.command.Lines, "lines", false,
		"start the command once for each of --parallel, and exchange a line for each item")
	f.IntVar(&r.command.MaxFailures, "max-failures", 10, "how many failures in a row stop the run; 0 for no limit")
	f.IntVar(&r.command.Retries, "retries", 2, "how many times an unavailable judge is asked again, at most 2 in a run")
	f.DurationVar(&r.command.Pause, "pause", time.Second,
		"the pause before it is asked again; each further time doubles it, up to a minute")
}

// read validates the flags. dash is the number of arguments before --, or -1.
func (r *runFlags) read(args []string, dash int) error {
	switch {
	case r.dataset == "" && r.rubric == "":
		return errors.New("--dataset or --rubric is required: the items to judge")
	case r.judge == "":
		return errors.New("--judge is required: the judge's command, or its name if the command is after --")
	case strings.TrimSpace(r.plan.Model) == "":
		return errors.New("--model is required: the exact name and version of the model that the judge uses")
	case dash < 0 && len(args) > 0:
		return fmt.Errorf("a command with arguments must be after --, and --judge must be the judge's name: --judge NAME -- %s %s",
			r.judge, strings.Join(args, " "))
	case dash > 0:
		return fmt.Errorf("%s is before --: only flags were expected there", schema.Quote(args[0]))
	case dash == 0 && len(args) == 0:
		return errors.New("the judge's command is missing after --")
	}
	if err := r.checkNumbers(); err != nil {
		return err
	}
	r.command.Command = args
	if dash < 0 {
		r.command.Command = []string{r.judge}
		base := filepath.Base(r.judge)
		r.judge = strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
	}
	if !calibration.IsJudgeName(r.judge) {
		return fmt.Errorf("%s is not a judge name: expected at most 64 lowercase letters and digits with single dashes or underscores. Write --judge NAME -- COMMAND", schema.Quote(r.judge))
	}
	if err := r.readStart(); err != nil {
		return err
	}
	return r.command.Find()
}

func (r *runFlags) checkNumbers() error {
	switch {
	case r.plan.Repeats < 1 || r.plan.Repeats > 1000:
		return fmt.Errorf("--repeats must be from 1 to 1000, got %d", r.plan.Repeats)
	case r.parallel < 1 || r.parallel > 1000:
		return fmt.Errorf("--parallel must be from 1 to 1000, got %d", r.parallel)
	case r.command.Retries < 0 || r.command.Pause < 0:
		return errors.New("--retries and --pause must not be negative")
	case r.command.TimeLimit <= 0:
		return fmt.Errorf("--time-limit must be positive, such as 30s, got %v", r.command.TimeLimit)
	}
	return nil
}

// readStart reads --date.
func (r *runFlags) readStart() error {
	if r.date == "" {
		r.plan.Start, r.plan.Now = calibration.StartAt(time.Now()), true
		return nil
	}
	start, ok := calibration.ParseStart(r.date)
	if !ok {
		return fmt.Errorf("--date must be a date such as 2026-11-21, or a time such as 2026-11-21T09:30:00Z, got %q", r.date)
	}
	r.plan.Start = start
	return nil
}

// warnOfFuture says that a run is dated after today, which is nearly always a mistake, and can't be
// corrected later.
func (c *calibrateCommand) warnOfFuture(run *judging.Run) {
	if date := run.Start.Date; date > today() {
		fmt.Fprintf(c.Err, "note: run %s is dated %s, which is in the future, and no report accepts it until then. If that is a mistake, remove the run before you commit it: recorded answers can't change.\n", run.Name, date)
	}
}

func (c *calibrateCommand) judge(r *runFlags) error {
	if err := c.open(); err != nil {
		return err
	}
	config, err := check.ConfigOf(c.Streams, c.library)
	if err != nil {
		return err
	}
	r.plan.Coverage, r.named = config.Calibration.MinimumCoverage, r.plan.Name != ""
	return c.withRun(r, true, func(_ *calibration.Dataset, run *judging.Run) error { return c.ask(run, r) })
}

// withRun uses the run that the flags describe. A run to write to has its file to itself, so
// what is recorded is read again when the file is open: then, an incomplete line that a crash
// left is gone.
func (c *calibrateCommand) withRun(r *runFlags, write bool, use func(*calibration.Dataset, *judging.Run) error) error {
	if r.dataset == "" {
		s, err := c.subject(r.rubric)
		if err != nil {
			return err
		}
		if r.dataset, err = datasetOf(s); err != nil {
			return err
		}
	}
	d, run, err := c.readRun(r, write, nil)
	if err != nil {
		return err
	}
	c.warnOfFuture(run)
	r.plan.Name = run.Name
	if !write {
		return use(d, run)
	}
	journal, err := judging.OpenJournal(filepath.Join(c.library, filepath.FromSlash(r.file())))
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", r.file(), safefile.Reason(err))
	}
	defer journal.Close()
	if journal.Cut > 0 {
		fmt.Fprintf(c.Err, "note: removed an incomplete last line from %s, likely left by a crash.\n", r.file())
	}
	if d, run, err = c.readRun(r, write, journal); err != nil {
		return err
	}
	return use(d, run)
}

// readRun reads the dataset and the run. Before a run is opened for writing, its file can have an
// incomplete line, which opening it repairs; other problems of the dataset are errors.
func (c *calibrateCommand) readRun(
	r *runFlags, write bool, journal *judging.Journal,
) (*calibration.Dataset, *judging.Run, error) {
	d, problems, err := calibration.Load(safefile.DirFS(c.library), r.dataset)
	isRepaired := func(p calibration.DatasetProblem) bool { return write && path.Base(path.Dir(p.File.Path)) == r.judge }
	if err != nil || journal != nil || !slices.ContainsFunc(problems, isRepaired) {
		d, err = c.dataset(r.dataset)
	}
	if err != nil {
		return nil, nil, err
	}
	s, err := c.subjectOf(d, r.rubric)
	if err != nil {
		return nil, nil, err
	}
	r.rubric = s.Rubric.ID
	if !d.Joins(s) {
		return nil, nil, fmt.Errorf("%s and the dataset %s are not linked: calibration_dataset of the rubric must be \"calibration/%[2]s\", and applies_to of the dataset must list the rubric",
			r.rubric, d.Name)
	}
	run, err := judging.NewRun(d, s, r.judge, journal, r.plan)
	return d, run, err
}

// file is that of the run, which has a name.
func (r *runFlags) file() string {
	return path.Join(calibration.Root, r.dataset, calibration.JudgesDir, r.judge, r.plan.Name+".jsonl")
}

func (c *calibrateCommand) ask(run *judging.Run, r *runFlags) error {
	if len(run.Unlabeled) > 0 {
		fmt.Fprintf(c.Err, "note: %s of %s %s not asked: no labels in %s.\n",
			schema.Or(run.Unlabeled, "and"), r.rubric, command.IsOrAre(len(run.Unlabeled)), r.dataset)
	}
	before := run.Count()
	if done := before.All - before.Open; done > 0 {
		fmt.Fprintf(c.Err, "note: run %s already asked %d of %s, and does not ask them again.\n",
			run.Name, done, render.Count(before.All, "question"))
	}
	ctx, stop := command.UntilInterrupted()
	defer stop()
	shown := c.Progress()
	err := run.Ask(ctx, &r.command, r.parallel, shown.Report)
	shown.End()
	count := run.Count()
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, stoppedText(run, r.named))
	}
	if run.HasUnknownPrompt() {
		fmt.Fprintf(c.Err, "note: %s does not name its prompt, so reports say \"prompt unknown\", and a changed prompt goes unnoticed. Have it answer with \"prompt_digest\": docs/calibration-reference.md describes it.\n", r.judge)
	}
	fmt.Fprintf(c.Out, "run %s of %s on %s: %s in %s\n", run.Name, r.judge, r.dataset, answersText(count), r.file())
	if count.Answered < count.All {
		return command.ErrFindings
	}
	return nil
}

// stoppedText says what a run that was stopped has, and what to do: nothing is lost if it is followed.
func stoppedText(run *judging.Run, named bool) string {
	text := fmt.Sprintf("Run %s has %s", run.Name, answersText(run.Count()))
	switch {
	case run.Count().Open == 0: // the last questions failed
		return text + ". Fix the cause, and run the command again with another --run"
	case !run.IsLost():
		return fmt.Sprintf("%s, and does not count before it ends. Fix the cause, and run the command again with --run %s to ask for the rest", text, run.Name)
	case named:
		return text + ", and does not count. Fix the cause, and run the command again with another --run"
	}
	return text + ", and does not count. Fix the cause, and run the command again: it starts another run"
}

// answersText counts the answers of a run, which lack the questions that were not asked or
// met an unavailable judge.
func answersText(n judging.Count) string {
	text := render.Count(n.All, "answer")
	if n.Answered < n.All {
		text = fmt.Sprintf("%d of %s", n.Answered, text)
	}
	if n.Unreadable > 0 {
		text += fmt.Sprintf(" (%d could not be read)", n.Unreadable)
	}
	return text
}
