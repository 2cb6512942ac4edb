package yamltree

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestNotationsOfJSON says for each text from which notation on it is one.
func TestNotationsOfJSON(t *testing.T) {
	const never = JSON5 + 1
	for _, tt := range []struct {
		reason, text string
		from         Notation
	}{
		{"JSON", `{"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{}}`, JSON},
		{"a text alone", `"a"`, JSON},
		{"deep JSON", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), JSON},
		{"a pair of surrogates", `"\ud83d\ude00"`, JSON},
		{"an escaped backslash before what looks like an escape", `"\\ud800"`, JSON},
		{"a comment to the end of the line", "{\n// c\n\"a\":1}", JSONC},
		{"a comment at the end of the file", "1 // c", JSONC},
		{"a comment in a line", `[1/*c*/,/**/2]`, JSONC},
		{"a comma at the end", `{"a":[1,2,],}`, JSONC},
		{"what looks like a comment in a text", `{"a":"// b /* c"}`, JSON},
		{"single quotes", `{'a':'b"c\'d'}`, JSON5},
		{"a key that is a name", `{a:1,$b_2:1,\u0061c:1,ünï:1,null:1}`, JSON5},
		{"numbers", `[+1,.5,5.,0x1F,-0X1f,Infinity,-Infinity,NaN,1e5]`, JSON5},
		{"a line that continues", "'a\\\nb\\\r\nc'", JSON5},
		{"escapes", `'\x41\v\0\a\''`, JSON5},
		{"a pair of surrogates in single quotes", `'\ud83d\ude00'`, JSON5},
		{"spaces of Unicode", "\u00a0[\u20031]", JSON5},
		{"nothing", "", never},
		{"only a comment", "/* c */", never},
		{"a comment without an end", "1 /* c", never},
		{"a comment of other languages", "# c\n1", never},
		{"two values", "1 2", never},
		{"a comma too many", "[1,,2]", never},
		{"only a comma", "[,]", never},
		{"no comma", `{"a":1 "b":2}`, never},
		{"no colon", `{"a" 1}`, never},
		{"no value", `{"a":}`, never},
		{"no end", `{"a":[1`, never},
		{"another bracket", `[1}`, never},
		{"a text without an end", `{"a":"b`, never},
		{"a text with a line break", "\"a\nb\"", never},
		{"an escape that is cut off", `"\u12"`, never},
		{"an octal escape", `'\1'`, never},
		{"a digit after the escaped zero", `'\01'`, never},
		{"a name as a value", `{a:b}`, never},
		{"a key that is a number", `{1:2}`, never},
		{"a key with a dash", `{a-b:2}`, never},
		{"a key with an escaped space", `{a\u0020:2}`, never},
		{"an octal number", `[010]`, never},
		{"two signs", `[--1]`, never},
		{"a sign alone", `[+]`, never},
		{"a dot alone", `[.]`, never},
		{"a hexadecimal number without digits", `[0x]`, never},
		{"YAML", "rubric: a_v1", never},
		{"a repeated key", `{"a":1,"a":2}`, never},
		{"deeper than is allowed", strings.Repeat("[", 1001) + strings.Repeat("]", 1001), never},
		{"a high half", `"\ud800"`, never},
		{"a low half", `{"\udc00":1}`, never},
		{"halves in reverse order", `["\ude00\ud83d"]`, never},
		{"a high half before another escape", `"\ud800\u0041"`, never},
		{"a half in single quotes", `'\ud800'`, never},
	} {
		for _, notation := range []Notation{JSON, JSONC, JSON5} {
			_, problems := ParseLooseJSON(source.NewFile("x", []byte(tt.text)), notation)
			if got, want := len(problems) == 0, notation >= tt.from; got != want {
				t.Errorf("%s, notation %d: accepted: %v, want %v: %v", tt.reason, notation, got, want, problems)
			}
		}
	}
}

// plainOf is a loose value as encoding/json decodes it with UseNumber.
func plainOf(n *Loose) any {
	switch {
	case n.Kind == Mapping:
		object := map[string]any{}
		for _, e := range n.Entries {
			object[e.Key] = plainOf(e.Value)
		}
		return object
	case n.Kind == Sequence:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plainOf(item))
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

func TestValuesOfJSON5(t *testing.T) {
	text := "// c\n{ a: 'b\\x41\\\n\\'\"', \"c\": [0x1F, .5,], 'd\\u00e9': \"\\ud83d\\ude00\\0\", }"
	root, problems := ParseLooseJSON(source.NewFile("x.json5", []byte(text)), JSON5)
	want := map[string]any{"a": "bA'\"", "c": []any{json.Number("0x1F"), json.Number(".5")}, "dé": "😀\x00"}
	if diff := cmp.Diff(want, plainOf(root)); diff != "" || len(problems) > 0 {
		t.Fatalf("%v (-want +got):\n%s", problems, diff)
	}
	if got := root.Get("c").Items[1].At; got != (source.Position{Line: 3, Column: 19}) {
		t.Errorf("0.5 is at %v", got)
	}
}

// FuzzParseLooseJSON holds that JSON is read in each notation, with the values of encoding/json.
func FuzzParseLooseJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "x\n", null]}`, `[{},]`, `"\ud800"`, `{a:'b'}`, "// c\n1", `{"a":1,"a":2}`, `'\`, `/*`, `{\u`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("x", data)
		plain := json.Valid(data) && jsontext.HalfPair(data) < 0 && len(CheckText(file)) == 0
		for _, notation := range []Notation{JSON, JSONC, JSON5} {
			root, problems := ParseLooseJSON(file, notation)
			switch {
			case root == nil && len(problems) == 0:
				t.Fatal("no value, and nothing says why")
			case root == nil && plain && problems[0].Code != CodeDepth:
				t.Fatalf("notation %d refused what is JSON: %s", notation, problems[0].Message)
			case root == nil || len(problems) > 0 || !json.Valid(data):
				continue
			}
			var want any
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber()
			if err := decoder.Decode(&want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, plainOf(root)); diff != "" {
				t.Fatalf("notation %d: values (-encoding/json +got):\n%s", notation, diff)
			}
		}
	})
}
