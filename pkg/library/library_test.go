package library_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestOpenFile(t *testing.T) {
	name, digest := file(t)
	l, err := library.Open(name, library.WithDigest(digest))
	if err != nil {
		t.Fatal(err)
	}
	if l.Digest() != digest || l.Version() != "1.4.0" {
		t.Errorf("the bundle is %s, version %s", l.Digest(), l.Version())
	}
	r, err := l.Rubric(t.Context(), "story_v1", "")
	if err != nil || r.Version != "1.10.0" {
		t.Fatalf("the latest version is %v, %v", r, err)
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}
	if _, err := l.Rubric(t.Context(), "story_v1", ""); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed library says %v", err)
	}
	if _, err := l.Search(library.Query{}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed library says %v", err)
	}
	if _, err := l.Resolve("story_v1", ""); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed library says %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	name, digest := file(t)
	data := must.Get(os.ReadFile(name))(t)
	changed := bytes.Replace(data, []byte(`"format_version":2`), []byte(`"format_version":3`), 1)
	var integrity *library.IntegrityError
	var format *library.FormatError
	for _, c := range []struct {
		reason string
		data   []byte
		digest string
		as     any
		says   string
	}{
		{"another digest", data, "sha256:" + strings.Repeat("0", 64), &integrity, "expected sha256:000"},
		{"nothing", nil, digest, &format, "0 bytes"},
		{"cut off", data[:len(data)-30], digest, &integrity, "Download it again"},
		{"a manifest that was changed", changed, digest, &integrity, "manifest.json"},
		{"a format to come", nextFormat(t), digest, &format, "Install version 7.8.9 or later"},
	} {
		broken := filepath.Join(t.TempDir(), "broken.zip")
		must.Do(t, os.WriteFile(broken, c.data, 0o666))
		_, err := library.Open(broken, library.WithDigest(c.digest))
		if !errors.As(err, c.as) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %T %v", c.reason, err, err)
		}
	}
	if _, err := library.Open(filepath.Join(t.TempDir(), "none.zip")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
	if _, err := library.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "OpenDir") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := library.Open(name, library.WithDigest("")); err == nil || !strings.Contains(err.Error(), `expected digest must be`) {
		t.Errorf("an empty digest: %v", err)
	}
	if _, err := library.Open(name, library.WithDigest("abc")); err == nil {
		t.Error("an invalid digest was accepted")
	}
}

// nextFormat is the start of a bundle of format 2.
func nextFormat(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	manifest := []byte(`{"format_version":3,"reader_version":"7.8.9"}`)
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: "manifest.json", CRC32: crc32.ChecksumIEEE(manifest),
		CompressedSize64: uint64(len(manifest)), UncompressedSize64: uint64(len(manifest)),
	})
	if err == nil {
		_, err = w.Write(manifest)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestChangedDocumentIsRefused changes a byte of a document after the library is opened.
func TestChangedDocumentIsRefused(t *testing.T) {
	data, digest := bundle(t, sample())
	l := openData(t, data, library.WithDigest(digest))
	data[bytes.Index(data, []byte("rubrics/plan_v1/1.0.0.json{"))+40] ^= 1
	var e *library.IntegrityError
	if _, err := l.Rubric(t.Context(), "plan_v1", "1.0.0"); !errors.As(err, &e) || !strings.Contains(err.Error(), "Download it again") {
		t.Errorf("the changed rubric gives %v", err)
	}
	if _, err := l.Rubric(t.Context(), "story_v1", "1.2.0"); err != nil {
		t.Errorf("another rubric gives %v", err)
	}
}

// counter counts the bytes that are read from a bundle.
type counter struct {
	io.ReaderAt
	mu    sync.Mutex
	bytes int
}

func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	c.mu.Lock()
	c.bytes += len(p)
	c.mu.Unlock()
	return c.ReaderAt.ReadAt(p, at)
}

func TestExactVersionReadsOneDocumentOnce(t *testing.T) {
	data, _ := bundle(t, sample())
	c := &counter{ReaderAt: bytes.NewReader(data)}
	l := must.Get(library.NewReader(c, int64(len(data))))(t)
	defer l.Close()
	var document int
	for i := range 3 {
		c.bytes = 0
		must.Get(l.Rubric(t.Context(), "story_v1", "1.2.0"))(t)
		if i == 0 {
			document = c.bytes
		} else if c.bytes > 0 {
			t.Errorf("a document that was read before is read again: %d bytes", c.bytes)
		}
	}
	if document == 0 || document > 2500 {
		t.Errorf("one document of about 1 KB took %d bytes of a bundle of %d", document, len(data))
	}
}

func TestContextThatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := open(t).Rubric(ctx, "story_v1", ""); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("the result is %v, %v", r, err)
	}
}

// TestManyGoroutines is for the race detector: it calls all methods concurrently, while
// callers modify their results.
func TestManyGoroutines(t *testing.T) {
	l := open(t)
	want := must.Get(open(t).Rubric(t.Context(), "story_v1", ""))(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				r, err := l.Rubric(t.Context(), "story_v1", "")
				if diff := cmp.Diff(want, r); err != nil || diff != "" {
					t.Errorf("%v %s", err, diff)
					return
				}
				r.Criteria[0].Name, r.NegativeCriteria[0].FailPatterns[0] = "changed", "changed"
				r.Metadata["owner"] = "changed"
				if s, err := l.RuleSet(t.Context(), "api_v1", "^1"); err != nil || *s.Rules[0].Checks[0].MinCount != 2 {
					t.Error("the rule set was changed")
				} else {
					*s.Rules[0].Checks[0].MinCount = 7
				}
				found, err := l.Search(library.Query{Text: "story", IncludeRetired: true, IncludeDeprecated: true})
				if err != nil || found[0].Versions[0].Version == "changed" {
					t.Error("the entries were changed")
				}
				found[0].Versions[0].Version = "changed"
				if _, err := l.Rubric(t.Context(), "storey_v1", ""); err == nil {
					t.Error("an unknown ID was found")
				}
			}
		})
	}
	wg.Wait()
}

func TestCloseWhileInUse(t *testing.T) {
	name, _ := file(t)
	l := must.Get(library.Open(name))(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				if _, err := l.Rubric(t.Context(), "story_v1", "~1.2"); err != nil {
					if !errors.Is(err, fs.ErrClosed) {
						t.Errorf("closing gives %v", err)
					}
					return
				}
			}
		})
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}

// TestIndexThatDisagrees changes the index: before the library is opened, opening fails; after, the
// index is that of the digest.
func TestIndexThatDisagrees(t *testing.T) {
	data, _ := bundle(t, sample())
	lib := openData(t, data)
	copy(data[bytes.Index(data, []byte(`"id":"draft_v1"`)):], `"id":"draft_v2"`)
	var e *library.IntegrityError
	if _, err := library.NewReader(bytes.NewReader(data), int64(len(data))); !errors.As(err, &e) {
		t.Errorf("a changed index is opened: %v", err)
	}
	if found, err := lib.Search(library.Query{}); err != nil || len(found) != 4 {
		t.Errorf("the index that was opened has %v, %v", found, err)
	}
	must.Get(lib.Rubric(t.Context(), "draft_v1", ""))(t)
}

func TestConsumersGetNoGitAndNoTelemetry(t *testing.T) {
	for _, c := range []struct {
		pkg       string
		forbidden []string
	}{
		{".", []string{"go-git", "opentelemetry", "cobra"}},
		{"./libraryotel", []string{"go-git", "otel/sdk", "cobra"}},
	} {
		out := must.Get(exec.Command("go", "list", "-deps", c.pkg).Output())(t)
		for name := range strings.Lines(string(out)) {
			for _, word := range c.forbidden {
				if strings.Contains(name, word) {
					t.Errorf("%s pulls in %s", c.pkg, name)
				}
			}
		}
	}
}
