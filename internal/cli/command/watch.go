package command

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"
)

// Watch shows on a terminal what a command does that has run for a second. Stop erases it.
type Watch struct {
	status *status
	stop   func()

	mu          sync.Mutex
	step        string
	done, total int
	since       time.Time // when the step began
}

const (
	// quiet is how long a command shows nothing, because most are done by then.
	quiet = time.Second
	// refresh is how often the line changes.
	refresh = 100 * time.Millisecond
)

// Watch starts to show what is reported. In a file, and in CI, it shows nothing.
func (s Streams) Watch() *Watch {
	w := &Watch{status: s.status(), stop: func() {}}
	if w.status == nil {
		return w
	}
	done := make(chan bool)
	signals := make(chan os.Signal, 1)
	if ending := ending(); len(ending) > 0 { // Notify without signals means all signals
		signal.Notify(signals, ending...)
	}
	var running sync.WaitGroup
	running.Go(func() { w.run(done, signals) })
	w.stop = sync.OnceFunc(func() {
		signal.Stop(signals)
		close(done)
		running.Wait()
	})
	return w
}

// Stop erases the line. It can be called again.
func (w *Watch) Stop() { w.stop() }

// Report says what the command does now, and how much of it is done; total is 0 if that is not
// known. Calls can be concurrent.
func (w *Watch) Report(step string, done, total int) {
	if w.status == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if step != w.step || total != w.total {
		w.step, w.done, w.total, w.since = step, 0, total, time.Now()
	}
	w.done = max(w.done, done)
}

// run shows the line until done is closed or a signal ends the process.
func (w *Watch) run(done <-chan bool, signals chan os.Signal) {
	defer w.status.clear()
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case sig := <-signals:
			w.status.clear()
			signal.Reset(sig)
			endBy(sig)
			return
		case <-tick.C:
			if text := w.text(); text != "" && time.Since(w.status.start) >= quiet {
				w.status.show(text)
			}
		}
	}
}

// text is the line.
func (w *Watch) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.step == "":
		return ""
	case w.total > 0:
		return fmt.Sprintf("%s: %d of %d", w.step, w.done, w.total)
	}
	return fmt.Sprintf("%s: %d s", w.step, int(time.Since(w.since).Seconds()))
}

// endBy ends the process as the signal does without a handler, so that a shell sees why it ended.
func endBy(sig os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(sig)
	}
	if err != nil { // Windows can't send it
		os.Exit(ExitFailure)
	}
}
