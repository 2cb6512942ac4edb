package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/gitignore"
)

// excludesFile returns the path of the user's ignored files in all repositories: that of core.excludesFile,
// or the default, which need not exist. It is "" if core.excludesFile names none that is supported.
func excludesFile(workTree string, config configFile) string {
	name, set := config["core.excludesfile"]
	if !set {
		return inUserFolder("ignore")
	}
	return userPath(workTree, name)
}

// readIgnoreRules reads the rules for the working tree of a repository with a configuration, but not
// those in its folders.
func readIgnoreRules(loc location, config configFile) (*gitignore.Rules, error) {
	var outside [][]byte
	for _, name := range []string{excludesFile(loc.workTree, config), filepath.Join(loc.commonDir, "info", "exclude")} {
		data, err := readUserFile(name)
		if err != nil {
			return nil, fmt.Errorf("the ignored files in %s can't be read: %w", name, safefile.Reason(err))
		}
		outside = append(outside, data)
	}
	return gitignore.New(safefile.DirFS(loc.workTree), config.isTrue(ignoreCase), outside...), nil
}

// ignoreCase is the setting with which names that differ only in case are the same.
const ignoreCase = "core.ignorecase"

// readUserFile reads a file of a user, of the system, or of a repository's Git folder. One that may not be
// read, or that is not a regular file, counts as absent, also where Git refuses it.
func readUserFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	var data []byte
	if err == nil {
		data, err = safefile.ReadFile(safefile.DirFS(filepath.Dir(name)), filepath.Base(name))
	}
	if safefile.IsAbsent(err) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	return data, err
}

// inHome returns the path of a file in the home folder of the user, or "" if there is no such folder.
func inHome(name string) string {
	home := os.Getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // on Windows, another variable has it
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, name)
}

// inUserFolder returns the path of a file in the folder with the files of a user for Git, or "".
func inUserFolder(name string) string {
	if folder := os.Getenv("XDG_CONFIG_HOME"); folder != "" {
		return filepath.Join(folder, "git", name)
	}
	return inHome(filepath.Join(".config", "git", name))
}

// userPath resolves a path of a configuration, in which ~/ is the user's folder, against base. It returns ""
// for an empty path, ~ alone, the folder of another user, and a path in the installation of Git.
func userPath(base, name string) string {
	rest, isInHome := strings.CutPrefix(name, "~/")
	switch {
	case isInHome:
		return inHome(rest)
	case name == "" || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "%("):
		return "" // of another user, or of the installation of Git
	}
	return absolute(base, name)
}

// readUserConfig reads the configuration of the system and of the user.
func readUserConfig() (configFile, error) {
	names := []string{inUserFolder("config"), inHome(".gitconfig")}
	if global, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		names = []string{global}
	}
	if system := (configFile{"no": os.Getenv("GIT_CONFIG_NOSYSTEM")}); !system.isTrue("no") {
		names = append([]string{cmp.Or(os.Getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig")}, names...)
	}
	all := configFile{}
	for _, name := range names {
		if name == "" {
			continue
		}
		if err := all.include(name, 0); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// mostIncludes is how deep the files of a configuration can include others, as in Git.
const mostIncludes = 10

// include adds the settings of a file and of those that it includes without a condition.
func (s configFile) include(name string, depth int) error {
	if depth > mostIncludes {
		return fmt.Errorf("the Git configuration %s can't be read: it is included by %d files in a row", name, depth)
	}
	var ofIncluded error
	data, err := readUserFile(name)
	if err == nil {
		err = eachSetting(string(data), func(key, value string) error {
			s[key] = value
			if path := userPath(filepath.Dir(name), value); key == "include.path" && path != "" {
				ofIncluded = s.include(path, depth+1)
			}
			return ofIncluded
		})
	}
	if err != nil && ofIncluded == nil {
		return fmt.Errorf("the Git configuration %s can't be read: %w", name, safefile.Reason(err))
	}
	return ofIncluded
}
