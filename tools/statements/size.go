package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// The limits of a function and of a type: a reader sees the whole function on a screen, and knows
// who sets the fields.
const (
	mostLines    = 45
	mostBranches = 16
	mostFields   = 14
)

// size reports functions that are too long or have too many branches, and types with too many
// fields that several files set. Tests are not checked, and neither are types that one file sets,
// such as a table, and those whose fields have tags: they are the form of a file.
func size() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "size",
		Doc:  "report functions and types that are too large to be read at once",
		Run: func(pass *analysis.Pass) (any, error) {
			large := map[types.Object]*ast.TypeSpec{}
			setters := map[types.Object]map[string]bool{} // files, by field
			for _, file := range pass.Files {
				name := filepath.Base(pass.Fset.Position(file.Package).Filename)
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				ast.Inspect(file, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.FuncDecl:
						checkFunction(pass, n)
					case *ast.TypeSpec:
						if s, ok := n.Type.(*ast.StructType); ok && s.Fields.NumFields() > mostFields && !isForm(s) {
							large[pass.TypesInfo.Defs[n.Name]] = n
						}
					case *ast.AssignStmt:
						for _, target := range n.Lhs {
							addSetter(pass, setters, target, name)
						}
					case *ast.IncDecStmt:
						addSetter(pass, setters, n.X, name)
					}
					return true
				})
			}
			for of, spec := range large {
				checkType(pass, of, spec, setters)
			}
			return nil, nil
		},
	}
}

func checkFunction(pass *analysis.Pass, f *ast.FuncDecl) {
	if f.Body == nil {
		return
	}
	lines := pass.Fset.Position(f.End()).Line - pass.Fset.Position(f.Pos()).Line + 1
	if lines > mostLines {
		pass.Reportf(f.Name.Pos(), "%s has %d lines, at most %d: give its parts names", f.Name.Name, lines, mostLines)
	}
	branches := 0
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause, *ast.CommClause:
			branches++
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				branches++
			}
		}
		return true
	})
	if branches > mostBranches {
		pass.Reportf(f.Name.Pos(), "%s has %d branches, at most %d: give its parts names", f.Name.Name, branches, mostBranches)
	}
}

// addSetter notes that a file sets a field.
func addSetter(pass *analysis.Pass, setters map[types.Object]map[string]bool, target ast.Expr, file string) {
	selector, ok := whole(target).(*ast.SelectorExpr)
	if !ok {
		return
	}
	field := pass.TypesInfo.Uses[selector.Sel]
	if setters[field] == nil {
		setters[field] = map[string]bool{}
	}
	setters[field][file] = true
}

func isForm(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return f.Tag != nil })
}

func checkType(pass *analysis.Pass, of types.Object, spec *ast.TypeSpec, setters map[types.Object]map[string]bool) {
	files := map[string]bool{}
	fields := spec.Type.(*ast.StructType).Fields
	for _, field := range fields.List {
		for _, name := range field.Names {
			for file := range setters[pass.TypesInfo.Defs[name]] {
				files[file] = true
			}
		}
	}
	if len(files) > 1 {
		pass.Reportf(spec.Pos(),
			"%s has %d fields that %d files set, at most %d: divide it by who sets them",
			of.Name(), fields.NumFields(), len(files), mostFields)
	}
}
