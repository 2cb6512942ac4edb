package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// maxBody is the limit of the body of a request, in bytes.
const maxBody = 1 << 20

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		return nil, &problem{
			Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type",
			Detail: "send uncompressed JSON with the header Content-Type: application/json",
		}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, &problem{
			Status: http.StatusRequestEntityTooLarge, Code: "too_large",
			Detail: fmt.Sprintf("the body has more than %d bytes", maxBody),
		}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &problem{Status: http.StatusRequestTimeout, Code: "timeout", Detail: "the body took too long"}
	case err != nil:
		return nil, invalid("the body could not be read")
	}
	return data, nil
}

// decode decodes JSON into a value of the type of want, and returns a pointer to it.
// encoding/json alone accepts repeated and missing keys, null, keys in another case, and
// text that is not UTF-8.
func decode(data []byte, want any) (any, error) {
	if len(bytes.TrimSpace(data)) == 0 || !utf8.Valid(data) {
		return nil, invalid("the body is empty or not UTF-8")
	}
	tree, problems := yamltree.ParseJSON("body", source.NewFile("body", data), maxBody)
	if len(problems) > 0 {
		return nil, invalid("%s", problems[0].Message)
	}
	value := reflect.New(reflect.TypeOf(want))
	if err := check(tree.Root, value.Type().Elem(), "the body"); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, value.Interface()); err != nil {
		return nil, invalid("the body has a number that is out of range")
	}
	return value.Interface(), nil
}

// check compares JSON with the type that it is decoded into. at is its place in messages.
func check(n *yamltree.Node, t reflect.Type, at string) error {
	kind, matches := "object", n.Kind == yamltree.Mapping
	switch t.Kind() {
	case reflect.String:
		kind, matches = "string", n.Type == yamltree.String
	case reflect.Float64:
		kind, matches = "number", n.Type == yamltree.Integer || n.Type == yamltree.Float
	case reflect.Slice:
		kind, matches = "array", n.Kind == yamltree.Sequence
	}
	if !matches {
		return invalid("%s must have the type %s", at, kind)
	}
	for i, item := range n.Items {
		if err := check(item, t.Elem(), fmt.Sprintf("element %d of %s", i, at)); err != nil {
			return err
		}
	}
	var fields []field
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		fields = append(fields, fieldOf(t.Field(i)))
	}
	for _, f := range fields {
		if f.required && n.Get(f.key) == nil {
			return invalid("%s lacks the key %q", at, f.key)
		}
	}
	for _, e := range n.Entries {
		key, inner := e.Key.Value, t
		name := strings.ToValidUTF8(key[:min(len(key), 60)], "")
		if t.Kind() == reflect.Map {
			inner = t.Elem()
		} else if i := slices.IndexFunc(fields, func(f field) bool { return f.key == key }); i >= 0 {
			inner = fields[i].Type
		} else {
			return invalid("%s has the unknown key %q", at, name)
		}
		if err := check(e.Value, inner, fmt.Sprintf("%q of %s", name, at)); err != nil {
			return err
		}
	}
	return nil
}

// field is a field of a struct with its key in JSON.
type field struct {
	reflect.StructField
	key      string
	required bool
}

func fieldOf(f reflect.StructField) field {
	key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return field{f, key, !strings.Contains(options, "omit")}
}
