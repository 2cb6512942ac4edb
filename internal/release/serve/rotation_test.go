package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestRotationLosesNoRecord renames the audit file again and again while clients get documents. In
// all files together, each document that was returned has one record.
func TestRotationLosesNoRecord(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "audit.jsonl")
	log := must.Get(safefile.OpenLog(path, 0o600))(t)
	defer log.Close()
	s := start(t, sample(), library.WithAudit(auditTo(log)))
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	var clients sync.WaitGroup
	returned := make(chan string, 100_000)
	for client := range 4 {
		clients.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				r := httptest.NewRequest("GET", "/v1/documents/story_v1", nil)
				r.Header.Set("X-Request-ID", fmt.Sprint(client, "-", i))
				w := httptest.NewRecorder()
				s.server.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					t.Errorf("%s", w.Body)
					return
				}
				returned <- r.Header.Get("X-Request-ID")
			}
		})
	}
	rotations := 0
	for ; ctx.Err() == nil; rotations++ {
		must.Do(t, os.Rename(path, fmt.Sprintf("%s.%d", path, rotations)))
		if rotations%2 == 0 {
			if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600); err == nil { // else the server was first
				must.Do(t, f.Close())
			}
		}
		for _, err := os.Stat(path); err != nil && ctx.Err() == nil; _, err = os.Stat(path) {
			time.Sleep(time.Millisecond)
		}
	}
	clients.Wait()
	close(returned)
	records := map[string]int{}
	for _, file := range must.Get(filepath.Glob(path + "*"))(t) {
		for line := range strings.Lines(string(must.Get(os.ReadFile(file))(t))) {
			var record struct {
				ID string `json:"request_id"`
			}
			must.Do(t, json.Unmarshal([]byte(line), &record))
			records[record.ID]++
		}
	}
	answers := 0
	for id := range returned {
		answers++
		if records[id] != 1 {
			t.Errorf("%s has %d records", id, records[id])
		}
	}
	t.Logf("%d answers, %d rotations", answers, rotations)
	if answers < 20 || rotations < 5 || len(records) != answers {
		t.Errorf("%d answers, %d records, and %d rotations", answers, len(records), rotations)
	}
}
