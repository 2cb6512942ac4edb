package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// openBenchmark compares whole processes that print one rubric of a bundle: a program
// with pkg/library and the command rubric, which verify digests, and unzip, which verifies
// checksums.
type openBenchmark struct {
	size, runs int
}

func (b *openBenchmark) run() error {
	if _, err := exec.LookPath("unzip"); err != nil {
		fmt.Println("unzip is not installed. Install it and run the benchmark again.")
		return nil
	}
	dir, err := os.MkdirTemp("", "rubric-benchmark-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	program, err := build(filepath.Join(root, "tools"), dir, "./benchmark/printone")
	if err != nil {
		return err
	}
	command, err := build(root, dir, "./cmd/rubric")
	if err != nil {
		return err
	}
	bundle := filepath.Join(dir, "rubrics.zip")
	digest, err := writeBundle(bundle, b.size)
	if err != nil {
		return err
	}
	_, _, id := names(b.size / 2)
	version, err := latest(bundle, id)
	if err != nil {
		return err
	}
	return b.compare([][]string{
		{"unzip", "-p", bundle, "rubrics/" + id + "/" + version + ".json"},
		{program, bundle, digest, id, version},
		{program, bundle, digest, id, ""},
		{command, "get", bundle, id},
		{command, "version"},
	})
}

// compare prints the time of each command, and its ratio to the first.
func (b *openBenchmark) compare(commands [][]string) error {
	costs, err := inTurn(b.runs, commands...)
	if err != nil {
		return err
	}
	fmt.Printf("%d × %s, %s\n\n%d rubrics, %d runs in turn: median (smallest to largest)\n\n",
		runtime.NumCPU(), processor(), runtime.Version(), b.size, b.runs)
	fmt.Printf("| | wall time | of unzip -p |\n|---|---|---|\n")
	wall := metrics[0]
	for i, name := range []string{
		"unzip -p", "pkg/library, exact version", "pkg/library, latest version",
		"rubric get, latest version", "rubric version",
	} {
		ms := wall.values(costs[i])
		fmt.Printf("| %s | %.1f ms (%.1f to %.1f) | %.2f |\n", name, 1e3*median(ms), 1e3*slices.Min(ms),
			1e3*slices.Max(ms), wall.ratio(costs[i], costs[0]))
	}
	return nil
}

// latest returns the latest version of a document.
func latest(bundle, id string) (version string, err error) {
	lib, err := library.Open(bundle)
	if err != nil {
		return "", err
	}
	ref, err := lib.Resolve(id, "")
	return ref.Version, errors.Join(err, lib.Close())
}
