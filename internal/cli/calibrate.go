package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// calibrateCommand is one call of rubric calibrate.
type calibrateCommand struct {
	asker
	// library is the folder of the library, "" for the one around the working
	// folder.
	library string
	formats []string
}

// calibrateCommands are the commands of rubric calibrate.
func calibrateCommands(s Streams) *cobra.Command {
	c := &calibrateCommand{asker: newAsker(s)}
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure how well a judge agrees with people, and whether that is still true",
		Long: `Measure how well a judge agrees with people, and whether that is still true.

import takes labels from a spreadsheet and sheet makes one for people to fill in.
run asks a judge and records its answers. report shows the agreement on each
criterion, with intervals, beside how people agree with each other; check is the
gate; compare holds two runs against each other; weekly does all of it and writes
the history.

Exit codes: 0 done and calibrated, 1 not calibrated, 2 the command could not do its
work.`,
		Example: `  rubric calibrate sheet --dataset user_story_quality --rubric user_story_quality_v1 --rater r1 -o r1.csv
  rubric calibrate run --dataset user_story_quality --judge my-judge --model my-model-2026-01 -- python3 judge.py
  rubric calibrate report user_story_quality_v1 --format html=report.html
  rubric calibrate check`,
		Args: unknownCommand,
		RunE: needsCommand,
	}
	cmd.PersistentFlags().StringVar(&c.library, "library", "", "the folder of the library; without it the one around the working folder")
	cmd.AddCommand(c.sheetCommand(), c.importCommand(), c.runCommand(), c.reportCommand(), c.checkCommand(), c.compareCommand(), c.weeklyCommand())
	return cmd
}

// root is the folder of the library.
func (c *calibrateCommand) root() (string, error) {
	if c.library != "" {
		if info, err := os.Stat(c.library); err != nil || !info.IsDir() {
			return "", fmt.Errorf("%s is no folder", c.library)
		}
		return c.library, nil
	}
	paths, err := findLibrary(nil, "")
	if err != nil {
		return "", fmt.Errorf("no library was found: neither the working folder nor one above it holds %s/. Name its folder with --library", library.Root)
	}
	return paths.root, nil
}

// dataset reads a dataset of the library. What is wrong in its files is printed,
// and the error ends the command: numbers of half a dataset mislead.
func (c *calibrateCommand) dataset(root, name string) (*calibration.Dataset, error) {
	d, problems, err := calibration.Load(safefile.DirFS(root), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noDataset(root, name)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		if err = c.refuse(p.File, []source.Problem{p.Problem}); !errors.Is(err, errWrongInput) {
			return nil, err
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %w", path.Join(calibration.Root, name), errWrongInput)
	}
	return d, nil
}

// noDataset is the error that there is no dataset of that name.
func noDataset(root, name string) error {
	names, _ := calibration.Names(safefile.DirFS(root))
	return fmt.Errorf("there is no dataset %s: %s does not exist%s",
		name, path.Join(calibration.Root, name, calibration.DatasetFile), suggest.Question(". Did you mean %s?", name, names))
}

// subjects reads the rubrics of the library by ID.
func (c *calibrateCommand) subjects(root string) (map[string]*calibration.Subject, error) {
	subjects := map[string]*calibration.Subject{}
	_, err := library.Read(safefile.DirFS(root), func(d *document.Document) error {
		if d.Kind != &document.Rubric {
			return nil
		}
		s, err := calibration.NewSubject(d)
		if err == nil {
			subjects[s.Rubric.ID] = s
		}
		return err
	})
	return subjects, err
}

// subject is the rubric with an ID.
func subject(subjects map[string]*calibration.Subject, id string) (*calibration.Subject, error) {
	if s := subjects[id]; s != nil {
		return s, nil
	}
	meant := suggest.Question(". Did you mean %s?", id, slices.Sorted(maps.Keys(subjects)))
	return nil, fmt.Errorf("the library has no rubric %s%s", id, meant)
}
