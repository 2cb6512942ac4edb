package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// effect is what a call of a function does, as far as its source says so.
type effect struct {
	// Changed has a bit for each parameter that leads to what is changed; the receiver is the
	// first one.
	Changed uint64
	// Outside means a change of a variable of a package, or outside of the program.
	Outside bool
	// Creates means that every error of the function is new, and never nil.
	Creates bool
}

func (*effect) AFact() {}

// reader reads what functions do.
type reader struct {
	pass  *analysis.Pass
	own   string
	known map[*types.Func]effect
	// from has the parameter or variable of a package from which a local variable was taken.
	from map[types.Object]types.Object
}

func (r *reader) isOwn(p *types.Package) bool {
	return p != nil && (p.Path() == r.own || strings.HasPrefix(p.Path(), r.own+"/"))
}

func (r *reader) callee(call *ast.CallExpr) *types.Func {
	f := typeutil.StaticCallee(r.pass.TypesInfo, call)
	if f == nil {
		return nil
	}
	return f.Origin()
}

// readFunctions finds the effects of the functions of the package. They call each other, so it
// reads them until nothing is added.
func (r *reader) readFunctions() {
	var all []*ast.FuncDecl
	for _, file := range r.pass.Files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				all = append(all, f)
				r.known[r.object(f)] = effect{Creates: true}
			}
		}
	}
	for added := true; added; {
		added = false
		for _, f := range all {
			if now := r.read(f); now != r.known[r.object(f)] {
				r.known[r.object(f)] = now
				added = true
			}
		}
	}
	for f, e := range r.known {
		if f.Exported() && e != (effect{}) { // other packages can't call the rest
			r.pass.ExportObjectFact(f, &e)
		}
	}
}

func (r *reader) object(f *ast.FuncDecl) *types.Func {
	return r.pass.TypesInfo.Defs[f.Name].(*types.Func)
}

func (r *reader) effectOf(f *types.Func) effect {
	if e, ok := r.known[f]; ok {
		return e
	}
	if !r.isOwn(f.Pkg()) {
		return outside(f)
	}
	var e effect
	r.pass.ImportObjectFact(f, &e)
	return e
}

// read finds the effect of a function, with what is known of those that it calls.
func (r *reader) read(f *ast.FuncDecl) effect {
	r.from = map[types.Object]types.Object{}
	defer func() { r.from = nil }()
	e := effect{Creates: r.creates(f)}
	bits := r.parameters(f)
	change := func(p place) {
		if p.of == nil {
			return
		}
		if isGlobal(p.of) {
			e.Outside = true
		} else if bit, ok := bits[p.of]; ok && p.through {
			e.Changed |= 1 << bit
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, target := range n.Lhs {
				change(r.root(target))
				if len(n.Lhs) == len(n.Rhs) {
					r.remember(target, n.Rhs[i])
				}
			}
		case *ast.RangeStmt:
			r.remember(n.Value, n.X)
		case *ast.IncDecStmt:
			change(r.root(n.X))
		case *ast.SendStmt:
			change(r.root(n.Chan).leads())
		case *ast.CallExpr:
			changed, outside := r.changed(n)
			e.Outside = e.Outside || outside
			for _, argument := range changed {
				change(r.root(argument).leads())
			}
		}
		return true
	})
	return e
}

// parameters numbers the receiver and the parameters of a function, at most 64.
func (r *reader) parameters(f *ast.FuncDecl) map[types.Object]int {
	bits := map[types.Object]int{}
	signature := r.object(f).Signature()
	n := 0
	if signature.Recv() != nil {
		bits[signature.Recv()] = 0
		n++
	}
	for p := range signature.Params().Variables() {
		if n < 64 {
			bits[p] = n
		}
		n++
	}
	return bits
}

// changed are the expressions of a call, its receiver and arguments, of which it changes what
// they lead to, and whether it changes something else that outlives it.
func (r *reader) changed(call *ast.CallExpr) (changed []ast.Expr, outside bool) {
	if b, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && r.pass.TypesInfo.Types[b].IsBuiltin() {
		switch b.Name {
		case "delete", "clear", "copy", "close":
			return call.Args[:1], false
		}
		return nil, false
	}
	f := r.callee(call)
	if f == nil {
		return nil, false
	}
	e := r.effectOf(f)
	arguments := call.Args
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		if r.pass.TypesInfo.Types[selector.X].IsValue() {
			arguments = append([]ast.Expr{selector.X}, arguments...)
		}
	}
	for i, argument := range arguments {
		if i < 64 && e.Changed&(1<<i) != 0 {
			changed = append(changed, argument)
		}
	}
	return changed, e.Outside
}

// creates reports whether the last result of a function is an error that is always new.
func (r *reader) creates(f *ast.FuncDecl) bool {
	results := r.object(f).Signature().Results()
	if results.Len() == 0 || !hasError(results) {
		return false
	}
	all := true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			all = all && len(n.Results) == results.Len() && r.isNew(n.Results[len(n.Results)-1])
		}
		return true
	})
	return all
}

func (r *reader) isNew(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && r.isNew(e.X)
	case *ast.CallExpr:
		f := r.callee(e)
		return f != nil && r.effectOf(f).Creates
	}
	return false
}
