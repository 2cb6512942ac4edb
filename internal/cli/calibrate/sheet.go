package calibrate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

type sheetFlags struct {
	dataset, items, rubric, separator, output string
	choice                                    labels.Choice
	chooses                                   bool // whether --choose is given
}

func (c *calibrateCommand) sheetCommand() *cobra.Command {
	n := &sheetFlags{}
	cmd := &cobra.Command{
		Use:  "sheet",
		Args: command.NoArguments(". Set --dataset to the name of a dataset, or --items to a file of items"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			n.chooses = cmd.Flags().Changed("choose")
			return c.sheet(n)
		},
	}
	f := command.InOrder(cmd)
	f.StringVar(&n.dataset, "dataset", "", "the name of the dataset that contains the items")
	f.StringVar(&n.items, "items", "", "a file of items instead of a dataset: one JSON object per line with id, artifact, inputs, and split")
	f.StringVar(&n.rubric, "rubric", "", "the ID of the rubric, if the dataset does not determine it")
	f.StringVar(&n.choice.Rater, "rater", "", "the pseudonym of the rater")
	f.IntVar(&n.choice.Count, "choose", 0, "how many items to choose at random (default: all items)")
	f.Uint64Var(&n.choice.Seed, "seed", 1, "the seed of the choice and the order of items")
	f.StringVar(&n.separator, "separator", ",",
		`the cell separator: ",", ";", or tab; spreadsheets in locales with decimal commas need ";"`)
	command.OutputFlag(cmd, &n.output)
	return cmd
}

// isPage reports whether the sheet is a page for a browser, and not a table for a spreadsheet.
func (n *sheetFlags) isPage() bool { return strings.EqualFold(filepath.Ext(n.output), ".html") }

func (n *sheetFlags) check() error {
	switch {
	case (n.dataset == "") == (n.items == ""):
		return errors.New("exactly one of --dataset and --items is required")
	case n.choice.Rater == "":
		return errors.New("--rater is required: a pseudonym such as r1")
	case n.output == "":
		return errors.New("-o FILE is required: the sheet to write")
	case n.chooses && n.choice.Count < 1:
		return fmt.Errorf("--choose must be at least 1, got %d", n.choice.Count)
	}
	if problem := labels.CheckRater(n.choice.Rater); problem != "" {
		return fmt.Errorf("--rater: %s", problem)
	}
	return nil
}

func (c *calibrateCommand) sheet(n *sheetFlags) error {
	if err := n.check(); err != nil {
		return err
	}
	separator, err := parseSeparator(n.separator)
	if err != nil {
		return err
	}
	options, err := c.options(today())
	if err != nil {
		return err
	}
	d, s, err := c.toLabel(n)
	if err != nil {
		return err
	}
	chosen, done, err := labels.Choose(d, s, n.choice)
	if err != nil {
		return err
	}
	if err := n.write(s, chosen, separator); err != nil {
		return err
	}
	made := map[string]any{
		"File": n.output, "Choice": n.choice, "By": d.LabeledBy, "Items": len(chosen), "Done": done,
		"TooLong": "", "Needed": report.Plan(decide.On(d, s, options).Plan()),
	}
	if !n.isPage() {
		made["TooLong"] = tooLong(chosen)
	}
	return report.Say(c.Out, "sheet", made)
}

// write writes the sheet, but does not overwrite a file.
func (n *sheetFlags) write(s *calibration.Subject, chosen []calibration.Item, separator rune) (err error) {
	var data []byte
	if n.isPage() {
		data, err = labels.WritePage(s, n.choice.Rater, chosen)
	} else {
		data, err = labels.Write(s, n.choice.Rater, chosen, separator)
	}
	if err != nil {
		return err
	}
	if err := safefile.Create(n.output, data, 0o666); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists and can contain labels, so nothing was written. Write another file with -o", n.output)
	} else if err != nil {
		return fmt.Errorf("%s could not be written: %w", n.output, safefile.Reason(err))
	}
	return nil
}

// toLabel is the dataset and the rubric. Items from a file are a dataset without
// criteria.
func (c *calibrateCommand) toLabel(n *sheetFlags) (d *calibration.Dataset, s *calibration.Subject, err error) {
	d = &calibration.Dataset{}
	if n.items == "" {
		d, err = c.dataset(n.dataset)
	} else {
		d.Items, err = c.itemsOf(n.items)
	}
	if err != nil {
		return nil, nil, err
	}
	s, err = c.subjectOf(d, n.rubric)
	if err != nil || n.items != "" {
		return d, s, err
	}
	return d, s, labels.CheckFresh(d, s, s.Names(nil))
}

func (c *calibrateCommand) itemsOf(name string) ([]calibration.Item, error) {
	f, err := command.ReadInput(name)
	if err != nil {
		return nil, err
	}
	items, problems := calibration.ReadItems(f)
	if len(problems) > 0 {
		return nil, c.Refuse(f, problems)
	}
	return items, nil
}

// tooLong are the IDs of items with a text that spreadsheets truncate.
func tooLong(items []calibration.Item) string {
	isLong := func(text string) bool { return len(utf16.Encode([]rune(text))) > labels.MostCharacters }
	var ids []string
	for _, item := range items {
		texts := slices.Collect(maps.Values(item.Inputs))
		if slices.ContainsFunc(append(texts, item.Artifact), isLong) {
			ids = append(ids, item.ID)
		}
	}
	return strings.Join(ids, ", ")
}

// parseSeparator is the cell separator, 0 if it is to be detected.
func parseSeparator(text string) (rune, error) {
	switch text {
	case "":
		return 0, nil
	case ",", ";":
		return rune(text[0]), nil
	case "tab", `\t`:
		return '\t', nil
	}
	return 0, fmt.Errorf(`--separator must be ",", ";", or tab, got %q`, text)
}
