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

// excludesFile is the file with the ignored files of all repositories of a user: that of
// core.excludesFile, or the default; "" if there is none.
func excludesFile(workTree string, config configFile) string {
	name, set := config["core.excludesfile"]
	if !set {
		return filepath.Join(userFolder(), "ignore")
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

// readUserFile reads a file outside the working tree. As for Git, one that may not be read, or
// that is not a regular file, is the same as none.
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

func userHome() string {
	if home := os.Getenv("HOME"); home != "" {
		return home
	}
	home, _ := os.UserHomeDir() // then, there are no files of a user
	return home
}

// userFolder is the folder with the files of a user for Git.
func userFolder() string {
	return filepath.Join(cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(userHome(), ".config")), "git")
}

// userPath is a path of a configuration in which ~ is the folder of the user, or "".
func userPath(base, name string) string {
	rest, inHome := strings.CutPrefix(name, "~/")
	switch {
	case inHome:
		return filepath.Join(userHome(), rest)
	case name == "" || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "%("):
		return "" // of another user, or of the installation of Git
	}
	return absolute(base, name)
}

// readUserConfig reads the configuration of the system and of the user.
func readUserConfig() (configFile, error) {
	names := []string{filepath.Join(userFolder(), "config"), filepath.Join(userHome(), ".gitconfig")}
	if global, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		names = []string{global}
	}
	if system := (configFile{"no": os.Getenv("GIT_CONFIG_NOSYSTEM")}); !system.isTrue("no") {
		names = append([]string{cmp.Or(os.Getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig")}, names...)
	}
	all := configFile{}
	for _, name := range names {
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
	data, err := readUserFile(name)
	if err == nil {
		err = eachSetting(string(data), func(key, value string) error {
			s[key] = value
			if path := userPath(filepath.Dir(name), value); key == "include.path" && path != "" {
				return s.include(path, depth+1)
			}
			return nil
		})
	}
	if err != nil && depth == 0 {
		err = fmt.Errorf("the Git configuration %s can't be read: %w", name, safefile.Reason(err))
	}
	return err
}
