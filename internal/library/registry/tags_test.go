package registry

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// versionAt is the version of the bundle that a tag refers to.
func versionAt(t *testing.T, repository, tag string) string {
	t.Helper()
	a := must.Get(fetch(t, repository+":"+tag, ""))(t)
	b := must.Get(bundlefile.Open(bytes.NewReader(a.Data), int64(len(a.Data)), bundlefile.Options{}))(t)
	return b.Manifest().LibraryVersion
}

func TestTagsMoveForward(t *testing.T) {
	repository := serve(t, nil)
	tags := func(want string) {
		t.Helper()
		var got []string
		for _, tag := range []string{"1.4", "1", "latest"} {
			got = append(got, versionAt(t, repository, tag))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("1.4, 1, and latest are %v, want %s", got, want)
		}
	}
	for _, step := range []struct{ version, tags string }{
		{"1.4.9", "1.4.9 1.4.9 1.4.9"}, {"1.4.10", "1.4.10 1.4.10 1.4.10"}, {"1.4.2", "1.4.10 1.4.10 1.4.10"},
		{"2.0.0", "1.4.10 1.4.10 2.0.0"}, {"1.10.0", "1.4.10 1.10.0 2.0.0"}, {"1.4.11", "1.4.11 1.10.0 2.0.0"},
	} {
		mustPush(t, repository, bundleOf(t, step.version, "a"))
		tags(step.tags)
		if got := versionAt(t, repository, step.version); got != step.version {
			t.Errorf("the tag %s is library %s", step.version, got)
		}
	}
	mustPush(t, repository+":approved", bundleOf(t, "1.4.2", "a"))
	mustPush(t, repository+":approved", bundleOf(t, "1.10.0", "a"))
	for _, tag := range []string{"latest", "approved"} { // services that follow it would not go back
		_, err := push(t, repository+":"+tag, bundleOf(t, "1.4.10", "a"))
		wantError(t, err, "which is later than this one, 1.4.10")
		wantError(t, err, "Nothing was pushed. To roll back from a version of a document, run `rubric yank`")
	}
	tags("1.4.11 1.10.0 2.0.0")
	if got := versionAt(t, repository, "approved"); got != "1.10.0" {
		t.Errorf("the tag approved is library %s", got)
	}
}

func TestATagIsForItsVersion(t *testing.T) {
	repository := serve(t, nil)
	data := bundleOf(t, "1.4.0", "a")
	for _, tag := range []string{"1.3", "1.4.1", "14", "2", "01.4", "1.4.0.0"} {
		_, err := push(t, repository+":"+tag, data)
		wantError(t, err, "the tag "+tag+" is not for library 1.4.0")
	}
	pushed := mustPush(t, repository, data)
	_, err := push(t, pushed.Reference, data)
	wantError(t, err, "expected a tag")
	put(t, repository, "2.0", ocispec.MediaTypeImageManifest, get(t, repository, "1.4"))
	_, err = fetch(t, repository+":2.0", "")
	wantError(t, err, "the tag 2.0 is not for library 1.4.0")
}

func TestAReleasedVersionNeverChanges(t *testing.T) {
	repository := serve(t, nil)
	mustPush(t, repository, bundleOf(t, "1.4.0", "a"))
	before := get(t, repository, "latest")
	for _, suffix := range []string{"", ":1.4.0", ":1.4", ":latest", ":other"} {
		_, err := push(t, repository+suffix, bundleOf(t, "1.4.0", "b"))
		wantError(t, err, "the tag 1.4.0 already refers to another manifest", "Nothing was pushed")
	}
	if get(t, repository, "latest") != before || get(t, repository, "1.4.0") != before {
		t.Error("a refused push moved a tag")
	}
	_, err := fetch(t, repository+":other", "")
	wantError(t, err, "does not exist")
}

func TestAMovingTagWithTheSameVersionIsNotReplaced(t *testing.T) {
	repository := serve(t, nil)
	mustPush(t, repository+":latest", bundleOf(t, "1.4.0", "a")) // without the tag 1.4.0
	_, err := push(t, repository, bundleOf(t, "1.4.0", "b"))
	wantError(t, err, "the tag latest refers to another bundle of library 1.4.0")
}

func TestPushesOfTheSameBundleAtOnceAllSucceed(t *testing.T) {
	repository := serve(t, nil)
	data := bundleOf(t, "1.4.0", "a")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := push(t, repository, data); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := versionAt(t, repository, "latest"); got != "1.4.0" {
		t.Errorf("latest is %s", got)
	}
}

// TestATagThatChangesMeanwhileIsReported lets another push win between the check of the
// tag 1.4.0 and the end of the push.
func TestATagThatChangesMeanwhileIsReported(t *testing.T) {
	var other string
	repository := ""
	repository = serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r)
			if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/manifests/1.4.0") && other != "" {
				theirs := other
				other = ""
				put(t, repository, "1.4.0", ocispec.MediaTypeImageManifest, theirs)
			}
		})
	})
	mustPush(t, repository, bundleOf(t, "1.3.0", "a"))
	other = get(t, repository, "1.3.0")
	_, err := push(t, repository, bundleOf(t, "1.4.0", "a"))
	wantError(t, err, "another push changed the tag 1.4.0 at the same time")
	if got := versionAt(t, repository, "latest"); got != "1.3.0" {
		t.Errorf("latest moved to %s although 1.4.0 is lost", got)
	}
}
