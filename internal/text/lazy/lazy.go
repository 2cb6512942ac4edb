// Package lazy has regular expressions that are compiled when they are first used.
// Compiling those of all packages when a process starts would take longer than most
// commands.
package lazy

import (
	"regexp"
	"sync"
)

// Expr returns a function that returns the compiled expression, which must be valid.
func Expr(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
