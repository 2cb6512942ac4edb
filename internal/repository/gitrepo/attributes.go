package gitrepo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// AttributesFile is a file of gitattributes(5).
type AttributesFile struct {
	// Name is its path: relative to the root of the repository if InTree, otherwise
	// the path on disk.
	Name   string
	InTree bool
	Data   []byte
}

// OuterAttributes reads the attribute files outside the repository's folders: the
// system's and the user's (less), which those folders override, and the one in the
// .git folder (more), which overrides them. In each list, later files override earlier
// ones.
func (r *Repo) OuterAttributes(getenv func(string) string) (less, more []AttributesFile, err error) {
	names := []string{"/etc/gitattributes"}
	if getenv("GIT_ATTR_NOSYSTEM") != "" {
		names = nil
	}
	home := getenv("HOME")
	user := filepath.Join(home, ".config", "git", "attributes")
	if xdg := getenv("XDG_CONFIG_HOME"); xdg != "" {
		user = filepath.Join(xdg, "git", "attributes")
	}
	configs := []string{"/etc/gitconfig", filepath.Join(filepath.Dir(user), "config"), filepath.Join(home, ".gitconfig")}
	if global := getenv("GIT_CONFIG_GLOBAL"); global != "" {
		configs = []string{"/etc/gitconfig", global}
	}
	for _, name := range append(configs, filepath.Join(r.refs.commonDir, "config"), filepath.Join(r.refs.gitDir, "config.worktree")) {
		config, _ := readConfig(name) // Git reports an error at every command; the repository's own was read before
		if set, inHome := strings.CutPrefix(config["core.attributesfile"], "~"); inHome {
			user = absolute(filepath.Dir(name), home+set)
		} else if set != "" {
			user = absolute(filepath.Dir(name), set)
		}
	}
	for _, name := range append(names, user) {
		if less, err = addAttributes(less, os.DirFS(filepath.Dir(name)), AttributesFile{Name: name}); err != nil {
			return nil, nil, err
		}
	}
	own := filepath.Join(r.refs.commonDir, "info", "attributes")
	more, err = addAttributes(nil, os.DirFS(filepath.Dir(own)), AttributesFile{Name: own})
	return less, more, err
}

// AttributesIn reads the attribute files of the repository that apply to the paths:
// those in their folders and in parents. Later files override earlier ones.
func AttributesIn(files fs.FS, paths []string) ([]AttributesFile, error) {
	var names []string
	for _, p := range paths {
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			names = append(names, path.Join(dir, ".gitattributes"))
			if dir == "." {
				break
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var found []AttributesFile
	var err error
	for _, name := range slices.Compact(names) {
		if found, err = addAttributes(found, files, AttributesFile{Name: name, InTree: true}); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// addAttributes reads a file, if it exists. In a repository, Git does not follow a
// link to one.
func addAttributes(found []AttributesFile, files fs.FS, f AttributesFile) ([]AttributesFile, error) {
	stat, name := fs.Lstat, f.Name
	if !f.InTree {
		stat, name = fs.Stat, filepath.Base(f.Name)
	}
	info, err := stat(files, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && !info.Mode().IsRegular() {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	if f.Data, err = limits.ReadFile(files, name); err != nil {
		return nil, err
	}
	return append(found, f), nil
}

// Conversion is an attribute line that makes the content of a file differ between the
// repository and the working tree.
type Conversion struct {
	// Path is a file that it converts, and Attribute the cause: filter, ident, or
	// working-tree-encoding.
	Path, Attribute string
	// File is the index of the line's file in the list of files; Line is its number,
	// starting from 1.
	File, Line int
}

// converting are the attributes that make Git write other text into the working tree
// than a commit has. Line endings (text, eol) are not among them: they are normalized
// wherever documents are read.
var converting = []string{"filter", "ident", "working-tree-encoding"}

// MaxConverting is the number of conversion lines that are tried on each path.
const MaxConverting = 100

// Conversions finds the attribute lines that convert one of the paths, each line once.
// More than MaxConverting candidates are an error.
func Conversions(files []AttributesFile, paths []string) ([]Conversion, error) {
	var lines []attributeLine
	macros := map[string][]attribute{}
	for i, f := range slices.Backward(files) {
		lines = append(lines, parseAttributes(i, f, macros)...)
	}
	lines = slices.DeleteFunc(lines, func(l attributeLine) bool {
		return !slices.ContainsFunc(converting, func(name string) bool { return l.state(name, macros) != unnamed })
	})
	if len(lines) > MaxConverting {
		return nil, errors.New("too many attribute lines set filter, ident, or working-tree-encoding, so their effect can't be determined")
	}
	var found []Conversion
	if len(lines) == 0 {
		return nil, nil
	}
	for _, p := range paths {
		for _, name := range converting {
			at := slices.IndexFunc(lines, func(l attributeLine) bool {
				return l.matches(p) && l.state(name, macros) != unnamed
			})
			if at < 0 || lines[at].state(name, macros) == off {
				continue
			}
			c := Conversion{Path: p, Attribute: name, File: lines[at].file, Line: lines[at].line}
			same := func(other Conversion) bool {
				return other.File == c.File && other.Line == c.Line && other.Attribute == c.Attribute
			}
			if !slices.ContainsFunc(found, same) {
				found = append(found, c)
			}
		}
	}
	return found, nil
}

// attribute is a word of a line, such as -text or filter=lfs.
type attribute struct {
	name string
	on   bool
}

// attributeLine is a line with a pattern; file is the index of its file.
type attributeLine struct {
	file, line      int
	folder, pattern string
	attributes      []attribute
}

// parseAttributes reads a file. A line that overrides others comes first. It adds
// macros to the known ones; Git reads them in some files only, but mistaking a name
// for a macro does no harm.
func parseAttributes(file int, f AttributesFile, macros map[string][]attribute) []attributeLine {
	folder := ""
	if f.InTree && path.Dir(f.Name) != "." {
		folder = path.Dir(f.Name) + "/"
	}
	var lines []attributeLine
	number := 0
	for text := range strings.Lines(string(bytes.TrimPrefix(f.Data, []byte("\xef\xbb\xbf")))) {
		number++
		text = strings.TrimSpace(text)
		pattern, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
		if quoted, err := strconv.QuotedPrefix(text); err == nil {
			pattern, _ = strconv.Unquote(quoted)
			rest = text[len(quoted):]
		}
		l := attributeLine{file: file, line: number, folder: folder, pattern: pattern}
		for _, word := range strings.Fields(rest) {
			name, _, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
			l.attributes = append(l.attributes, attribute{name, word[0] != '-' && word[0] != '!'})
		}
		switch name, isMacro := strings.CutPrefix(pattern, "[attr]"); {
		case pattern == "" || pattern[0] == '#':
		case isMacro:
			macros[name] = append(macros[name], l.attributes...)
		default:
			lines = append(lines, l)
		}
	}
	slices.Reverse(lines)
	return lines
}

// The states of an attribute in a line.
const (
	unnamed = iota
	off
	on
)

// state returns the state of an attribute in a line, set directly or by a macro.
func (l *attributeLine) state(name string, macros map[string][]attribute) int {
	found := unnamed
	for _, a := range l.attributes {
		switch {
		case a.name == name && a.on:
			found = on
		case a.name == name:
			found = off
		case a.on && slices.ContainsFunc(macros[a.name], func(m attribute) bool { return m.name == name && m.on }):
			found = on
		}
	}
	return found
}

// matches reports whether the pattern of a line applies to a path. It ignores case,
// like systems with case-insensitive files. A pattern with brackets, escapes, or many
// ** counts as applying to every path: it can be written more simply.
func (l *attributeLine) matches(name string) bool {
	name, inside := strings.CutPrefix(name, l.folder)
	pattern := strings.ToLower(l.pattern)
	name = strings.ToLower(name)
	switch {
	case !inside:
		return false
	case strings.ContainsAny(pattern, `[\`), strings.Count(pattern, "**") > 2, strings.Count(name, "/") > 50:
		return true
	case !strings.Contains(pattern, "/"):
		ok, err := path.Match(pattern, path.Base(name))
		return ok || err != nil
	}
	return matchSegments(strings.Split(strings.TrimPrefix(pattern, "/"), "/"), strings.Split(name, "/"))
}

// matchSegments compares a pattern with a path, segment by segment; ** matches any
// number of them.
func matchSegments(pattern, names []string) bool {
	if len(pattern) > 0 && pattern[0] == "**" {
		for i := range len(names) + 1 {
			if matchSegments(pattern[1:], names[i:]) {
				return true
			}
		}
		return false
	}
	if len(pattern) == 0 || len(names) == 0 {
		return len(pattern) == len(names)
	}
	ok, err := path.Match(pattern[0], names[0])
	return (ok || err != nil) && matchSegments(pattern[1:], names[1:])
}
