package safefile

import (
	"io/fs"
	"os"
	"sync"
)

// Log is a file to which records are appended, each a line. It follows its path: after the file was
// renamed or removed, the next record is in a new one. It is safe for concurrent use.
type Log struct {
	path string
	perm fs.FileMode

	mu   sync.Mutex // held while a record is written
	file *logFile
}

// logFile is the file that a log has open.
type logFile struct {
	*os.File
	info fs.FileInfo // of when it was opened
	torn bool        // whether it ends within a line
}

// OpenLog opens a log, or creates it with perm. It can be a pipe or a device.
func OpenLog(path string, perm fs.FileMode) (*Log, error) {
	f, err := openLogFile(path, perm)
	if err != nil {
		return nil, err
	}
	return &Log{path: path, perm: perm, file: f}, nil
}

func openLogFile(path string, perm fs.FileMode) (*logFile, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, perm)
	if err != nil {
		return nil, err
	}
	l := &logFile{File: f}
	l.info, err = f.Stat()
	if err == nil && l.info.Mode().IsRegular() && l.info.Size() > 0 {
		last := make([]byte, 1)
		_, err = f.ReadAt(last, l.info.Size()-1)
		l.torn = last[0] != '\n'
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return l, nil
}

// Write appends a record, which ends with a newline. Without an error, it is on the disk, in the
// file that the path had when Write began. If that file ends within a line, because the disk was
// full or the power failed, the record starts a new line.
func (l *Log) Write(record []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now, err := os.Stat(l.path); err != nil || !os.SameFile(now, l.file.info) {
		if err := l.reopen(); err != nil {
			return 0, err
		}
	}
	if err := l.file.write(record); err != nil {
		return 0, err
	}
	return len(record), nil
}

func (f *logFile) write(record []byte) error {
	if f.torn {
		record = append([]byte{'\n'}, record...)
	}
	n, err := f.Write(record)
	if n > 0 {
		f.torn = record[n-1] != '\n'
	}
	if err == nil && f.info.Mode().IsRegular() { // a pipe or a device can't be synced
		err = f.Sync()
	}
	return err
}

// Reopen closes the file, after which nothing is written to it, and opens the one at the path. If
// that fails, it changes nothing.
func (l *Log) Reopen() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reopen()
}

func (l *Log) reopen() error {
	f, err := openLogFile(l.path, l.perm)
	if err != nil {
		return err
	}
	_ = l.file.Close() // each of its records is on the disk
	l.file = f
	return nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
