package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// knownExtensions are the extensions of the repository format
// (gitrepository-layout(5), git-config(1)) that change nothing about what is
// read here, or that are read here as they should be. Names are in lower case.
var knownExtensions = []string{
	"noop", "noop-v1",
	"preciousobjects",   // only says what must not be deleted
	"relativeworktrees", // the paths are followed from where they stand
	"worktreeconfig",    // config.worktree is read
	"partialclone",      // seen by fetchCommand
	"objectformat", "refstorage",
}

// settings is what the configuration of a repository says about how to read it.
// Only the repository's own files are read: the user's and the system's can't
// change its format, and included files are not followed.
type settings configFile

// readSettings reads the configuration of the repository at loc.
func readSettings(loc location) (settings, error) {
	shared, err := readConfig(filepath.Join(loc.commonDir, "config"))
	if s := settings(shared); err != nil || !s.isTrue("extensions.worktreeconfig") {
		return s, err
	}
	own, err := readConfig(filepath.Join(loc.gitDir, "config.worktree"))
	maps.Copy(shared, own)
	return settings(shared), err
}

// isTrue says whether a switch is on. What is no clear "off" counts as on.
func (s settings) isTrue(key string) bool {
	value, ok := s[key]
	return ok && !oneOf(value, "", "false", "no", "off", "0")
}

// check says whether the repository can be read whole, before anything is read.
func (s settings) check(loc location) error {
	if err := s.checkFormat(); err != nil {
		return err
	}
	if err := checkShallow(loc); err != nil {
		return err
	}
	return s.checkSparse(loc)
}

// workTree is the root of the working tree: where the .git folder or file was
// found, if the repository does not say that it has none or where it is.
func (s settings) workTree(loc location) string {
	if loc.gitDir != loc.commonDir {
		return loc.workTree // core.bare and core.worktree speak of the main working tree
	}
	if s.isTrue("core.bare") {
		return ""
	}
	if path, ok := s["core.worktree"]; ok {
		return absolute(loc.gitDir, path)
	}
	return loc.workTree
}

// checkFormat refuses formats and extensions that are not known: each can
// change what any other file of the repository means.
func (s settings) checkFormat() error {
	if format := s["extensions.objectformat"]; !oneOf(format, "", "sha1") {
		return &UnsupportedError{
			Detail: fmt.Sprintf("its objects are named by %s, and only SHA-1 is read", format),
			Advice: "git fast-export --all | git -C NEW-SHA1-REPOSITORY fast-import",
		}
	}
	if storage := s["extensions.refstorage"]; !oneOf(storage, "", "files") {
		return &UnsupportedError{
			Detail: fmt.Sprintf("its branches and tags are kept as %q, and only files are read", storage),
			Advice: "git refs migrate --ref-format=files",
		}
	}
	version := s["core.repositoryformatversion"]
	if oneOf(version, "", "0") {
		return nil // in which Git ignores extensions that it does not know
	} else if version != "1" {
		return extensionError("it has the format version %q, and 0 and 1 are known here", version)
	}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		name, isExtension := strings.CutPrefix(key, "extensions.")
		if isExtension && !slices.Contains(knownExtensions, name) {
			return extensionError("it uses the extension %q, which is not known here", name)
		}
	}
	return nil
}

// cloneAgain is the advice where no single command converts a repository.
const cloneAgain = "git clone URL FOLDER"

func extensionError(format string, value string) error {
	return &UnsupportedError{Detail: fmt.Sprintf(format, value), Advice: cloneAgain}
}

func oneOf(value string, accepted ...string) bool {
	return slices.Contains(accepted, strings.ToLower(value))
}

// fetchCommand is the command that gets what a partial clone leaves out, objects
// that Git itself fetches when it needs them (a promisor remote, partial-clone in
// git's technical documentation); empty for a clone that leaves out nothing. Such
// a clone can be read as far as it goes.
func (s settings) fetchCommand() string {
	remote, partial := s["extensions.partialclone"]
	for _, key := range slices.Sorted(maps.Keys(s)) {
		name, isRemote := strings.CutPrefix(key, "remote.")
		name, promises := cutAnySuffix(name, ".promisor", ".partialclonefilter")
		if isRemote && promises {
			remote, partial = name, true
		}
	}
	if !partial {
		return ""
	}
	return "git fetch --refetch --no-filter " + shellQuote(remote)
}

func cutAnySuffix(s string, suffixes ...string) (before string, found bool) {
	for _, suffix := range suffixes {
		if before, found = strings.CutSuffix(s, suffix); found {
			return before, true
		}
	}
	return s, false
}

// shellQuote is a word as a shell reads it.
func shellQuote(word string) string {
	odd := func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+:-", r)
	}
	if word != "" && !strings.ContainsFunc(word, odd) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// checkShallow refuses a history that is cut off (clone --depth).
func checkShallow(loc location) error {
	data, err := os.ReadFile(filepath.Join(loc.commonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil
	} else if err != nil {
		return err
	}
	return &UnsupportedError{
		Detail: "its history is cut off (made with --depth, as by actions/checkout without fetch-depth: 0)",
		Advice: "git fetch --unshallow --tags",
	}
}

// checkSparse refuses a working tree that leaves out files on purpose: each
// would look as if it had been deleted.
func (s settings) checkSparse(loc location) error {
	if loc.workTree == "" || !s.isTrue("core.sparsecheckout") {
		return nil
	}
	return &UnsupportedError{
		Detail: "its working tree holds only some of the files (sparse-checkout)",
		Advice: "git sparse-checkout disable",
	}
}
