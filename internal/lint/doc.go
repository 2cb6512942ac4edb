// Package lint checks a library. It has the engine that runs lint rules, the types of
// rules and of what they see, and the findings. The rules themselves are in the packages
// below rules. It reads from an fs.FS and prints nothing.
//
// It may import the rooms that docs/development/development.md lists below it.
package lint
