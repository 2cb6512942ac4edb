// Command statements reports statements that hide another one: a call of cmp.Or of which two
// arguments do something, and an if or switch that sets what its condition does not use. It also
// reports functions and types that are too large to be read at once, and lines that are too long.
//
//	go vet -vettool="$(go tool -C tools -n statements)" ./...
package main

import "golang.org/x/tools/go/analysis/multichecker"

// own is the module whose functions are read to find out what they change.
const own = "github.com/rubric-library/rubric-library"

func main() { multichecker.Main(cmpOr(own), header(), size(), lines()) }
