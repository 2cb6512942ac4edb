package bundles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/library/libraryhttp"
	"github.com/rubric-library/rubric-library/pkg/library/registry"
)

// served is what is served: bundles, or for trying it out a folder.
type served struct {
	source library.Source
	folder string // "" for bundles
	file   string // "" unless the source is a file
	// remote opens the source with headers. It is nil unless the source is a server.
	remote func(headers []header) library.Source
}

// fromServer is what is served from a server.
func fromServer(open func(headers []header) library.Source) served {
	return served{source: open(nil), remote: open}
}

func address(from string) func([]header) library.Source {
	return func(headers []header) library.Source {
		var opts []libraryhttp.Option
		for _, h := range headers {
			opts = append(opts, libraryhttp.WithHeader(h.name, h.value))
		}
		return libraryhttp.HTTPS(from, opts...)
	}
}

func repository(from string) func([]header) library.Source {
	return func(headers []header) library.Source {
		var opts []registry.Option
		for _, h := range headers {
			opts = append(opts, registry.WithHeader(h.name, h.value))
		}
		return registry.OCI(from, opts...)
	}
}

// servedFrom is what the argument of serve names, or the library that contains the working
// folder. A name is a reference to a registry if it is not a file and its first part can only be
// a host, as for Docker.
func servedFrom(cmd *cobra.Command, args []string) (served, error) {
	from := strings.Join(args, "")
	l, err := command.FindLibrary(command.Place{From: from, Advice: command.AdviceToName(cmd)}, nil)
	if err != nil {
		return served{}, err
	}
	if l.Root != "" {
		return served{folder: l.Name()}, nil
	}
	host, _, inHost := strings.Cut(from, "/")
	_, missing := os.Stat(from)
	switch {
	case strings.HasPrefix(from, "oci://"), strings.HasPrefix(from, "docker://"):
		return fromServer(repository(from)), nil // its error says how to write it
	case strings.Contains(from, "://"):
		return fromServer(address(from)), nil
	case missing != nil && inHost && !strings.HasSuffix(from, ".zip") && strings.Trim(host, ".") != "" &&
		(strings.ContainsAny(host, ".:") || host == "localhost"):
		return fromServer(repository(from)), nil
	}
	file := filepath.FromSlash(from)
	return served{source: library.File(file), file: file}, nil
}

// folderInterval is the time between two checks of a folder: who edits it waits for the result.
const folderInterval = 2 * time.Second

// onlyTriesOut refuses the flags that need a bundle.
func (s *serveCommand) onlyTriesOut(intervalIsSet bool) error {
	if !intervalIsSet {
		s.interval = folderInterval
	}
	const instead = ". Serve a bundle, which `rubric build` builds, or remove "
	switch {
	case s.digest != "":
		return errors.New("--digest: " + s.folder + " is a folder, and only a bundle has a digest" + instead + "--digest")
	case s.lastGood != "":
		return errors.New("--last-good: " + s.folder +
			" is a folder, and only a bundle is kept as the last good one" + instead + "--last-good")
	case s.cacheExact != 0:
		return errors.New("--cache-exact: " + s.folder +
			" is a folder, in which the content of a version can change" + instead + "--cache-exact")
	case s.downgrades:
		return errors.New("--allow-downgrades: " + s.folder + " is a folder, and only a bundle is a release" +
			instead + "--allow-downgrades")
	}
	return nil
}

// options are those about bundles.
func (s *serveCommand) options() (options []library.Option) {
	if s.folder != "" {
		return nil
	}
	if s.digest != "" {
		options = append(options, library.WithDigest(s.digest))
	} else {
		options = append(options, library.WithAnyDigest())
	}
	if s.lastGood != "" {
		options = append(options, library.WithLastGood(s.lastGood))
	}
	if s.downgrades {
		options = append(options, library.WithDowngrades())
	}
	return options
}

// followFolder starts to follow the folder.
func (s *serveCommand) followFolder(ctx context.Context, options []library.Option) (*library.Live, error) {
	slog.Warn("serving a folder, which is only for trying it out: it has no releases, earlier versions, or calibration, and "+
		"the content of a version can change. Serve a bundle to those who use the library", "folder", s.folder,
		"interval", s.interval.String())
	live, err := library.FollowDir(ctx, func() fs.FS { return gitrepo.NewWorkTree(s.folder) }, options...)
	return live, command.FolderError(s.folder, err)
}

// checkSize refuses a file that is too large to be served. With a last good bundle, the server can
// start all the same.
func (s *serveCommand) checkSize() error {
	info, err := os.Stat(s.file)
	if s.file == "" || s.lastGood != "" || err != nil || info.Size() <= library.MaxFetched {
		return nil
	}
	return fmt.Errorf("%w. %s", &safefile.TooLargeError{Name: s.file, Size: info.Size(), Max: library.MaxFetched}, splitIt)
}
