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

// release releases the library of the tutorial by hand, as its page says, with the bundles in the
// registry of the forge.
func (f *forge) release(t *testing.T) {
	const page = "docs/releases.md#release-by-hand"
	f = f.on(t)
	host := strings.TrimPrefix(f.url, "http://")
	for _, as := range []string{author, stranger} {
		credentials := base64.StdEncoding.EncodeToString([]byte(as + ":" + f.users[as].token))
		f.writeJSON("home/"+as+"/.docker/config.json", object{"auths": object{host: object{"auth": credentials}}})
	}
	clone := filepath.Join(f.dir, "tutorial", "bug-rubrics")
	f.playPage("docs/releases.md", clone, strings.NewReplacer("git.example.org", host))
	tags := f.run(admin, f.dir, "git ls-remote --tags "+f.url+"/"+organization+"/bug-rubrics")
	for _, tag := range []string{"library-v1.0.0", "library-v1.1.0"} {
		if !strings.Contains(tags, "refs/tags/"+tag+"^{}") {
			t.Errorf("the annotated tag %s is not on the server: %s", tag, tags)
		}
	}
	works("two releases by hand, with their bundles in the registry of the forge", page)
	f.registry(filepath.Dir(clone), host+"/"+organization+"/bug-rubrics")
}

// reference matches what `rubric push` prints about a manifest.
var reference = regexp.MustCompile(`127\.0\.0\.1:\d+/\S+@sha256:[0-9a-f]{64}`)

// registry reads the bundles of the releases as a consumer does, and tries to replace one.
func (f *forge) registry(dir, name string) {
	f.t.Helper()
	const page = "docs/serve.md#pull-a-bundle"
	out, code := f.try(stranger, dir, "rubric push next.zip "+name+":approved")
	attempt{name: "a bundle pushed by a person without access", page: page}.show(f.t, code == 0, out)
	out, code = f.try(author, dir, "rubric push rubrics.zip "+name+":latest")
	attempt{name: "an earlier release pushed as the latest one", page: page}.show(f.t, code == 0, out)

	manifest := reference.FindString(f.run(author, dir, "rubric push rubrics.zip "+name)) // once more changes nothing
	if manifest == "" {
		f.t.Fatalf("rubric push prints no reference: %s", out)
	}
	f.run(author, dir, "rubric pull "+manifest+" -o pulled.zip && cmp pulled.zip rubrics.zip")
	f.run(author, dir, "rubric pull "+name+" -o latest.zip && cmp latest.zip next.zip")
	works("bundles pulled from the registry of the forge, by digest and by tag", page)
	f.served(dir, manifest)
}

func (f *forge) writeJSON(name string, value any) {
	f.t.Helper()
	f.write(name, string(must.Get(json.Marshal(value))(f.t)))
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
