package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// untilInterrupted is a context that ends when somebody wants the process to end:
// with Ctrl-C or Ctrl-\, by closing the terminal, or as a service does. A signal
// that the process was told to ignore, as nohup does, stays ignored.
func untilInterrupted() (ctx context.Context, stop context.CancelFunc) {
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}, signal.Ignored)
	if len(signals) == 0 { // NotifyContext would take none for all
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), signals...)
}
