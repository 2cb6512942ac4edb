package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// The files in the folder of WithLastGood. The first bundle is kept to prove at the next
// start that the last one continues it.
const (
	firstName = "first.zip"
	lastName  = "last.zip"
)

// startFromLastGood uses the bundle in the folder of WithLastGood, if there is one that may
// be used. The error is why another one is not.
func (l *Live) startFromLastGood(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lastGood == nil {
		return nil
	}
	var errs []error
	names := []string{lastName}
	if l.digest != nil {
		names = []string{firstName, lastName}
	}
	for _, name := range names {
		path := filepath.Join(*l.lastGood, name)
		data, _, err := file(path).Fetch(ctx, "")
		if err == nil {
			if err = l.restore(name, data); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// restore uses a bundle from the folder of WithLastGood.
func (l *Live) restore(name string, data []byte) error {
	path := filepath.Join(*l.lastGood, name)
	next, err := l.verify(data)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	l.use(next, data)
	l.saved = true
	if name == lastName && l.digest != nil && next.Digest() == *l.digest {
		// Since the digest is that of the last one, what follows must continue this one. If it can't
		// be moved, save reports why.
		l.saved = os.Rename(path, filepath.Join(*l.lastGood, firstName)) == nil
	}
	l.status.Store(&Status{Confirmed: info.ModTime()})
	return nil
}

// save keeps the bundle in use in the folder of WithLastGood.
func (l *Live) save() error {
	if l.lastGood == nil || l.saved {
		return nil
	}
	name := lastName
	err := os.MkdirAll(*l.lastGood, 0o755)
	if err == nil && l.digest != nil && l.Current().Digest() == *l.digest {
		// A last bundle from before must not follow a first one that was set since.
		name, err = firstName, os.Remove(filepath.Join(*l.lastGood, lastName))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		err = safefile.Write(filepath.Join(*l.lastGood, name), l.bundle, 0o644)
	}
	if err != nil {
		return fmt.Errorf("the bundle in use was not saved as the last good one: %w", err)
	}
	l.saved = true
	return nil
}
