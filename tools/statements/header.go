package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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
			nodes := []ast.Node{(*ast.IfStmt)(nil), (*ast.SwitchStmt)(nil), (*ast.TypeSwitchStmt)(nil)}
			pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Preorder(nodes, func(n ast.Node) {
				checkHeader(pass, n)
			})
			return nil, nil
		},
	}
}

func checkHeader(pass *analysis.Pass, n ast.Node) {
	set, calls := setBy(initOf(n))
	if calls != nil {
		pass.Reportf(n.Pos(),
			"the condition does not use %s, which the header calls: call it in a statement before", types.ExprString(calls))
		return
	}
	conditions := conditionsOf(n)
	for _, target := range set {
		for _, condition := range conditions {
			if names(pass.TypesInfo, condition, target) {
				return
			}
		}
	}
	if len(set) > 0 {
		pass.Reportf(n.Pos(),
			"the condition does not use %s, which the header sets: set it in a statement before", types.ExprString(set[0]))
	}
}

// setBy are what the statement of a header sets, or the expression that it calls, or receives,
// without a name for the result.
func setBy(init ast.Stmt) (set []ast.Expr, calls ast.Expr) {
	switch init := init.(type) {
	case *ast.AssignStmt:
		for _, target := range init.Lhs {
			if ident, ok := target.(*ast.Ident); !ok || ident.Name != "_" {
				set = append(set, whole(target))
			}
		}
		if i := slices.IndexFunc(init.Rhs, doesSomething); i >= 0 && set == nil {
			return nil, init.Rhs[i]
		}
	case *ast.IncDecStmt:
		return []ast.Expr{whole(init.X)}, nil
	case *ast.SendStmt:
		return []ast.Expr{whole(init.Chan)}, nil
	case *ast.ExprStmt:
		return nil, init.X
	}
	return set, nil
}

// doesSomething reports whether an expression can: it calls or receives.
func doesSomething(e ast.Expr) (does bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			does = true
		case *ast.UnaryExpr:
			does = does || n.Op == token.ARROW
		}
		return !does
	})
	return does
}

func initOf(n ast.Node) ast.Stmt {
	switch n := n.(type) {
	case *ast.IfStmt:
		return n.Init
	case *ast.SwitchStmt:
		return n.Init
	case *ast.TypeSwitchStmt:
		return n.Init
	}
	return nil
}

// conditionsOf are the condition of an if, the tag and the cases of a switch, or the value whose
// type a switch asks for.
func conditionsOf(n ast.Node) []ast.Node {
	if n, ok := n.(*ast.IfStmt); ok {
		return []ast.Node{n.Cond}
	}
	if n, ok := n.(*ast.TypeSwitchStmt); ok {
		return []ast.Node{n.Assign}
	}
	s := n.(*ast.SwitchStmt)
	var all []ast.Node
	if s.Tag != nil {
		all = append(all, s.Tag)
	}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			all = append(all, e)
		}
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
func names(info *types.Info, in ast.Node, target ast.Expr) (found bool) {
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
