package library_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, data, 0o666))
}

// follow follows a file without checking it in the background.
func follow(t testing.TB, path string, opts ...library.Option) *library.Live {
	t.Helper()
	live := must.Get(library.Follow(t.Context(), library.File(path), append(opts, library.WithInterval(time.Hour))...))(t)
	t.Cleanup(func() {
		if err := live.Close(); err != nil {
			t.Error(err)
		}
	})
	return live
}

// uses checks which release is in use.
func uses(t *testing.T, live *library.Live, version string) {
	t.Helper()
	d, err := live.Get(t.Context(), "story_v1", "")
	if err != nil || d.Rubric.Version != version || live.Current().Version() != version {
		t.Errorf("library %s gives %v, %v, want version %s", live.Current().Version(), d, err, version)
	}
}

func TestLiveRefusesBrokenSources(t *testing.T) {
	good := consecutive("1.4.0", "1.5.0", "1.6.0")
	changed := bytes.Replace(good[2].data, []byte("Neither actor"), []byte("neither actor"), 1)
	incomplete, _ := bundle(t, bundletest.Library{Version: "1.6.0", Previous: good[1].digest, Documents: []string{rubricOf("story_v1", "1.6.0")}})
	unusable, _ := bundle(t, bundletest.Library{Verifiable: true, Version: "1.6.0", Previous: good[1].digest, Documents: []string{
		ruleSetOf("api_v1", "1.0.0"), rubricOf("story_v1", "1.4.0"), rubricOf("story_v1", "1.5.0"), strings.Replace(rubricOf("story_v1", "1.6.0"), "  - name: vague\n", "  - name: vague\n    fail_patterns: [a]\n  - name: vague\n", 1),
	}})
	otherKind, _ := bundle(t, bundletest.Library{
		Verifiable: true, Version: "1.6.0", Previous: good[1].digest, Documents: []string{ruleSetOf("api_v1", "1.0.0"), ruleSetOf("story_v1", "2.0.0")},
		Tombstones: []bundlefile.Omission{{ID: "story_v1", Version: "1.4.0", Reason: "r"}, {ID: "story_v1", Version: "1.5.0", Reason: "r"}},
	})
	var integrity *library.IntegrityError
	var format *library.FormatError
	var continuity *library.ContinuityError
	for _, c := range []struct {
		reason string
		data   []byte // nil for a folder
		as     any
	}{
		{"cut", good[2].data[:len(good[2].data)/2], &integrity},
		{"empty", []byte{}, &format},
		{"an error page", []byte("<html>Bad gateway</html>"), &format},
		{"a changed byte in a document that nobody requested", changed, &integrity},
		{"without what every build writes", incomplete, &integrity},
		{"a new document that no program can apply", unusable, &integrity},
		{"an older release", good[0].data, &continuity},
		{"another library that claims a higher version", another("1.4.0", "1.6.0")[1].data, &continuity},
		{"the first release of another line", consecutive("1.6.0")[0].data, &continuity},
		{"the same version with another content", another("1.4.0", "1.5.0")[1].data, &continuity},
		{"another kind of document with the ID of withdrawn versions", otherKind, &continuity},
		{"a folder", nil, nil},
	} {
		path := filepath.Join(t.TempDir(), "rubrics.zip")
		put(t, path, good[1].data)
		live := follow(t, path, library.WithDigest(good[1].digest))
		confirmed := live.Status().Confirmed
		must.Do(t, os.Remove(path))
		if err := live.Check(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: without a file, the error is %v", c.reason, err)
		}
		if c.data == nil {
			must.Do(t, os.Mkdir(path, 0o777))
		} else {
			put(t, path, c.data)
		}
		err := live.Check(t.Context())
		if err == nil || c.as != nil && !errors.As(err, c.as) || !strings.Contains(err.Error(), "keeping the last good bundle") {
			t.Errorf("%s: the error is %T %v", c.reason, err, err)
		}
		if s := live.Status(); s.Err == nil || s.Confirmed != confirmed {
			t.Errorf("%s: the status is %v", c.reason, s)
		}
		uses(t, live, "1.5.0")
		must.Do(t, os.RemoveAll(path))
		put(t, path, good[2].data)
		if err := live.Check(t.Context()); err != nil || !live.Status().Confirmed.After(confirmed) {
			t.Errorf("%s: the next release is refused: %v", c.reason, err)
		}
		uses(t, live, "1.6.0")
	}
}

func TestLiveGoesBackOnlyIfAllowed(t *testing.T) {
	good := consecutive("1.4.0", "1.5.0")
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	put(t, path, good[1].data)
	live := follow(t, path, library.WithAnyDigest(), library.WithDowngrades())
	put(t, path, another("1.4.0")[0].data)
	var continuity *library.ContinuityError
	if err := live.Check(t.Context()); !errors.As(err, &continuity) {
		t.Errorf("an earlier release of another library gives %v", err)
	}
	uses(t, live, "1.5.0")
	for i, version := range []string{"1.4.0", "1.5.0"} {
		put(t, path, good[i].data)
		if err := live.Check(t.Context()); err != nil {
			t.Error(err)
		}
		uses(t, live, version)
	}
}

func TestFollowRefuses(t *testing.T) {
	good := consecutive("1.4.0")
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	put(t, path, good[0].data)
	old := openData(t, good[0].data)
	other := "sha256:" + strings.Repeat("0", 64)
	for _, c := range []struct {
		reason, path string
		opts         []library.Option
		says         string
	}{
		{"no digest", path, nil, "WithAnyDigest"},
		{"an empty digest", path, []library.Option{library.WithDigest("")}, `got ""`},
		{"a digest and any digest", path, []library.Option{library.WithDigest(other), library.WithAnyDigest()}, "either"},
		{"another digest", path, []library.Option{library.WithDigest(other)}, "expected " + other},
		{"no source", path + "2", []library.Option{library.WithAnyDigest()}, "no such file"},
		{"no interval", path, []library.Option{library.WithAnyDigest(), library.WithInterval(0)}, "above 0"},
		{"no folder", path, []library.Option{library.WithAnyDigest(), library.WithLastGood("")}, "WithLastGood must not be empty"},
		{"an earlier bundle", path, []library.Option{library.WithAnyDigest(), library.WithAfter(old)}, "Remove WithAfter"},
	} {
		if live, err := library.Follow(t.Context(), library.File(c.path), c.opts...); live != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", c.reason, live, err)
		}
	}
	for _, opt := range []library.Option{
		library.WithAnyDigest(), library.WithDowngrades(), library.WithLastGood(t.TempDir()), library.WithInterval(time.Minute),
	} {
		if _, err := library.Open(path, opt); err == nil || !strings.Contains(err.Error(), "option of Follow") {
			t.Errorf("Open gives %v", err)
		}
	}
}

func TestLiveAfterClose(t *testing.T) {
	good := consecutive("1.4.0", "1.5.0")
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	put(t, path, good[0].data)
	live := follow(t, path, library.WithDigest(good[0].digest))
	held := live.Current()
	if err := held.Close(); err != nil { // by mistake
		t.Error(err)
	}
	uses(t, live, "1.4.0")
	put(t, path, good[1].data)
	if err := live.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	if d, err := held.Get(t.Context(), "story_v1", ""); err != nil || d.Rubric.Version != "1.4.0" {
		t.Errorf("the library that was held gives %v, %v", d, err)
	}
	if _, err := live.Get(t.Context(), "story_v1", ""); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close, Get gives %v", err)
	}
	if err := live.Check(t.Context()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close, Check gives %v", err)
	}
}

// stalled is a source that never answers.
type stalled struct{}

func (stalled) Fetch(ctx context.Context, _ string) ([]byte, string, error) {
	<-ctx.Done()
	return nil, "", ctx.Err()
}

func TestLiveStartsFromLastGood(t *testing.T) {
	good := consecutive("1.4.0", "1.5.0", "1.6.0")
	path, folder := filepath.Join(t.TempDir(), "rubrics.zip"), filepath.Join(t.TempDir(), "new", "folder")
	opts := []library.Option{library.WithDigest(good[0].digest), library.WithLastGood(folder)}
	put(t, path, good[0].data)
	live := follow(t, path, opts...)
	put(t, path, good[1].data)
	must.Do(t, live.Check(t.Context()))
	last := filepath.Join(folder, "last.zip")
	restart := func(reason, version string, opts ...library.Option) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		live, err := library.Follow(ctx, stalled{}, opts...)
		if version == "" {
			if err == nil {
				t.Errorf("%s: it starts with %s", reason, live.Current().Version())
			}
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		defer live.Close()
		if s := live.Status(); !errors.Is(s.Err, context.DeadlineExceeded) || time.Since(s.Confirmed) > time.Minute {
			t.Errorf("%s: the status is %v", reason, s)
		}
		uses(t, live, version)
	}
	restart("the source is down", "1.5.0", opts...)
	restart("the source is down, any digest", "1.5.0", library.WithAnyDigest(), library.WithLastGood(folder))
	restart("another digest was pinned", "", library.WithDigest(good[2].digest), library.WithLastGood(folder))

	second := []library.Option{library.WithDigest(good[1].digest), library.WithLastGood(folder)}
	restart("the last bundle was pinned", "1.5.0", second...)
	put(t, path, good[2].data)
	uses(t, follow(t, path, second...), "1.6.0")
	restart("the source has moved on from the last bundle, which was pinned", "1.6.0", second...)
	put(t, path, good[0].data)
	uses(t, follow(t, path, opts...), "1.4.0") // the pin and the source went back
	put(t, path, good[1].data)
	uses(t, follow(t, path, opts...), "1.5.0")

	put(t, path, good[0].data)
	back := follow(t, path, opts...)
	uses(t, back, "1.5.0")
	if back.Status().Err == nil {
		t.Error("after a restart, the source went back, and nothing is reported")
	}
	put(t, last, another("1.4.0", "1.5.0")[1].data)
	restart("the last bundle is of another library", "1.4.0", opts...)
	put(t, last, good[1].data[:1000])
	restart("the last bundle is damaged", "1.4.0", opts...)

	put(t, path, good[2].data)
	uses(t, follow(t, path, library.WithDigest(good[2].digest), library.WithLastGood(folder)), "1.6.0")
	put(t, path, good[1].data)
	uses(t, follow(t, path, library.WithDigest(good[1].digest), library.WithLastGood(folder)), "1.5.0")
	restart("the pin went back to an earlier release", "1.5.0", library.WithDigest(good[1].digest), library.WithLastGood(folder))
}

func TestLiveReportsAFolderThatCannotBeWritten(t *testing.T) {
	good := consecutive("1.4.0", "1.5.0")
	path, folder := filepath.Join(t.TempDir(), "rubrics.zip"), filepath.Join(t.TempDir(), "folder")
	put(t, path, good[0].data)
	put(t, folder, []byte("not a folder"))
	live := follow(t, path, library.WithAnyDigest(), library.WithLastGood(folder))
	uses(t, live, "1.4.0")
	put(t, path, good[1].data)
	for range 2 {
		if err := live.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "not saved") || live.Status().Err == nil {
			t.Errorf("the error is %v", err)
		}
		uses(t, live, "1.5.0")
	}
	must.Do(t, os.Remove(folder))
	if err := live.Check(t.Context()); err != nil {
		t.Errorf("after the folder was fixed, the error is %v", err)
	}
	if saved, err := os.ReadFile(filepath.Join(folder, "last.zip")); err != nil || !bytes.Equal(saved, good[1].data) {
		t.Errorf("the bundle was not saved: %v", err)
	}
}
