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

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// knownExtensions are the extensions of the repository format
// (gitrepository-layout(5), git-config(1)) that do not affect reading, or that this
// package supports. Names are in lowercase.
var knownExtensions = []string{
	"noop", "noop-v1",
	"preciousobjects",   // only restricts what may be deleted
	"relativeworktrees", // paths are resolved from the file that contains them
	"worktreeconfig",    // config.worktree is read
	"partialclone",      // seen by isPartial
	"objectformat", "refstorage",
}

// readSettings reads the parts of a repository's configuration that affect reading it.
// Only the repository's own files are read: the user's and the system's can't change
// its format, and included files are not followed.
func readSettings(loc location) (configFile, error) {
	shared, err := readConfig(filepath.Join(loc.commonDir, "config"))
	if err != nil || !shared.isTrue("extensions.worktreeconfig") {
		return shared, err
	}
	own, err := readConfig(filepath.Join(loc.gitDir, "config.worktree"))
	maps.Copy(shared, own)
	return shared, err
}

// isTrue reports whether a switch is on. Anything that is not clearly "off" counts as
// on.
func (s configFile) isTrue(key string) bool {
	value, ok := s[key]
	return ok && !oneOf(value, "", "false", "no", "off", "0")
}

// workTree returns the root of the working tree: the folder of .git, unless the
// configuration names another one or says that there is none.
func (s configFile) workTree(loc location) string {
	if loc.gitDir != loc.commonDir {
		return loc.workTree // core.bare and core.worktree concern the main working tree
	}
	if s.isTrue("core.bare") {
		return ""
	}
	if path, ok := s["core.worktree"]; ok {
		return absolute(loc.gitDir, path)
	}
	return loc.workTree
}

// checkFormat rejects unknown formats and extensions: each could change the meaning of
// any other file in the repository.
func (s configFile) checkFormat() error {
	if format := s["extensions.objectformat"]; !oneOf(format, "", "sha1") {
		return unsupported("git fast-export --all | git -C NEW-SHA1-REPOSITORY fast-import",
			"its object format is %s, but only SHA-1 is supported", format)
	}
	if storage := s["extensions.refstorage"]; !oneOf(storage, "", "files") {
		return unsupported("git refs migrate --ref-format=files",
			"its branches and tags are stored as %q, but only \"files\" is supported", storage)
	}
	version := s["core.repositoryformatversion"]
	if oneOf(version, "", "0") {
		return nil // Git ignores unknown extensions in this version
	} else if version != "1" {
		return unsupported(cloneAgain, "its format version is %q, but only 0 and 1 are supported", version)
	}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		name, isExtension := strings.CutPrefix(key, "extensions.")
		if isExtension && !slices.Contains(knownExtensions, name) {
			return unsupported(cloneAgain, "it uses the extension %q, which is not supported", name)
		}
	}
	return nil
}

// cloneAgain is the advice if no single command converts a repository.
const cloneAgain = "git clone URL FOLDER"

func oneOf(value string, accepted ...string) bool {
	return slices.Contains(accepted, strings.ToLower(value))
}

// promisor matches the keys that mark a partial clone.
var promisor = lazy.Expr(`^extensions\.partialclone$|^remote\..*\.(?:promisor|partialclonefilter)$`)

// isPartial reports whether a clone leaves out objects, which Git itself fetches on demand. It
// can be read until an object is missing.
func (s configFile) isPartial() bool {
	for key := range s {
		if promisor().MatchString(key) {
			return true
		}
	}
	return false
}

// noTags is the value of tagOpt with which Git does not fetch tags.
const noTags = "--no-tags"

// taglessRemote returns the name of a remote from which tags are not fetched, or "".
func (s configFile) taglessRemote() string {
	for _, key := range slices.Sorted(maps.Keys(s)) {
		name, isRemote := strings.CutPrefix(key, "remote.")
		if name, found := strings.CutSuffix(name, ".tagopt"); isRemote && found && s[key] == noTags {
			return name
		}
	}
	return ""
}

// checkShallow rejects a truncated history (clone --depth).
func checkShallow(loc location) error {
	data, err := os.ReadFile(filepath.Join(loc.commonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil
	} else if err != nil {
		return err
	}
	return unsupported("git fetch --unshallow --tags --force",
		"it is a shallow clone (made with --depth, or by actions/checkout without fetch-depth: 0)")
}

// checkSparse rejects a working tree that leaves out files on purpose: each of them
// would look deleted.
func (s configFile) checkSparse(loc location) error {
	if loc.workTree == "" || !s.isTrue("core.sparsecheckout") {
		return nil
	}
	return unsupported("git sparse-checkout disable", "its working tree is a sparse checkout, which leaves out files")
}

// configFile is a configuration file as described by git-config(1): the values by
// their full name ("core.bare", "remote.a b.promisor"), with section and key in
// lowercase. It replaces go-git's parser, which rejects text that is not UTF-8, a byte
// order mark, and a key on the line of its section, and does not distinguish "key ="
// (off) from "key" (on).
type configFile map[string]string

// readConfig reads a file; an absent file counts as empty.
func readConfig(path string) (configFile, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	config, err := parseConfig(string(data))
	if err != nil {
		return nil, fmt.Errorf("the Git configuration %s can't be read: %w", path, err)
	}
	return config, nil
}

// configElement matches the first element of a configuration: white space, a comment, a section
// with its subsection, or a key with its value.
var (
	configElement = lazy.Expr(`^(?:[ \t\r\n]+|[#;][^\n]*\n` +
		`|\[([0-9A-Za-z.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]` +
		`|([A-Za-z][0-9A-Za-z-]*)[ \t]*(?:\n|=((?:[^"\\\n#;]|\\[ntb"\\\n]|"(?:[^"\\\n]|\\[ntb"\\\n])*")*)(?:[#;][^\n]*)?\n))`)
	subsection = lazy.Expr(`\\(.)`)
)

func parseConfig(text string) (configFile, error) {
	config := configFile{}
	err := eachSetting(text, func(key, value string) error {
		config[key] = value
		return nil
	})
	if err != nil {
		return nil, err
	}
	return config, nil
}

// eachSetting calls do with the full name and the value of each key, in their order.
func eachSetting(text string, do func(key, value string) error) error {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n") + "\n"
	section := ""
	for rest := text; rest != ""; {
		m := configElement().FindStringSubmatch(rest)
		if m == nil {
			return fmt.Errorf("line %d is not valid", 1+strings.Count(text[:len(text)-len(rest)], "\n"))
		}
		whole, name, key := m[0], m[1], m[3]
		var err error
		switch {
		case name != "" && strings.HasSuffix(whole, `"]`):
			section = strings.ToLower(name) + "." + subsection().ReplaceAllString(m[2], "$1") + "."
		case name != "":
			section = strings.ToLower(name) + "."
		case key != "" && strings.Contains(whole, "="):
			err = do(section+strings.ToLower(key), configText(m[4]))
		case key != "":
			err = do(section+strings.ToLower(key), "true") // a key without a value is true
		}
		if err != nil {
			return err
		}
		rest = rest[len(whole):]
	}
	return nil
}

// configText returns the text of a value: without its quotes and the unquoted spaces
// around it, and with its escapes replaced.
func configText(raw string) string {
	var b strings.Builder
	raw = strings.TrimLeft(raw, " \t\r")
	quoted, end := false, 0 // end is the length without spaces at the end
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
			b.WriteString(configEscapes[raw[i]])
		default:
			b.WriteByte(c)
			if !quoted && strings.IndexByte(" \t\r", c) >= 0 {
				continue
			}
		}
		end = b.Len()
	}
	return b.String()[:end]
}

// configEscapes are the characters after a backslash; before a line end it joins the
// lines.
var configEscapes = map[byte]string{'n': "\n", 't': "\t", 'b': "\b", '"': `"`, '\\': `\`, '\n': ""}
