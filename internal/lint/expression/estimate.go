package expression

import (
	"fmt"

	"github.com/expr-lang/expr/ast"
)

// usual are the sizes of a document for which the steps of an expression are estimated: the
// elements of a list and the bytes of a text.
const (
	usualElements = 30
	usualBytes    = 200
)

// checkCost refuses an expression that takes too many steps on a usual document.
func checkCost(node ast.Node) error {
	steps := estimate(node)
	if steps <= someSteps {
		return nil
	}
	const message = "This takes about %d steps on a document of which each list has %d elements, but at most %d are allowed. " +
		"Use fewer loops inside of others."
	return &Error{Message: fmt.Sprintf(message, steps, usualElements, someSteps)}
}

// estimate returns how many steps an expression takes on a usual document. Loops multiply, so that
// the number is limited before it has too many digits.
func estimate(node ast.Node) int {
	const many = 1 << 40
	steps := 1
	switch n := node.(type) {
	case *ast.BuiltinNode:
		steps += estimateCall(n)
	case *ast.CallNode: // words
		steps += usualBytes
	case *ast.BinaryNode:
		factor, reads := factorOf(n)
		if reads && !isNumber(n.Left.Type().Kind()) {
			steps += usualBytes * factor
		}
	}
	for _, child := range children(node) {
		steps += estimate(child)
	}
	return min(steps, many)
}

// estimateCall returns the steps that a function takes in addition to those of its arguments.
func estimateCall(n *ast.BuiltinNode) int {
	if !isLoop(n) {
		return usualBytes
	}
	steps := 0
	for _, argument := range n.Arguments {
		if predicate, is := argument.(*ast.PredicateNode); is {
			steps += usualElements * (roundSteps + estimate(predicate.Node))
		}
	}
	return steps
}

// children returns the parts of an expression that are evaluated once.
func children(node ast.Node) []ast.Node {
	switch n := node.(type) {
	case *ast.BuiltinNode:
		return n.Arguments // of which a predicate has no children
	case *ast.CallNode:
		return n.Arguments
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.ChainNode:
		return []ast.Node{n.Node}
	case *ast.MemberNode:
		return []ast.Node{n.Node, n.Property}
	case *ast.VariableDeclaratorNode:
		return []ast.Node{n.Value, n.Expr}
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.ArrayNode:
		return n.Nodes
	}
	return nil
}
