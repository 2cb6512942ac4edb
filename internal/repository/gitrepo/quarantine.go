package gitrepo

import (
	"path/filepath"
	"strconv"
	"strings"
)

// quarantine lists the object folders that the environment names. While a pre-receive
// hook checks a push, Git keeps the new objects in a separate folder
// (git-receive-pack(1), "Quarantine Environment"). Additional folders can't change the
// result, because every object is checked against its hash.
func quarantine(getenv func(string) string) []string {
	var folders []string
	if own := getenv("GIT_OBJECT_DIRECTORY"); own != "" {
		folders = append(folders, own)
	}
	folders = append(folders, splitQuoted(getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))...)
	for i, folder := range folders {
		if path, err := filepath.Abs(folder); err == nil {
			folders[i] = path
		}
	}
	return folders
}

// splitQuoted splits a list of paths. Git quotes those that start with a quotation
// mark or contain the separator (git(1)).
func splitQuoted(list string) []string {
	var paths []string
	for list != "" {
		var path string
		if quoted, err := strconv.QuotedPrefix(list); err == nil && quoted[0] == '"' {
			path, _ = strconv.Unquote(quoted)
			list = strings.TrimPrefix(list[len(quoted):], string(filepath.ListSeparator))
		} else {
			path, list, _ = strings.Cut(list, string(filepath.ListSeparator))
		}
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}
