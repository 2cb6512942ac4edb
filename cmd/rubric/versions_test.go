package main

import "testing"

func TestPageOfVersionsRuns(t *testing.T) {
	runPage(t, "docs/versions.md", clone(t), nil)
}
