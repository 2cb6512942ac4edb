package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// cost is the cost of one run of a process.
type cost struct {
	wall   time.Duration
	cpu    time.Duration // in user and kernel mode
	memory int64         // peak resident memory in bytes, or 0 if unknown
}

// measure runs a command to its end and discards its output. It is an error if the
// exit code is not 0, because the command did something else then.
//
// Linux counts the parent's memory at the start of a child as the child's, so this
// program must stay small: it has only one rubric in memory.
func measure(command []string) (cost, error) {
	cmd := exec.Command(command[0], command[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%.2000s", cmd, err, &stderr)
	}
	state := cmd.ProcessState
	return cost{wall: wall, cpu: state.UserTime() + state.SystemTime(), memory: peakMemory(state)}, nil
}

// inTurn runs each command once to warm up, then all of them in turn, and returns the
// costs by command.
func inTurn(runs int, commands ...[]string) ([][]cost, error) {
	costs := make([][]cost, len(commands))
	for i := range runs + 1 {
		for j, command := range commands {
			c, err := measure(command)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				costs[j] = append(costs[j], c)
			}
		}
	}
	return costs, nil
}

// moduleRoot returns the folder of the measured module, which is the repository.
func moduleRoot() (string, error) {
	const module = "github.com/rubric-library/rubric-library"
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", module, err)
	}
	return strings.TrimSpace(string(dir)), nil
}

// build builds a program of the module in root into the folder dir, as releases are built.
func build(root, dir, pkg string) (binary string, err error) {
	binary = filepath.Join(dir, path.Base(pkg))
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", binary, pkg)
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not build: %w\n%s", pkg, err, out)
	}
	return binary, nil
}

// metric is one side of a cost.
type metric struct {
	name, unit string
	of         func(cost) float64
}

var metrics = []metric{
	{"wall time", "s", func(c cost) float64 { return c.wall.Seconds() }},
	{"CPU time", "s", func(c cost) float64 { return c.cpu.Seconds() }},
	{"peak memory", "MB", func(c cost) float64 { return float64(c.memory) / 1e6 }},
}

// values returns the values of a metric in several costs.
func (m metric) values(costs []cost) []float64 {
	values := make([]float64, len(costs))
	for i, c := range costs {
		values[i] = m.of(c)
	}
	return values
}

// format returns the median of several costs with the smallest and the largest.
func (m metric) format(costs []cost) string {
	values := m.values(costs)
	return fmt.Sprintf("%.2f %s (%.2f to %.2f)", median(values), m.unit, slices.Min(values), slices.Max(values))
}

// ratio returns the median of a over b by pairs: a temporary disturbance of the
// machine affects both values of a pair.
func (m metric) ratio(a, b []cost) float64 {
	ratios := m.values(a)
	for i, v := range m.values(b) {
		ratios[i] /= v
	}
	return median(ratios)
}

// median returns the middle value, or the mean of the two middle values.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
