package yamltree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

const jsonLimit = 1 << 10

func TestParseJSONFindsEveryPlace(t *testing.T) {
	text := "{\n\t\"id\": \"a\\ud83d\\ude00\\/\",\r\n \"list\": [1, 2.50 , -1e3,true,null, [], {}],\t\"text\" : \"ä\"}\n"
	f := source.NewFile("x.json", []byte(text))
	tree, problems := ParseJSON("file", f, jsonLimit)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	type leaf struct {
		Written, Value string
		Type           Type
	}
	var got []leaf
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.Kind == Scalar {
			got = append(got, leaf{f.Text(n.Span), n.Value, n.Type})
		}
		for _, e := range n.Entries {
			walk(e.Key)
			walk(e.Value)
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	walk(tree.Root)
	want := []leaf{
		{`"id"`, "id", String},
		{`"a\ud83d\ude00\/"`, "a😀/", String}, // what Python writes for an emoji
		{`"list"`, "list", String},
		{"1", "1", Integer},
		{"2.50", "2.50", Float}, // with the digits it has
		{"-1e3", "-1e3", Float},
		{"true", "true", Bool},
		{"null", "null", Null},
		{`"text"`, "text", String},
		{`"ä"`, "ä", String},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if got := f.Text(tree.Root.Get("list").Span); got != "[1, 2.50 , -1e3,true,null, [], {}]" {
		t.Errorf("the list is written as %q", got)
	}
	if got := f.Text(tree.Root.Span); got != strings.TrimSpace(text) {
		t.Errorf("the root is written as %q", got)
	}
}

func TestParseJSONSaysWhatIsWrong(t *testing.T) {
	tests := []struct {
		reason, text string
		want         string
		tree         bool
	}{
		{reason: "nothing", text: " \n", want: "1:1 empty-file: The file is empty or has only comments. Add content, or delete the file."},
		{reason: "a byte order mark", text: "\ufeff{}", want: "1:1 encoding: Remove the invisible byte order mark (U+FEFF): JSON does not allow it."},
		{reason: "a comma is missing", text: "{\"a\": 1\n \"b\": 2}", want: "2:2 json-syntax: Invalid JSON: unexpected \"\\\"\". Check for a missing comma, an extra comma, or a missing quotation mark."},
		{reason: "a comma too many", text: "[1,\n]", want: "2:1 json-syntax: Invalid JSON: unexpected \"]\". Check for a missing comma, an extra comma, or a missing quotation mark."},
		{reason: "YAML", text: "a: 1", want: "1:1 json-syntax: Invalid JSON: unexpected \"a\". Check for a missing comma, an extra comma, or a missing quotation mark."},
		{reason: "cut off", text: "{\"a\": [1", want: "1:9 json-syntax: The file ends in the middle of a value: a bracket or quotation mark is not closed, or the file is truncated."},
		{reason: "two values", text: "{}\n{}", want: "2:1 several-documents: Extra content after the first value: only one value is allowed. Remove the rest."},
		{reason: "a comma behind the value", text: "{},", want: "1:3 several-documents: Extra content after the first value: only one value is allowed. Remove the rest."},
		{reason: "not UTF-8", text: "[\"\xff\"]", want: "1:3 encoding: This is not UTF-8. Save the file as UTF-8."},
		{reason: "a key twice", text: `{"a": {"b": 1, "b": 2}}`, tree: true, want: "1:16 duplicate-key: The key \"b\" appears twice. Remove all but one: some programs use the first, others the last."},
		{reason: "deep", text: strings.Repeat("[", 21) + strings.Repeat("]", 21), want: "1:21 too-deep: The nesting is too deep here: at most 20 levels of lists and objects are allowed. Reduce the nesting."},
		{reason: "as deep as allowed", text: strings.Repeat("[", 20) + strings.Repeat("]", 20), tree: true},
		{reason: "large", text: `"` + strings.Repeat("x", jsonLimit) + `"`, want: "1:1 file-too-large: The file has 1026 bytes: at most 1024 are allowed. Shorten its texts."},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			f := source.NewFile("x.json", []byte(tt.text))
			tree, problems := ParseJSON("file", f, jsonLimit)
			var got []string
			for _, p := range problems {
				at := f.Position(p.Span.Start)
				got = append(got, strings.Join([]string{fmt.Sprintf("%d:%d", at.Line, at.Column), p.Code + ":", p.Message}, " "))
			}
			if text := strings.Join(got, "\n"); text != tt.want {
				t.Errorf("problems are\n%s\nwant\n%s", text, tt.want)
			}
			if (tree != nil) != tt.tree {
				t.Errorf("there is a tree: %v, want %v", tree != nil, tt.tree)
			}
		})
	}
}

// TestParseJSONBeyondTheDepthOfItsDecoder nests deeper than encoding/json itself reads.
func TestParseJSONBeyondTheDepthOfItsDecoder(t *testing.T) {
	tree, problems := ParseJSON("file", source.NewFile("x.json", []byte(strings.Repeat("[", 20_000))), MaxBytes)
	if tree != nil || len(problems) != 1 || problems[0].Code != CodeDepth {
		t.Errorf("%v, %v", tree, problems)
	}
}

// valueOf is the value that encoding/json reads, with numbers as written.
func valueOf(n *Node) any {
	switch {
	case n.Kind == Mapping:
		object := map[string]any{}
		for _, e := range n.Entries {
			object[e.Key.Value] = valueOf(e.Value)
		}
		return object
	case n.Kind == Sequence:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, valueOf(item))
		}
		return list
	case n.Type == Bool:
		return n.Value == "true"
	case n.Type == Null:
		return nil
	case n.Type == String:
		return n.Value
	}
	return json.Number(n.Value)
}

// FuzzParseJSON holds that a tree is read exactly from what is JSON for
// encoding/json, UTF-8 and not nested too deeply, that it has the same values, and that spans nest.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "x\n", null]}`, `[{}]`, `"\ud800"`, `1 2`, "[\"\xff\"]", `{"a":1,"a":2}`, `{"a"}`, `{1:2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, problems := ParseJSON("file", source.NewFile("x.json", data), MaxBytes)
		if tree == nil && len(problems) == 0 {
			t.Fatal("no tree, and nothing says why")
		}
		if tree == nil {
			if json.Valid(data) && invalidUTF8(data) < 0 && jsontext.HalfPair(data) < 0 && problems[0].Code != CodeDepth && len(data) <= MaxBytes {
				t.Fatalf("refused what is JSON: %s", problems[0].Message)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatal("read invalid JSON")
		}
		var walk func(n *Node, within source.Span)
		walk = func(n *Node, within source.Span) {
			if n.Span.Start < within.Start || n.Span.End > within.End || n.Span.Len() == 0 {
				t.Fatalf("span %v is not inside of %v", n.Span, within)
			}
			if !json.Valid(bytes.TrimSpace(data[n.Span.Start:n.Span.End])) {
				t.Fatalf("span %v holds no value", n.Span)
			}
			for _, e := range n.Entries {
				walk(e.Key, n.Span)
				walk(e.Value, n.Span)
			}
			for _, item := range n.Items {
				walk(item, n.Span)
			}
		}
		walk(tree.Root, source.Span{End: len(data)})
		var want any
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, valueOf(tree.Root)); diff != "" {
			t.Fatalf("values (-encoding/json +got):\n%s", diff)
		}
	})
}

// FuzzParseWritten holds that JSON is read as by ParseJSON, and that nothing else is the end of the program.
func FuzzParseWritten(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, "x\n", null]}`, `{"a":1,"a":2}`, `[{}]`, `"`, `"\`, `{`, `[1,`, `{"a"`, `{"a"}`, `]`, ``, ` `, `{"a":}`, `"\x"`, strings.Repeat("[", 1000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := ParseWritten(source.NewFile("x.json", data))
		want, _ := ParseJSON("file", source.NewFile("x.json", data), MaxBytes)
		if want == nil {
			return
		}
		if got == nil {
			t.Fatal("JSON is not read")
		}
		if !reflect.DeepEqual(want.Root, got.Root) {
			t.Fatalf("another tree than that of ParseJSON: %v", valueOf(got.Root))
		}
	})
}
