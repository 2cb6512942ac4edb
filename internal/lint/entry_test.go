package lint_test

import (
	"errors"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

func TestALibraryThatCanNotBeCheckedIsAnError(t *testing.T) {
	tests := []struct {
		reason string
		fsys   fs.FS
		want   string // in the error
	}{
		{"no folder rubrics", linttest.Library(map[string]string{"docs/readme.md": ""}), "rubrics can't be read"},
		{"rubrics is a file", linttest.Library(map[string]string{"rubrics": "x"}), "rubrics is not a folder"},
		{"not a document", fstest.MapFS{"rubrics/corpus": {Mode: fs.ModeDir}}, "no document"},
		{"the ledger alone is no document", linttest.Library(map[string]string{"rubrics/retired.yaml": "retired: []\nyanked: []\n"}), "no document"},
		{"rubrics is a link", fstest.MapFS{
			"rubrics": {Mode: fs.ModeSymlink, Data: []byte("elsewhere")}, "elsewhere/corpus/good_v1.yaml": {Data: []byte(linttest.GoodRubric)},
		}, "rubrics is not a folder"},
		{"the folder fails", faultyFS{linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric}), map[string]fault{lint.Root: {list: fs.ErrPermission}}}, "permission denied"},
	}
	for _, tt := range tests {
		report, err := lint.Run(tt.fsys, rules.All(), lint.Options{})
		if report != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

// fault is what fails at one name of a file system.
type fault struct {
	open, list error
	// read fails after half of the file.
	read error
}

// faultyFS fails at some names.
type faultyFS struct {
	fstest.MapFS
	faults map[string]fault
}

func (f faultyFS) Open(name string) (fs.File, error) {
	if err := f.faults[name].open; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	file, err := f.MapFS.Open(name)
	if readErr := f.faults[name].read; err == nil && readErr != nil {
		return &halfFile{File: file, left: len(f.MapFS[name].Data) / 2, err: readErr}, nil
	}
	return file, err
}

func (f faultyFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.faults[name].list; err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	return f.MapFS.ReadDir(name)
}

// halfFile fails after left bytes.
type halfFile struct {
	fs.File
	left int
	err  error
}

func (f *halfFile) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, f.err
	}
	n, err := f.File.Read(p[:min(f.left, len(p))])
	f.left -= n
	return n, err
}

func TestWhatCanNotBeReadIsAFinding(t *testing.T) {
	const (
		bad  = "rubrics/corpus/bad_v1.yaml"
		weak = "rubrics/prd/weak_v1.yaml"
	)
	files := linttest.Library(map[string]string{
		linttest.GoodPath: linttest.GoodRubric,
		bad:               linttest.Other("bad_v1"),
		weak:              linttest.Renamed(linttest.Changed(t, "threshold: 3.0", "threshold: 2.0", "type: corpus", "type: prd"), "weak_v1"),
	})
	tests := []struct {
		reason string
		name   string
		fault  fault
		says   string // in the message
	}{
		{"a file that nobody may read", bad, fault{open: fs.ErrPermission}, "permission denied"},
		{"a file that vanished after its folder was listed", bad, fault{open: fs.ErrNotExist}, "disappeared during the check. Run the check again."},
		{"a file whose disk fails half way", bad, fault{read: errors.New("input/output error")}, "input/output error"},
		{"a folder that nobody may list", "rubrics/corpus", fault{list: fs.ErrPermission}, "permission denied"},
	}
	for _, tt := range tests {
		report := linttest.Run(t, faultyFS{maps.Clone(files), map[string]fault{tt.name: tt.fault}}, linttest.Only(rules.All(), "unreadable-file", "hidden-threshold"), lint.Options{})
		want := []string{tt.name + ":0 unreadable-file", weak + ":12 hidden-threshold"}
		if diff := cmp.Diff(want, linttest.Brief(report.Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
			continue
		}
		if message := report.Findings[0].Message; !strings.Contains(message, tt.says) || strings.Contains(message, tt.name) {
			t.Errorf("%s: the message has to say %q and not repeat the file: %s", tt.reason, tt.says, message)
		}
	}
}

func TestWhatIsNoFileIsAFinding(t *testing.T) {
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric})
	fsys["rubrics/corpus/link_v1.yaml"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("good_v1.yaml")}
	fsys["rubrics/corpus/pipe_v1.yaml"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	fsys["rubrics/corpus/folder_v1.yaml"] = &fstest.MapFile{Mode: fs.ModeDir}
	want := []string{
		"rubrics/corpus/folder_v1.yaml:0 not-a-file",
		"rubrics/corpus/link_v1.yaml:0 not-a-file",
		"rubrics/corpus/pipe_v1.yaml:0 not-a-file",
	}
	if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, fsys, linttest.Only(rules.All(), "not-a-file"), lint.Options{}).Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALargeFileIsAFinding(t *testing.T) {
	padding := strings.Repeat("# 63 characters of a comment that nobody ever reads to the end.\n", 4096)
	fsys := linttest.Library(map[string]string{
		linttest.GoodPath:              linttest.GoodRubric + padding[:256<<10-len(linttest.GoodRubric)],
		"rubrics/corpus/large_v1.yaml": linttest.Other("large_v1") + padding,
	})
	want := []string{"rubrics/corpus/large_v1.yaml:1 file-too-large"}
	if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, fsys, linttest.Only(rules.All(), "file-too-large"), lint.Options{}).Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
