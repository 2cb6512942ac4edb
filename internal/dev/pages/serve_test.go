package pages_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release/serve"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// callBlock matches calls in a page, and the answer that it shows.
var callBlock = regexp.MustCompile("(?s)```sh\n(curl .*?)```(?:\n\n```json\n(.*?)```)?")

// TestServePageRuns sends the requests of docs/serve.md to a server with the shipped rubric,
// and compares the answers that the page shows.
func TestServePageRuns(t *testing.T) {
	if out, err := exec.Command("curl", "--version").Output(); err != nil || !bytes.HasPrefix(out, []byte("curl ")) {
		t.Skip("curl is not installed")
	}
	text := scripttest.Text(t, "rubrics/jira_tickets/user_story_quality_v1.yaml")
	judges := map[string][]bundlefile.Judge{"user_story_quality_v1": {bundletest.Judge("large", "gpt-large-2026-01", 0.9), bundletest.Judge("mini", "gpt-mini-2026-01", 0.81)}}
	var data bytes.Buffer
	must.Get(bundletest.Write(&data, bundletest.Library{Verifiable: true, Documents: []string{text}, Judges: judges}))(t)
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	must.Do(t, os.WriteFile(path, data.Bytes(), 0o666))
	live, err := library.Follow(t.Context(), library.File(path), library.WithAnyDigest(), library.WithAudit(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	handler := serve.New("")
	handler.Use(live)
	server := httptest.NewServer(handler)
	defer server.Close()
	calls := callBlock.FindAllStringSubmatch(scripttest.Text(t, "docs/serve.md"), -1)
	if len(calls) < 5 {
		t.Fatalf("the page has %d calls", len(calls))
	}
	for _, call := range calls {
		commands := strings.ReplaceAll(call[1], "http://127.0.0.1:7070", server.URL)
		out, err := exec.Command("sh", "-ec", commands).Output()
		if err != nil {
			t.Errorf("%s%v\n%s", call[1], err, out)
		}
		if call[2] == "" {
			if bytes.Contains(out, []byte(`"title"`)) {
				t.Errorf("%sgives a problem: %s", call[1], out)
			}
			continue
		}
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(call[2])); err != nil {
			t.Fatalf("%s: %v", call[2], err)
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(want.String()), "…", "[0-9a-f]{64}")
		if !regexp.MustCompile(`\A` + pattern + `\z`).Match(out) {
			t.Errorf("%sgives\n%s\nwant\n%s", call[1], out, &want)
		}
	}
}
