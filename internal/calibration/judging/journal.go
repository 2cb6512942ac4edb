package judging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Journal is the file of a judge's answers while a run writes to it. On systems with
// file locks (not on Windows), no other run can open it at the same time.
//
// A line is in the file when Append returns, so a process that is killed loses none. Ask
// syncs the file every syncInterval, so after a power failure, the lines of about that
// time can be missing or incomplete. A run that ended loses none.
type Journal struct {
	// Cut is how many bytes of an incomplete last line were removed after a crash.
	Cut int

	path  string
	file  *os.File // holds the lock
	dirty bool     // has lines that are not synced
}

// syncInterval is how often lines are synced. A sync for each line can take longer than
// the judge.
const syncInterval = time.Second

// ErrBusy is returned if another run has the journal open.
var ErrBusy = errors.New("another run is writing to it. Wait until that run ends, or stop it")

// OpenJournal opens the journal at path. It creates the file and its folder if needed.
func OpenJournal(path string) (*Journal, error) {
	folder := filepath.Dir(path)
	if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
		return nil, &os.PathError{
			Op: "open", Path: folder,
			Err: errors.New("this is a file or a link: expected a folder. Replace it with the folder itself"),
		}
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	j := &Journal{path: path}
	if err := j.open(); err != nil {
		return nil, err
	}
	if err := j.repair(); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// open opens the file and locks it. If another run replaces the file in between, the
// lock is on the old file, so open tries again.
func (j *Journal) open() error {
	for {
		if info, err := os.Lstat(j.path); err == nil && !info.Mode().IsRegular() {
			return &os.PathError{Op: "open", Path: j.path, Err: errors.New("is not a regular file")}
		}
		f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		if err := lock(f); err != nil {
			_ = f.Close()
			return err
		}
		locked, err := f.Stat()
		if err != nil {
			_ = f.Close()
			return err
		}
		if there, err := os.Stat(j.path); err == nil && os.SameFile(locked, there) {
			j.file = f
			return nil
		}
		_ = f.Close()
	}
}

// repair removes a last line that a crash left incomplete. If only the line end is
// missing, repair adds it.
func (j *Journal) repair() error {
	data, err := j.Data()
	if err != nil || len(data) == 0 || data[len(data)-1] == '\n' {
		return err
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if json.Valid(data[end:]) {
		return errors.Join(j.Append([]byte("\n")), j.Sync())
	}
	j.Cut = len(data) - end
	if err := j.file.Truncate(int64(end)); err != nil {
		return fmt.Errorf("the incomplete last line can't be removed: %w", safefile.Reason(err))
	}
	return j.file.Sync()
}

// Data returns the content of the file.
func (j *Journal) Data() ([]byte, error) {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(j.file)
}

// Append writes a line, which Sync syncs to disk.
func (j *Journal) Append(line []byte) error {
	j.dirty = true
	_, err := j.file.Write(line)
	return err
}

// Sync syncs appended lines to disk.
func (j *Journal) Sync() error {
	if !j.dirty {
		return nil
	}
	j.dirty = false
	return j.file.Sync()
}

// Replace replaces the content of the file atomically, and syncs it.
func (j *Journal) Replace(data []byte) error {
	if old, err := j.Data(); err != nil {
		return err
	} else if bytes.Equal(old, data) {
		return j.Sync()
	}
	old := j.file
	if !renamesOpenFiles {
		_ = old.Close()
	}
	if err := safefile.Write(j.path, data, 0o666); err != nil {
		return err
	}
	if err := j.open(); err != nil {
		return err
	}
	_ = old.Close()
	j.dirty = false
	return nil
}

// Close closes the journal, so that other runs can open it. It removes an empty journal.
func (j *Journal) Close() error {
	info, err := j.file.Stat()
	if err == nil && info.Size() == 0 && renamesOpenFiles {
		err = os.Remove(j.path)
		_ = os.Remove(filepath.Dir(j.path)) // fails unless it is empty
	}
	return errors.Join(err, j.file.Close())
}
