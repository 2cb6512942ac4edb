package main

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// header reports an if or switch whose header sets variables or fields of which the condition
// names none. A reader looks for conditions there, and not for changes.
func header() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     "header",
		Doc:      "report an if or switch that sets what its condition does not use",
		Requires: []*analysis.Analyzer{inspect.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			nodes := []ast.Node{(*ast.IfStmt)(nil), (*ast.SwitchStmt)(nil)}
			pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Preorder(nodes, func(n ast.Node) {
				checkHeader(pass, n)
			})
			return nil, nil
		},
	}
}

func checkHeader(pass *analysis.Pass, n ast.Node) {
	var set []ast.Expr
	switch init := initOf(n).(type) {
	case *ast.AssignStmt:
		set = init.Lhs
	case *ast.IncDecStmt:
		set = []ast.Expr{init.X}
	case *ast.ExprStmt:
		pass.Reportf(n.Pos(), "the condition does not use %s, which the header calls: call it in a statement before", types.ExprString(init.X))
		return
	}
	conditions := conditionsOf(n)
	var first ast.Expr
	for _, target := range set {
		target = whole(target)
		if ident, ok := target.(*ast.Ident); ok && ident.Name == "_" {
			continue
		}
		for _, condition := range conditions {
			if names(pass.TypesInfo, condition, target) {
				return
			}
		}
		if first == nil {
			first = target
		}
	}
	if first != nil {
		pass.Reportf(n.Pos(), "the condition does not use %s, which the header sets: set it in a statement before", types.ExprString(first))
	}
}

func initOf(n ast.Node) ast.Stmt {
	switch n := n.(type) {
	case *ast.IfStmt:
		return n.Init
	case *ast.SwitchStmt:
		return n.Init
	}
	return nil
}

// conditionsOf are the condition of an if, or the tag and the cases of a switch.
func conditionsOf(n ast.Node) []ast.Expr {
	if n, ok := n.(*ast.IfStmt); ok {
		return []ast.Expr{n.Cond}
	}
	s := n.(*ast.SwitchStmt)
	var all []ast.Expr
	if s.Tag != nil {
		all = append(all, s.Tag)
	}
	for _, clause := range s.Body.List {
		all = append(all, clause.(*ast.CaseClause).List...)
	}
	return all
}

// whole is what an assignment changes for a reader: of an element, the list or map that has it,
// and of what a pointer leads to, the pointer.
func whole(target ast.Expr) ast.Expr {
	for {
		switch t := target.(type) {
		case *ast.ParenExpr:
			target = t.X
		case *ast.IndexExpr:
			target = t.X
		case *ast.StarExpr:
			target = t.X
		default:
			return target
		}
	}
}

// names reports whether an expression names a variable, or a field of the same value.
func names(info *types.Info, in, target ast.Expr) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if n, ok := n.(ast.Expr); ok && same(info, n, target) {
			found = true
		}
		return !found
	})
	return found
}

func same(info *types.Info, a, b ast.Expr) bool {
	switch b := b.(type) {
	case *ast.Ident:
		a, ok := a.(*ast.Ident)
		return ok && info.ObjectOf(a) == info.ObjectOf(b)
	case *ast.SelectorExpr:
		a, ok := a.(*ast.SelectorExpr)
		return ok && info.ObjectOf(a.Sel) == info.ObjectOf(b.Sel) && same(info, a.X, b.X)
	}
	return types.ExprString(a) == types.ExprString(b)
}
