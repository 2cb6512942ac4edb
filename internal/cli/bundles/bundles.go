package bundles

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/render"
)

// bundleCommand is one call of a command that builds or reads a bundle.
type bundleCommand struct {
	command.Streams
	formats []string
}

// printAs writes a value as text or JSON, in every requested format.
func printAs[T any](b *bundleCommand, record T, text func(io.Writer, T) error) error {
	outputs, err := command.OutputsOf(b.formats, textOrJSON)
	if err != nil {
		return err
	}
	return command.PrintOutputs(b.Out, outputs, func(w io.Writer, format string) error {
		if format == "json" {
			return render.WriteJSON(w, record)
		}
		return text(w, record)
	})
}

var textOrJSON = []string{"text", "json"}
