package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// ignoreFile has the patterns of a folder.
const ignoreFile = ".gitignore"

// ignoreRules are the rules by which Git ignores untracked files of a working tree
// (gitignore(5)). They are safe for concurrent use.
type ignoreRules struct {
	files   fs.FS // the working tree
	fold    bool  // core.ignoreCase
	general *ignoredFolder

	mu      sync.Mutex
	folders map[string]*ignoredFolder // by path
}

// ignoredFolder has the patterns of a folder.
type ignoredFolder struct {
	// prefix is the path of the folder with a slash, or "" for the working tree.
	prefix   string
	patterns []*ignorePattern
	// above is the folder around it. Around the working tree are the patterns for all
	// repositories and those in info/exclude.
	above *ignoredFolder
	// ignored says that everything in the folder is ignored, whatever its own patterns say.
	ignored bool
}

// newIgnoreRules reads the rules for the working tree of a repository with a configuration,
// but not those in its folders.
func newIgnoreRules(loc location, config configFile) (*ignoreRules, error) {
	r := &ignoreRules{
		files: safefile.DirFS(loc.workTree), fold: config.isTrue("core.ignorecase"),
		general: &ignoredFolder{}, folders: map[string]*ignoredFolder{},
	}
	for _, name := range []string{excludesFile(loc.workTree, config), filepath.Join(loc.commonDir, "info", "exclude")} {
		data, err := readUserFile(name)
		if err != nil {
			return nil, fmt.Errorf("the ignored files in %s can't be read: %w", name, safefile.Reason(err))
		}
		r.general.patterns = append(r.general.patterns, parseIgnoreFile(data, r.fold)...)
	}
	return r, nil
}

// readUserFile reads a file outside the working tree. As for Git, one that may not be read, or
// that is not a regular file, is the same as none.
func readUserFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	var data []byte
	if err == nil {
		data, err = limits.ReadFile(safefile.DirFS(filepath.Dir(name)), filepath.Base(name))
	}
	if isAbsent(err) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	return data, err
}

// isAbsent reports whether an error says that a file does not exist.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// ignores reports whether the rules ignore a path of the working tree.
func (r *ignoreRules) ignores(name string, isFolder bool) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	folder, err := r.folder(path.Dir(name))
	if err != nil {
		return false, err
	}
	return folder.ignores(name, isFolder), nil
}

// folder returns the rules of a folder, which it reads once.
func (r *ignoreRules) folder(name string) (*ignoredFolder, error) {
	if f := r.folders[name]; f != nil {
		return f, nil
	}
	f := &ignoredFolder{above: r.general}
	if name != "." {
		above, err := r.folder(path.Dir(name))
		if err != nil {
			return nil, err
		}
		f.prefix, f.above, f.ignored = name+"/", above, above.ignores(name, true)
	}
	if !f.ignored {
		data, err := r.read(f.prefix + ignoreFile)
		if err != nil {
			return nil, err
		}
		f.patterns = parseIgnoreFile(data, r.fold)
	}
	r.folders[name] = f
	return f, nil
}

// read reads the patterns of a folder. Git does not follow a link to them.
func (r *ignoreRules) read(name string) ([]byte, error) {
	info, err := fs.Lstat(r.files, name)
	if isAbsent(err) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	var data []byte
	if err == nil {
		data, err = limits.ReadFile(r.files, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	}
	return data, nil
}

// ignores reports whether a path in the folder is ignored: the last pattern that matches
// decides, of the nearest folder that has one.
func (f *ignoredFolder) ignores(name string, isFolder bool) bool {
	if f.ignored {
		return true
	}
	for at := f; at != nil; at = at.above {
		relative := strings.TrimPrefix(name, at.prefix)
		for _, p := range slices.Backward(at.patterns) {
			if p.matches(relative, isFolder) {
				return !p.includes
			}
		}
	}
	return false
}

// ignorePattern is a line of a .gitignore file.
type ignorePattern struct {
	includes    bool // a line with !: what it matches is not ignored
	foldersOnly bool
	namesOnly   bool // it matches a name in any folder below
	fold        bool
	literal     string // the start of the pattern, without wildcards
	rest        glob
}

// maxPattern is the length of the longest pattern that can match, in bytes, as of the longest
// path that systems allow.
const maxPattern = 4096

// parseIgnoreFile returns the patterns of a file that can match.
func parseIgnoreFile(data []byte, fold bool) []*ignorePattern {
	var patterns []*ignorePattern
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\uFEFF")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		line, _, _ = strings.Cut(line, "\x00")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if p := parseIgnorePattern(withoutSpaces(line), fold); p != nil {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// withoutSpaces removes the spaces at the end of a line, except one after a backslash.
func withoutSpaces(line string) string {
	short := strings.TrimRight(line, " ")
	slashes := len(short) - len(strings.TrimRight(short, `\`))
	if slashes%2 == 1 && short != line {
		short += " "
	}
	return short
}

// parseIgnorePattern returns a pattern, or nil if it can't match.
func parseIgnorePattern(text string, fold bool) *ignorePattern {
	p := &ignorePattern{fold: fold}
	text, p.includes = strings.CutPrefix(text, "!")
	text, p.foldersOnly = strings.CutSuffix(text, "/")
	p.namesOnly = !strings.Contains(text, "/")
	text = strings.TrimPrefix(text, "/")
	if text == "" || len(text) > maxPattern {
		return nil
	}
	end := strings.IndexAny(text, `*?[\`)
	if end < 0 {
		end = len(text)
	}
	p.literal = lowerText(text[:end], fold)
	rest, valid := parseGlob(text[end:], fold)
	p.rest = rest
	if !valid {
		return nil
	}
	return p
}

func lowerText(text string, fold bool) string {
	if !fold {
		return text
	}
	lowered := []byte(text)
	for i, c := range lowered {
		lowered[i] = lower(c, true)
	}
	return string(lowered)
}

// matches reports whether the pattern matches a path, relative to the folder that has it.
func (p *ignorePattern) matches(name string, isFolder bool) bool {
	if p.foldersOnly && !isFolder {
		return false
	}
	if p.namesOnly {
		name = path.Base(name)
	}
	rest, ok := strings.CutPrefix(lowerText(name, p.fold), p.literal)
	if !ok {
		return false
	}
	if len(p.rest) == 0 {
		return rest == ""
	}
	return p.rest.matches(rest)
}
