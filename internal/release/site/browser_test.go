package site

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
)

// tab is a page in a real browser that records errors.
type tab struct {
	context.Context
	t    *testing.T
	base string // of the site

	mu    sync.Mutex
	wrong []string // what the console and the network say
}

// started is the browser of all tabs, nil if none is installed.
var started = sync.OnceValues(func() (context.Context, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox)
		allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, _ := chromedp.NewContext(allocator)
		stop = func() { _ = chromedp.Cancel(ctx) } // the tests are over
		return ctx, chromedp.Do(ctx)
	}
	return nil, nil
})

// stop stops the browser if it was started.
var stop = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	stop()
	os.Exit(code)
}

// browse opens a tab on a site: in its folder, or on a server.
func browse(t *testing.T, base string) *tab {
	t.Helper()
	browser, err := started()
	if err != nil {
		t.Fatal(err)
	}
	if browser == nil {
		t.Skip("chromium is not installed, so the pages were not tested in a browser")
	}
	ctx, closeTab := chromedp.NewContext(browser)
	t.Cleanup(closeTab)
	b := &tab{Context: ctx, t: t, base: base}
	must.Do(t, chromedp.Listen(ctx, b.note))
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func folderURL(dir string) string { return "file://" + filepath.ToSlash(dir) + "/" }

func serve(t *testing.T, dir string) string {
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// note records unexpected events: messages, errors, and requests to other sites.
func (b *tab) note(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text = fmt.Sprintf("console.%s", e.Type)
	case *runtime.EventExceptionThrown:
		text = e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		text = e.Entry.Text + " " + e.Entry.URL
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.base) && !strings.HasPrefix(u, "blob:") && !strings.HasPrefix(u, "data:") { // such as the icon of a date
			text = "a request for " + u
		}
	}
	if text != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.wrong = append(b.wrong, text)
	}
}

// silent checks that nothing was recorded.
func (b *tab) silent() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.wrong {
		b.t.Errorf("the browser says: %s", text)
	}
	b.wrong = nil
}

// do runs a browser action.
func do[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	return must.Get(chromedp.Run(b.Context, action))(b.t)
}

// visit goes to a page of the site.
func (b *tab) visit(name string) {
	b.t.Helper()
	do(b, chromedp.Navigate(b.base+name))
}

// value returns the value of an expression or of its promise.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	return do(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// run evaluates an expression without a value.
func (b *tab) run(expression string) {
	b.t.Helper()
	value[chromedp.Void](b, expression)
}

// until waits for a condition, at most 20 seconds: the test then says what is wrong.
func (b *tab) until(condition string) {
	b.t.Helper()
	b.run(fmt.Sprintf(`new Promise((resolve) => {
		const end = performance.now() + 20_000;
		const wait = () => (%s) || performance.now() > end ? resolve() : setTimeout(wait, 5);
		wait();
	})`, condition))
}

// enter sets the value of a control like a user, but at once.
func (b *tab) enter(id, value string) {
	b.t.Helper()
	quoted := must.Get(json.Marshal(value))(b.t)
	b.run(fmt.Sprintf(`{
		const control = document.getElementById(%q);
		const value = %s;
		if (control.type === "checkbox") control.checked = value === "yes";
		else control.value = value;
		control.dispatchEvent(new Event("input", { bubbles: true }));
	}`, id, quoted))
}

// shows returns the visible text of an element.
func (b *tab) shows(id string) string {
	b.t.Helper()
	return value[string](b, fmt.Sprintf("document.getElementById(%q).innerText", id))
}

// resize makes the window as wide as a device.
func (b *tab) resize(width int64) {
	b.t.Helper()
	do(b, chromedp.EmulateViewport(width, 900))
}

// media emulates light or dark colors, and a screen or print.
func (b *tab) media(medium, scheme string) {
	b.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	if _, err := chromedp.Call(b.Context, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: features}); err != nil {
		b.t.Fatal(err)
	}
}
