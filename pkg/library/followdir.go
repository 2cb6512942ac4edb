package library

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"log/slog"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// FollowDir follows a folder, to try out documents before they are released. It reads the
// folder like OpenDir and checks it for changes until Close. open returns the folder as it is
// now, such as os.DirFS(path); it is called for each check.
//
// As OpenDir, it refuses a folder with a document that can't be used: the error is an
// *InvalidError. Later, the content that was read last stays in use until the whole folder is
// valid again. Nothing protects those who use the documents: a folder has no releases, so the
// content of a version can change, and documents can disappear. Options that are about bundles
// are refused.
func FollowDir(ctx context.Context, open func() fs.FS, opts ...Option) (*Live, error) {
	l, err := newLive("content of the folder", opts)
	if err == nil {
		err = l.checkFolder()
	}
	if err != nil {
		return nil, err
	}
	l.renew = func(ctx context.Context) error { return l.reread(ctx, open()) }
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// reread replaces the content in use by that of the folder. If the files are those that were
// read last, nothing is parsed again, and an error is the same one.
func (l *Live) reread(ctx context.Context, fsys fs.FS) error {
	tag := contentTag(fsys)
	if l.repeated = tag == l.tag; l.repeated {
		return l.refused
	}
	next, err := openFolder(fsys, l.settings)
	// A file that is replaced while the folder is read may be missing from what was read.
	if contentTag(fsys) != tag {
		return errors.New("library: files of the folder changed while they were read. Try again")
	}
	l.tag, l.refused = tag, err
	if err != nil {
		return err
	}
	if l.Current() != nil {
		slog.InfoContext(ctx, "rubric library: the folder changed, and its new content is in use")
	}
	l.use(next, nil)
	return nil
}

// contentTag returns a hash of what a library in a folder is read from, with the times, so that
// a file that is away for a moment is noticed, and with the content, because times can stay the
// same when it changes.
func contentTag(fsys fs.FS) string {
	var hash maphash.Hash
	hash.SetSeed(tagSeed)
	entries, err := lib.List(fsys)
	fmt.Fprintf(&hash, "%v\n", err)
	for _, e := range entries {
		fmt.Fprintf(&hash, "%q %v %v\n", e.Path, e.Type, e.Err)
		if e.IsDocument() || e.IsLedger() {
			data, err := safefile.ReadFile(fsys, e.Path)
			if info, err := fs.Lstat(fsys, e.Path); err == nil {
				fmt.Fprintf(&hash, "%d\n", info.ModTime().UnixNano())
			}
			fmt.Fprintf(&hash, "%d %v\n", len(data), err)
			_, _ = hash.Write(data) // a hash never fails
		}
	}
	return fmt.Sprintf("%x", hash.Sum64())
}
