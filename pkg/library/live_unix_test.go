//go:build unix

package library_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestLiveOnAFullDisk limits the size of files, so that saving fails in the middle.
func TestLiveOnAFullDisk(t *testing.T) {
	// In this process, the limit would also apply to the log that `go test` keeps.
	if os.Getenv("FULL_DISK") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLiveOnAFullDisk$")
		cmd.Env = append(os.Environ(), "FULL_DISK=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	good := consecutive("1.4.0", "1.5.0")
	path, folder := filepath.Join(t.TempDir(), "rubrics.zip"), t.TempDir()
	put(t, path, good[0].data)
	live := follow(t, path, library.WithAnyDigest(), library.WithLastGood(folder))
	put(t, path, good[1].data)

	var limit syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	small := limit
	small.Cur = 1000
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	err := live.Check(t.Context())
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("the error is %v", err)
	}
	uses(t, live, "1.5.0")
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if saved, err := os.ReadFile(filepath.Join(folder, "last.zip")); err != nil || !bytes.Equal(saved, good[0].data) {
		t.Errorf("the last good bundle was changed: %v", err)
	}
	if err := live.Check(t.Context()); err != nil {
		t.Errorf("after there is room again, the error is %v", err)
	}
	if saved, err := os.ReadFile(filepath.Join(folder, "last.zip")); err != nil || !bytes.Equal(saved, good[1].data) {
		t.Errorf("the bundle was not saved later: %v", err)
	}
}

// cpu is the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	var usage syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkLiveSwap replaces a bundle by the next or the previous one, of which a tenth
// differs, and computes the SHA-256 of the same bytes. The number of rubrics is that of
// TestLiveUnderLoad.
func BenchmarkLiveSwap(b *testing.B) {
	paths, _ := large(b, *liveRubrics)
	path := filepath.Join(b.TempDir(), "rubrics.zip")
	replace(b, paths[0], path)
	live := follow(b, path, library.WithAnyDigest(), library.WithDowngrades(), library.WithLastGood(b.TempDir()))
	var swaps, sums time.Duration
	for n := 0; b.Loop(); n++ {
		replace(b, paths[1-n%2], path)
		start := cpu(b)
		must.Do(b, live.Check(b.Context()))
		swaps += cpu(b) - start
		data := must.Get(os.ReadFile(path))(b)
		read := cpu(b)
		sha256.Sum256(data)
		sums += cpu(b) - read
	}
	b.ReportMetric(swaps.Seconds()/float64(b.N), "swap-s")
	b.ReportMetric(float64(swaps)/float64(sums), "swap/sha256")
}
