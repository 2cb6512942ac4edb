package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
)

// memoryBenchmark measures how much memory `rubric serve` takes when it starts and when it takes up
// two releases, as a multiple of the bundle.
type memoryBenchmark struct {
	size  int // of the library, in rubrics
	limit int // GOMEMLIMIT, as a multiple of the bundle
}

// releases is the number of bundles that are served, one after the other.
const releases = 3

func (b *memoryBenchmark) run() error {
	if runtime.GOOS != "linux" {
		return errors.New("only Linux tells the peak memory of a process that runs")
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
	program, err := build(root, dir, "./cmd/rubric")
	if err != nil {
		return err
	}
	bundles, size, err := writeReleases(dir, b.size)
	if err != nil {
		return err
	}
	fmt.Printf("%d × %s, %s\n\n%d rubrics, bundles of %.0f MB: peak memory, as a multiple of a bundle\n\n",
		runtime.NumCPU(), processor(), runtime.Version(), b.size, float64(size)/1e6)
	fmt.Printf("| source | GOMEMLIMIT | start | first new release | second |\n|---|---|---|---|---|\n")
	for _, source := range []string{"file", "https"} {
		for _, limit := range []int64{int64(b.limit) * size, 0} {
			s := served{
				program: program, bundles: bundles, file: filepath.Join(dir, "served.zip"),
				limit: limit, overHTTP: source == "https",
			}
			peaks, err := s.peaks()
			if err != nil {
				return err
			}
			b.printRow(source, limit, peaks, size)
		}
	}
	return nil
}

// printRow prints the peaks of a source with a limit of memory, as multiples of the size of a bundle.
func (b *memoryBenchmark) printRow(source string, limit int64, peaks []int64, size int64) {
	set := "none"
	if limit > 0 {
		set = fmt.Sprintf("%d bundles", b.limit)
	}
	fmt.Printf("| %s | %s |", source, set)
	for _, peak := range peaks {
		fmt.Printf(" %.1f |", float64(peak)/float64(size))
	}
	fmt.Println()
}

// writeReleases writes consecutive releases, each with a new version of one rubric, and returns
// their paths and the size of the first one in bytes.
func writeReleases(dir string, n int) (bundles []string, size int64, err error) {
	if n < releases || n > maxRubrics {
		return nil, 0, fmt.Errorf("-n must be from %d to %d", releases, maxRubrics)
	}
	l := bundletest.Library{Verifiable: true}
	for number := range n {
		l.Documents = append(l.Documents, string(generateEdition(number, 0)))
	}
	for i := range releases {
		l.Version = fmt.Sprintf("1.%d.0", i)
		bundles = append(bundles, filepath.Join(dir, l.Version+".zip"))
		if l.Previous, err = writeLibrary(bundles[i], l); err != nil {
			return nil, 0, err
		}
		l.Documents = append(l.Documents, string(generateEdition(i, 1)))
	}
	info, err := os.Stat(bundles[0])
	if err != nil {
		return nil, 0, err
	}
	return bundles, info.Size(), nil
}

// served is a server that gets bundles, one after the other.
type served struct {
	program, file string
	bundles       []string
	limit         int64 // of its memory, in bytes, or 0
	overHTTP      bool
}

// peaks returns the peak memory of the server in bytes after each bundle.
func (s *served) peaks() (peaks []int64, err error) {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	if err := s.replace(0); err != nil {
		return nil, err
	}
	from := s.file
	if s.overHTTP {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		server := &http.Server{Handler: http.HandlerFunc(s.serveFile)}
		defer server.Close()
		go func() { _ = server.Serve(listener) }() // until it is closed
		from = "http://" + listener.Addr().String()
	}
	cmd := exec.CommandContext(ctx, s.program, "serve", from, "--listen", "127.0.0.1:0", "--interval", "2s")
	if s.limit > 0 {
		cmd.Env = append(os.Environ(), "GOMEMLIMIT="+strconv.FormatInt(s.limit, 10))
	}
	log, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() { stop(); _ = cmd.Wait() }() // it is killed
	return s.peaksOf(cmd.Process.Pid, bufio.NewScanner(log))
}

// peaksOf returns the peak memory of a server that runs after each bundle, which its log names.
func (s *served) peaksOf(pid int, lines *bufio.Scanner) (peaks []int64, err error) {
	for i := range s.bundles {
		if i > 0 {
			if err := s.replace(i); err != nil {
				return nil, err
			}
		}
		if err := awaits(lines, fmt.Sprintf("1.%d.0", i)); err != nil {
			return nil, err
		}
		peak, err := peakOf(pid)
		if err != nil {
			return nil, err
		}
		peaks = append(peaks, peak)
	}
	return peaks, nil
}

// replace replaces the file by a bundle.
func (s *served) replace(i int) error {
	next := s.file + ".next"
	if err := os.Link(s.bundles[i], next); err != nil {
		return err
	}
	return os.Rename(next, s.file)
}

// serveFile serves the file with an ETag, as web servers do.
func (s *served) serveFile(w http.ResponseWriter, r *http.Request) {
	target, err := os.Stat(s.file)
	if err == nil {
		w.Header().Set("ETag", fmt.Sprintf(`"%d-%d"`, target.ModTime().UnixNano(), target.Size()))
	}
	http.ServeFile(w, r, s.file)
}

// awaits reads the log until a bundle of a version is in use.
func awaits(lines *bufio.Scanner, version string) error {
	for lines.Scan() {
		var line struct {
			Level, Msg, Error string
			Version           string `json:"bundle_version"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("rubric serve: %s", lines.Text())
		}
		if line.Level != "INFO" {
			return fmt.Errorf("rubric serve: %s: %s", line.Msg, line.Error)
		}
		if line.Version == version {
			return nil
		}
	}
	return errors.Join(lines.Err(), fmt.Errorf("rubric serve: version %s is not in use: %w", version, io.ErrUnexpectedEOF))
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// peakOf returns the peak resident memory of a running process in bytes.
func peakOf(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	kB := highWater.FindSubmatch(status)
	if kB == nil {
		return 0, errors.New("the kernel does not tell the peak memory of a process")
	}
	n, err := strconv.ParseInt(string(kB[1]), 10, 64)
	return n << 10, err
}
