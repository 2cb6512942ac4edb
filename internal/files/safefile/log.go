package safefile

import (
	"io/fs"
	"os"
	"sync"
)

// Log is a file to which records are appended, each a line. It is safe for concurrent use.
type Log struct {
	file    *os.File
	regular bool // a pipe or a device can't be synced

	mu   sync.Mutex // held while a record is written
	torn bool       // whether the file ends within a line
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
	err := l.append(record)
	if err == nil && l.regular {
		err = l.file.Sync()
	}
	if err != nil {
		return 0, err
	}
	return len(record), nil
}

func (l *Log) append(record []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		record = append([]byte{'\n'}, record...)
	}
	n, err := l.file.Write(record)
	if n > 0 {
		l.torn = record[n-1] != '\n'
	}
	return err
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
