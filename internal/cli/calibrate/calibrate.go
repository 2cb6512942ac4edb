// Package calibrate has the commands that measure judges.
package calibrate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

type calibrateCommand struct {
	command.Asker
	// library is the folder of the library. Before open, "" is the one that contains the
	// working folder.
	library string
	rubrics map[string]*calibration.Subject // by ID; nil before open
	formats []string
}

// Command is the command calibrate, with its subcommands.
func Command(s command.Streams) *cobra.Command {
	c := &calibrateCommand{Asker: command.NewAsker(s)}
	cmd := &cobra.Command{
		Use:  "calibrate",
		Args: command.UnknownCommand,
		RunE: command.NeedsCommand,
	}
	cmd.PersistentFlags().StringVar(&c.library, "library", "",
		"the folder of the library (default: the one that contains the working folder)")
	cmd.AddCommand(c.sheetCommand(), c.importCommand(), c.runCommand(), c.reportCommand(), c.checkCommand(),
		c.weeklyCommand(), c.rateCommand())
	return cmd
}

// open sets the folder of the library, which the other methods read, and reads its rubrics.
func (c *calibrateCommand) open() error {
	l, err := command.FindLibrary(command.Place{From: c.library, Advice: "Set --library"}, nil)
	if err != nil {
		return err
	}
	if l.Root == "" {
		return fmt.Errorf("%s is not a folder", c.library)
	}
	c.library = l.Root
	c.rubrics = map[string]*calibration.Subject{}
	files, err := c.ReadSound(l)
	if err != nil {
		return err
	}
	_, err = library.Read(files, func(d *document.Document) error {
		if d.Kind != &document.Rubric {
			return nil
		}
		s, err := calibration.NewSubject(d)
		if err == nil {
			c.rubrics[s.Rubric.ID] = s
		}
		return err
	})
	return err
}

// dataset reads a dataset of the library. It prints all problems in the files and
// fails if there are any: numbers from half a dataset are misleading.
func (c *calibrateCommand) dataset(name string) (*calibration.Dataset, error) {
	d, problems, err := calibration.Load(safefile.DirFS(c.library), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, command.NoDataset(c.library, name)
	}
	if err != nil {
		return nil, err
	}
	problems = c.withoutIgnored(problems)
	for _, p := range problems {
		if err = c.Refuse(p.File, []source.Problem{p.Problem}); !errors.Is(err, command.ErrWrongInput) {
			return nil, err
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %w", path.Join(calibration.Root, name), command.ErrWrongInput)
	}
	return d, nil
}

// withoutIgnored removes the problems about files that no command reads and that Git ignores.
func (c *calibrateCommand) withoutIgnored(problems []calibration.DatasetProblem) []calibration.DatasetProblem {
	tree := gitrepo.NewWorkTree(c.library)
	return slices.DeleteFunc(problems, func(p calibration.DatasetProblem) bool {
		_, err := fs.Lstat(tree, p.File.Path)
		return p.Code == calibration.CodeStray && errors.Is(err, fs.ErrNotExist)
	})
}

func (c *calibrateCommand) subject(id string) (*calibration.Subject, error) {
	if s := c.rubrics[id]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("the library has no rubric %s. %s", id, suggest.ID(id,
		slices.Sorted(maps.Keys(c.rubrics)), "rubric list"))
}

// datasetOf is the name of the dataset of a rubric.
func datasetOf(s *calibration.Subject) (string, error) {
	if name := calibration.NameOf(s.Rubric.CalibrationDataset); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("%s has no dataset in this library. Add calibration_dataset: calibration/NAME to it", s.Rubric.ID)
}
