package author

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
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// editCommand is one call of a command for authors.
type editCommand struct {
	command.Asker
	base   string
	dryRun bool

	library *command.Located
	repo    *gitrepo.Repo // nil if the history is not used
}

// Commands are the commands that edit a library, in the order of the help.
func Commands(s command.Streams) []*cobra.Command {
	c := &editCommand{Asker: command.NewAsker(s)}
	return []*cobra.Command{
		c.initCommand(), c.newCommand(), c.importCommand(), c.forkCommand(), c.retireCommand(),
		c.yankCommand(), c.reaffirmCommand(),
	}
}

// flags adds the flags that all of these commands except reaffirm have.
func (c *editCommand) flags(cmd *cobra.Command) *cobra.Command {
	c.dryRunFlag(cmd)
	cmd.Flags().StringVar(&c.base, "base", "", "the revision with the published versions, or none")
	return cmd
}

func (c *editCommand) dryRunFlag(cmd *cobra.Command) {
	command.InOrder(cmd).BoolVar(&c.dryRun, "dry-run", false, "show the changes as a diff, and write nothing")
	c.Flag(cmd)
}

func (c *editCommand) forkCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:  "fork ID",
		Args: oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			return c.change(func(l *authoring.Local) (*authoring.Edit, error) {
				return l.Fork(args[0], func(newID string) (string, error) {
					return c.why(reason, "Why does %s replace %s? Its users will read the answer", newID, args[0])
				})
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the old document should no longer be used, in one sentence")
	return c.flags(cmd)
}

// why is the reason for a change: that of the flag, or the answer to a question.
func (c *editCommand) why(reason, question string, args ...any) (string, error) {
	err := c.Answer(&command.Question{
		Flag: "--reason", Text: fmt.Sprintf(question, args...), Value: &reason, Check: authoring.CheckReason,
	})
	return reason, err
}

func (c *editCommand) retireCommand() *cobra.Command {
	var reason, replacedBy string
	cmd := &cobra.Command{
		Use:  "retire ID",
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if replacedBy == "none" {
				replacedBy = ""
			}
			return c.change(func(l *authoring.Local) (*authoring.Edit, error) {
				return c.retire(l, args[0], reason, replacedBy, cmd.Flags().Changed("replaced-by"))
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the document is retired, in one sentence")
	cmd.Flags().StringVar(&replacedBy, "replaced-by", "", "the ID of the document to use instead, or none")
	return c.flags(cmd)
}

func (c *editCommand) retire(
	library *authoring.Local, id, reason, replacedBy string, replaced bool,
) (*authoring.Edit, error) {
	r, err := library.Retire(id)
	if err != nil {
		return nil, err
	}
	questions := []*command.Question{{
		Flag: "--reason", Text: fmt.Sprintf("Why is %s retired? Its users will read the answer", id),
		Value: &reason, Standard: func() string { return r.Reason }, Check: authoring.CheckReason,
	}, {
		Flag: "--replaced-by", Text: "Which document replaces it? Enter its ID or nothing",
		Value: &replacedBy, Standard: func() string { return r.ReplacedBy }, Optional: true, Given: replaced,
		Check: r.CheckReplacement,
	}}
	if err := c.Answer(questions...); err != nil {
		return nil, err
	}
	return r.Edit(reason, replacedBy)
}

func (c *editCommand) yankCommand() *cobra.Command {
	var reason string
	var withdraw bool
	cmd := &cobra.Command{
		Use:  "yank ID VERSION",
		Args: command.Arguments(2, 2, "the ID of a document and the version to yank, such as user_story_quality_v1 1.3.0"),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.change(func(l *authoring.Local) (*authoring.Edit, error) {
				return c.yank(l, args[0], args[1], reason, withdraw)
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the version should no longer be used, in one sentence")
	cmd.Flags().BoolVar(&withdraw, "withdraw", false, "withdraw its text, too, also of a version that is already yanked")
	return c.flags(cmd)
}

func (c *editCommand) yank(
	library *authoring.Local, id, version, reason string, withdraw bool,
) (*authoring.Edit, error) {
	done, asked := "yanked", false
	if withdraw {
		done = "withdrawn"
	}
	e, err := library.Yank(id, version, withdraw, func() (string, error) {
		asked = true
		return c.why(reason, "Why is version %s %s? Its users will read the answer", version, done)
	})
	if err == nil && !asked && reason != "" {
		return nil, fmt.Errorf("version %s of %s is already yanked, and the reason of a yank does not change. Leave out --reason",
			version, schema.Quote(id))
	}
	return e, err
}

var oneID = command.Arguments(1, 1, "the ID of one document, such as user_story_quality_v1")

// change finds the library that contains the working folder and its published versions,
// and applies the edit that edit makes.
func (c *editCommand) change(edit func(*authoring.Local) (*authoring.Edit, error)) (err error) {
	if c.library, err = command.FindLibrary(command.Place{}, nil); err != nil {
		return err
	}
	past, err := c.pastState()
	if c.repo != nil {
		defer c.repo.Close()
	}
	if err != nil {
		return err
	}
	library, err := authoring.Open(safefile.DirFS(c.library.Root), past)
	if err != nil {
		return err
	}
	e, err := edit(library)
	if err != nil {
		return err
	}
	return c.carryOut(e)
}

// pastState is the published state from the library's repository. It is nil if there is no
// repository or with --base none.
func (c *editCommand) pastState() (*change.Origin, error) {
	if c.base == command.NoBase {
		return nil, nil
	}
	repo, err := gitrepo.Open(c.library.Root)
	if errors.Is(err, gitrepo.ErrNoRepository) && c.base == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n`--base none` ignores the history", err)
	}
	c.repo = repo
	return c.Origin(repo, c.library.Root, c.base)
}

func (c *editCommand) reaffirmCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:  "reaffirm DATASET",
		Args: command.Arguments(1, 1, "a dataset"),
		RunE: func(_ *cobra.Command, args []string) error {
			c.base = command.NoBase // the history is not used
			return c.change(func(l *authoring.Local) (*authoring.Edit, error) { return c.reaffirm(l, args[0], reason) })
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the labels still hold, in one sentence")
	c.dryRunFlag(cmd)
	return cmd
}

func (c *editCommand) reaffirm(library *authoring.Local, dataset, reason string) (*authoring.Edit, error) {
	relative := dataset // a name, or the path of its folder or its dataset.yaml
	if abs, _, err := command.Locate(dataset); err == nil {
		relative, _ = filepath.Rel(c.library.Root, abs) // both are absolute
	}
	name := cmp.Or(calibration.NameOf(filepath.ToSlash(relative)), dataset)
	e, err := library.Reaffirm(name, time.Now().UTC().Format(time.DateOnly), func(criteria []string) (string, error) {
		return c.why(reason, "Why do the labels of %s still hold for the new text", schema.Or(criteria, "and"))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, command.NoDataset(c.library.Root, name)
	}
	return e, err
}
