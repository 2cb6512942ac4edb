package expression

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

// Functions are the functions that conditions can call. Those of the language that are not among
// them make something large of something small, depend on the time, or have no use in a condition.
var Functions = []string{
	"all", "any", "count", "filter", "keys", "len", "lower", "map", "max", "min", "none", "one", "split",
	"sum", "trim", "upper",
	"words",
}

const (
	mostNodes  = 1000 // the parts of an expression
	mostEffort = 1000 // of a pattern, as regex.Effort counts it
)

// languageOf returns the language of the conditions of a scope.
func languageOf(scope *Scope) *conf.Config {
	config := conf.CreateNew()
	for _, set := range []expr.Option{
		expr.Env(scope.types), expr.AsBool(), expr.MaxNodes(mostNodes),
		expr.Function("words", countWords, new(func(string) int)),
		expr.Function(chargeName, charge, new(func(meter, value, factor, kept any) any)),
		expr.Function(divideName, divisor, new(func(meter, value any) any)),
		expr.Function(extremeName, extreme, new(func(meter, value any) any)),
		expr.Function(tickName, tick, new(func(meter, cost, value any) any)),
	} {
		set(config)
	}
	for name := range config.Builtins {
		if !slices.Contains(Functions, name) {
			delete(config.Builtins, name)
			config.Disabled[name] = true
		}
	}
	return config
}

// countWords is the function words: how many words a text has.
func countWords(parameters ...any) (any, error) {
	text, is := parameters[0].(string)
	if !is {
		return nil, fmt.Errorf("words needs a text, got %T", parameters[0])
	}
	return len(strings.Fields(text)), nil
}

// visit is a function that looks at each part of an expression, inner parts first.
type visit func(node ast.Node)

// Visit implements ast.Visitor.
func (v visit) Visit(node *ast.Node) { v(*node) }

// checkSyntax refuses what no condition needs and what can't be bounded.
func checkSyntax(text string, root ast.Node) error {
	var first *Error
	ast.Walk(&root, visit(func(node ast.Node) {
		if message := refusedSyntax(node); message != "" && first == nil {
			first = &Error{offsetOf(text, node.Location().From), message}
		}
	}))
	if first == nil {
		return nil
	}
	return first
}

// refusedSyntax says why a part of an expression is refused, or is "".
func refusedSyntax(node ast.Node) string {
	switch n := node.(type) {
	case *ast.NilNode:
		return `Nothing is nil: an absent key is empty. Compare a text with "", a number with 0, or the len of a list with 0.`
	case *ast.IdentifierNode:
		if n.Value == "$env" {
			return "Name the variable itself instead of $env."
		}
	case *ast.StringNode:
		if !norm.NFC.IsNormalString(n.Value) {
			return "Write this text in the Unicode normal form NFC. Conditions see documents in it, so no document has this text."
		}
	case *ast.MapNode:
		return "A condition can't make a group of keys."
	case *ast.SliceNode:
		return "A condition can't take a part of a text or list. Use matches, startsWith, or filter."
	case *ast.SequenceNode:
		return "Write one condition. Join conditions with and."
	case *ast.BuiltinNode:
		if !slices.Contains(Functions, n.Name) {
			return explainUnknown(n.Name, "known here", "The functions are", Functions)
		}
		if n.Name == "trim" && len(n.Arguments) > 1 {
			return "Call trim with one text, of which it removes the spaces around."
		}
	case *ast.BinaryNode:
		return refusedOperator(n)
	}
	return ""
}

func refusedOperator(n *ast.BinaryNode) string {
	switch n.Operator {
	case "..":
		return "A condition can't make a list of numbers."
	case "matches":
		pattern, is := n.Right.(*ast.StringNode)
		if !is {
			return "Write the pattern after matches as a text in quotes."
		}
		tree, err := syntax.Parse(pattern.Value, syntax.Perl)
		if err != nil {
			return fmt.Sprintf("Fix this regular expression: %v.", err)
		}
		if regex.Effort(tree) > mostEffort {
			return "This regular expression is too large: its repetitions make too many parts."
		}
	}
	return ""
}

// checkTypes refuses what the types of values show: the sum of texts, which can grow without end,
// the comparison of lists and groups, and keys that are only known when a condition is evaluated.
func checkTypes(text string, root ast.Node) error {
	var first *Error
	ast.Walk(&root, visit(func(node ast.Node) {
		if message := refusedTypes(node); message != "" && first == nil {
			first = &Error{offsetOf(text, node.Location().From), message}
		}
	}))
	if first == nil {
		return nil
	}
	return first
}

func refusedTypes(node ast.Node) string {
	switch n := node.(type) {
	case *ast.MemberNode:
		if _, isWritten := n.Property.(*ast.StringNode); !isWritten && n.Node.Nature().Strict {
			return "Write the key itself."
		}
		if isUnknown(n.Node) || isUnknown(n.Property) {
			return "This can be values of several types. Take a key or an element of a value of one type."
		}
	case *ast.BinaryNode:
		left, right := n.Left.Type().Kind(), n.Right.Type().Kind()
		switch n.Operator {
		case "+":
			if !isNumber(left) && !isExtreme(n.Left) || !isNumber(right) && !isExtreme(n.Right) {
				return "A condition can only add numbers. Compare texts one by one."
			}
		case "==", "!=":
			if isCollection(left) || isCollection(right) {
				return "Compare single values, such as the len of a list."
			}
		case "in":
			if isCollection(left) {
				return "Compare single values, such as the len of a list."
			}
		}
	}
	return ""
}

// isUnknown reports whether it is only known when a condition is evaluated what type a value has.
func isUnknown(n ast.Node) bool { return n.Type().Kind() == reflect.Interface }

func isNumber(k reflect.Kind) bool     { return k == reflect.Int || k == reflect.Float64 }
func isCollection(k reflect.Kind) bool { return k == reflect.Map || k == reflect.Slice }

// explainTypes returns the error of a check of types, and for an unknown name those that are known.
func explainTypes(text string, root ast.Node, err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return &Error{Message: sentence(err.Error())}
	}
	e := &Error{offsetOf(text, at.From), sentence(at.Message)}
	ast.Walk(&root, visit(func(node ast.Node) {
		member, is := node.(*ast.MemberNode)
		if !is || member.Property.Location().From != at.From || !strings.HasPrefix(at.Message, "unknown field") {
			return
		}
		key := member.Property.(*ast.StringNode).Value
		var known []string
		for field := range member.Node.Nature().Fields {
			known = append(known, field)
		}
		e.Message = explainUnknown(key, "a key here", "The keys are", known)
	}))
	if name, is := strings.CutPrefix(at.Message, "unknown name "); is {
		e.Message = explainUnknown(name, "known here", "The variables are", Names)
		if isCalled(root, at.From) {
			e.Message = explainUnknown(name, "known here", "The functions are", Functions)
		}
	}
	return e
}

// isCalled reports whether the name at a place of an expression is that of a function.
func isCalled(root ast.Node, from int) bool {
	found := false
	ast.Walk(&root, visit(func(node ast.Node) {
		call, is := node.(*ast.CallNode)
		found = found || is && call.Callee.Location().From == from
	}))
	return found
}

// explainUnknown says that a name is unknown, and which one was probably meant, or all of them.
func explainUnknown(name, is, all string, known []string) string {
	known = slices.Sorted(slices.Values(known))
	message := schema.Quote(name) + " is not " + is + "."
	if advice := schema.DidYouMean(name, known); advice != "" {
		return message + advice
	}
	return message + " " + all + " " + schema.Or(known, "and") + "."
}

// Quote returns a text as a literal of the language, which has no line breaks. It is in NFC, because
// no other text is equal to one of a document.
func Quote(text string) string {
	text = norm.NFC.String(text)
	needsEscape := func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }
	if strings.ContainsFunc(text, needsEscape) {
		return strconv.Quote(text)
	}
	return "`" + text + "`"
}

// placed returns an error of the library as an *Error.
func placed(text string, err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return &Error{Message: sentence(err.Error())}
	}
	return &Error{offsetOf(text, at.From), sentence(at.Message)}
}

// typeWords are the words for types of values.
var typeWords = map[string]string{
	"string": "text", "int": "number", "float64": "number", "bool": "true or false", "interface {}": "value",
	"[]interface {}": "list", "[]string": "list", "[]uint8": "list",
	"map[string]interface {}": "group of keys", "map[string]string": "group of keys",
}

var (
	typeNames = lazy.Expr(`(?:map\[string\]|\[\])?(?:interface \{\}|\b(?:string|float64|int|uint8|bool)\b)`)
	tokenForm = lazy.Expr(`token \w+\((".*")\)`)
)

// inWords returns a message of the library with words for types of values.
func inWords(message string) string {
	return typeNames().ReplaceAllStringFunc(message, func(name string) string { return cmp.Or(typeWords[name], name) })
}

// sentence returns a message of the library as a sentence.
func sentence(message string) string {
	switch got, isResult := strings.CutPrefix(message, "expected bool, but got "); {
	case isResult:
		return "The result must be true or false, but it is a " + inWords(got) + "."
	case strings.HasPrefix(message, "unexpected token EOF"):
		message = "the end comes too early"
	case strings.Contains(message, "exceeds maximum allowed nodes"):
		message = fmt.Sprintf("it has more than %d parts", mostNodes)
	}
	message = tokenForm().ReplaceAllString(inWords(message), "$1")
	return "This is not a condition: " + strings.TrimRight(message, " .") + "."
}

// offsetOf returns the offset in bytes of a character of a text.
func offsetOf(text string, character int) int {
	for offset := range text {
		if character == 0 {
			return offset
		}
		character--
	}
	return max(0, len(text)-1)
}
