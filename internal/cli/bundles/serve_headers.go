package bundles

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// useHeaders makes the source send the headers of a file.
func (s *serveCommand) useHeaders() error {
	if s.remote == nil {
		return errors.New("--header-file: FROM is on this machine: expected an https address or a reference to a registry. Remove --header-file")
	}
	s.source = &private{file: s.headerFile, open: s.remote}
	return nil
}

// header is the name and the value of a header.
type header struct{ name, value string }

// private is a source that needs headers from a file. It reads the file for each check, because
// tokens expire and are replaced.
type private struct {
	file string
	open func(headers []header) library.Source

	read   string // the content of the file that current has
	opened library.Source
}

// Fetch is not safe for concurrent use. A Live calls it once at a time.
func (p *private) Fetch(ctx context.Context, known string) ([]byte, string, error) {
	f, err := readRegular(filepath.FromSlash(p.file))
	if err != nil {
		return nil, "", fmt.Errorf("--header-file: %w", err)
	}
	if text := string(f.Data); p.opened == nil || text != p.read {
		headers, err := parseHeaders(text)
		if err != nil {
			return nil, "", fmt.Errorf("--header-file: %s, %w", p.file, err)
		}
		p.read, p.opened = text, p.open(headers)
	}
	return p.opened.Fetch(ctx, known)
}

// readRegular reads a regular file. A pipe could be read only once, and waiting for its writer would
// keep the server from ending.
func readRegular(name string) (*source.File, error) {
	f, err := safefile.Open(name)
	if err != nil {
		return nil, command.InputError(name, err)
	}
	defer f.Close()
	return command.ReadAll(name, f)
}

// parseHeaders reads a header on each line. Empty lines and those that begin with # do not count.
// The errors have no text of the file, which has secrets.
func parseHeaders(text string) ([]header, error) {
	var headers []header
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); !found || value == "" {
			return nil, fmt.Errorf("line %d: expected NAME: VALUE, such as Authorization: Bearer TOKEN", number)
		}
		headers = append(headers, header{name, value})
	}
	if len(headers) == 0 {
		return nil, errors.New("which has no header: expected lines such as Authorization: Bearer TOKEN")
	}
	return headers, nil
}
