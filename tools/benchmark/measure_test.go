package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		reason string
		values []float64
		want   float64
	}{
		{"one value is its own median", []float64{3}, 3},
		{"of an odd number the one in the middle, however far out the others are", []float64{900, 1, 3}, 3},
		{"of an even number the mean of both in the middle", []float64{4, 900, 1, 2}, 3},
	} {
		if got := median(c.values); got != c.want {
			t.Errorf("%s: median(%v) = %v, want %v", c.reason, c.values, got, c.want)
		}
	}
}

func TestRatioIsTakenPairByPair(t *testing.T) {
	wall := metrics[0]
	costs := func(seconds ...int) []cost {
		var all []cost
		for _, s := range seconds {
			all = append(all, cost{wall: time.Duration(s) * time.Second})
		}
		return all
	}
	// The machine was ten times slower during the second pair.
	if got := wall.ratio(costs(2, 20, 2), costs(1, 10, 1)); got != 2 {
		t.Errorf("the ratio is %v, want 2", got)
	}
}

func TestMeasure(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not here")
	}
	c := must.Get(measure([]string{goTool, "version"}))(t)
	if c.wall <= 0 || c.cpu <= 0 || c.cpu > time.Minute {
		t.Errorf("`go version` took %v, %v of them on a processor", c.wall, c.cpu)
	}
	if runtime.GOOS == "linux" && (c.memory < 1<<20 || c.memory > 1<<30) {
		t.Errorf("`go version` took %d bytes of memory", c.memory)
	}
	if _, err := measure([]string{goTool, "no-such-command"}); err == nil {
		t.Error("a command that failed was measured")
	}
}

// BenchmarkLint is lint.Run as rubric-lint calls it, for profiles:
//
//	go test -C tools ./benchmark -run '^$' -bench Lint -benchmem -cpuprofile cpu.prof -memprofile mem.prof
func BenchmarkLint(b *testing.B) {
	const rubrics = 2000
	dir := b.TempDir()
	must.Do(b, generateLibrary(dir, 0, rubrics))
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for b.Loop() {
		must.Get(lint.Run(os.DirFS(dir), rules.All(), lint.Options{}))(b)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/rubrics, "µs/rubric")
}

// BenchmarkFamilies measures the rules of each family alone, on top of reading and
// parsing, so that a slow rule is noticed when it is added. What several families use,
// such as the words of a text, counts in each of them.
func BenchmarkFamilies(b *testing.B) {
	const rubrics = 2000
	dir := b.TempDir()
	must.Do(b, generateLibrary(dir, 0, rubrics))
	cpu := func(b *testing.B, run []*lint.Rule) time.Duration {
		before := cpuTime()
		must.Get(lint.Run(os.DirFS(dir), run, lint.Options{}))(b)
		return cpuTime() - before
	}
	var families []lint.Family
	byFamily := map[lint.Family][]*lint.Rule{}
	for _, r := range rules.All() {
		if byFamily[r.Family] == nil {
			families = append(families, r.Family)
		}
		byFamily[r.Family] = append(byFamily[r.Family], r)
	}
	for _, family := range append([]lint.Family{"no rules"}, families...) {
		b.Run(string(family), func(b *testing.B) {
			sum := time.Duration(0)
			for b.Loop() {
				sum += cpu(b, byFamily[family])
				if family != "no rules" {
					sum -= cpu(b, nil)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(sum.Microseconds())/float64(b.N)/rubrics, "µs-CPU/rubric")
		})
	}
}
