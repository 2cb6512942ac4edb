package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestLargeFilesAreNotCut: a dataset can be larger than any file that a command line
// names, and an import keeps all of it. A table that is too large is not read in part.
func TestLargeFilesAreNotCut(t *testing.T) {
	const largest = 16 << 20 // that a file on the command line can be
	t.Chdir(t.TempDir())
	writeHostileLibraries(t, "x")
	importTable := func(table string, want int) {
		t.Helper()
		must.Do(t, os.WriteFile("table.csv", []byte(table), 0o600))
		var out strings.Builder
		args := []string{"calibrate", "import", "--library", "texts", "--dataset", "large", "--rubric", "good_v1", "--labeled-by", "people", "--method", "Alone", "--license", "CC0-1.0", "table.csv"}
		if code := command.Main(Rubric, args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }}); code != want {
			t.Fatalf("import exits with %d, want %d: %s", code, want, out.String())
		}
	}
	importTable("item,artifact\ni000,One\n", command.ExitOK)

	const file = "texts/calibration/large/items.jsonl"
	var items strings.Builder
	for i := range 20 {
		fmt.Fprintf(&items, "{\"id\":\"i%03d\",\"artifact\":\"%s\",\"labels\":{}}\n", i, strings.Repeat("x", largest/18))
	}
	must.Do(t, os.WriteFile(file, []byte(items.String()), 0o600))
	const label = "item,rater,clarity\ni000,r3,4\n"
	importTable(label, command.ExitOK)
	importTable(label+strings.Repeat(",,\n", largest/3)+"i001,r3,5\n", command.ExitFailure)
	want := strings.Replace(items.String(), `"labels":{}`, `"labels":{"r3":{"clarity":4}}`, 1)
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%d bytes became %d, error %v", len(want), len(got), err)
	}
}
