package rules

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// goldenOf returns findings in the format of the archives of broken libraries: one per
// line, then the related places and the fix. withFile adds the file before each place.
func goldenOf(fsys fs.FS, findings []lint.Finding, withFile bool) string {
	var out strings.Builder
	place := func(l source.Location) string {
		p := spanOf(l.Start, l.End)
		if withFile {
			p = l.File + ":" + p
		}
		return p
	}
	for _, f := range findings {
		fmt.Fprintf(&out, "%s %s[%s] %s: %s\n", place(f.Location), f.Severity, f.Rule.ID, f.Pointer, f.Message)
		for _, r := range f.Related {
			fmt.Fprintf(&out, "  related %s: %s\n", place(r.Location), r.Message)
		}
		if f.Fix == nil {
			continue
		}
		fmt.Fprintf(&out, "  fix: %s\n", f.Fix.Message)
		data, _ := fs.ReadFile(fsys, f.File) // a finding with a fix has its file
		file := source.NewFile(f.File, data)
		for _, e := range f.Fix.Edits {
			fmt.Fprintf(&out, "    edit %s %q\n", spanOf(file.Position(e.Start), file.Position(e.End)), e.Text)
		}
		if f.Fix.Rename != "" {
			fmt.Fprintf(&out, "    rename %s\n", f.Fix.Rename)
		}
	}
	return out.String()
}

// spanOf returns a place in the format of goldenOf: the lines and columns of its start and
// end.
func spanOf(start, end source.Position) string {
	return fmt.Sprintf("%d:%d-%d:%d", start.Line, start.Column, end.Line, end.Column)
}

// setGolden writes the findings of a case into its archive, after its files.
func setGolden(c *corpusCase, golden string) error {
	data, err := os.ReadFile(c.Archive)
	if err != nil {
		return err
	}
	archive := txtar.Parse(data)
	isGolden := func(f txtar.File) bool { return strings.TrimSuffix(f.Name, quotedExt) == c.Name+".golden" }
	archive.Files = slices.DeleteFunc(archive.Files, isGolden)
	last := 0
	for i, f := range archive.Files {
		if of, _, _ := strings.Cut(f.Name, "/"); of == c.Name || strings.TrimSuffix(f.Name, quotedExt) == c.Name+".yaml" {
			last = i + 1
		}
	}
	archive.Files = slices.Insert(archive.Files, last, quoteFile(c.Name+".golden", []byte(golden)))
	return os.WriteFile(c.Archive, txtar.Format(archive), 0o666)
}
