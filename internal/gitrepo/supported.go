package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	gitconfig "github.com/go-git/go-git/v5/plumbing/format/config"
)

// knownExtensions are the extensions of the repository format
// (gitrepository-layout(5), git-config(1)) that change nothing about what is
// read here, or that are read here as they should be. Names are in lower case.
var knownExtensions = []string{
	"noop", "noop-v1",
	"preciousobjects",   // only says what must not be deleted
	"relativeworktrees", // the paths are followed from where they stand
	"worktreeconfig",    // config.worktree is read
	"partialclone",      // seen by checkPartial
	"objectformat", "refstorage",
}

// settings is what the configuration of a repository says about how to read it.
// Only the repository's own files are read: the user's and the system's can't
// change its format, and included files are not followed.
type settings struct {
	// files are the parsed files; a later one overrides an earlier one.
	files []*gitconfig.Config
}

// readSettings reads the configuration of the repository at loc.
func readSettings(loc location) (settings, error) {
	shared, err := readConfig(filepath.Join(loc.commonDir, "config"))
	if err != nil {
		return settings{}, err
	}
	s := settings{files: []*gitconfig.Config{shared}}
	if s.isTrue("extensions", "worktreeConfig") {
		own, err := readConfig(filepath.Join(loc.gitDir, "config.worktree"))
		if err != nil {
			return settings{}, err
		}
		s.files = append(s.files, own)
	}
	return s, nil
}

// readConfig reads one file; one that is absent is empty.
func readConfig(path string) (*gitconfig.Config, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	config, err := parseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("the Git configuration %s can't be read: %w", path, err)
	}
	return config, nil
}

// parseConfig turns go-git's panics into errors.
func parseConfig(data []byte) (config *gitconfig.Config, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	config = gitconfig.New()
	return config, gitconfig.NewDecoder(bytes.NewReader(data)).Decode(config)
}

// get is the value that holds for a key, and whether there is one.
func (s settings) get(section, key string) (value string, ok bool) {
	for _, file := range s.files {
		if sec := file.Section(section); sec.HasOption(key) {
			value, ok = sec.Option(key), true
		}
	}
	return value, ok
}

// isTrue says whether a switch is on. What is no clear "off" counts as on, a
// key without a value among it, as git-config(1) has it.
func (s settings) isTrue(section, key string) bool {
	value, ok := s.get(section, key)
	switch strings.ToLower(value) {
	case "false", "no", "off", "0":
		return false
	}
	return ok
}

// check says whether the repository can be read whole, before anything is read.
func (s settings) check(loc location) error {
	if err := s.checkFormat(); err != nil {
		return err
	}
	if err := s.checkPartial(); err != nil {
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
	if s.isTrue("core", "bare") {
		return ""
	}
	if path, ok := s.get("core", "worktree"); ok {
		return absolute(loc.gitDir, path)
	}
	return loc.workTree
}

// checkFormat refuses formats and extensions that are not known: each can
// change what any other file of the repository means.
func (s settings) checkFormat() error {
	if format, _ := s.get("extensions", "objectFormat"); !oneOf(format, "", "sha1") {
		return &UnsupportedError{
			Kind:   SHA256,
			Detail: fmt.Sprintf("its objects are named by %s, and only SHA-1 is read", format),
			Advice: "git fast-export --all | git -C NEW-SHA1-REPOSITORY fast-import",
		}
	}
	if storage, _ := s.get("extensions", "refStorage"); !oneOf(storage, "", "files") {
		return &UnsupportedError{
			Kind:   Reftable,
			Detail: fmt.Sprintf("its branches and tags are kept as %q, and only files are read", storage),
			Advice: "git refs migrate --ref-format=files",
		}
	}
	for _, file := range s.files {
		for _, option := range file.Section("extensions").Options {
			if !slices.Contains(knownExtensions, strings.ToLower(option.Key)) {
				return extensionError("it uses the extension %q, which is not known here", option.Key)
			}
		}
	}
	if version, _ := s.get("core", "repositoryFormatVersion"); !oneOf(version, "", "0", "1") {
		return extensionError("it has the format version %q, and 0 and 1 are known here", version)
	}
	return nil
}

// cloneAgain is the advice where no single command converts a repository.
const cloneAgain = "git clone URL FOLDER"

func extensionError(format string, value string) error {
	return &UnsupportedError{Kind: Extension, Detail: fmt.Sprintf(format, value), Advice: cloneAgain}
}

func oneOf(value string, accepted ...string) bool {
	return slices.Contains(accepted, strings.ToLower(value))
}

// checkPartial refuses a clone from which objects were left out (a promisor
// remote, partial-clone in git's technical documentation): Git fetches them
// when it needs them, and nothing is ever fetched here.
func (s settings) checkPartial() error {
	for _, file := range s.files {
		for _, remote := range file.Section("remote").Subsections {
			if remote.HasOption("promisor") || remote.HasOption("partialCloneFilter") {
				return partialError(remote.Name)
			}
		}
	}
	if remote, ok := s.get("extensions", "partialClone"); ok {
		return partialError(remote)
	}
	return nil
}

func partialError(remote string) error {
	name := "'" + strings.ReplaceAll(remote, "'", `'\''`) + "'" // the shell's quotes
	advice := "git fetch --refetch --no-filter " + name
	for _, key := range []string{".promisor", ".partialclonefilter"} {
		advice += " && { git config --unset-all remote." + name + key + " || true; }"
	}
	return &UnsupportedError{
		Kind:   Partial,
		Detail: "it is a partial clone (made with --filter), which lacks old files until they are asked for",
		Advice: advice + " && { git config --unset-all extensions.partialclone || true; }",
	}
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
		Kind:   Shallow,
		Detail: "its history is cut off (made with --depth, as by actions/checkout without fetch-depth: 0)",
		Advice: "git fetch --unshallow --tags",
	}
}

// checkSparse refuses a working tree that leaves out files on purpose: each
// would look as if it had been deleted.
func (s settings) checkSparse(loc location) error {
	if loc.workTree == "" || !s.isTrue("core", "sparseCheckout") {
		return nil
	}
	return &UnsupportedError{
		Kind:   Sparse,
		Detail: "its working tree holds only some of the files (sparse-checkout)",
		Advice: "git sparse-checkout disable",
	}
}
