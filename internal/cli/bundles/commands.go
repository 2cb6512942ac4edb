package bundles

import (
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/spf13/cobra"
)

// Release are the commands that make and publish a bundle, in the order of the help.
func Release(s command.Streams) []*cobra.Command {
	b := &bundleCommand{Streams: s}
	return []*cobra.Command{b.buildCommand(), b.verifyCommand(), b.pushCommand(), b.pullCommand(), b.siteCommand()}
}

// Use are the commands that read a bundle or a folder, in the order of the help.
func Use(s command.Streams) []*cobra.Command {
	b := &bundleCommand{Streams: s}
	return []*cobra.Command{
		b.listCommand(), b.getCommand(), b.searchCommand(), b.serveCommand(), b.refsCommand(), b.exportCommand(),
	}
}
