package main

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestTwoEffectsInOneOrAreReported(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), cmpOr("own"), "own/or")
}

func TestHeadersThatTheConditionDoesNotUseAreReported(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), header(), "header")
}

func TestLargeFunctionsAndTypesAreReported(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), size(), "size")
}

func TestLongLinesAreReported(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), lines(), "lines")
}
