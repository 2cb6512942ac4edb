//go:build unix

package bundles

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestAPipeIsNoFileOfHeaders: nothing waits for a writer, which can't be interrupted.
func TestAPipeIsNoFileOfHeaders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "headers")
	must.Do(t, syscall.Mkfifo(file, 0o600))
	source := &private{file: file, open: address("http://localhost:1")}
	if _, _, err := source.Fetch(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "--header-file: "+file) || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a named pipe gives %v", err)
	}
}
