package cli

import "github.com/spf13/cobra"

// subcommands are those of rubric-calibrate.
func (c *calibrateCommand) subcommands() []*cobra.Command {
	return []*cobra.Command{c.importCommand(), c.sheetCommand(), c.reportCommand(), c.checkCommand(), c.compareCommand(), c.weeklyCommand(), c.runCommand()}
}
