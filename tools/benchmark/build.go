package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// buildBenchmark compares rubric build, which writes the bundle of a library and verifies it, with
// rubric-lint, which only checks the library.
type buildBenchmark struct {
	size int // of the library, in rubrics
	runs int
}

func (b *buildBenchmark) run() error {
	work, err := os.MkdirTemp("", "rubric-benchmark-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	rubric, err := build(root, work, "./cmd/rubric")
	if err != nil {
		return err
	}
	lint, err := build(root, work, "./cmd/rubric-lint")
	if err != nil {
		return err
	}
	if err := withoutSettings(); err != nil {
		return err
	}
	repo := filepath.Join(work, "library")
	if err := generateHistory(repo, b.size, differing); err != nil {
		return err
	}
	if err := os.Chdir(repo); err != nil {
		return err
	}
	bundle := filepath.Join(work, "bundle.zip")
	costs, err := inTurn(b.runs, []string{rubric, "build", "-o", bundle, "--first-release"}, []string{lint})
	if err != nil {
		return err
	}
	fmt.Printf("%d × %s, %s\n\n%d rubrics, %d runs in turn: median (smallest to largest)\n\n",
		runtime.NumCPU(), processor(), runtime.Version(), b.size, b.runs)
	fmt.Printf("| | rubric build | rubric-lint | ratio |\n|---|---|---|---|\n")
	for _, m := range metrics {
		fmt.Printf("| %s | %s | %s | %.2f |\n", m.name, m.format(costs[0]), m.format(costs[1]), m.ratio(costs[0], costs[1]))
	}
	return nil
}
