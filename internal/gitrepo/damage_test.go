package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// TestDamageIsNeverAbsence damages each object in turn and walks the history: the
// result must be an error that names the object.
func TestDamageIsNeverAbsence(t *testing.T) {
	t.Parallel()
	damages := []struct {
		reason string
		damage func(t *testing.T, file string)
	}{
		{"the file is gone", func(t *testing.T, file string) {
			must.Do(t, os.Remove(file))
		}},
		{"the file is empty", func(t *testing.T, file string) { rewrite(t, file, func([]byte) []byte { return nil }) }},
		{"the file is cut off", func(t *testing.T, file string) { rewrite(t, file, func(b []byte) []byte { return b[:len(b)/2] }) }},
		{"a bit is changed", func(t *testing.T, file string) {
			rewrite(t, file, func(b []byte) []byte { b[len(b)/2] ^= 4; return b })
		}},
		{"the file is text", func(t *testing.T, file string) { rewrite(t, file, func([]byte) []byte { return []byte("hello") }) }},
		{"the file is a folder", func(t *testing.T, file string) {
			must.Do(t, errors.Join(os.Remove(file), os.Mkdir(file, 0o755)))
		}},
	}
	r := newRepo(t)
	r.change("rubrics/a.yaml", "one")
	r.change("rubrics/a.yaml", "two")
	objects := map[string]string{}
	for _, rev := range []string{"HEAD", "HEAD~1", "HEAD^{tree}", "HEAD:rubrics", "HEAD:rubrics/a.yaml", "HEAD~1^{tree}", "HEAD~1:rubrics/a.yaml"} {
		objects[rev] = r.git("rev-parse", rev)
	}
	for _, d := range damages {
		t.Run(d.reason, func(t *testing.T) {
			for rev, object := range objects {
				file := r.loose(object)
				sound := must.Get(os.ReadFile(file))(t)
				d.damage(t, file)
				checkDamage(t, r, rev, object)
				must.Do(t, errors.Join(os.RemoveAll(file), os.WriteFile(file, sound, 0o644)))
			}
		})
	}
	if err := readAll(r.open()); err != nil {
		t.Errorf("the sound repository: %v", err)
	}
}

func rewrite(t *testing.T, file string, change func([]byte) []byte) {
	t.Helper()
	data := must.Get(os.ReadFile(file))(t)
	must.Do(t, errors.Join(os.Chmod(file, 0o644), os.WriteFile(file, change(data), 0o644)))
}

// checkDamage walks the history and expects that one object can't be read.
func checkDamage(t *testing.T, r *testRepo, what, object string) {
	t.Helper()
	err := readAll(r.open())
	var e *objects.Error
	if !errors.As(err, &e) || e.Hash != object || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s, %s: %v", what, object, err)
		return
	}
	if !strings.Contains(err.Error(), "git fsck") || strings.Contains(e.Reason, "EOF") {
		t.Errorf("%s: the message %q does not help", what, err)
	}
}

// readAll reads every file of HEAD and its first parents, and returns nil if all of
// them could be read.
func readAll(repo *Repo) error {
	head, err := repo.Head()
	if err != nil {
		return err
	}
	for c, err := range repo.FirstParents(head) {
		if err != nil {
			return err
		}
		s := repo.Snapshot(c, "rubrics")
		entries, err := s.Entries()
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return errors.New("the folder was taken for an empty one")
		}
		for _, e := range entries {
			if _, err := s.Read(e.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestDamagedPacks changes bytes of a pack and of its index. Unreadable data is an
// error; readable data is correct, because its hash is checked.
func TestDamagedPacks(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	text := strings.Repeat("a line that is long enough to be stored as a difference\n", 20)
	r.change("rubrics/a.yaml", text+"one")
	r.change("rubrics/a.yaml", text+"two")
	r.git("gc", "-q")
	for _, pattern := range []string{"*.pack", "*.idx"} {
		files, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack", pattern))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		sound := must.Get(os.ReadFile(files[0]))(t)
		changed, failed := 0, 0
		for i := 0; i < len(sound); i += 5 {
			changed++
			rewrite(t, files[0], func([]byte) []byte {
				b := slices.Clone(sound)
				b[i] ^= 0x15
				return b
			})
			repo, err := Open(r.dir)
			if err != nil {
				t.Fatal(err)
			}
			err = readAll(repo)
			if err != nil {
				failed++
			}
			if errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "empty") {
				t.Errorf("byte %d of %s: %v", i, pattern, err)
			}
			if err := repo.Close(); err != nil {
				t.Error(err)
			}
		}
		if failed < changed/2 {
			t.Errorf("%s: only %d of %d changes were found", pattern, failed, changed)
		}
		rewrite(t, files[0], func([]byte) []byte { return sound })
	}
	if err := readAll(r.open()); err != nil {
		t.Errorf("the sound repository: %v", err)
	}
}

// TestOldIndexes reads a pack with an index of version 1 after following the advice.
func TestOldIndexes(t *testing.T) {
	r := newRepo(t)
	r.change("rubrics/a.yaml", "one")
	r.git("-c", "pack.indexVersion=1", "repack", "-adq")
	err := readAll(r.open())
	if err == nil || !strings.Contains(err.Error(), `run "git index-pack FILE"`) {
		t.Fatal(err)
	}
	packs := must.Get(filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.pack")))(t)
	r.git("index-pack", packs[0])
	must.Do(t, readAll(r.open()))
}

func TestObjectsUnderTheWrongNameAreRefused(t *testing.T) {
	r := newRepo(t)
	r.change("rubrics/a.yaml", "one")
	good, evil := r.git("rev-parse", "HEAD:rubrics/a.yaml"), r.object("blob", "evil")
	data := must.Get(os.ReadFile(r.loose(evil)))(t)
	rewrite(t, r.loose(good), func([]byte) []byte { return data })
	checkDamage(t, r, "another sound object", good)
}

// TestObjectsThatMove packs and prunes while a Repo is open.
func TestObjectsThatMove(t *testing.T) {
	r := newRepo(t)
	r.change("rubrics/a.yaml", "one")
	r.git("repack", "-q", "-d")
	r.change("rubrics/a.yaml", "two")
	repo := r.open()
	must.Do(t, readAll(repo))
	fresh := r.change("rubrics/b.yaml", "three")
	r.git("gc", "-q", "--prune=now")
	r.git("pack-refs", "--all")
	if c, err := repo.Resolve(fresh[:7]); c.Hash != fresh || err != nil {
		t.Errorf("the short hash of a new commit: %+v, %v", c, err)
	}
	if err := readAll(repo); err != nil {
		t.Error(err)
	}
}

func TestAlternates(t *testing.T) {
	origin := newRepo(t)
	origin.change("rubrics/a.yaml", "1")
	origin.git("gc", "-q")
	origin.change("rubrics/a.yaml", "2")
	middle := at(t, filepath.Join(t.TempDir(), "middle"))
	origin.git("clone", "-q", "--shared", origin.dir, middle.dir)
	middle.change("rubrics/a.yaml", "3")
	last := at(t, filepath.Join(t.TempDir(), "last"))
	middle.git("clone", "-q", "--shared", middle.dir, last.dir)
	if got := history(t, last, "rubrics/a.yaml"); got != "321" {
		t.Errorf("borrowed from two repositories: %q", got)
	}
	if c := last.resolve(last.open(), last.git("rev-parse", "HEAD~2")[:8]); last.git("show", "-s", "--format=%s", c.Hash) != "change rubrics/a.yaml" {
		t.Errorf("a short hash of a borrowed commit: %+v", c)
	}

	rel := must.Get(filepath.Rel(filepath.Join(last.dir, ".git", "objects"), filepath.Join(middle.dir, ".git", "objects")))(t)
	last.write(".git/objects/info/alternates", "# a comment\n"+rel+"\n")
	if got := history(t, last, "rubrics/a.yaml"); got != "321" {
		t.Errorf("borrowed by a relative path: %q", got)
	}
	middle.write(".git/objects/info/alternates", filepath.Join(last.dir, ".git", "objects")+"\n")
	if err := readAll(last.open()); err == nil {
		t.Error("what was borrowed from a repository that is no longer named was read")
	}
}
