// Package rules has the commands that apply rule sets.
package rules
