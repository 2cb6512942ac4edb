package library_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestDocsOfAliasesAreComplete holds that `go doc` of this package says everything about a type that
// is declared in an internal package: it shows the comment of the alias, and neither fields nor methods.
func TestDocsOfAliasesAreComplete(t *testing.T) {
	types := map[string]reflect.Type{
		"BundleProblem":   reflect.TypeFor[library.BundleProblem](),
		"ContinuityError": reflect.TypeFor[library.ContinuityError](),
		"FolderProblem":   reflect.TypeFor[library.FolderProblem](),
		"FormatError":     reflect.TypeFor[library.FormatError](),
		"IntegrityError":  reflect.TypeFor[library.IntegrityError](),
		"InvalidError":    reflect.TypeFor[library.InvalidError](),
	}
	documented := aliases(t)
	for name, comment := range documented {
		of, known := types[name]
		if !known {
			t.Errorf("%s is an alias that this test does not know", name)
			continue
		}
		for i := range of.NumField() {
			f := of.Field(i)
			text := packageName.ReplaceAllString(f.Type.String(), "")
			line := regexp.MustCompile(`(?m)^\t(\w+, )*` + f.Name + `(, \w+)* +` + regexp.QuoteMeta(text) + ` +// `)
			if f.IsExported() && !line.MatchString(comment) {
				t.Errorf("the comment of %s does not say what the field %s %s is:\n%s", name, f.Name, text, comment)
			}
		}
		for m := range reflect.PointerTo(of).Methods() {
			inText := m.Name == "Error" && strings.Contains(comment, "and its text ")
			if !inText && !strings.Contains(comment, "and a method "+m.Name+",") {
				t.Errorf("the comment of %s does not say what the method %s does:\n%s", name, m.Name, comment)
			}
		}
	}
	if len(documented) != len(types) {
		t.Errorf("the package has %d aliases, want %d", len(documented), len(types))
	}
}

// packageName is what a comment leaves out of the name of a type.
var packageName = regexp.MustCompile(`\w+\.`)

// aliases are the comments of the exported aliases of this package.
func aliases(t *testing.T) map[string]string {
	comments := map[string]string{}
	for _, name := range must.Get(filepath.Glob("*.go"))(t) {
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t)
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, s := range decl.Specs {
				if spec := s.(*ast.TypeSpec); spec.Assign.IsValid() && spec.Name.IsExported() {
					comments[spec.Name.Name] = decl.Doc.Text()
				}
			}
		}
	}
	return comments
}
