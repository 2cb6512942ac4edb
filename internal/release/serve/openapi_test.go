package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

type object = map[string]any

var update = flag.Bool("update", false, "write openapi.json anew")

// TestOpenAPIIsUpToDate keeps the description of the API that of its routes. The schemas of
// documents come from their own tables, and the others from the Go types.
func TestOpenAPIIsUpToDate(t *testing.T) {
	want := must.Get(generate())(t)
	if *update {
		must.Do(t, os.WriteFile("openapi.json", want, 0o666))
	} else if !bytes.Equal(openAPI, want) {
		t.Error("openapi.json is stale: run `go test ./internal/release/serve -run OpenAPI -update` and look at what changed")
	}
}

func generate() ([]byte, error) {
	schemas, paths := object{"Problem": schemaOf(reflect.TypeFor[problem]())}, object{}
	for _, k := range document.Kinds() {
		data, err := schema.JSONSchema(k.Table, document.SchemaBase+k.SchemaFile, k.Noun, k.Doc)
		if err != nil {
			return nil, err
		}
		schemas[k.Name] = json.RawMessage(data)
	}
	for i := range routes {
		paths[routes[i].path] = object{strings.ToLower(routes[i].method): routes[i].operation()}
	}
	return render.JSON(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Rubric library", "version": "1",
			"description": "Read-only access to a library of scoring rubrics and rule sets. Every GET is also a HEAD. An unknown parameter or key is an error.",
		},
		"paths":      paths,
		"components": object{"schemas": schemas},
	})
}

func (rt *route) operation() object {
	parameters := []object{}
	if strings.Contains(rt.path, "{id}") {
		parameters = append(parameters, object{"name": "id", "in": "path", "required": true, "description": "The ID of the document.", "schema": object{"type": "string"}})
	}
	for _, p := range rt.query {
		s := object{"type": "string"}
		if p.values != nil {
			s["enum"] = p.values
		}
		parameters = append(parameters, object{"name": p.name, "in": "query", "description": p.doc, "schema": s})
	}
	media, result := "application/json", object{"type": "object"} // of a JSON Schema and of this document
	switch rt.result.(type) {
	case documentJSON:
		result = object{"oneOf": []object{reference(document.Rubric.Name), reference(document.RuleSet.Name)}}
	case text:
		media, result = "text/plain", object{"type": "string"}
	case json.RawMessage:
	default:
		result = schemaOf(reflect.TypeOf(rt.result))
	}
	o := object{"operationId": rt.name, "summary": rt.summary, "parameters": parameters, "responses": object{
		"200":     object{"description": rt.summary, "content": content(media, result)},
		"default": object{"description": "Why there is no result", "content": content("application/problem+json", reference("Problem"))},
	}}
	if rt.body != nil {
		o["requestBody"] = object{"required": true, "content": content("application/json", schemaOf(reflect.TypeOf(rt.body)))}
	}
	return o
}

func content(media string, schema object) object { return object{media: object{"schema": schema}} }

func reference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func schemaOf(t reflect.Type) object {
	if t == reflect.TypeFor[rubric.Anchors]() {
		return object{"type": "object", "additionalProperties": object{"type": "string"}, "required": []string{"1", "2", "3", "4", "5"}, "maxProperties": 5}
	}
	if t == reflect.TypeFor[library.Answer]() {
		return object{"type": "string", "enum": []library.Answer{library.Yes, library.LibraryLimits, library.NotYet, library.CannotTell, library.No}}
	}
	switch t.Kind() {
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Pointer:
		s := schemaOf(t.Elem())
		s["type"] = []any{s["type"], "null"}
		return s
	case reflect.Struct:
		properties, required := object{}, []string{}
		for _, f := range fieldsOf(t) {
			properties[f.key] = schemaOf(f.Type)
			if f.required {
				required = append(required, f.key)
			}
		}
		return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	return object{"type": map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Float64: "number"}[t.Kind()]}
}

// fieldsOf returns the fields that encoding/json writes, with those of embedded structs.
func fieldsOf(t reflect.Type) (fields []field) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
		} else {
			fields = append(fields, fieldOf(f))
		}
	}
	return fields
}
