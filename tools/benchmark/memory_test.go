package main

import (
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestPeaksOfAServer measures a server that takes up small releases.
func TestPeaksOfAServer(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("it builds the program and reads /proc")
	}
	dir := t.TempDir()
	program := must.Get(build(must.Get(moduleRoot())(t), dir, "./cmd/rubric"))(t)
	bundles, size, err := writeReleases(dir, releases)
	if err != nil {
		t.Fatal(err)
	}
	for _, overHTTP := range []bool{false, true} {
		s := served{program: program, bundles: bundles, file: filepath.Join(dir, "served.zip"), limit: 100 << 20, overHTTP: overHTTP}
		peaks := must.Get(s.peaks())(t)
		if len(peaks) != releases || !slices.IsSorted(peaks) || peaks[0] < size {
			t.Errorf("bundles of %d bytes, over HTTP %v: the peaks are %d", size, overHTTP, peaks)
		}
	}
}
