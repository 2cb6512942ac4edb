package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// untilInterrupted is a context that ends when the process is asked to end: with
// Ctrl-C or Ctrl-\, by closing the terminal, or by a service manager. A signal that the
// process ignores, for example under nohup, stays ignored.
func untilInterrupted() (ctx context.Context, stop context.CancelFunc) {
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}, signal.Ignored)
	if len(signals) == 0 { // NotifyContext without signals means all signals
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), signals...)
}
