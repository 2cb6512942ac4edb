// Command benchmark measures the commands of this repository from a user's
// perspective: whole processes on a generated library, compared with an alternative
// tool. It prints tables with ratios and sets no limits: the exit code is 0 unless
// something could not run. Only retrieve has a limit: the specification (RL-07)
// defines how long a retrieval may take.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const usage = `Usage:
  go run -C tools ./benchmark lint [-n 10000] [-growth 1000,10000,100000] [-runs 5]
        compare rubric-lint with ajv validate, and measure how it grows
  go run -C tools ./benchmark history [-n 10000] [-commits 200] [-lengths 4,500,2000] [-runs 20]
        compare rubric-diff and rubric-lint --audit with git, and rubric-diff in histories of other lengths
  go run -C tools ./benchmark build [-n 5000] [-runs 5]
        compare rubric build with rubric-lint
  go run -C tools ./benchmark retrieve [-n 10000] [-times 1000] [-goroutines 8]
        retrieve rubrics from bundles; fails if the 99th percentile is 10 ms or more
  go run -C tools ./benchmark open [-n 10000] [-runs 20]
        compare a program that opens a bundle and prints a rubric with unzip -p
  go run -C tools ./benchmark memory [-n 50000] [-limit 3]
        measure the peak memory of rubric serve as a multiple of its bundle, with GOMEMLIMIT and without
  go run -C tools ./benchmark generate -n N DIR
        write a library of N rubrics into the new folder DIR, an absolute path`

func main() {
	err := run(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return // the flags were shown
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("a benchmark is required\n" + usage)
	}
	switch args[0] {
	case "lint":
		return runLint(args[1:])
	case "history":
		return runHistory(args[1:])
	case "build":
		return runBuild(args[1:])
	case "retrieve":
		return runRetrieve(args[1:])
	case "open":
		return runOpen(args[1:])
	case "memory":
		return runMemory(args[1:])
	case "generate":
		return runGenerate(args[1:])
	}
	return fmt.Errorf("unknown benchmark %q\n%s", args[0], usage)
}

func runLint(args []string) error {
	var b lintBenchmark
	flags := flag.NewFlagSet("lint", flag.ContinueOnError)
	n := flags.Int("n", 10_000, "number of rubrics in the compared library")
	growth := flags.String("growth", "1000,10000,100000",
		"sizes of the libraries that show the growth, separated by commas; empty for none")
	flags.IntVar(&b.runs, "runs", 5, "number of runs of each command")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *n < 1 || b.runs < 1 || flags.NArg() > 0 {
		return errors.New("lint takes no arguments, and -n and -runs must be at least 1")
	}
	b.size = *n
	var err error
	if b.growth, err = numbers(*growth, 1); err != nil {
		return fmt.Errorf("-growth: %w", err)
	}
	return b.run()
}

// numbers reads a list of numbers, separated by commas.
func numbers(list string, least int) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least {
			return nil, fmt.Errorf("%q is not a number of at least %d", text, least)
		}
		all = append(all, n)
	}
	return all, nil
}

func runHistory(args []string) error {
	var b historyBenchmark
	flags := flag.NewFlagSet("history", flag.ContinueOnError)
	flags.IntVar(&b.size, "n", 10_000, "number of rubrics in the library")
	flags.IntVar(&b.commits, "commits", 200, "number of commits, each of which changes one rubric")
	lengths := flags.String("lengths", "4,500,2000",
		"numbers of commits of further histories, separated by commas; empty for none")
	flags.IntVar(&b.runs, "runs", 20, "number of runs of each command")
	err := flags.Parse(args)
	if err != nil {
		return err
	}
	if b.lengths, err = numbers(*lengths, differing); err != nil {
		return fmt.Errorf("-lengths: %w", err)
	}
	if b.size < 1 || b.commits < differing || b.runs < 1 || flags.NArg() > 0 {
		return fmt.Errorf("history takes no arguments, -n and -runs must be at least 1, and -commits at least %d", differing)
	}
	return b.run()
}

func runBuild(args []string) error {
	var b buildBenchmark
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.IntVar(&b.size, "n", 5_000, "number of rubrics in the library")
	flags.IntVar(&b.runs, "runs", 5, "number of runs of each command")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.size < 1 || b.runs < 1 || flags.NArg() > 0 {
		return errors.New("build takes no arguments, and -n and -runs must be at least 1")
	}
	return b.run()
}

func runRetrieve(args []string) error {
	var b retrieveBenchmark
	flags := flag.NewFlagSet("retrieve", flag.ContinueOnError)
	flags.IntVar(&b.size, "n", 10_000, "number of rubrics in the large library")
	flags.IntVar(&b.times, "times", 1000, "number of retrievals of one rubric; from the large library, each rubric is retrieved three times on average")
	flags.IntVar(&b.goroutines, "goroutines", 8, "number of goroutines that share the large library")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.size < 1 || b.times < 100 || b.goroutines < 1 || flags.NArg() > 0 {
		return errors.New("retrieve takes no arguments; -n and -goroutines must be at least 1, and -times at least 100")
	}
	return b.run()
}

func runOpen(args []string) error {
	var b openBenchmark
	flags := flag.NewFlagSet("open", flag.ContinueOnError)
	flags.IntVar(&b.size, "n", 10_000, "number of rubrics in the bundle")
	flags.IntVar(&b.runs, "runs", 20, "number of runs of each program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.size < 1 || b.runs < 1 || flags.NArg() > 0 {
		return errors.New("open takes no arguments, and -n and -runs must be at least 1")
	}
	return b.run()
}

func runMemory(args []string) error {
	var b memoryBenchmark
	flags := flag.NewFlagSet("memory", flag.ContinueOnError)
	flags.IntVar(&b.size, "n", 50_000, "number of rubrics in the bundle")
	flags.IntVar(&b.limit, "limit", 3, "GOMEMLIMIT, as a multiple of the bundle")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.limit < 1 || flags.NArg() > 0 {
		return errors.New("memory takes no arguments, and -limit must be at least 1")
	}
	return b.run()
}

func runGenerate(args []string) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	n := flags.Int("n", 10_000, "number of rubrics")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *n < 1 {
		return errors.New("generate takes one folder, and -n must be at least 1")
	}
	dir := flags.Arg(0)
	// An existing folder could contain other rubrics.
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	return generateLibrary(dir, 0, *n)
}
