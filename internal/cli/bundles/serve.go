package bundles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/release/serve"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func (b *bundleCommand) serveCommand() *cobra.Command {
	s := &serveCommand{Streams: b.Streams}
	cmd := &cobra.Command{
		Use:  "serve [FROM]",
		Args: command.Arguments(0, 1, "at most one FROM: a bundle file, a folder, an https address, or a reference to a registry"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if s.served, err = servedFrom(cmd, args); err != nil {
				return err
			}
			if s.cacheExact%time.Second != 0 || s.cacheExact < time.Second && cmd.Flags().Changed("cache-exact") {
				return fmt.Errorf("--cache-exact must be whole seconds, at least 1s, got %s", s.cacheExact)
			}
			if s.folder != "" {
				err = s.onlyTriesOut(cmd.Flags().Changed("interval"))
			}
			if err == nil && s.headerFile != "" {
				err = s.useHeaders()
			}
			if err == nil {
				err = s.run()
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.listen, "listen", "127.0.0.1:7070", "the `HOST:PORT` to listen on")
	flags.StringVar(&s.healthListen, "health-listen", "",
		"the `HOST:PORT` for health and metrics (default: that of --listen)")
	flags.IntVar(&s.connections, "connections", serve.Standard.Connections,
		"the `NUMBER` of clients at a time, for each address")
	flags.StringVar(&s.digest, "digest", "", "the expected digest of the first bundle: sha256: and 64 digits")
	flags.StringVar(&s.lastGood, "last-good", "",
		"a folder that keeps the last good bundle, to start while the source is down")
	flags.StringVar(&s.headerFile, "header-file", "",
		"a file with headers for the server that has the bundle: NAME: VALUE on each line")
	flags.DurationVar(&s.interval, "interval", time.Minute,
		"the time between two checks for a new bundle; of a folder, 2s unless set")
	flags.BoolVar(&s.downgrades, "allow-downgrades", false, "accept an earlier release than the one in use")
	flags.StringVar(&s.audit, "audit", "", "the file to append the audit log to (default: standard error)")
	flags.DurationVar(&s.cacheExact, "cache-exact", 0,
		"how long a proxy may keep an exact version; the audit log lacks what it answers")
	flags.StringVar(&s.actorHeader, "actor-header", "", "the header that names the actor, such as X-Forwarded-User")
	return cmd
}

// headerName matches the names of RFC 9110, section 5.1.
var headerName = lazy.Expr("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

func (s *serveCommand) run() error {
	// Go keeps the header Host elsewhere.
	if s.actorHeader != "" && (!headerName().MatchString(s.actorHeader) || strings.EqualFold(s.actorHeader, "Host")) {
		return fmt.Errorf("--actor-header must be the name of a header, such as X-Forwarded-User, got %q", s.actorHeader)
	}
	if s.connections < 1 {
		return fmt.Errorf("--connections must be at least 1, got %d", s.connections)
	}
	ctx, stop := s.untilEnded()
	defer stop()
	logger := slog.New(slog.NewJSONHandler(s.Err, nil))
	audit, closeAudit, err := s.openAudit(logger)
	if err != nil {
		return err
	}
	defer closeAudit()
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(logger)
	server, limits := serve.New(s.actorHeader), serve.Standard
	limits.Connections, server.CacheExact = s.connections, s.cacheExact
	options := append(s.options(), library.WithInterval(s.interval), library.WithAudit(audit),
		library.WithTelemetry(server.Telemetry()))
	follow, err := s.prepare(ctx, options)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	listeners, err := s.open()
	if err != nil {
		return err
	}
	return server.Run(ctx, listeners, limits, follow)
}

// prepare fails if it is already certain that there is nothing to serve. A folder is read now, and
// bundles when the server runs.
func (s *serveCommand) prepare(
	ctx context.Context, options []library.Option,
) (follow func(context.Context) (*library.Live, error), err error) {
	if s.folder == "" {
		return func(ctx context.Context) (*library.Live, error) {
			return library.Follow(ctx, s.source, options...)
		}, s.checkSize()
	}
	live, err := s.followFolder(ctx, options)
	return func(context.Context) (*library.Live, error) { return live, nil }, err
}

// open opens the listeners and logs their addresses.
func (s *serveCommand) open() (l serve.Listeners, err error) {
	if l.Main, err = net.Listen("tcp", s.listen); err != nil {
		return l, fmt.Errorf("--listen %s: %w", s.listen, err)
	}
	addresses := []any{"address", l.Main.Addr().String()}
	if s.healthListen != "" {
		if l.Health, err = net.Listen("tcp", s.healthListen); err != nil {
			return l, errors.Join(fmt.Errorf("--health-listen %s: %w", s.healthListen, err), l.Main.Close())
		}
		addresses = append(addresses, "health_address", l.Health.Addr().String())
	}
	slog.Info("listening", addresses...)
	return l, nil
}
