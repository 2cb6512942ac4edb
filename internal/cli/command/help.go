package command

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/text"
)

//go:embed help.txt
var helpText string

// helps are the entries of help.txt by the path of their command.
var helps = readHelps()

type help struct{ summary, text, example string }

// readHelps reads help.txt. A closing is the last part of the texts below it, up to the next.
func readHelps() map[string]*help {
	entries := map[string]*help{}
	var entry *help
	closing := ""
	for key, value := range text.Fields(helpText) {
		switch key {
		case "closing":
			closing = value
		case "command":
			entry = &help{}
			entries[value] = entry
		case "summary":
			entry.summary = value
		case "text":
			entry.text = strings.TrimSuffix(value+"\n\n"+closing, "\n\n")
		case "example":
			entry.example = "  " + strings.ReplaceAll(value, "\n", "\n  ")
		default:
			panic("help.txt: unknown key " + key)
		}
	}
	return entries
}

// Described are the paths of the commands that have an entry in help.txt.
func Described() []string { return slices.Sorted(maps.Keys(helps)) }

// Describe gives a command and its subcommands their texts in help.txt, except those that have
// a summary.
func Describe(cmd *cobra.Command) *cobra.Command {
	if cmd.Short == "" {
		entry := helps[cmd.CommandPath()]
		if entry == nil {
			panic("help.txt: no entry for " + cmd.CommandPath())
		}
		cmd.Short, cmd.Long, cmd.Example = entry.summary, entry.text, entry.example
	}
	for _, c := range cmd.Commands() {
		Describe(c)
	}
	return cmd
}
