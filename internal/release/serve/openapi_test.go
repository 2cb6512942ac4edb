package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
)

type object = map[string]any

var update = flag.Bool("update", false, "write openapi.json and openapi-3.0.json anew")

// TestOpenAPIIsUpToDate keeps the description of the API that of its routes. The schemas of
// documents come from their own tables, and the others from the Go types.
func TestOpenAPIIsUpToDate(t *testing.T) {
	want := must.Get(generate())(t)
	for _, file := range []struct {
		name    string
		now     []byte
		current []byte
	}{{"openapi.json", want, openAPI}, {"openapi-3.0.json", must.Get(version30(want))(t), openAPI30}} {
		if *update {
			must.Do(t, os.WriteFile(file.name, file.now, 0o666))
		} else if !bytes.Equal(file.current, file.now) {
			t.Errorf("%s is stale: run `go test ./internal/release/serve -run OpenAPI -update` and look at what changed", file.name)
		}
	}
}

func generate() ([]byte, error) {
	s, paths := newSchemas(), object{}
	for _, k := range document.Kinds() {
		data, err := schema.JSONSchema(k.Table, document.SchemaBase+k.SchemaFile, k.Noun, k.Doc)
		var described object
		if err == nil {
			err = json.Unmarshal(data, &described)
		}
		if err != nil {
			return nil, err
		}
		delete(described, "$schema") // that of OpenAPI 3.1
		delete(described, "$id")
		s.named[documentName(k.Name)] = described
	}
	problem := s.of(reflect.TypeFor[problem]())
	for i := range routes {
		paths[routes[i].path] = object{strings.ToLower(routes[i].method): routes[i].operation(s, problem)}
	}
	return render.JSON(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Rubric library", "version": "1",
			"description": "Read-only access to a library of scoring rubrics and rule sets. Every GET is also a HEAD. An unknown parameter or key is an error.",
		},
		"servers":    []object{{"url": "/"}},
		"security":   []object{},
		"paths":      paths,
		"components": object{"schemas": s.named, "headers": headers, "parameters": requestHeaders},
	})
}

// documentName returns the name of the schema of a kind of document: Rubric or RuleSet.
func documentName(kind string) string {
	name := ""
	for word := range strings.SplitSeq(kind, "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// headers are those of answers. One is required if the answers that list it always have it.
var headers = object{
	"X-Request-ID":     header("The ID of the call in the logs: that of the request, or a new one. An answer that --cache-exact lets a cache keep has none.", false),
	"Cache-Control":    header("For how long a cache may keep the answer: no-store, no-cache, or, for an exact version, what the operator allows.", true),
	"ETag":             header("The SHA-256 of the body, in quotes. For a document, it is its digest.", true),
	"Rubric-Reference": header("The exact version that the answer is about: ID@VERSION#DIGEST.", true),
	"Rubric-Yanked":    header("The beginning of the reason why the version is yanked, in ASCII.", false),
	"Vary":             header("The request headers for each of which a cache keeps an answer of its own.", false),
	"Allow":            header("The methods that the path allows.", false),
}

func header(doc string, required bool) object {
	return object{"description": doc, "required": required, "schema": object{"type": "string"}}
}

var requestHeaders = object{
	"X-Request-ID":  object{"name": "X-Request-ID", "in": "header", "description": "An ID to find the call in the logs.", "schema": object{"type": "string"}},
	"If-None-Match": object{"name": "If-None-Match", "in": "header", "description": "The ETag of an earlier answer. If nothing changed, the answer is 304.", "schema": object{"type": "string"}},
}

func headersOf(names ...string) object {
	of := object{}
	for _, name := range names {
		of[name] = reference("headers", name)
	}
	return of
}

func (rt *route) operation(s *schemas, problem object) object {
	always := []string{"X-Request-ID", "Cache-Control"}
	parameters, given, tag := []object{reference("parameters", "X-Request-ID")}, always, "server"
	if strings.HasPrefix(rt.path, "/v1/") {
		tag = "library"
		if slices.ContainsFunc(rt.query, func(p parameter) bool { return p.name == "version" }) {
			given = slices.Concat(given, []string{"Rubric-Reference", "Rubric-Yanked", "Vary"})
		}
		if rt.body == nil {
			given = slices.Concat(given, []string{"ETag"})
			parameters = append(parameters, reference("parameters", "If-None-Match"))
		}
	}
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
	responses := object{
		"200":     object{"description": rt.summary, "headers": headersOf(given...), "content": rt.content(s)},
		"default": object{"description": "Why there is no result", "headers": headersOf(append(always, "Allow")...), "content": content("application/problem+json", problem)},
	}
	if slices.Contains(given, "ETag") {
		responses["304"] = object{"description": "The answer still has the ETag of If-None-Match", "headers": headersOf(given...)}
	}
	o := object{"operationId": rt.name, "tags": []string{tag}, "summary": rt.summary, "parameters": parameters, "responses": responses}
	if rt.body != nil {
		o["requestBody"] = object{"required": true, "content": content("application/json", s.of(reflect.TypeOf(rt.body)))}
	}
	return o
}

// content describes the body of an answer of a route.
func (rt *route) content(s *schemas) object {
	switch rt.result.(type) {
	case documentJSON:
		return content("application/json", object{"oneOf": []object{
			reference("schemas", documentName(document.Rubric.Name)), reference("schemas", documentName(document.RuleSet.Name)),
		}})
	case text:
		return content("text/plain", object{"type": "string"})
	case json.RawMessage: // of a JSON Schema, and of this document
		return content("application/json", object{"type": "object"})
	}
	return content("application/json", s.of(reflect.TypeOf(rt.result)))
}

func content(media string, schema object) object { return object{media: object{"schema": schema}} }

func reference(of, name string) object { return object{"$ref": "#/components/" + of + "/" + name} }
