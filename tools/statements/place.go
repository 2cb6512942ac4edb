package main

import (
	"go/ast"
	"go/types"
)

// place is where a value is: in a variable, or in what a variable leads to through a pointer,
// list, or map. It has no variable if the value is new, or the result of a call.
type place struct {
	of      types.Object
	through bool
}

// leads is the place that a value there leads to.
func (p place) leads() place { return place{p.of, true} }

// root is the place of an expression.
func (r *reader) root(e ast.Expr) place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		of, ok := r.pass.TypesInfo.ObjectOf(e).(*types.Var)
		if !ok {
			return place{}
		}
		if from, ok := r.from[of]; ok {
			return place{from, false}
		}
		return place{of, false}
	case *ast.SelectorExpr:
		if of, ok := r.pass.TypesInfo.Uses[e.Sel].(*types.Var); ok && !of.IsField() {
			return place{of, false} // of another package
		}
		return r.inside(e.X)
	case *ast.IndexExpr:
		return r.inside(e.X)
	case *ast.SliceExpr:
		return r.inside(e.X)
	case *ast.StarExpr:
		return r.inside(e.X)
	case *ast.UnaryExpr:
		return r.root(e.X)
	case *ast.TypeAssertExpr:
		return r.root(e.X)
	}
	return place{}
}

// inside is the place of a part of an expression.
func (r *reader) inside(e ast.Expr) place {
	p := r.root(e)
	return place{p.of, p.through || leads(r.pass.TypesInfo.TypeOf(e))}
}

// leads reports whether a part of a value of a type is elsewhere.
func leads(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// remember notes that a local variable was taken from another one, and leads to the same.
func (r *reader) remember(local, from ast.Expr) {
	ident, ok := local.(*ast.Ident)
	if !ok {
		return
	}
	of := r.pass.TypesInfo.ObjectOf(ident)
	source := r.root(from)
	if of == nil || source.of == nil || source.of == of || isGlobal(of) || !leads(of.Type()) {
		return
	}
	if _, ok := r.from[of]; !ok {
		r.from[of] = source.of
	}
}

// isGlobal reports whether a variable is one of a package.
func isGlobal(v types.Object) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }
