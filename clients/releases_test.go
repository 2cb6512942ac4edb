package clients_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// writeReleases writes bundles to a folder and returns it. In each, the latest version of story_v1 is
// that of the library, which is also the name of the file:
//
//   - 1.4.0, 1.5.0, and 1.6.0 are consecutive, and so are other-1.4.0, other-1.5.0, and other-1.6.0 of
//     another library.
//   - yanked-1.5.0 continues 1.4.0, whose version of the rubric it yanks, and unyanked-1.6.0
//     continues it without the yank.
//   - incomplete-1.6.0 continues 1.5.0 without what every build writes.
func writeReleases(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, l bundletest.Library) (digest string) {
		t.Helper()
		var out bytes.Buffer
		digest = must.Get(bundletest.Write(&out, l))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, name+".zip"), out.Bytes(), 0o666))
		return digest
	}
	versions := []string{"1.4.0", "1.5.0", "1.6.0"}
	for _, prefix := range []string{"", "other-"} {
		l := bundletest.Library{Verifiable: true}
		for i, version := range versions {
			text := scripttest.Rubric("story_v1", version, "jira_tickets")
			if prefix != "" {
				text = strings.Replace(text, "name: ", "name: Another ", 1)
			}
			l.Version, l.Documents = version, append(l.Documents, text)
			before := l.Previous
			l.Previous = write(prefix+version, l)
			if prefix == "" && version == "1.5.0" {
				yank := l
				yank.Previous = before
				yank.Ledger = "retired: []\nyanked:\n  - {id: story_v1, version: 1.4.0, reason: It failed good work.}\n"
				yanked := write("yanked-1.5.0", yank)
				next := l
				next.Version, next.Previous = "1.6.0", yanked
				next.Documents = append(l.Documents[:i+1:i+1], scripttest.Rubric("story_v1", "1.6.0", "jira_tickets"))
				write("unyanked-1.6.0", next)
				next.Verifiable, next.Previous = false, l.Previous
				write("incomplete-1.6.0", next)
			}
		}
	}
	return dir
}
