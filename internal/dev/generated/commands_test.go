package generated

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// commandsPage returns the page that lists all commands by group, in Markdown.
func commandsPage() []byte {
	var b bytes.Buffer
	b.WriteString(`# Commands

<!-- Generated from the commands. Do not edit: go test ./internal/dev/generated -update -->

Every command in one line. ` + "`COMMAND --help`" + ` describes its flags and shows examples, and [output and
configuration](command-line.md) is what all share.
`)
	root := cli.Rubric(command.Streams{})
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n", group.ID)
		for _, c := range root.Commands() {
			if c.GroupID == group.ID {
				listCommands(&b, c)
			}
		}
	}
	b.WriteString("\n## Other\n\n")
	for _, c := range root.Commands() {
		if c.GroupID == "" {
			listCommands(&b, c)
		}
	}
	b.WriteString("- `rubric-lint`, `rubric-diff`: `rubric lint` and `rubric diff` as programs of their own\n")
	return b.Bytes()
}

// listCommands writes a line for a command that does something, or for each below it.
func listCommands(b *bytes.Buffer, c *cobra.Command) {
	if !c.HasSubCommands() {
		fmt.Fprintf(b, "- `%s`: %s\n", c.CommandPath(), c.Short)
	}
	for _, inner := range c.Commands() {
		listCommands(b, inner)
	}
}
