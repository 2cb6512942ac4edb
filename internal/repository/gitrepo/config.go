package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// configFile is a configuration file as described by git-config(1): the values by
// their full name ("core.bare", "remote.a b.promisor"), with section and key in
// lowercase. It replaces go-git's parser, which rejects a byte order mark and a key on
// the line of its section, and does not distinguish "key =" (off) from "key" (on).
type configFile map[string]string

// readConfig reads a file; an absent file counts as empty.
func readConfig(path string) (configFile, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	config, err := parseConfig(string(data))
	if err != nil {
		return nil, fmt.Errorf("the Git configuration %s can't be read: %w", path, err)
	}
	return config, nil
}

// The elements of a configuration, anchored at its start.
var (
	configBlank   = regexp.MustCompile(`^(?:[ \t\r\n]+|[#;][^\n]*\n)`)
	configSection = regexp.MustCompile(`^\[([0-9A-Za-z.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]`)
	configKey     = regexp.MustCompile(`^([A-Za-z][0-9A-Za-z-]*)[ \t]*(=|\n)`)
	configValue   = regexp.MustCompile(`^((?:[^"\\\n#;]|\\[ntb"\\\n]|"(?:[^"\\\n]|\\[ntb"\\\n])*")*)(?:[#;][^\n]*)?\n`)
	subsection    = regexp.MustCompile(`\\(.)`)
)

func parseConfig(text string) (configFile, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n") + "\n"
	config, section := configFile{}, ""
	for rest := text; rest != ""; {
		name, key := configSection.FindStringSubmatch(rest), configKey.FindStringSubmatch(rest)
		switch {
		case configBlank.MatchString(rest):
			rest = rest[len(configBlank.FindString(rest)):]
			continue
		case name != nil:
			section, rest = strings.ToLower(name[1])+".", rest[len(name[0]):]
			if strings.HasSuffix(name[0], `"]`) {
				section += subsection.ReplaceAllString(name[2], "$1") + "."
			}
			continue
		case key != nil:
			full := section + strings.ToLower(key[1])
			rest = rest[len(key[0]):]
			if key[2] == "\n" {
				config[full] = "true" // a key without a value is true
				continue
			}
			if value := configValue.FindStringSubmatch(rest); value != nil {
				config[full], rest = configText(value[1]), rest[len(value[0]):]
				continue
			}
		}
		return nil, fmt.Errorf("line %d is not valid", 1+strings.Count(text[:len(text)-len(rest)], "\n"))
	}
	return config, nil
}

// configText returns the text of a value: without its quotes and the unquoted spaces
// around it, and with its escapes replaced.
func configText(raw string) string {
	var b strings.Builder
	raw = strings.TrimLeft(raw, " \t\r")
	quoted, end := false, 0 // end is the length without spaces at the end
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
			b.WriteString(configEscapes[raw[i]])
		default:
			b.WriteByte(c)
			if !quoted && strings.IndexByte(" \t\r", c) >= 0 {
				continue
			}
		}
		end = b.Len()
	}
	return b.String()[:end]
}

// configEscapes are the characters after a backslash; before a line end it joins the
// lines.
var configEscapes = map[byte]string{'n': "\n", 't': "\t", 'b': "\b", '"': `"`, '\\': `\`, '\n': ""}
