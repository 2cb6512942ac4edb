package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

func (c *editCommand) reaffirmCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "reaffirm DATASET",
		Short: "Confirm that labels still hold after a rubric was reworded",
		Long: `Confirm that the labels of a dataset still hold after a rubric was reworded. Labels
of a reworded criterion do not count until its items are labeled again or an owner
reaffirms the labels.

The command records the new text of each reworded criterion, today's date, and the
reason in calibration/DATASET/dataset.yaml. DATASET is a name or a path. On a
terminal, the command asks for the reason if --reason is not set.

Exit codes: 0 done, 2 not done.`,
		Example: `  rubric reaffirm user_story_quality --reason "Only a typo was fixed."
  rubric reaffirm calibration/user_story_quality --dry-run --reason "See what would change."`,
		Args: arguments(1, 1, "a dataset"),
		RunE: func(_ *cobra.Command, args []string) error { return c.reaffirm(args[0], reason) },
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the labels still hold, in one sentence")
	c.dryRunFlag(cmd)
	return cmd
}

func (c *editCommand) reaffirm(dataset, reason string) error {
	c.base = noBase // the history is not used
	library, err := c.open()
	if err != nil {
		return err
	}
	name := c.datasetName(dataset)
	r, err := library.Reaffirm(name)
	if errors.Is(err, fs.ErrNotExist) {
		return noDataset(c.library.root, name)
	}
	if err != nil {
		return err
	}
	err = c.answer(&question{
		flag: "--reason", text: fmt.Sprintf("Why do the labels of %s still hold for the new text", schema.Or(r.Criteria, "and")),
		value: &reason, check: authoring.CheckReason,
	})
	if err != nil {
		return err
	}
	e, err := r.Edit(reason, time.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return err
	}
	return c.carryOut(e)
}

// datasetName is the dataset that an argument names by its name, its folder, or its
// dataset.yaml.
func (c *editCommand) datasetName(arg string) string {
	relative := arg
	if abs, _, err := locate(arg); err == nil {
		if relative, err = filepath.Rel(c.library.root, abs); err != nil {
			return arg
		}
	}
	return cmp.Or(calibration.NameOf(filepath.ToSlash(relative)), arg)
}
