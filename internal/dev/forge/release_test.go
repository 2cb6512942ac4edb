package forge_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// release releases the library of the tutorial by hand, as its page says, and pushes the bundle to
// the registry of the forge.
func (f *forge) release(t *testing.T) {
	f = f.on(t)
	clone := filepath.Join(f.dir, "tutorial", "bug-rubrics")
	f.playPage("docs/releases.md", clone, strings.NewReplacer())
	works("a release by hand", "docs/releases.md")
	if tags := f.run(admin, f.dir, "git ls-remote --tags "+f.url+"/"+organization+"/bug-rubrics"); !strings.Contains(tags, "refs/tags/library-v1.0.0") {
		t.Errorf("the tag of the release is not on the server: %s", tags)
	}
	f.registry(filepath.Dir(clone))
}

// reference matches what `rubric push` prints about a manifest.
var reference = regexp.MustCompile(`127\.0\.0\.1:\d+/\S+@sha256:[0-9a-f]{64}`)

// registry pushes the bundles of the release, and reads them as a consumer does.
func (f *forge) registry(dir string) {
	f.t.Helper()
	name := strings.TrimPrefix(f.url, "http://") + "/" + organization + "/rubrics"
	if out, code := f.try(stranger, dir, "rubric push rubrics.zip "+name); code == 0 {
		f.t.Errorf("a push without credentials succeeds: %s", out)
	}
	for _, as := range []string{author, stranger} {
		credentials := base64.StdEncoding.EncodeToString([]byte(as + ":" + f.users[as].token))
		must.Do(f.t, writeJSON(f, "home/"+as+"/.docker/config.json", object{"auths": object{strings.TrimPrefix(f.url, "http://"): object{"auth": credentials}}}))
	}
	out, code := f.try(stranger, dir, "rubric push rubrics.zip "+name)
	attempt{name: "a bundle pushed by a person without access", page: "docs/serve.md"}.show(f.t, code == 0, out)

	out = f.run(author, dir, "rubric push rubrics.zip "+name)
	manifest := reference.FindString(out)
	if manifest == "" {
		f.t.Fatalf("rubric push prints no reference: %s", out)
	}
	f.run(author, dir, "rubric push rubrics.zip "+name) // once more changes nothing
	f.run(author, dir, "rubric pull "+manifest+" -o pulled.zip && cmp pulled.zip rubrics.zip")
	f.run(author, dir, "rubric push next.zip "+name+" && rubric pull "+name+" -o latest.zip && cmp latest.zip next.zip")
	works("bundles pushed to the registry of the forge, and pulled", "docs/serve.md")
	f.served(dir, manifest)
}

func writeJSON(f *forge, name string, value any) error {
	data, err := json.Marshal(value)
	f.write(name, string(data))
	return err
}

// served starts the HTTP server with a bundle of the registry.
func (f *forge) served(dir, manifest string) {
	f.t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", freePort(f.t))
	f.keepRunning("serve", f.environment(author), filepath.Join(f.programs, "rubric"), "serve", manifest, "--listen", address)
	text := ""
	f.wait("the server answers", time.Minute, func() bool {
		response, err := http.Get("http://" + address + "/v1/documents/bug_report_quality_v1")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		text = string(must.Get(io.ReadAll(response.Body))(f.t))
		return response.StatusCode == http.StatusOK
	})
	if !strings.Contains(text, "1.1.0") {
		f.t.Errorf("the server has another rubric: %s", text)
		return
	}
	works("a bundle of the registry served", "docs/serve.md")
}
