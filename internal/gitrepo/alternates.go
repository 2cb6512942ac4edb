package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// objectFolders lists folders and all their alternates, direct or indirect.
func objectFolders(folders []string) ([]string, error) {
	for i := 0; i < len(folders); i++ { // the list grows
		path := filepath.Join(folders[i], "info", "alternates")
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("the Git repository's list of folders with borrowed objects can't be read: %w. To fix this, run: %s", err, cloneAgain)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			other := absolute(folders[i], line)
			if slices.Contains(folders, other) {
				continue
			}
			if info, err := os.Stat(other); err != nil || !info.IsDir() {
				return nil, unsupported(cloneAgain, "it borrows objects from %q, which can't be read (named in %s)", other, path)
			}
			folders = append(folders, other)
		}
	}
	return folders, nil
}

// quarantine lists the object folders that the environment names. While a pre-receive
// hook checks a push, Git keeps the new objects in a separate folder
// (git-receive-pack(1), "Quarantine Environment"). Additional folders can't change the
// result, because every object is checked against its hash.
func quarantine(getenv func(string) string) []string {
	var folders []string
	if own := getenv("GIT_OBJECT_DIRECTORY"); own != "" {
		folders = append(folders, own)
	}
	folders = append(folders, filepath.SplitList(getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))...)
	for i, folder := range folders {
		if path, err := filepath.Abs(folder); err == nil {
			folders[i] = path
		}
	}
	return folders
}
