package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The versions of ajv-cli and of the validator in it.
const (
	ajvCLIVersion = "5.0.0"
	ajvVersion    = "8.20.0"
)

// ajv is an installed ajv-cli.
type ajv struct {
	script string // what node runs
	node   string // the version of node
}

// installAJV installs ajv-cli with npm, unless an earlier run has installed it.
func installAJV() (*ajv, error) {
	version, err := exec.Command("node", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("ajv-cli requires Node.js and npm. Install them (https://nodejs.org) and run the benchmark again: %w", err)
	}
	dir, err := npmInstall("ajv-cli@"+ajvCLIVersion, "ajv@"+ajvVersion)
	return &ajv{
		script: filepath.Join(dir, "node_modules", "ajv-cli", "dist", "index.js"),
		node:   strings.TrimSpace(string(version)),
	}, err
}

// npmInstall installs packages with npm in a folder of the user's cache, unless an
// earlier run has installed them.
func npmInstall(packages ...string) (dir string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	name := strings.NewReplacer("@", "-", "/", "-").Replace(strings.Join(packages, "-"))
	dir = filepath.Join(cache, "rubric-library-benchmark", name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	fmt.Fprintf(os.Stderr, "installing %s in %s\n", strings.Join(packages, " "), dir)
	npm := exec.Command("npm", append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund"}, packages...)...)
	if out, err := npm.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("npm could not install %s: %w\n%s", packages[0], errors.Join(err, os.RemoveAll(dir)), out)
	}
	return dir, nil
}

// command validates all rubrics of the library in dir against the schema.
func (a *ajv) command(schema, dir string) []string {
	return []string{
		"node", a.script, "validate", "--spec=draft2020",
		"-s", schema, "-d", filepath.ToSlash(dir) + "/rubrics/**/*.yaml",
	}
}
