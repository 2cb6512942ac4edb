package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]int64{
		"rubrics/prd/a_v1.yaml": MaxDocument, "rubrics/prd/a_v1.YML": MaxDocument, "rubrics/retired.yaml": MaxDocument,
		".rubric-lint.yaml": MaxDocument, ".rubric-lint-baseline.json": MaxRun, "schema/rubric.schema.json": MaxRun,
		"calibration/x/items.jsonl": MaxDataset, ".github/CODEOWNERS": MaxOwners,
		"README.md": MaxOther, "": MaxOther, "yaml": MaxOther,
	} {
		if got := Limit(name); got != want {
			t.Errorf("Of(%q) = %d, want %d", name, got, want)
		}
	}
}

func TestReadFile(t *testing.T) {
	fsys := fstest.MapFS{
		"most.yaml": {Data: make([]byte, MaxDocument)}, "more.yaml": {Data: make([]byte, MaxDocument+1)}, "empty.yaml": {},
	}
	for name, want := range map[string]int{"most.yaml": MaxDocument, "empty.yaml": 0} {
		if data, err := ReadFile(fsys, name); len(data) != want || data == nil || err != nil {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	_, err := ReadFile(fsys, "more.yaml")
	if e, ok := errors.AsType[*TooLargeError](err); !ok || *e != (TooLargeError{"more.yaml", MaxDocument + 1, MaxDocument}) {
		t.Errorf("more.yaml: %v", err)
	}
	if _, err := ReadFile(fsys, "gone.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone.yaml: %v", err)
	}
}

// TestReadWithoutASize reads an endless stream, such as a pipe or a growing file.
func TestReadWithoutASize(t *testing.T) {
	if _, err := Read(endless{}, "a.yaml", 10); !IsTooLarge(err) || !strings.Contains(err.Error(), "the limit is 262144") {
		t.Errorf("without an end: %v", err)
	}
	failure := errors.New("input/output error")
	if _, err := Read(iotest.ErrReader(failure), "a.yaml", 0); !errors.Is(err, failure) {
		t.Errorf("a disk that fails: %v", err)
	}
	if data, err := Read(iotest.OneByteReader(strings.NewReader("abc")), "a.yaml", 1); string(data) != "abc" || err != nil {
		t.Errorf("byte by byte: %q, %v", data, err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestLimitsAreDescribed checks that the page has each limit.
func TestLimitsAreDescribed(t *testing.T) {
	data := must.Get(os.ReadFile("../../../docs/gate.md"))(t)
	_, rows, _ := strings.Cut(string(data), "## Limits")
	for row, limit := range map[string]int64{
		"a document, ": MaxDocument, "`.rubric-lint.yaml`": MaxDocument, "`.rubric-lint-baseline.json`": MaxRun, "items, ": MaxDataset,
		"`CODEOWNERS`": MaxOwners, "any other file": MaxOther, "a commit ": MaxCommit, "the list of one folder": MaxTree,
	} {
		_, line, _ := strings.Cut(rows, "\n| "+row)
		line, _, _ = strings.Cut(line, "\n")
		want := fmt.Sprintf(" %d MiB", limit>>20)
		if limit < 1<<20 {
			want = fmt.Sprintf(" %d KiB", limit>>10)
		}
		if !strings.Contains(line, want) {
			t.Errorf("docs/gate.md says %q of %s, want%s", line, row, want)
		}
	}
	if want := fmt.Sprintf("%d MiB a line", MaxLine>>20); !strings.Contains(rows, want) {
		t.Errorf("docs/gate.md does not say %q", want)
	}
}
