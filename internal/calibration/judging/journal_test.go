package judging

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestJournalCutsWhatACrashLeft(t *testing.T) {
	for _, tt := range []struct {
		reason, before, after string
		cut                   int
	}{
		{"nothing was written", "", "", 0},
		{"whole lines stay", "{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n", 0},
		{"an incomplete line goes", "{\"a\":1}\n{\"b\":", "{\"a\":1}\n", 5},
		{"also where it is the first", "{\"a\"", "", 4},
		{"a line that lacks its end is whole", "{\"a\":1}\n{\"b\":2}", "{\"a\":1}\n{\"b\":2}\n", 0},
		{"other mistakes are not its business", "{\"a\"\n{\"b\":2}\n", "{\"a\"\n{\"b\":2}\n", 0},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "judges", "j.jsonl")
			must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must.Do(t, os.WriteFile(path, []byte(tt.before), 0o666))
			j := must.Get(OpenJournal(path))(t)
			if got, err := os.ReadFile(path); err != nil || string(got) != tt.after || j.Cut != tt.cut {
				t.Errorf("the file has %q, %d bytes were cut, error %v", got, j.Cut, err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestJournalWithoutALineIsRemoved(t *testing.T) {
	if !renamesOpenFiles {
		t.Skip("an open file can't be removed here")
	}
	dir := t.TempDir()
	j := must.Get(OpenJournal(filepath.Join(dir, "judges", "j.jsonl")))(t)
	must.Do(t, j.Close())
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("it leaves %v, error %v", entries, err)
	}
}

func TestJournalIsForOneRun(t *testing.T) {
	if !renamesOpenFiles {
		t.Skip("there are no locks here")
	}
	path := filepath.Join(t.TempDir(), "j.jsonl")
	first := must.Get(OpenJournal(path))(t)
	busy := func(when string) {
		if _, err := OpenJournal(path); !errors.Is(err, ErrBusy) {
			t.Errorf("a second journal %s: %v", when, err)
		}
	}
	busy("at first")
	must.Do(t, first.Replace([]byte("{}\n")))
	busy("after the file was replaced")
	must.Do(t, first.Close())
	second := must.Get(OpenJournal(path))(t)
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// A run that ended leaves no line that is not synced, also where the file was in order.
func TestJournalIsSyncedAtTheEnd(t *testing.T) {
	j := must.Get(OpenJournal(filepath.Join(t.TempDir(), "j.jsonl")))(t)
	defer j.Close()
	for _, end := range []string{"{}\n", "[]\n"} {
		if err := j.Append([]byte("{}\n")); err != nil || !j.dirty {
			t.Errorf("a line was appended: dirty %v, error %v", j.dirty, err)
		}
		if err := j.Replace([]byte(end)); err != nil || j.dirty {
			t.Errorf("the file is %q: dirty %v, error %v", end, j.dirty, err)
		}
	}
}

func TestJournalIsARegularFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	if err := os.Symlink(os.DevNull, path); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if j, err := OpenJournal(path); err == nil {
		t.Errorf("a link was opened: %v", j)
	}
}

// After any crash, the journal keeps only complete lines from the start.
func FuzzJournalMends(f *testing.F) {
	for _, text := range []string{"", "{}\n{", "{}", "\n\n", "\xff\n\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		path := filepath.Join(t.TempDir(), "j.jsonl")
		must.Do(t, os.WriteFile(path, before, 0o666))
		j := must.Get(OpenJournal(path))(t)
		defer j.Close()
		after := must.Get(j.Data())(t)
		if len(after) > 0 && after[len(after)-1] != '\n' {
			t.Errorf("%q became %q, which ends within a line", before, after)
		}
		if !bytes.HasPrefix(before, after) && !bytes.Equal(append(before, '\n'), after) {
			t.Errorf("%q became %q", before, after)
		}
	})
}

// TestJournalBehindALink: answers stay in the library, and the link is kept.
func TestJournalBehindALink(t *testing.T) {
	dir := t.TempDir()
	elsewhere, judges := filepath.Join(dir, "elsewhere"), filepath.Join(dir, "judges")
	must.Do(t, errors.Join(os.Mkdir(elsewhere, 0o777), os.Symlink(elsewhere, judges)))
	if _, err := OpenJournal(filepath.Join(judges, "j.jsonl")); err == nil {
		t.Error("a journal behind a link was opened")
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
		t.Errorf("behind the link there is %v, error %v", entries, err)
	}
	if _, err := os.Lstat(judges); err != nil {
		t.Errorf("the link was removed: %v", err)
	}
}
