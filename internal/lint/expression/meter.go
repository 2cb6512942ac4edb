package expression

import (
	"errors"
	"reflect"
	"regexp/syntax"

	"github.com/expr-lang/expr/ast"

	"github.com/rubric-library/rubric-library/internal/text/regex"
)

const (
	// steps for each document, and for each byte of it.
	someSteps    = 10_000_000
	stepsForByte = 1000
	// roundSteps are the steps for a round of a loop, apart from those for its parts.
	roundSteps = 20
	// mostKept is how many elements and bytes a condition can make.
	mostKept = 2_000_000
)

// Meter counts the steps of conditions, and ends them when there are none left. A step takes
// about as long as to look at one byte of a text.
type Meter struct {
	left int // steps
	kept int // the elements and bytes that the running condition made
}

// NewMeter returns a meter with enough steps for any sensible conditions about documents of a
// number of bytes.
func NewMeter(bytes int) *Meter { return &Meter{left: someSteps + stepsForByte*bytes} }

func (m *Meter) begin() { m.kept = 0 }

// spend takes steps and what is kept.
func (m *Meter) spend(steps, kept int) error {
	m.left -= steps
	m.kept += kept
	switch {
	case m.left < 0:
		return errors.New("it takes too many steps on this document")
	case m.kept > mostKept:
		return errors.New("it takes too much memory on this document")
	}
	return nil
}

// The names of what metering adds have a space, so that no expression can use them.
const (
	meterName   = "the meter"
	chargeName  = "the charge"
	divideName  = "the divisor"
	extremeName = "the extreme"
	tickName    = "the tick"
)

// metering is the step of the compilation that puts a meter into an expression: each round of a
// loop takes steps, and so does what looks at a whole text or list.
type metering struct{}

// Visit implements ast.Visitor.
func (metering) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.PredicateNode:
		n.Node = called(tickName, n.Node, number(parts(n.Node)), n.Node)
	case *ast.BinaryNode:
		factor, reads := factorOf(n)
		if reads {
			n.Left = charged(n.Left, factor, 0)
			n.Right = charged(n.Right, 1, 0)
		}
		if n.Operator == "/" || n.Operator == "%" {
			n.Right = called(divideName, n.Right, n.Right)
		}
	case *ast.BuiltinNode:
		if isLoop(n) {
			return
		}
		kept := 0
		switch n.Name {
		case "lower", "upper", "trim", "split", "keys":
			kept = 1
		}
		for i := range n.Arguments {
			n.Arguments[i] = charged(n.Arguments[i], 1, kept)
		}
		if isExtreme(n) {
			// Its type would be that of the first argument, but the number can be of another one.
			*node = called(extremeName, n, n)
			(*node).SetType(reflect.TypeFor[any]())
		}
	case *ast.CallNode: // words
		for i := range n.Arguments {
			n.Arguments[i] = charged(n.Arguments[i], 1, 0)
		}
	}
}

// isLoop reports whether a function evaluates an expression for each element of a list.
func isLoop(n *ast.BuiltinNode) bool {
	for _, argument := range n.Arguments {
		if _, is := argument.(*ast.PredicateNode); is {
			return true
		}
	}
	return false
}

// factorOf returns how many steps an operator takes for each byte of what is to its left, and
// whether it reads its operands.
func factorOf(n *ast.BinaryNode) (factor int, reads bool) {
	switch n.Operator {
	case "matches":
		tree, err := syntax.Parse(n.Right.(*ast.StringNode).Value, syntax.Perl)
		if err != nil {
			return mostEffort, true // not reached: checkSyntax refuses it
		}
		return regex.Effort(tree), true
	case "contains", "startsWith", "endsWith", "in", "==", "!=", "<", "<=", ">", ">=":
		return 1, true
	}
	return 0, false
}

// charged is a value whose size a meter counts. The size of what is written in the expression, of
// numbers, and of true and false does not matter.
func charged(value ast.Node, factor, kept int) ast.Node {
	switch value.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return value
	}
	if kind := value.Type().Kind(); isNumber(kind) || kind == reflect.Bool {
		return value
	}
	return called(chargeName, value, value, number(factor), number(kept))
}

// called is a call of a function whose result has the type and the place of a node.
func called(name string, as ast.Node, arguments ...ast.Node) ast.Node {
	meter := &ast.IdentifierNode{Value: meterName}
	call := &ast.CallNode{
		Callee:    &ast.IdentifierNode{Value: name},
		Arguments: append([]ast.Node{meter}, arguments...),
	}
	call.SetLocation(as.Location())
	call.SetNature(*as.Nature())
	return call
}

func number(n int) ast.Node { return &ast.IntegerNode{Value: n} }

// charge is the function that counts the size of a value and returns it.
func charge(parameters ...any) (any, error) {
	meter, value := parameters[0].(*Meter), parameters[1]
	size := sizeOf(value, meter.left)
	return value, meter.spend(1+size*parameters[2].(int), size*parameters[3].(int))
}

// tick is the function that counts a round of a loop and returns its result, which a loop can keep.
func tick(parameters ...any) (any, error) {
	return parameters[2], parameters[0].(*Meter).spend(roundSteps+parameters[1].(int), 1)
}

// isExtreme reports whether a value is the least or the largest of some numbers.
func isExtreme(node ast.Node) bool {
	n, is := node.(*ast.BuiltinNode)
	return is && (n.Name == "min" || n.Name == "max")
}

// extreme is the function that refuses the least and the largest number of none.
func extreme(parameters ...any) (any, error) {
	if parameters[1] == nil {
		return nil, errors.New("it takes the least or the largest of no numbers")
	}
	return parameters[1], nil
}

// divisor is the function that refuses 0, by which a division would have a result that no condition
// expects.
func divisor(parameters ...any) (any, error) {
	if value := reflect.ValueOf(parameters[1]); value.IsZero() {
		return nil, errors.New("it divides by 0")
	}
	return parameters[1], nil
}

// sizeOf returns how many bytes and elements a comparison of a value reads. It ends where these are
// more than a number, because a list can have another one often, and that has others.
func sizeOf(value any, most int) int {
	size := 0
	switch v := value.(type) {
	case string:
		return len(v)
	case []any:
		for _, element := range v {
			if size > most {
				break
			}
			size += 1 + sizeOf(element, most-size)
		}
	case []string:
		for _, element := range v {
			size += 1 + len(element)
		}
	case map[string]any:
		for key, element := range v {
			size += len(key) + sizeOf(element, most-size)
		}
	case map[string]string:
		for key, element := range v {
			size += len(key) + len(element)
		}
	}
	return size
}

// parts returns how many parts an expression has.
func parts(node ast.Node) int {
	n := 0
	ast.Walk(&node, visit(func(ast.Node) { n++ }))
	return n
}
