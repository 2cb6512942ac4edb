// Package lint checks a library: the engine that runs lint rules, what a rule is and
// sees, and the findings that come out. It has no rule itself: packages below rules
// have those. It reads from an fs.FS and prints nothing.
//
// It may import the groups that docs/development.md lists below it.
package lint
