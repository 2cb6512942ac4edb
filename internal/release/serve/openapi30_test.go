package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/render"
)

// version30 converts a description in OpenAPI 3.1 to 3.0. What 3.0 can't say is left out, so that
// every answer still matches.
func version30(data []byte) ([]byte, error) {
	var api object
	if err := json.Unmarshal(data, &api); err != nil {
		return nil, err
	}
	api["openapi"] = "3.0.3"
	convertIn(api)
	return render.JSON(api)
}

// convertIn converts the schemas in a part of a description that is not a schema.
func convertIn(part any) {
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			convertIn(item)
		}
	case object:
		for key, value := range part {
			switch key {
			case "schema":
				part[key] = convert(value.(object))
			case "schemas":
				for name, schema := range value.(object) {
					value.(object)[name] = convert(schema.(object))
				}
			default:
				convertIn(value)
			}
		}
	}
}

// kept are the keywords of schemas that mean the same in both versions.
var kept = []string{
	"$ref", "additionalProperties", "default", "description", "enum", "items", "maxItems", "maxLength", "maxProperties", "maximum",
	"minItems", "minLength", "minimum", "oneOf", "pattern", "properties", "required", "title", "type",
}

// convert returns a schema in version 3.0. It panics for a keyword that it doesn't know.
func convert(schema object) object {
	to := object{}
	for _, key := range slices.Sorted(maps.Keys(schema)) {
		value := schema[key]
		switch {
		case key == "const":
			to["enum"] = []any{value}
		case key == "exclusiveMinimum":
			to["minimum"], to[key] = value, true
		case key == "default" && schema["type"] == "number": // a generator for Java assigns an integer to a Double
			to["description"] = fmt.Sprintf("%s The default is %v.", schema["description"], value)
		case key == "description" && to[key] != nil:
		case key == "propertyNames": // 3.0 has no such keyword
		case key == "patternProperties":
			if len(schema["properties"].(object)) == 0 || len(value.(object)) != 1 {
				panic("patternProperties without the properties that they match")
			}
		case key == "oneOf" && onlyRequires(value.([]any)): // generators make a type of each
		case !slices.Contains(kept, key):
			panic(fmt.Sprintf("the keyword %s has no conversion to OpenAPI 3.0", key))
		default:
			to[key] = convertValue(key, value)
		}
	}
	return to
}

func convertValue(key string, value any) any {
	inner, isObject := value.(object)
	switch {
	case key == "properties":
		properties := object{}
		for name, property := range inner {
			properties[name] = convert(property.(object))
		}
		return properties
	case key == "oneOf":
		var all []any
		for _, one := range value.([]any) {
			all = append(all, convert(one.(object)))
		}
		return all
	case (key == "items" || key == "additionalProperties") && isObject:
		return convert(inner)
	}
	return value
}

// onlyRequires reports whether alternatives differ only in the keys that they require.
func onlyRequires(alternatives []any) bool {
	return !slices.ContainsFunc(alternatives, func(a any) bool {
		one := a.(object)
		return len(one) != 1 || one["required"] == nil
	})
}

// TestConversionToOpenAPI30 has each keyword that differs.
func TestConversionToOpenAPI30(t *testing.T) {
	for from, want := range map[string]string{
		`{"const":"a"}`: `{"enum":["a"]}`,
		`{"type":"number","description":"A weight.","default":1}`:                             `{"description":"A weight. The default is 1.","type":"number"}`,
		`{"type":"boolean","description":"A flag.","default":false}`:                          `{"default":false,"description":"A flag.","type":"boolean"}`,
		`{"items":{"exclusiveMinimum":0}}`:                                                    `{"items":{"exclusiveMinimum":true,"minimum":0}}`,
		`{"properties":{"const":{"const":1}},"additionalProperties":{"propertyNames":{}}}`:    `{"additionalProperties":{},"properties":{"const":{"enum":[1]}}}`,
		`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`:                                   `{}`,
		`{"oneOf":[{"const":1},{"required":["b"]}]}`:                                          `{"oneOf":[{"enum":[1]},{"required":["b"]}]}`,
		`{"properties":{"1":{}},"patternProperties":{"^1$":{}},"additionalProperties":false}`: `{"additionalProperties":false,"properties":{"1":{}}}`,
	} {
		var schema object
		must.Do(t, json.Unmarshal([]byte(from), &schema))
		if diff := cmp.Diff(want, string(must.Get(json.Marshal(convert(schema)))(t))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", from, diff)
		}
	}
}
