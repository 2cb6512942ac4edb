package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// support is compiled into the package. Its functions return a changed value if their
// mutant is the one to make.
//
//go:embed support.txt
var support string

type mutant struct {
	file, function, change string
	line                   int
}

func (m *mutant) key() string { return m.file + " " + m.function + ": " + m.change }

// rewriter puts calls of the support functions into a file.
type rewriter struct {
	pkg      *packages.Package
	source   []byte
	name     string
	mutants  *[]mutant
	text     map[ast.Node]string // before anything in it was rewritten
	line     map[ast.Node]int
	function string
}

// rewrite writes the files of a package with all mutants into work. It returns them, and
// the file for the flag -overlay.
func rewrite(dir, work string) ([]mutant, string, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: dir}, ".")
	if err != nil {
		return nil, "", err
	}
	pkg := pkgs[0]
	if len(pkg.Errors) > 0 {
		return nil, "", pkg.Errors[0]
	}
	var mutants []mutant
	replace := map[string]string{}
	write := func(path string, data []byte) error {
		replace[path] = filepath.Join(work, filepath.Base(path))
		return os.WriteFile(replace[path], data, 0o666)
	}
	for i, file := range pkg.Syntax {
		path := pkg.CompiledGoFiles[i]
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, "", err
		}
		r := &rewriter{pkg: pkg, source: source, name: filepath.Base(path), mutants: &mutants}
		r.text, r.line = map[ast.Node]string{}, map[ast.Node]int{}
		data, err := r.file(file)
		if err != nil {
			return nil, "", err
		}
		if err := write(path, data); err != nil {
			return nil, "", err
		}
	}
	helper := filepath.Join(filepath.Dir(pkg.CompiledGoFiles[0]), "mutant_support.go")
	if err := write(helper, []byte("package "+pkg.Name+"\n"+support)); err != nil {
		return nil, "", err
	}
	overlay := filepath.Join(work, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, "", err
	}
	return mutants, overlay, os.WriteFile(overlay, data, 0o666)
}

func (r *rewriter) file(file *ast.File) ([]byte, error) {
	astutil.Apply(file, r.enter, r.leave)
	// The printer could put another comment into the middle of a rewritten expression.
	var directives []*ast.CommentGroup
	for _, group := range file.Comments {
		if strings.HasPrefix(group.List[0].Text, "//go:") {
			directives = append(directives, group)
		}
	}
	file.Comments = directives
	var out bytes.Buffer
	err := format.Node(&out, r.pkg.Fset, file)
	return out.Bytes(), err
}

// enter keeps the text and the line of a node. It skips what must be constant.
func (r *rewriter) enter(c *astutil.Cursor) bool {
	node := c.Node()
	switch n := node.(type) {
	case nil:
		return true
	case *ast.FuncDecl:
		r.function = n.Name.Name
	case *ast.GenDecl:
		if n.Tok == token.CONST || n.Tok == token.TYPE || n.Tok == token.IMPORT {
			return false
		}
		if _, inFunction := c.Parent().(*ast.DeclStmt); !inFunction {
			r.function = "var"
		}
	case *ast.ArrayType:
		return false
	}
	start, end := r.pkg.Fset.Position(node.Pos()), r.pkg.Fset.Position(node.End())
	r.text[node] = strings.Join(strings.Fields(string(r.source[start.Offset:end.Offset])), " ")
	r.line[node] = start.Line
	return true
}

func (r *rewriter) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case ast.Expr:
		if e := r.expression(c, n); e != nil {
			c.Replace(e)
		}
	case ast.Stmt:
		if c.Index() >= 0 && r.removable(n) {
			c.Replace(&ast.IfStmt{
				Cond: &ast.UnaryExpr{Op: token.NOT, X: call("mutantOn", r.mutant(n, "removed"))},
				Body: &ast.BlockStmt{List: []ast.Stmt{n}},
			})
		}
	}
	return true
}

// removable reports whether the package compiles without a statement.
func (r *rewriter) removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.ExprStmt:
		return !strings.HasPrefix(r.text[s], "panic(")
	case *ast.IncDecStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	}
	return false
}

// expression returns what replaces an expression, or nil.
func (r *rewriter) expression(c *astutil.Cursor, e ast.Expr) ast.Expr {
	value, ok := r.pkg.TypesInfo.Types[e]
	basic, isBasic := types.Type(nil), false
	if ok && value.IsValue() {
		_, isBasic = value.Type.Underlying().(*types.Basic)
		basic = value.Type
	}
	if !isBasic {
		return nil
	}
	info := basic.Underlying().(*types.Basic).Info()
	switch {
	case info&types.IsBoolean != 0 && (basic == types.Typ[types.Bool] || basic == types.Typ[types.UntypedBool]):
		return r.condition(c, e, value)
	case info&types.IsNumeric != 0 && info&types.IsComplex == 0:
		return r.number(c, e, value)
	}
	return nil
}

// condition replaces a comparison, a literal, and any other condition that consists of no
// others.
func (r *rewriter) condition(c *astutil.Cursor, e ast.Expr, value types.TypeAndValue) ast.Expr {
	text := r.text[e]
	if value.Value != nil {
		if _, isLiteral := e.(*ast.Ident); !isLiteral || text != "true" && text != "false" {
			return nil
		}
		return call("mutantNot", r.mutant(e, "negated"), e)
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		switch b.Op {
		case token.LAND, token.LOR:
			return nil
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			if r.plain(b.X) || r.plain(b.Y) {
				boundary := r.mutant(e, "boundary moved")
				e = call("mutantOrder", boundary, b.X, quote(b.Op.String()), b.Y)
				r.text[e] = text
				return call("mutantBool", r.pair(b), e)
			}
		}
		return call("mutantBool", r.pair(b), e)
	}
	switch e.(type) {
	case *ast.ParenExpr, *ast.UnaryExpr:
		return nil // their operand
	}
	switch p := c.Parent().(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.CaseClause, *ast.ReturnStmt, *ast.ParenExpr, *ast.UnaryExpr:
		return call("mutantBool", r.pair(e), e)
	case *ast.BinaryExpr:
		if p.Op == token.LAND || p.Op == token.LOR {
			return call("mutantBool", r.pair(e), e)
		}
	}
	return nil
}

// plain reports whether an operand is a variable, so that its type is known to the
// support functions.
func (r *rewriter) plain(e ast.Expr) bool {
	v := r.pkg.TypesInfo.Types[e]
	_, generic := v.Type.(*types.TypeParam)
	return v.Value == nil && !generic
}

var opposite = map[token.Token]string{token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "*"}

// number replaces a literal and an operation.
func (r *rewriter) number(c *astutil.Cursor, e ast.Expr, value types.TypeAndValue) ast.Expr {
	integer := value.Type.Underlying().(*types.Basic).Info()&types.IsInteger != 0
	switch n := e.(type) {
	case *ast.BasicLit:
		if n.Kind == token.CHAR || r.mustBeConstant(c, n) {
			return nil
		}
		local := func(p *types.Package) string {
			if p == r.pkg.Types {
				return ""
			}
			return p.Name()
		}
		typed := &ast.IndexExpr{X: ast.NewIdent("mutantNumber"), Index: ast.NewIdent(types.TypeString(value.Type, local))}
		change := "plus one"
		if text := r.text[c.Parent()]; len(text) < 80 && !strings.Contains(text, "{") {
			change += " in `" + text + "`"
		}
		return &ast.CallExpr{Fun: typed, Args: []ast.Expr{r.mutant(n, change), n}}
	case *ast.BinaryExpr:
		if value.Value == nil && opposite[n.Op] != "" && (n.Op != token.REM || integer) && (r.plain(n.X) || r.plain(n.Y)) {
			return call("mutantArithmetic", r.mutant(n, n.Op.String()+" becomes "+opposite[n.Op]), n.X,
				quote(n.Op.String()), n.Y)
		}
	case *ast.UnaryExpr:
		if value.Value == nil && n.Op == token.SUB {
			return call("mutantNegate", r.mutant(n, "sign changed"), n.X)
		}
	}
	return nil
}

func (r *rewriter) mustBeConstant(c *astutil.Cursor, lit *ast.BasicLit) bool {
	switch p := c.Parent().(type) {
	case *ast.KeyValueExpr:
		return p.Key == lit
	case *ast.BinaryExpr:
		if p.Op == token.SHL || p.Op == token.SHR {
			return true
		}
	}
	e, ok := c.Parent().(ast.Expr)
	return ok && r.pkg.TypesInfo.Types[e].Value != nil
}

// mutant adds a mutant and returns its number.
func (r *rewriter) mutant(n ast.Node, change string) ast.Expr {
	text := r.text[n]
	if len(text) > 80 {
		text = text[:77] + "..."
	}
	*r.mutants = append(*r.mutants, mutant{
		file: r.name, function: r.function, line: r.line[n], change: fmt.Sprintf("`%s` %s", text, change),
	})
	return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(len(*r.mutants))}
}

// pair adds the two mutants of a condition.
func (r *rewriter) pair(n ast.Node) ast.Expr {
	first := r.mutant(n, "always true")
	r.mutant(n, "always false")
	return first
}

func call(name string, args ...ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: ast.NewIdent(name), Args: args}
}

func quote(s string) ast.Expr {
	return &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(s)}
}
