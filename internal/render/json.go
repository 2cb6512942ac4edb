package render

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// WriteJSON writes one indented object in which no text has an effect on a terminal.
func WriteJSON(w io.Writer, v any) error {
	data, err := jsontext.Encode(v, "", "  ")
	if err == nil {
		_, err = w.Write(append(sanitize.JSON(data), '\n'))
	}
	return err
}

// OrNull returns a pointer to a text, or nil if the text is empty.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// OrEmpty is a list that is written as [] where it has nothing.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
