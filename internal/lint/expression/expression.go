// Package expression evaluates conditions about documents. A condition is a boolean expression in
// a part of the language of github.com/expr-lang/expr. It knows the keys of the documents that it
// is about, is refused at the place of a mistake, and ends after a number of steps, whatever the
// document has.
package expression

import (
	"errors"
	"fmt"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// Condition is a compiled expression. It can be evaluated concurrently.
type Condition struct {
	program *vm.Program
}

// Error says why an expression is not a condition.
type Error struct {
	// Offset is the place of the mistake in the expression, in bytes.
	Offset int
	// Message is a sentence that says what is wrong and, where that is known, what to write.
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Compile compiles an expression about the elements of a scope. The error is an *Error.
func Compile(text string, scope *Scope) (*Condition, error) {
	config := languageOf(scope)
	tree, err := parser.ParseWithConfig(text, config)
	if err != nil {
		return nil, placed(text, err)
	}
	// Patterns are compiled with the types, so those that are too large are refused before.
	if err := checkSyntax(text, tree.Node); err != nil {
		return nil, err
	}
	if _, err := checker.Check(tree, config); err != nil {
		return nil, explainTypes(text, tree.Node, err)
	}
	if err := checkTypes(text, tree.Node); err != nil {
		return nil, err
	}
	if err := checkCost(tree.Node); err != nil {
		return nil, err
	}
	ast.Walk(&tree.Node, metering{})
	if _, err := checker.Check(tree, config); err != nil {
		return nil, placed(text, err)
	}
	program, err := compiler.Compile(tree, config)
	if err != nil {
		return nil, placed(text, err)
	}
	return &Condition{program}, nil
}

// Holds evaluates the condition. The error says why the result is not known, such as that the meter
// ran out of steps.
func (c *Condition) Holds(about Values, meter *Meter) (bool, error) {
	meter.begin()
	about[meterName] = meter
	machine := vm.VM{MemoryBudget: mostKept}
	result, err := machine.Run(c.program, map[string]any(about))
	var at *file.Error
	switch {
	case errors.As(err, &at):
		return false, errors.New(inWords(at.Message))
	case err != nil:
		return false, err
	}
	holds, is := result.(bool)
	if !is {
		return false, fmt.Errorf("the result is %T instead of true or false", result)
	}
	return holds, nil
}
