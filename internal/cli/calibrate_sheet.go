package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/calibration/printer"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// sheetFlags is what sheet was told.
type sheetFlags struct {
	dataset, items, rubric, format, separator, output string
	choice                                            labels.Choice
}

func (c *calibrateCommand) sheetCommand() *cobra.Command {
	n := &sheetFlags{}
	cmd := &cobra.Command{
		Use:   "sheet",
		Short: "Write a sheet for a rater to fill in",
		Long: `Write a sheet for a rater to fill in. With --format html, it is one page that works
offline in a browser and by keyboard, and saves the labels to a CSV file. Without it,
it is a CSV file for a spreadsheet: each item has a row, and each criterion a column
that says what its labels mean and an empty one for the label. The rater sees no other labels, no scores of judges and no IDs, which can carry
hints: each row has a code, and ` + "`rubric calibrate import`" + ` knows the item by it.

Each rater gets the items in another order. With --count and the same --seed,
raters who have labelled nothing yet get the same items; what the rater has
labelled is left out. Texts that a spreadsheet could take for a formula get an
apostrophe before them, which import takes away. A file that is there is not
overwritten.

Exit codes: 0 done, 2 the sheet could not be written.`,
		Example: `  rubric calibrate sheet --dataset user_story_quality --rater r1 -o r1.csv
  rubric calibrate sheet --dataset user_story_quality --rater r1 --format html -o r1.html
  rubric calibrate sheet --items tickets.jsonl --rubric user_story_quality_v1 --rater r2 --count 30 -o r2.csv`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return c.sheet(n) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&n.dataset, "dataset", "", "the name of the dataset that has the items")
	f.StringVar(&n.items, "items", "", "a file of items, one JSON object a line with id, artifact and inputs, in the place of a dataset")
	f.StringVar(&n.rubric, "rubric", "", "the ID of the rubric, where the dataset does not say it")
	f.StringVar(&n.choice.Rater, "rater", "", "the pseudonym of who fills it in")
	f.Uint64Var(&n.choice.Seed, "seed", 1, "decides which items are taken, and their order")
	f.IntVar(&n.choice.Count, "count", 0, "how many items are taken; all without it")
	f.StringVar(&n.format, "format", "csv", "csv for a spreadsheet, or html for a page that works offline in a browser")
	f.StringVar(&n.separator, "separator", ",", `what is between two cells: "," or ";" or tab; spreadsheets of countries with decimal commas want ";"`)
	outputFlag(cmd, &n.output)
	return cmd
}

// check is what is wrong with the flags themselves.
func (n *sheetFlags) check() error {
	switch {
	case (n.dataset == "") == (n.items == ""):
		return errors.New("say where the items are: --dataset NAME or --items FILE.jsonl")
	case n.choice.Rater == "":
		return errors.New("say who fills the sheet in: --rater and a pseudonym, such as r1")
	case n.output == "":
		return errors.New("say which file to write: -o FILE.csv")
	case n.format != "csv" && n.format != "html":
		return fmt.Errorf("--format must be csv or html, got %q", n.format)
	case n.choice.Count < 0:
		return fmt.Errorf("--count is how many items are taken, and %d was said", n.choice.Count)
	case n.choice.Count == 0:
		n.choice.Count = math.MaxInt
	}
	if problem := labels.CheckRater(n.choice.Rater); problem != "" {
		return fmt.Errorf("--rater: %s", problem)
	}
	return nil
}

// sheet writes a sheet.
func (c *calibrateCommand) sheet(n *sheetFlags) error {
	if err := n.check(); err != nil {
		return err
	}
	separator, err := parseSeparator(n.separator)
	if err != nil {
		return err
	}
	d, s, err := c.toLabel(n)
	if err != nil {
		return err
	}
	for _, criterion := range s.Rubric.Criteria {
		n.choice.Criteria = append(n.choice.Criteria, criterion.Name)
	}
	if len(d.Criteria) > 0 {
		if err := labels.CheckFresh(d, s, n.choice.Criteria); err != nil {
			return err
		}
	}
	chosen, done := labels.Choose(d.Items, n.choice)
	if len(chosen) == 0 {
		return fmt.Errorf("there is nothing to label: of %d items, %s has labelled %d", len(d.Items), n.choice.Rater, done)
	}
	var data []byte
	if n.format == "html" {
		data, err = labels.WritePage(s, n.choice.Rater, chosen)
	} else {
		data, err = labels.Write(s, n.choice.Rater, chosen, separator)
	}
	if err != nil {
		return err
	}
	if err := safefile.Create(n.output, data, 0o666); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already and may hold labels, so it was not overwritten. Write another file with -o", n.output)
	} else if err != nil {
		return fmt.Errorf("%s could not be written: %w", n.output, safefile.Reason(err))
	}
	long := ""
	if n.format == "csv" {
		long = tooLong(chosen)
	}
	return printer.SheetMade(c.Out, n.output, n.choice.Rater, len(chosen), done, long)
}

// toLabel is the items, as a dataset that has no criteria where they are those of
// a file, and the rubric.
func (c *calibrateCommand) toLabel(n *sheetFlags) (*calibration.Dataset, *calibration.Subject, error) {
	root, err := c.root()
	if err != nil {
		return nil, nil, err
	}
	d := &calibration.Dataset{}
	if n.items == "" {
		d, err = c.dataset(root, n.dataset)
	} else {
		d.Items, err = c.itemsOf(n.items)
	}
	if err != nil {
		return nil, nil, err
	}
	s, err := c.subjectOf(root, d, n.rubric)
	return d, s, err
}

// itemsOf reads a file of items. What is wrong with it is printed.
func (c *calibrateCommand) itemsOf(name string) ([]calibration.Item, error) {
	f, err := readInput(name)
	if err != nil {
		return nil, err
	}
	items, problems := calibration.ReadItems(f)
	if len(problems) > 0 {
		return nil, c.refuse(f, problems)
	}
	return items, nil
}

// tooLong are the IDs of items with a text that spreadsheets cut off.
func tooLong(items []calibration.Item) string {
	var ids []string
	for _, item := range items {
		long := len(utf16.Encode([]rune(item.Artifact))) > labels.MostCharacters
		for _, text := range item.Inputs {
			long = long || len(utf16.Encode([]rune(text))) > labels.MostCharacters
		}
		if long {
			ids = append(ids, item.ID)
		}
	}
	return strings.Join(ids, ", ")
}
