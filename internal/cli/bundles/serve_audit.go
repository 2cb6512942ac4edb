package bundles

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// untilEnded is a context that ends when the server is asked to end. With an audit file, SIGHUP
// only asks to open the file again.
func (s *serveCommand) untilEnded() (ctx context.Context, stop context.CancelFunc) {
	if s.audit == "" {
		return command.UntilInterrupted()
	}
	return command.UntilInterrupted(syscall.SIGHUP)
}

// openAudit opens the audit log: the file of --audit, or else the log of the server.
func (s *serveCommand) openAudit(logger *slog.Logger) (audit *slog.Logger, end func(), err error) {
	if s.audit == "" { // an empty value is rejected for every flag
		return logger, func() {}, nil
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	f, err := safefile.OpenLog(filepath.FromSlash(s.audit), 0o600)
	if err != nil {
		signal.Stop(hangups)
		return nil, nil, fmt.Errorf("--audit %s: %w", s.audit, safefile.Reason(err))
	}
	go func() {
		for range hangups {
			if err := f.Reopen(); err != nil {
				logger.Error("the audit file could not be opened again", "file", s.audit, "error", safefile.Reason(err).Error())
			} else {
				logger.Info("the audit file was opened again", "file", s.audit)
			}
		}
	}()
	return slog.New(slog.NewJSONHandler(f, nil)), func() {
		signal.Stop(hangups)
		close(hangups)
		_ = f.Close() // each record is on the disk
	}, nil
}
