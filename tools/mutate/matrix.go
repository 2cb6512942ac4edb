package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// printMatrix prints how many mutants each test or subtest kills. A test is not needed if
// others that stay kill all of them too; those that kill the fewest are left out first.
func printMatrix(out io.Writer, cases []string, kills map[string]map[int]bool, keep *regexp.Regexp) {
	for name := range kills { // tests that end the program run, but their subtests don't
		if !slices.Contains(cases, name) {
			cases = append(cases, name)
		}
	}
	killers := map[int]int{} // how many tests that stay kill a mutant
	for _, name := range cases {
		for id := range kills[name] {
			killers[id]++
		}
	}
	alone := func(name string) (n int) {
		for id := range kills[name] {
			if killers[id] == 1 {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(cases, func(a, b string) int { return cmp.Compare(len(kills[a]), len(kills[b])) })
	only := map[string]int{}
	for _, name := range cases {
		only[name] = alone(name)
	}
	for _, name := range cases {
		note := ""
		if alone(name) == 0 && !keep.MatchString(name) {
			note = ": not needed"
			for id := range kills[name] {
				killers[id]--
			}
		}
		fmt.Fprintf(out, "%d killed, %d by it alone  %s%s\n", len(kills[name]), only[name], name, note)
	}
}
