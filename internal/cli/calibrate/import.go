package calibrate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

type importFlags struct {
	dataset, rubric, separator string
	version                    string // of the rubric, for scores
	columns                    []string
	options                    labels.Options
	head                       calibration.Dataset // of a new dataset
	replace, dryRun            bool
	dev                        float64  // the share of new items that are for tuning
	setsAside                  bool     // whether --dev is given
	scores                     runFlags // of a judge, with --judge
}

func (c *calibrateCommand) importCommand() *cobra.Command {
	n := &importFlags{}
	cmd := &cobra.Command{
		Use:  "import FILE.csv",
		Args: command.Arguments(1, 1, "a CSV file"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.importFile(cmd, n, args[0]) },
	}
	n.add(cmd)
	c.Flag(cmd)
	return cmd
}

func (c *calibrateCommand) importFile(cmd *cobra.Command, n *importFlags, file string) error {
	n.setsAside = cmd.Flags().Changed("dev")
	scores, err := n.areScores(cmd.Flags())
	if err != nil {
		return err
	}
	check, do := n.check, c.importLabels
	if scores {
		check, do = n.checkScores, c.importScores
	}
	if err := check(); err != nil {
		return err
	}
	if err := n.checkTable(); err != nil {
		return err
	}
	if err := c.open(); err != nil {
		return err
	}
	f, err := command.ReadInput(file)
	if err != nil {
		return err
	}
	return do(n, f)
}

func (n *importFlags) add(cmd *cobra.Command) {
	f := command.InOrder(cmd)
	f.StringVar(&n.dataset, "dataset", "", "the name of the dataset (default with --judge: the one that the rubric names)")
	f.StringVar(&n.rubric, "rubric", "", "the ID of the rubric, if neither the sheet nor the dataset determines it; with --judge, ID@VERSION")
	f.StringArrayVar(&n.columns, "column", nil,
		"`NAME=COLUMN`: the heading of a column, such as item, rater, label, or a criterion, if it differs from the name (repeatable)")
	f.StringVar(&n.options.Rater, "rater", "", "the rater, if no column names one")
	f.StringVar(&n.separator, "separator", "", `the cell separator: ",", ";", or tab (default: detected)`)
	f.Float64Var(&n.dev, "dev", 0, "the `SHARE` of new items to put aside for tuning, such as 0.3: they never count (default: none)")
	f.StringVar((*string)(&n.head.LabeledBy), "labeled-by", "", "who labeled a new dataset: people, authors, or model")
	f.StringVar(&n.head.Method, "method", "", "how the labels of a new dataset were created")
	f.StringVar(&n.head.License, "license", "", "the license of a new dataset, such as CC-BY-4.0")
	f.BoolVar(&n.replace, "replace", false, "change labels that differ in the dataset")
	f.StringVar(&n.scores.judge, "judge", "", "import the scores of this judge")
	f.StringVar(&n.scores.plan.Model, "model", "", "the exact name and version of the model that the judge used")
	f.StringVar(&n.scores.date, "date", "", "when the judge gave the scores: a date, or a time such as 2026-11-21T09:30:00Z")
	f.StringVar(&n.scores.plan.Prompt, "prompt-digest", "",
		"the digest of the judge's prompt, sha256: and 64 digits (default: unknown)")
	f.StringVar(&n.scores.plan.Name, "run", "", "the name of the judge's run (default: its date)")
	f.BoolVar(&n.dryRun, "dry-run", false, "show what would be added, and write nothing")
}

func (c *calibrateCommand) importLabels(n *importFlags, f *source.File) error {
	d, err := c.datasetOrNew(n.dataset)
	if err != nil {
		return err
	}
	form := labels.FormOf(f, n.options.Separator)
	if n.rubric == "" && form != nil {
		n.rubric = form.Rubric
	}
	s, err := c.subjectOf(d, n.rubric)
	if err != nil {
		return err
	}
	read, err := c.readLabels(n, f, d, s)
	if err != nil {
		return err
	}
	return c.merge(n, f, d, s, read)
}

func (n *importFlags) check() error {
	if n.dataset == "" {
		return errors.New("--dataset is required: the name of the dataset for the labels")
	}
	if n.setsAside && (!(n.dev > 0) || n.dev >= 1) {
		return fmt.Errorf("--dev must be a share above 0 and below 1, such as 0.3, got %v", n.dev)
	}
	if problem := labels.CheckRater(n.options.Rater); n.options.Rater != "" && problem != "" {
		return fmt.Errorf("--rater: %s", problem)
	}
	return nil
}

func (n *importFlags) checkTable() error {
	var err error
	if n.options.Columns, err = command.Columns(n.columns, "NAME", "item=Ticket"); err != nil {
		return err
	}
	n.options.Separator, err = parseSeparator(n.separator)
	return err
}

// datasetOrNew reads a dataset. A new one applies to no rubric yet.
func (c *calibrateCommand) datasetOrNew(name string) (*calibration.Dataset, error) {
	if command.Exists(c.datasetFile(name, calibration.DatasetFile)) {
		return c.dataset(name)
	}
	if _, _, err := calibration.Load(safefile.DirFS(c.library), name); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if command.Exists(c.datasetFile(name, calibration.ItemsFile)) {
		return nil, fmt.Errorf("%s has %s but no %s. Restore it, or start another dataset",
			path.Join(calibration.Root, name), calibration.ItemsFile, calibration.DatasetFile)
	}
	return &calibration.Dataset{Name: name}, nil
}

func (c *calibrateCommand) datasetFile(name, file string) string {
	return filepath.Join(c.library, calibration.Root, name, file)
}

// subjectOf is the named rubric, or the only one of the dataset.
func (c *calibrateCommand) subjectOf(d *calibration.Dataset, id string) (*calibration.Subject, error) {
	switch {
	case id == "" && len(d.AppliesTo) == 1:
		id = d.AppliesTo[0]
	case id == "" && len(d.AppliesTo) == 0:
		return nil, errors.New("--rubric is required: the ID of the rubric for the labels")
	case id == "":
		return nil, fmt.Errorf("%s applies to several rubrics: set --rubric to %s", d.Name, schema.Or(d.AppliesTo, "or"))
	case len(d.AppliesTo) > 0 && !slices.Contains(d.AppliesTo, id):
		return nil, fmt.Errorf("%s/%s does not apply to the rubric %s: it applies to %s. Add the rubric to applies_to in its %s, or set another --dataset",
			calibration.Root, d.Name, id, schema.Or(d.AppliesTo, "and"), calibration.DatasetFile)
	}
	return c.subject(id)
}

func (c *calibrateCommand) readLabels(
	n *importFlags, f *source.File, d *calibration.Dataset, s *calibration.Subject,
) (*labels.Labels, error) {
	n.options.Criteria = s.Names(nil)
	read, problems := labels.Read(f, n.options)
	if len(problems) > 0 {
		return nil, c.Refuse(f, problems)
	}
	if read.Form != nil {
		if err := labels.CheckForm(read.Form, d, s); err != nil {
			return nil, err
		}
	}
	if len(d.AppliesTo) == 0 {
		return read, nil
	}
	return read, labels.CheckFresh(d, s, read.Criteria(s))
}

func (c *calibrateCommand) merge(
	n *importFlags, f *source.File, d *calibration.Dataset, s *calibration.Subject, read *labels.Labels,
) error {
	merged, problems := labels.Merge(d, read, n.replace, n.dev)
	if len(problems) > 0 {
		return c.Refuse(f, problems)
	}
	if merged.NewLabels+merged.CannotTell+merged.Unchanged+merged.Replaced == 0 &&
		(merged.NewItems == 0 || read.Form != nil) {
		return fmt.Errorf("%s has no labels, so nothing was written: expected at least one from 1 to 5. Fill in the file and import it again", f.Path)
	}
	head, err := c.head(n, d, s)
	if err != nil {
		return err
	}
	if !n.dryRun {
		if err := c.writeDataset(d.Name, head, merged.Items); err != nil {
			return err
		}
	}
	for _, group := range calibration.SameRaters(append(d.Raters(), merged.Raters...)) {
		if slices.ContainsFunc(group, func(rater string) bool { return slices.Contains(merged.Raters, rater) }) {
			fmt.Fprintf(c.Err, "note: the raters %s differ only in case and punctuation, so they are probably one person, who would count as %d. Give each person one name.\n",
				schema.Or(group, "and"), len(group))
		}
	}
	bound, err := c.boundTo(s, d.Name)
	if err != nil {
		return err
	}
	return report.Say(c.Out, "import", map[string]any{
		"Dataset": path.Join(calibration.Root, d.Name), "DryRun": n.dryRun, "SetsAside": n.setsAside,
		"Merged": merged, "Unread": read.Unread,
		"Rubric": s.Rubric.ID, "IsNamed": calibration.NameOf(s.Rubric.CalibrationDataset) == d.Name, "Bound": bound,
	})
}

// boundTo is the dataset that the rubric names, if that is another one and judges answered there for
// its words, else "".
func (c *calibrateCommand) boundTo(s *calibration.Subject, imported string) (string, error) {
	name := calibration.NameOf(s.Rubric.CalibrationDataset)
	if name == "" || name == imported || !command.Exists(c.datasetFile(name, calibration.DatasetFile)) {
		return "", nil
	}
	named, err := c.dataset(name)
	if err != nil || !named.Bond().Binds(s) {
		return "", err
	}
	return name, nil
}

// head is the dataset.yaml of a new dataset, nil for an existing one.
func (c *calibrateCommand) head(n *importFlags, d *calibration.Dataset, s *calibration.Subject) ([]byte, error) {
	if len(d.AppliesTo) > 0 {
		for _, said := range []struct{ flag, text, has string }{
			{"--labeled-by", string(n.head.LabeledBy), string(d.LabeledBy)}, {"--method", n.head.Method, d.Method},
			{"--license", n.head.License, d.License},
		} {
			if said.text != "" && said.text != said.has {
				return nil, fmt.Errorf("%s: %s/%s has %s. Remove the flag, or start another dataset: labels of different origin must not be mixed",
					said.flag, calibration.Root, d.Name, schema.Quote(said.has))
			}
		}
		return nil, nil
	}
	filled := func(what string) func(string) error {
		return func(text string) error {
			if strings.TrimSpace(text) == "" {
				return fmt.Errorf("%s must not be blank", what)
			}
			return nil
		}
	}
	err := c.Answer(
		&command.Question{
			Flag: "--labeled-by", Text: "Who labeled the items, people, authors, or model",
			Value: (*string)(&n.head.LabeledBy), Check: checkLabeler,
		},
		&command.Question{
			Flag: "--method", Text: "How were the labels created", Value: &n.head.Method, Check: filled("--method"),
		},
		&command.Question{
			Flag: "--license", Text: "License, such as CC-BY-4.0", Value: &n.head.License,
			Check: filled("--license"),
		},
	)
	if err != nil {
		return nil, err
	}
	return labels.NewDataset(&n.head, s)
}

func checkLabeler(word string) error {
	known := []string{string(calibration.People), string(calibration.Authors), string(calibration.Model)}
	if !slices.Contains(known, word) {
		return fmt.Errorf("--labeled-by must be %s, got %q", schema.Or(known, "or"), word)
	}
	return nil
}

// writeDataset writes the head, if there is one, and then the items: a head without
// items is a dataset, and items without a head are not.
func (c *calibrateCommand) writeDataset(name string, head, items []byte) error {
	failed := func(file string, err error) error {
		return fmt.Errorf("%s could not be written: %w", path.Join(calibration.Root, name, file), safefile.Reason(err))
	}
	if head != nil {
		if err := safefile.Create(c.datasetFile(name, calibration.DatasetFile), head, 0o666); err != nil {
			return failed(calibration.DatasetFile, err)
		}
	}
	if err := safefile.Write(c.datasetFile(name, calibration.ItemsFile), items, 0o666); err != nil {
		return failed(calibration.ItemsFile, err)
	}
	return nil
}
