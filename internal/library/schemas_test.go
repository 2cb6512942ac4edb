package library

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

func TestSchemas(t *testing.T) {
	object := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }
	fsys := fstest.MapFS{
		"schema/b.schema.json": object("{}"), "schema/a.json": object("{\"a\": [1]}\n"), "schema/README.md": object("x"), "schema/A.JSON": object("x"),
		"schema/below/c.json":                          object("x"),
		"schema/link.json":                             {Data: []byte("a.json"), Mode: fs.ModeSymlink | 0o777},
		"schema/folder.json":                           {Mode: fs.ModeDir | 0o755},
		"schema/large.json":                            object("{\"a\": \"" + strings.Repeat("a", safefile.MaxRun) + "\"}"),
		"schema/Upper.json":                            object("{}"),
		"schema/" + strings.Repeat("a", 129) + ".json": object("{}"),
		"schema/bytes.json":                            object("{\n \"a\": \"\xff\"}"),
		"schema/comma.json":                            object("{\n \"a\": 1,}"),
		"schema/two.json":                              object("{}{}"),
		"schema/null.json":                             object("null"),
	}
	files, found, err := Schemas(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var names, problems []string
	for _, f := range files {
		names = append(names, f.Path)
	}
	for _, p := range found {
		message, _, _ := strings.Cut(p.String(), ". ")
		problems = append(problems, strings.ReplaceAll(message, strings.Repeat("a", 129), "(129)"))
	}
	if want := []string{"schema/a.json", "schema/b.schema.json"}; !slices.Equal(names, want) {
		t.Errorf("the files are %q, want %q", names, want)
	}
	const rename = "Rename this file: in a bundle, the name of a schema has only lowercase letters and digits, with single dots, dashes, or underscores between them."
	want := []string{
		"schema/Upper.json: " + rename,
		"schema/(129).json: " + rename,
		"schema/bytes.json:2:8: This file can't be in a bundle, because it is not UTF-8",
		"schema/comma.json:2:9: This file can't be in a bundle, because it is not a JSON object",
		"schema/folder.json: This is not a regular file, so it can't be in a bundle",
		"schema/large.json: This file is too large: a schema can have at most 4194304 bytes",
		"schema/link.json: This is not a regular file, so it can't be in a bundle",
		"schema/null.json:1:1: This file can't be in a bundle, because it is not a JSON object",
		"schema/two.json:1:3: This file can't be in a bundle, because it is not a JSON object",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("the problems are\n%s\nwant\n%s", strings.Join(problems, "\n"), strings.Join(want, "\n"))
	}
	for _, other := range []fstest.MapFS{{}, {"schema": object("a file")}} {
		if files, problems, err := Schemas(other); len(files)+len(problems) > 0 || err != nil {
			t.Errorf("without the folder: %d files, %v, %v", len(files), problems, err)
		}
	}
}
