package clients_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// bundlers build main.js for a browser as their documentation says, without configuration, into
// the folder out. Each prints nothing but the files that it wrote.
var bundlers = map[string]string{
	"esbuild":             `"$BUNDLERS/.bin/esbuild" main.js --bundle --platform=browser --log-level=warning --outfile=out/page.js`,
	"esbuild, minified":   `"$BUNDLERS/.bin/esbuild" main.js --bundle --minify --format=esm --platform=browser --log-level=warning --outfile=out/page.js`,
	"webpack":             webpack("production"),
	"webpack, unminified": webpack("development"),
	"vite":                `"$BUNDLERS/.bin/vite" build --logLevel warn --outDir out`,
}

func webpack(mode string) string {
	return `node -e '
		require(process.env.BUNDLERS + "/webpack")({
			mode: "` + mode + `", target: "web", context: process.cwd(), entry: "./main.js", output: { path: process.cwd() + "/out", filename: "page.js" },
		}, (error, stats) => {
			const said = error ? String(error) : stats.toString({ all: false, errors: true, warnings: true });
			if (said) console.log(said);
		})'`
}

// TestBundlers imports the package in a page, and runs what each bundler makes of the page in a
// browser if one is installed.
func TestBundlers(t *testing.T) {
	if os.Getenv("BUNDLERS") == "" {
		t.Skip("BUNDLERS does not name a node_modules folder, so the client was not tested in a browser; .ci/run installs it")
	}
	data, digest := released(t).write(t)
	browser := startBrowser(t)
	for name, command := range bundlers {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must.Do(t, os.CopyFS(filepath.Join(dir, "node_modules", "rubric-bundle"), os.DirFS("javascript")))
			must.Do(t, os.CopyFS(dir, os.DirFS("testdata/browser")))
			build := exec.Command("bash", "-ec", command)
			build.Dir = dir
			if out, err := build.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			out := filepath.Join(dir, "out")
			if !strings.HasPrefix(name, "vite") {
				must.Do(t, os.WriteFile(filepath.Join(out, "index.html"), []byte(`<script src="page.js"></script>`), 0o666))
			}
			must.Do(t, os.WriteFile(filepath.Join(out, "rubrics.zip"), data, 0o666))
			got := inBrowser(t, browser, out, digest)
			want := map[string]any{
				"reference": "user_story_quality_v1@1.10.0", "passed": false, "hits": 1.0,
				"followed": []any{
					"1.10.0", "1.10.0", "", true,
					"BundleError: /nothing.zip: the server answers 404 Not Found",
					"BundleError: /moved.zip: Failed to fetch",
					"InputError: the address of the bundle must be a valid https address, or http for localhost",
					"InputError: lastGood and ca work in Node.js only",
				},
				"openFile": "TypeError: openFile works in Node.js only. Elsewhere, open what (await fetch(address)).arrayBuffer() returns",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the page (-want +got):\n%s", diff)
			}
		})
	}
}

// startBrowser returns a browser.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox)
		allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
		t.Cleanup(end)
		ctx, closeTab := chromedp.NewContext(allocator)
		t.Cleanup(closeTab)
		must.Do(t, chromedp.Do(ctx))
		return ctx
	}
	t.Skip("chromium is not installed, so the client was not tested in a browser")
	return nil
}

// inBrowser serves a folder, opens its page, and returns what the function of the page returns.
func inBrowser(t *testing.T, browser context.Context, dir, digest string) (result map[string]any) {
	t.Helper()
	var asked, moved atomic.Int64
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/rubrics.zip":
			w.Header().Set("ETag", strconv.Quote(digest))
			if r.Header.Get("If-None-Match") == strconv.Quote(digest) {
				asked.Add(1)
			}
		case "/moved.zip":
			http.Redirect(w, r, "/moved-again.zip", http.StatusFound)
			return
		case "/moved-again.zip":
			moved.Add(1)
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, closeTab := chromedp.NewContext(browser)
	defer closeTab()
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate(server.URL)))
	text := must.Get(chromedp.Run(ctx, chromedp.Evaluate[string](`test("`+digest+`")`, chromedp.EvalAwaitPromise)))(t)
	must.Do(t, json.Unmarshal([]byte(text), &result))
	if asked.Load() == 0 || moved.Load() > 0 {
		t.Errorf("the bundle was downloaded each time, or a redirect was followed with a token (%d times)", moved.Load())
	}
	return result
}
