package main

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// cmpOr reports a call of cmp.Or of which two arguments do something. All arguments are
// evaluated, so the second one runs although the first one failed. A call does something if it
// returns an error that it did not just create, or changes what outlives it.
//
// The functions of the module own, and of packages in it, are read for what they change; what
// other modules change is known from the names in outside.go.
func cmpOr(own string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:      "cmpor",
		Doc:       "report a call of cmp.Or of which two arguments do something",
		Requires:  []*analysis.Analyzer{inspect.Analyzer},
		FactTypes: []analysis.Fact{new(effect)},
		Run: func(pass *analysis.Pass) (any, error) {
			r := &reader{pass: pass, own: own, known: map[*types.Func]effect{}}
			if r.isOwn(pass.Pkg) {
				r.readFunctions()
			}
			pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Preorder([]ast.Node{(*ast.CallExpr)(nil)}, func(n ast.Node) {
				r.checkOr(n.(*ast.CallExpr))
			})
			return nil, nil
		},
	}
}

func (r *reader) checkOr(call *ast.CallExpr) {
	f := r.callee(call)
	if f == nil || f.FullName() != "cmp.Or" {
		return
	}
	var first string
	for _, argument := range listed(call) {
		does := r.does(argument)
		switch {
		case does == "":
		case first == "":
			first = does
		default:
			r.pass.Reportf(argument.Pos(),
				"%s runs although %s failed, because cmp.Or evaluates all arguments: make it a statement of its own", does, first)
			return
		}
	}
}

// listed are the arguments of a call, or the elements of the list that stands for them.
func listed(call *ast.CallExpr) []ast.Expr {
	if call.Ellipsis.IsValid() {
		if list, ok := ast.Unparen(call.Args[0]).(*ast.CompositeLit); ok {
			return list.Elts
		}
	}
	return call.Args
}

// does is the first part of an expression that does something, or "".
func (r *reader) does(argument ast.Expr) (found string) {
	ast.Inspect(argument, func(n ast.Node) bool {
		if found != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if r.returnsError(n) || r.changesSomething(n) {
				found = types.ExprString(n.Fun)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				found = types.ExprString(n)
			}
		case *ast.FuncLit:
			found = r.changesOutside(n)
		}
		return found == ""
	})
	return found
}

// changesOutside is what a function literal itself sets or sends to of what outlives it, or "".
func (r *reader) changesOutside(f *ast.FuncLit) (found string) {
	outlives := func(e ast.Expr) {
		if of := r.root(e).of; of != nil && found == "" && (of.Pos() < f.Pos() || of.Pos() > f.End()) {
			found = types.ExprString(e)
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, target := range n.Lhs {
				outlives(target)
			}
		case *ast.IncDecStmt:
			outlives(n.X)
		case *ast.SendStmt:
			outlives(n.Chan)
		}
		return found == ""
	})
	return found
}

// returnsError reports whether a call returns an error that it did not just create.
func (r *reader) returnsError(call *ast.CallExpr) bool {
	kind, ok := r.pass.TypesInfo.Types[call.Fun]
	if !ok || kind.IsType() || kind.IsBuiltin() {
		return false
	}
	if f := r.callee(call); f != nil && r.effectOf(f).Creates {
		return false
	}
	return hasError(r.pass.TypesInfo.TypeOf(call))
}

// changesSomething reports whether a call changes something with a name, or outside of the
// program.
func (r *reader) changesSomething(call *ast.CallExpr) bool {
	changed, outside := r.changed(call)
	if outside {
		return true
	}
	for _, e := range changed {
		if r.root(e).of != nil {
			return true
		}
	}
	return false
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// hasError reports whether a type is an error, or a list of results with one.
func hasError(t types.Type) bool {
	if results, ok := t.(*types.Tuple); ok {
		for v := range results.Variables() {
			if hasError(v.Type()) {
				return true
			}
		}
		return false
	}
	return t != nil && types.Implements(t, errorType)
}
