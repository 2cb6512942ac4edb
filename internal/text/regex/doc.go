// Package regex groups the analysis of regular expressions: whether an expression
// means the same in Go, Python, and JavaScript, and whether a backtracking engine
// can hang on it. It imports no other package of the project.
package regex
