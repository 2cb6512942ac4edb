package render

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// WriteJSON writes one indented object in which no text has an effect on a terminal.
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

// OrNull returns a pointer to a text, or nil if the text is empty.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
