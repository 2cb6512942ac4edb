// Package gitignore says whether Git ignores a path of a working tree that it does not track, by the
// patterns of its .gitignore files and of others (gitignore(5)). A file of patterns that can't be read
// is an error, and no pattern takes long to match.
//
// go-git matches by other rules ([!a], a**b, spaces, a folder that is ignored).
package gitignore

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// fileName has the patterns of a folder.
const fileName = ".gitignore"

// Rules are the rules by which Git ignores untracked files of a working tree. They are safe for
// concurrent use.
type Rules struct {
	files   fs.FS // the working tree
	fold    bool
	general *folder

	mu      sync.Mutex
	folders map[string]*folder // by path
}

// folder has the patterns of a folder.
type folder struct {
	// prefix is the path of the folder with a slash, or "" for the working tree.
	prefix   string
	patterns []*pattern
	// above is the folder around it. Around the working tree are the patterns from outside.
	above *folder
	// ignored says that everything in the folder is ignored, whatever its own patterns say.
	ignored bool
}

// New returns the rules of a working tree: those of its folders, which are read when they are needed,
// and those of files outside it, which decide where no folder does, the last of them first. With fold,
// names that differ only in case are the same (core.ignoreCase).
func New(files fs.FS, fold bool, outside ...[]byte) *Rules {
	r := &Rules{files: files, fold: fold, general: &folder{}, folders: map[string]*folder{}}
	for _, data := range outside {
		r.general.patterns = append(r.general.patterns, parseFile(data, fold)...)
	}
	return r
}

// Ignores reports whether the rules ignore a path of the working tree.
func (r *Rules) Ignores(name string, isFolder bool) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	folder, err := r.folder(path.Dir(name))
	if err != nil {
		return false, err
	}
	return folder.ignores(name, isFolder), nil
}

// folder returns the rules of a folder, which it reads once.
func (r *Rules) folder(name string) (*folder, error) {
	if f := r.folders[name]; f != nil {
		return f, nil
	}
	f := &folder{above: r.general}
	if name != "." {
		above, err := r.folder(path.Dir(name))
		if err != nil {
			return nil, err
		}
		f.prefix, f.above, f.ignored = name+"/", above, above.ignores(name, true)
	}
	if !f.ignored {
		data, err := r.read(f.prefix + fileName)
		if err != nil {
			return nil, err
		}
		f.patterns = parseFile(data, r.fold)
	}
	r.folders[name] = f
	return f, nil
}

// read reads the patterns of a folder. Git does not follow a link to them.
func (r *Rules) read(name string) ([]byte, error) {
	info, err := fs.Lstat(r.files, name)
	if safefile.IsAbsent(err) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	var data []byte
	if err == nil {
		data, err = safefile.ReadFile(r.files, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	}
	return data, nil
}

// ignores reports whether a path in the folder is ignored: the last pattern that matches
// decides, of the nearest folder that has one.
func (f *folder) ignores(name string, isFolder bool) bool {
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

// pattern is a line of a .gitignore file.
type pattern struct {
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

// parseFile returns the patterns of a file that can match.
func parseFile(data []byte, fold bool) []*pattern {
	var patterns []*pattern
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\uFEFF")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		line, _, _ = strings.Cut(line, "\x00")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if p := parsePattern(withoutSpaces(line), fold); p != nil {
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

// parsePattern returns a pattern, or nil if it can't match.
func parsePattern(text string, fold bool) *pattern {
	p := &pattern{fold: fold}
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
func (p *pattern) matches(name string, isFolder bool) bool {
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
