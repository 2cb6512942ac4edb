package main

import (
	_ "embed"
	"os"
	"path/filepath"
)

const spectralVersion = "6.16.3"

// spectralRules check the JSON Schema and, with regular expressions, what some of the
// lint rules check.
//
//go:embed spectral.mjs
var spectralRules []byte

// installSpectral installs Spectral, a linter for YAML with configurable rules, and
// returns its command for the library in a folder.
func installSpectral(schema string) (command func(dir string) []string, err error) {
	folder, err := npmInstall("@stoplight/spectral-cli@" + spectralVersion)
	if err != nil {
		return nil, err
	}
	rules := filepath.Join(folder, "rules.mjs")
	if err := os.WriteFile(rules, spectralRules, 0o666); err != nil {
		return nil, err
	}
	return func(dir string) []string {
		script := filepath.Join(folder, "node_modules", "@stoplight", "spectral-cli", "dist", "index.js")
		return []string{
			"node", script, "lint", "--ruleset", rules, "--fail-severity", "warn",
			filepath.ToSlash(dir) + "/rubrics/**/*.yaml",
		}
	}, os.Setenv("RUBRIC_SCHEMA", schema)
}
