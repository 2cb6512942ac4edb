package jsontext

import (
	"bytes"
	"encoding/json"
)

// Encode is encoding/json without a line end and without escaped HTML characters.
// prefix and indent are those of json.Indent; without them the result is one line.
func Encode(value any, prefix, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
