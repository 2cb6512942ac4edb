package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// lintBenchmark compares rubric-lint, which reads a library and runs all lint rules,
// with ajv-cli, which reads it and only checks the JSON Schema, and with Spectral, which
// also runs rules.
type lintBenchmark struct {
	size   int   // of the library of the comparison, in rubrics
	growth []int // sizes of further libraries, which only rubric-lint checks
	runs   int

	root   string // of the repository
	work   string // a temporary folder
	binary string // rubric-lint
}

// command checks the library in dir. It fails on a warning, too, because the benchmark
// is for libraries without findings.
func (b *lintBenchmark) command(dir string) []string {
	return []string{b.binary, "--fail-level", "warning", dir}
}

func (b *lintBenchmark) run() (err error) {
	ajv, err := installAJV()
	if err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "rubric-benchmark-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.root, err = moduleRoot(); err != nil {
		return err
	}
	if b.binary, err = build(b.root, b.work, "./cmd/rubric-lint"); err != nil {
		return err
	}
	fmt.Printf("%d × %s, %s, node %s, ajv-cli %s with ajv %s\n",
		runtime.NumCPU(), processor(), runtime.Version(), ajv.node, ajvCLIVersion, ajvVersion)
	if err := b.compareOwnRules(); err != nil {
		return err
	}
	schema := filepath.Join(b.root, "schema", "rubric.schema.json")
	validate := func(dir string) []string { return ajv.command(schema, dir) }
	if err := b.compare("ajv validate", b.size, validate); err != nil {
		return err
	}
	if command, err := installSpectral(schema); err != nil {
		fmt.Printf("\nSpectral is left out: %v\n", err)
	} else if err := b.compare("Spectral "+spectralVersion, min(b.size, spectralSize), command); err != nil {
		return err
	}
	return b.grow()
}

// spectralSize is the size of the library for Spectral, which is slow.
const spectralSize = 500

// compare runs both commands alternately on the same library.
func (b *lintBenchmark) compare(name string, size int, other func(dir string) []string) error {
	dir := filepath.Join(b.work, "compared")
	if err := generateLibrary(dir, 0, size); err != nil {
		return err
	}
	mb, err := librarySize(dir)
	if err != nil {
		return err
	}
	costs, err := inTurn(b.runs, b.command(dir), other(dir))
	if err != nil {
		return err
	}
	fmt.Printf("\n%d rubrics, %.1f MB, %d runs in turn: median (smallest to largest)\n\n", size, mb, b.runs)
	fmt.Printf("| | rubric-lint | %s | ratio |\n|---|---|---|---|\n", name)
	for _, m := range metrics {
		fmt.Printf("| %s | %s | %s | %.2f |\n", m.name, m.format(costs[0]), m.format(costs[1]), m.ratio(costs[0], costs[1]))
	}
	return os.RemoveAll(dir)
}

// grow measures rubric-lint on a library that grows from size to size.
func (b *lintBenchmark) grow() error {
	if len(b.growth) == 0 {
		return nil
	}
	fmt.Printf("\n| rubrics | MB | wall time | CPU time | peak memory | wall time per 1,000 |\n|---|---|---|---|---|---|\n")
	dir, there := filepath.Join(b.work, "growing"), 0
	for _, n := range slices.Compact(slices.Sorted(slices.Values(b.growth))) {
		if err := generateLibrary(dir, there, n); err != nil {
			return err
		}
		there = n
		size, err := librarySize(dir)
		if err != nil {
			return err
		}
		costs, err := inTurn(b.runs, b.command(dir))
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %.1f |", n, size)
		for _, m := range metrics {
			fmt.Printf(" %s |", m.format(costs[0]))
		}
		fmt.Printf(" %.3f s |\n", median(metrics[0].values(costs[0]))*1000/float64(n))
	}
	return nil
}

// librarySize returns the size of all files below dir in MB (a million bytes).
func librarySize(dir string) (mb float64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			mb += float64(info.Size()) / 1e6
		}
		return err
	})
	return mb, err
}

// processor returns the model of the processor if the system reports it.
func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range bytes.Lines(data) {
		if name, ok := bytes.CutPrefix(line, []byte("model name")); ok {
			return strings.Trim(string(name), " \t:\n")
		}
	}
	return runtime.GOARCH
}
