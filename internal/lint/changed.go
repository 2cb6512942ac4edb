package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// maxCompared is the size in bytes of the largest file that is compared line by line.
// Only this much of a larger file is compared, and any difference marks all its lines.
const maxCompared = 1 << 20

// tooLarge replaces the content of a file that is too large to read.
var tooLarge = make([]byte, maxCompared+1)

// markChanged marks the findings that concern a reviewer of the change: those on lines
// that no merge base has, and those about the change itself, but none in old commits.
func (e *engine) markChanged(bases []*change.Library, findings []Finding) error {
	files := map[string]changedLines{}
	for i := range findings {
		f := &findings[i]
		switch {
		case f.Revision != "":
			continue
		case f.Rule.History != nil:
			f.Changed = true
			continue
		}
		lines, known := files[f.File]
		if !known {
			var err error
			if lines, err = e.changedIn(bases, f.File); err != nil {
				return err
			}
			files[f.File] = lines
		}
		f.Changed = lines.touch(f.Start.Line, f.End.Line)
	}
	return nil
}

// changedIn returns the lines of a file that differ from every merge base. Without a
// merge base, no line counts as changed.
func (e *engine) changedIn(bases []*change.Library, name string) (changed changedLines, err error) {
	head, err := e.whole(name)
	if err != nil {
		return nil, err
	}
	for i, base := range bases {
		before, err := fileAt(base, name)
		if err != nil {
			return nil, err
		}
		since := changedSince(before, head)
		if i > 0 {
			since = since.and(changed)
		}
		changed = since
	}
	return changed, nil
}

// whole returns the content of a file, at most one byte more than is compared; nil if
// there is none.
func (e *engine) whole(name string) ([]byte, error) {
	if data, ok := e.instead[name]; ok {
		return data, nil
	}
	f, err := e.files.fsys.Open(name)
	if err != nil {
		return nil, nil // reported by its own finding
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxCompared+1))
	if limits.IsTooLarge(err) {
		return tooLarge, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	}
	return data, nil
}

// fileAt returns the content of a file at a merge base, as whole does; nil also if the
// name was not a file there.
func fileAt(base *change.Library, name string) ([]byte, error) {
	data, err := base.File(name)
	if errors.As(err, new(*fs.PathError)) {
		return nil, nil
	} else if limits.IsTooLarge(err) {
		return tooLarge, nil
	}
	return data[:min(len(data), maxCompared+1)], err
}

// changedLines says which lines of a file changed, by number. Number 0 is the file as a
// whole, and the last number stands for all lines after it, too.
type changedLines []bool

var allLines = changedLines{true, true}

// changedSince compares two contents of a file; nil means that there is no file.
func changedSince(before, now []byte) changedLines {
	switch {
	case bytes.Equal(before, now) && (before == nil) == (now == nil):
		return changedLines{false}
	case max(len(before), len(now)) > maxCompared || before == nil || now == nil:
		return allLines
	}
	c := make(changedLines, bytes.Count(now, []byte("\n"))+3)
	n, gap := 0, false // the next line, and whether lines before it are gone
	for line := range bytes.Lines(diff.Diff("before", before, "now", now)) {
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			// A hunk of an empty file begins at line 0.
			if _, err := fmt.Sscanf(string(line[bytes.IndexByte(line, '+'):]), "+%d", &n); err != nil {
				return allLines
			}
			gap = false
		case n == 0:
			// the head of the comparison
		case line[0] == '-':
			gap = true
		case line[0] == '+':
			c[n], gap = true, false
			n++
		case line[0] == ' ':
			// A removal marks the lines around it.
			if gap {
				c[n-1], c[n], gap = true, true, false
			}
			n++
		}
	}
	if gap && n > 0 {
		c[n-1] = true
	}
	c[0] = true
	return c
}

// and returns what changed according to both.
func (c changedLines) and(other changedLines) changedLines {
	both := make(changedLines, max(len(c), len(other)))
	for n := range both {
		both[n] = c.touch(n, n) && other.touch(n, n)
	}
	return both
}

// touch reports whether one of the lines changed; line 0 means the file as a whole.
func (c changedLines) touch(first, last int) bool {
	end := len(c) - 1
	return end >= 0 && slices.Contains(c[min(first, end):min(max(first, last), end)+1], true)
}
