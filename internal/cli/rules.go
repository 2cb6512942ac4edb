package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// defaultRun is the run file in the working folder.
const defaultRun = "run.json"

// rulesCommand is one call of rubric rules.
type rulesCommand struct {
	asker
	// run is the name of the run file.
	run     string
	formats []string
}

// rulesCommands are the commands of rubric rules.
func rulesCommands(s Streams) *cobra.Command {
	c := &rulesCommand{asker: newAsker(s)}
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Apply a rule set to an artifact, from a template to a verdict",
		Long: `Apply a rule set to an artifact, from a template to a verdict.

init takes a base template and the answers of the person who asks for the work,
and writes the run file: a snapshot of the rules. prepare puts checks that a
program can run in the place of the rules' instructions. evaluate runs them on an
artifact, takes the verdicts of a judge for the other rules, and says whether the
artifact passes and why. score does the same from verdicts alone, and normalize
makes full rules of shorthand rows.

Exit codes: 0 done and passed, 1 not passed, or mistakes in what was to be
normalized, 2 the command could not do its work.`,
		Example: `  rubric rules init --task-type api_design --mandatory "Every error has a code"
  rubric rules prepare
  rubric rules evaluate artifact.md --phase A --verdicts verdicts.json`,
		Args: unknownCommand,
		RunE: needsCommand,
	}
	cmd.AddCommand(c.initCommand(), c.prepareCommand(), c.evaluateCommand(), c.scoreCommand(), c.normalizeCommand())
	return cmd
}

// runFlag gives a command the flag --run.
func (c *rulesCommand) runFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.run, "run", defaultRun, "the run file")
}

// errWrongInput ends a command whose input file has mistakes, which are printed.
var errWrongInput = errors.New("the file can't be used as it is")

// mostInput is how many bytes of a file are read: more than any reader takes, so
// that each says by itself what is too large for it.
const mostInput = 16 << 20

// readInput reads a file that was named on the command line. It can be a pipe, as
// <(command) of a shell is.
func readInput(name string) (*source.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, inputError(name, err)
	}
	defer f.Close()
	return readAll(name, f)
}

// readAll reads the beginning of what can be without an end, under a name.
func readAll(name string, r io.Reader) (*source.File, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostInput))
	if err != nil {
		return nil, inputError(name, err)
	}
	return source.NewFile(name, data), nil
}

// exists tells whether something has the name, also a link that leads nowhere.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, os.ErrNotExist)
}

func inputError(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s does not exist", name)
	}
	return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
}

// refuse prints what is wrong with a file and is the error that ends the command.
func (s Streams) refuse(f *source.File, problems []source.Problem) error {
	if err := render.Problems(s.Err, f, problems, render.TextOptions{Color: s.color(s.Err)}); err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", f.Path, errWrongInput)
}

// readRun reads the run file.
func (c *rulesCommand) readRun() (*runfile.Run, *source.File, error) {
	if !exists(c.run) {
		return nil, nil, fmt.Errorf("%s does not exist. `rubric rules init` makes it, or name another with --run", c.run)
	}
	f, err := readInput(c.run)
	if err != nil {
		return nil, nil, err
	}
	run, problems := runfile.ReadRun(f)
	if len(problems) > 0 {
		return nil, nil, c.refuse(f, problems)
	}
	return run, f, nil
}

// ruleIDs are the IDs of all rules.
func ruleIDs(rules []ruleset.Rule) []string {
	ids := make([]string, len(rules))
	for i := range rules {
		ids[i] = rules[i].ID
	}
	return ids
}

// phase is a phase by its letter, in either case.
func phase(letter string) (ruleset.Phase, error) {
	switch letter {
	case "A", "a":
		return ruleset.PhaseA, nil
	case "B", "b":
		return ruleset.PhaseB, nil
	case "":
		return "", errors.New("say which phase: --phase A (the rules of phase A) or --phase B (those of A and B)")
	}
	return "", fmt.Errorf("there is no phase %q. Write --phase A (the rules of phase A) or --phase B (those of A and B)", letter)
}
