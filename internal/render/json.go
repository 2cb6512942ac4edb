package render

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// WriteJSON writes one indented object, so that nothing in it can act on a terminal.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(sanitize.JSON(b.Bytes()))
	return err
}

// OrNull is a text, or null where there is none.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
