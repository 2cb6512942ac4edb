package holdings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Named is At with a name for messages. A commit whose library was in another folder is an
// error, because such libraries can't be compared.
func Named(repo *gitrepo.Repo, c gitrepo.Commit, name, folder string) (*Library, error) {
	l, err := At(repo, c, folder)
	if err != nil {
		return nil, err
	}
	l.Name = name
	root, err := safefile.Find(l.Files, library.Root)
	if err != nil {
		return nil, err
	}
	if root != nil && root.IsDir() {
		return l, nil
	}
	head, err := repo.Head()
	if err != nil {
		return nil, err
	}
	return l, CheckGone(repo, c, head, repo.Snapshot(head, ""), folder)
}

// Locate finds the folder of the library in a commit: the root, or the only other
// folder with documents or, if there is none, with retired ones.
func Locate(repo *gitrepo.Repo, c gitrepo.Commit) (string, error) {
	entries, err := repo.Snapshot(c, "").Entries()
	if err != nil {
		return "", err
	}
	found, ledgers := map[string]bool{}, []string{}
	for _, e := range entries {
		if folder, ok := library.FolderOf(e.Path); ok {
			found[folder] = true
		} else if folder, ok := strings.CutSuffix("/"+e.Path, "/"+library.LedgerFile); ok {
			ledgers = append(ledgers, strings.TrimPrefix(folder, "/"))
		}
	}
	folders := slices.Sorted(maps.Keys(found))
	if len(folders) == 0 {
		if folders, err = withRetired(repo, c, ledgers); err != nil {
			return "", err
		}
	}
	switch {
	case len(folders) == 0:
		return "", fmt.Errorf("commit %.12s has no library: no folder in it has documents below %s/", c.Hash, library.Root)
	case len(folders) == 1 || folders[0] == "":
		return folders[0], nil
	}
	return "", fmt.Errorf("commit %.12s has several libraries: %s. "+
		"Run this in the folder of one of them, in a clone with a working tree", c.Hash, strings.Join(folders, ", "))
}

// withRetired returns those of the folders of a commit whose ledger lists a retired document.
func withRetired(repo *gitrepo.Repo, c gitrepo.Commit, folders []string) ([]string, error) {
	var found []string
	for _, folder := range folders {
		retired, err := library.HasRetired(repo.Snapshot(c, folder))
		if err != nil {
			return nil, err
		}
		if retired {
			found = append(found, folder)
		}
	}
	return found, nil
}

// MergeBases are the library at the merge bases of a commit and the target, or the tip
// before the first commit. tip is the library at the target itself. No merge
// base is an error.
func MergeBases(repo *gitrepo.Repo, head gitrepo.Commit, target gitrepo.Target, tip *Library) ([]*Library, error) {
	if head.IsZero() {
		return []*Library{tip}, nil
	}
	commits, err := repo.MergeBases(head, target.Commit)
	if err != nil {
		return nil, err
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("this branch and %s have no commit in common, so the changes are unknown. "+
			"Rebase it onto %[1]s, or name another revision to compare with", target.Name)
	}
	var bases []*Library
	for _, c := range commits {
		base := tip
		if c.Hash != target.Commit.Hash {
			if base, err = At(repo, c, tip.Folder); err != nil {
				return nil, err
			}
		}
		bases = append(bases, base)
	}
	return bases, nil
}

// Pair is the libraries of a commit and of its parent. A zero parent has none.
func Pair(repo *gitrepo.Repo, parent, child gitrepo.Commit, folder string) (before, after *Library, err error) {
	before = Nothing("nothing")
	if !parent.IsZero() {
		if before, err = At(repo, parent, folder); err != nil {
			return nil, nil, err
		}
	}
	after, err = At(repo, child, folder)
	return before, after, err
}

// Touched lists the documents that a commit adds or changes. A zero parent has none.
func Touched(repo *gitrepo.Repo, parent, child gitrepo.Commit, folder string) ([]string, error) {
	before, after, err := Pair(repo, parent, child, folder)
	if err != nil {
		return nil, err
	}
	differ, err := before.DifferingPaths(after)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(differ, func(name string, _ bool) bool { return after.Hash(name) == "" })
	return slices.Sorted(maps.Keys(differ)), nil
}
