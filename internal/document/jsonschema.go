package document

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// SchemaBase is the prefix of the identifiers of the JSON Schemas.
const SchemaBase = "https://github.com/rubric-library/rubric-library/schema/"

// Title returns the kind as a heading.
func (k *Kind) Title() string { return strings.ToUpper(k.Noun[:1]) + k.Noun[1:] }

// JSONSchema returns the JSON Schema of the kind, the content of SchemaFile.
func (k *Kind) JSONSchema() ([]byte, error) {
	return schema.JSONSchema(k.Table, SchemaBase+k.SchemaFile, k.Title(), k.Doc)
}
