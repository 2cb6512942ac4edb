package serve

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Defaults for a run among the other tests. For a measurement:
//
//	go test ./internal/release/serve -run TestServeUnderLoad -v -load-rubrics 1000 -load-duration 1m
var (
	loadRubrics  = flag.Int("load-rubrics", 50, "number of rubrics in the library of TestServeUnderLoad")
	loadDuration = flag.Duration("load-duration", 2*time.Second, "duration of TestServeUnderLoad")
	loadRate     = flag.Int("load-rate", 200, "requests per second of TestServeUnderLoad")
	loadReload   = flag.Duration("load-reload", 100*time.Millisecond, "time between two bundles of TestServeUnderLoad")
	loadP99      = flag.Duration("load-p99", 0, "the slowest P99 that TestServeUnderLoad accepts; 0 accepts any")
)

// load is a run of TestServeUnderLoad.
type load struct {
	*started
	releases [2]string         // paths of bundles
	want     map[string]string // digests of latest versions by release and ID
	files    string            // address of the same documents as files
	errors   atomic.Int64
}

// fail reports a wrong answer, and only counts the later ones.
func (l *load) fail(format string, args ...any) {
	if l.errors.Add(1) <= 5 {
		l.Errorf(format, args...)
	}
}

func loadID(i int) string { return fmt.Sprintf("story_%d_v1", i) }

// newLoad starts a server that follows two consecutive releases in turn, and a file server
// with the documents of the second.
func newLoad(t *testing.T) *load {
	t.Helper()
	l := &load{want: map[string]string{}}
	content, folder := bundletest.Library{Version: "1.4.0", Verifiable: true}, t.TempDir()
	filler := strings.Repeat("A clerk archives an invoice so that the audit finds it. ", 60) // about 5 KB in all
	for release, version := range []string{"1.0.0", "1.1.0"} {
		for i := range *loadRubrics {
			if i%10 == 0 || release == 0 {
				content.Documents = append(content.Documents, strings.Replace(rubricOf(loadID(i), version, "stories"), "Make it better.", filler, 1)+negative)
			}
		}
		l.releases[release] = filepath.Join(t.TempDir(), "release.zip")
		var data bytes.Buffer
		digest, err := bundletest.Write(&data, content)
		if err == nil {
			err = os.WriteFile(l.releases[release], data.Bytes(), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		if release == 0 {
			l.started = start(t, content, library.WithDowngrades(), library.WithInterval(*loadReload/2), library.WithAudit(auditTo(io.Discard)))
		}
		lib := must.Get(library.Open(l.releases[release]))(t)
		defer lib.Close()
		for i := range *loadRubrics {
			ref := must.Get(lib.Resolve(loadID(i), ""))(t)
			l.want[content.Version+loadID(i)] = `"` + ref.Digest + `"`
			body := l.send("GET", "/v1/documents/"+loadID(i)+"?version=1.0.0", "").body
			must.Do(t, os.WriteFile(filepath.Join(folder, loadID(i)), body, 0o666))
		}
		content.Version, content.Previous = "1.5.0", digest
	}
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(files.Close)
	l.files = files.URL + "/"
	return l
}

// TestServeUnderLoad gets random documents at a constant rate while the bundle changes, and
// the same files from a bare file server, in turn for a fifth of a second each. Times count
// from when a request was due, so that a slow answer hides no other. No answer may be wrong,
// and neither memory nor goroutines may grow.
func TestServeUnderLoad(t *testing.T) {
	l := newLoad(t)
	stop := make(chan struct{})
	var background sync.WaitGroup
	background.Go(func() { l.reload(stop) })
	background.Go(func() { l.mixed(stop) })
	var served, bare []time.Duration
	var first, last usage
	for start := time.Now(); time.Since(start) < *loadDuration; {
		served = append(served, l.burst(l.url+"/v1/documents/", true)...)
		bare = append(bare, l.burst(l.files, false)...)
		if first.heap == 0 && time.Since(start) > *loadDuration/10 {
			first = used()
		}
	}
	last = used()
	close(stop)
	background.Wait()
	slices.Sort(served)
	slices.Sort(bare)
	at := func(times []time.Duration, part float64) time.Duration { return times[int(part*float64(len(times)-1))] }
	t.Logf("%d rubrics, %d requests/s: %d requests, P50 %s, P99 %s, slowest %s; files P50 %s, P99 %s, slowest %s; ratio of P50 %.1f, of P99 %.1f; errors %d; heap %d KB and %d KB, goroutines %d and %d",
		*loadRubrics, *loadRate, len(served), at(served, .5), at(served, .99), at(served, 1), at(bare, .5), at(bare, .99), at(bare, 1),
		float64(at(served, .5))/float64(at(bare, .5)), float64(at(served, .99))/float64(at(bare, .99)), l.errors.Load(), first.heap>>10, last.heap>>10, first.goroutines, last.goroutines)
	if p99 := at(served, .99); *loadP99 > 0 && p99 > *loadP99 {
		t.Errorf("the P99 is %s, more than %s", p99, *loadP99)
	}
	if last.heap > 2*first.heap+32<<20 || last.goroutines > first.goroutines+50 {
		t.Errorf("the use grows from %+v to %+v", first, last)
	}
}

type usage struct {
	heap       uint64
	goroutines int
}

// used returns what is in use without idle connections.
func used() usage {
	client.CloseIdleConnections()
	time.Sleep(100 * time.Millisecond) // until both ends are closed
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return usage{memory.HeapAlloc, runtime.NumGoroutine()}
}

// reload publishes the releases in turn.
func (l *load) reload(stop <-chan struct{}) {
	for release := 1; ; release = 1 - release {
		next := l.path + ".next"
		if err := os.Link(l.releases[release], next); err != nil {
			l.fail("%v", err)
		}
		if err := os.Rename(next, l.path); err != nil {
			l.fail("%v", err)
		}
		select {
		case <-stop:
			return
		case <-time.After(*loadReload):
		}
	}
}

// burst sends requests at the rate for a fifth of a second, and returns their times.
func (l *load) burst(address string, tagged bool) []time.Duration {
	requests := max(*loadRate/5, 1)
	times := make([]time.Duration, requests)
	var wg sync.WaitGroup
	start := time.Now()
	for i := range requests {
		due := start.Add(time.Second * time.Duration(i) / time.Duration(*loadRate))
		time.Sleep(time.Until(due))
		wg.Go(func() {
			l.get(address, loadID(rand.IntN(*loadRubrics)), tagged)
			times[i] = time.Since(due)
		})
	}
	wg.Wait()
	return times
}

// get gets a document and checks its content.
func (l *load) get(address, id string, tagged bool) {
	response, err := client.Get(address + id)
	if err != nil {
		l.fail("%v", err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	tag := response.Header.Get("ETag")
	if err != nil || response.StatusCode != http.StatusOK {
		l.fail("%s%s: %s, %v", address, id, response.Status, err)
	} else if tagged && (tag != `"`+digestOf(body)+`"` || tag != l.want["1.4.0"+id] && tag != l.want["1.5.0"+id]) {
		l.fail("%s has the tag %s and the digest %s", id, tag, digestOf(body))
	}
}

// mixed sends about 50 other requests a second, and checks their answers.
func (l *load) mixed(stop <-chan struct{}) {
	for i := 0; ; i++ {
		id := loadID(i % *loadRubrics)
		for _, c := range []struct {
			method, path, body string
			status             int
			has                string
		}{
			{"POST", "/v1/documents/" + id + "/verdict?version=1.0.0", `{"scores":{"clarity":3.5},"hits":[]}`, 200, `"reference":"` + id + "@1.0.0#" + strings.Trim(l.want["1.4.0"+id], `"`) + `","passed":true`},
			{"POST", "/v1/documents/" + id + "/hits", `{"text":"Pens etc."}`, 200, `"names":["vague"]`},
			{"GET", "/v1/documents/story_x_v1", "", 404, `"similar"`},
			{"GET", "/v1/search?q=clarity", "", 200, `"id":"` + id + `"`},
			{"GET", "/metrics", "", 200, "rubric_total_count"},
		} {
			r, err := http.NewRequest(c.method, l.url+c.path, strings.NewReader(c.body))
			if err != nil {
				l.fail("%v", err)
				continue
			}
			r.Header.Set("Content-Type", "application/json")
			response, err := client.Do(r)
			if err != nil {
				l.fail("%v", err)
				continue
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err != nil || response.StatusCode != c.status || !bytes.Contains(body, []byte(c.has)) {
				l.fail("%s %s: %s, %v\n%.300s", c.method, c.path, response.Status, err, body)
			}
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}
