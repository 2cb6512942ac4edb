package main

import (
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
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "rubric-library-benchmark", "ajv-cli-"+ajvCLIVersion+"-ajv-"+ajvVersion)
	a := &ajv{
		script: filepath.Join(dir, "node_modules", "ajv-cli", "dist", "index.js"),
		node:   strings.TrimSpace(string(version)),
	}
	if _, err := os.Stat(a.script); err == nil {
		return a, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "installing ajv-cli %s in %s\n", ajvCLIVersion, dir)
	npm := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "ajv-cli@"+ajvCLIVersion, "ajv@"+ajvVersion)
	if out, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm could not install ajv-cli: %w\n%s", err, out)
	}
	return a, nil
}

// command validates all rubrics of the library in dir against the schema.
func (a *ajv) command(schema, dir string) []string {
	return []string{
		"node", a.script, "validate", "--spec=draft2020",
		"-s", schema, "-d", filepath.ToSlash(dir) + "/rubrics/**/*.yaml",
	}
}
