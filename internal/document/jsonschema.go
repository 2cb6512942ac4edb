package document

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// SchemaBase is the beginning of the identifiers of the JSON Schemas.
const SchemaBase = "https://github.com/rubric-library/rubric-library/schema/"

// Title is the kind as a heading.
func (k *Kind) Title() string { return strings.ToUpper(k.Noun[:1]) + k.Noun[1:] }

// JSONSchema is the JSON Schema of the kind, as it is in the file SchemaFile.
func (k *Kind) JSONSchema() ([]byte, error) {
	return schema.JSONSchema(k.Table, SchemaBase+k.SchemaFile, k.Title(), k.Doc)
}
