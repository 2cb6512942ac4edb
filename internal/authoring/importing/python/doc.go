// Package python finds the strings in a Python module, such as the prompts of a judge.
//
// It promises: it runs nothing, and each string literal is found with its line and the names of
// what has it, also in a module that Python would not accept.
package python
