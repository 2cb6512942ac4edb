package safefile

import (
	"io/fs"
	"os"
	"sync"
)

// Log is a file to which records are appended, each a line. It is safe for concurrent use.
type Log struct {
	file    *os.File
	regular bool

	mu      sync.Mutex // for the fields below, and for writing
	torn    bool       // whether the file ends within a line
	written int        // records

	syncing sync.Mutex
	synced  int // records
}

// OpenLog opens a log, or creates it with perm. It can be a pipe or a device.
func OpenLog(path string, perm fs.FileMode) (*Log, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, perm)
	if err != nil {
		return nil, err
	}
	l := &Log{file: f}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		last := make([]byte, 1)
		_, err = f.ReadAt(last, info.Size()-1)
		l.torn = last[0] != '\n'
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	l.regular = info.Mode().IsRegular()
	return l, nil
}

// Write appends a record, which ends with a newline. Without an error, it is on the disk. If
// the file ends within a line, because the disk was full or the power failed, the record
// starts a new line.
func (l *Log) Write(record []byte) (int, error) {
	number, err := l.append(record)
	if err == nil && l.regular {
		err = l.sync(number)
	}
	if err != nil {
		return 0, err
	}
	return len(record), nil
}

func (l *Log) append(record []byte) (number int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		record = append([]byte{'\n'}, record...)
	}
	n, err := l.file.Write(record)
	if n > 0 {
		l.torn = record[n-1] != '\n'
	}
	l.written++
	return l.written, err
}

// sync waits until a record is on the disk, for all records that were written meanwhile at once.
func (l *Log) sync(number int) error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.synced >= number {
		return nil
	}
	l.mu.Lock()
	written := l.written
	l.mu.Unlock()
	err := l.file.Sync()
	if err == nil {
		l.synced = written
	}
	return err
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
