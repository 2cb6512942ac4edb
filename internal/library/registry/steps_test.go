package registry

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"oras.land/oras-go/v2/content"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// fault makes a registry fail at the requests that match, METHOD PATH, from the first one
// after skip others, or only at that one.
type fault struct {
	request *regexp.Regexp
	skip    int
	once    bool
	fail    func(w http.ResponseWriter, next func(http.ResponseWriter))
}

// faulty is a registry with a fault that can be changed.
type faulty struct {
	mu    sync.Mutex
	fault *fault
	seen  int
}

func (f *faulty) set(now *fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault, f.seen = now, 0
}

func (f *faulty) fails(r *http.Request) *fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault == nil || !f.fault.request.MatchString(r.Method+" "+r.URL.Path) {
		return nil
	}
	if f.seen++; f.seen <= f.fault.skip || f.fault.once && f.seen > f.fault.skip+1 {
		return nil
	}
	return f.fault
}

func (f *faulty) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken := f.fails(r); broken != nil {
			broken.fail(w, func(w http.ResponseWriter) { next.ServeHTTP(w, r) })
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answers is a fault that refuses with a status and the error of a registry, which can be "".
func answers(status int, body string) func(http.ResponseWriter, func(http.ResponseWriter)) {
	return func(w http.ResponseWriter, _ func(http.ResponseWriter)) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// kills ends the connection before the request is carried out.
func kills(http.ResponseWriter, func(http.ResponseWriter)) { panic(http.ErrAbortHandler) }

// killsAfter ends the connection after the request was carried out, without the answer.
func killsAfter(_ http.ResponseWriter, next func(http.ResponseWriter)) {
	next(&unsent{header: http.Header{}})
	panic(http.ErrAbortHandler)
}

type unsent struct{ header http.Header }

func (u *unsent) Header() http.Header         { return u.header }
func (u *unsent) Write(b []byte) (int, error) { return len(b), nil }
func (u *unsent) WriteHeader(int)             {}

// remoteSteps are the requests of a push of library 1.4.1 after 1.4.0, with an attestation.
var remoteSteps = []struct {
	step, request string
	skip          int
}{
	{"reading the tag 1.4.1", `^HEAD .*/manifests/1\.4\.1$`, 0},
	{"reading the tag latest", `^HEAD .*/manifests/latest$`, 0},
	{"reading what the tag 1.4 refers to", `^GET .*/manifests/sha256:`, 0},
	{"uploading the bundle", `^HEAD .*/blobs/`, 0},
	{"uploading the bundle", `^POST .*/blobs/uploads/`, 0},
	{"uploading the bundle", `^(PUT|PATCH) .*/blobs/uploads/`, 0},
	{"storing the manifest", `^HEAD .*/manifests/sha256:`, 0},
	{"storing the manifest", `^PUT .*/manifests/sha256:`, 0},
	{"storing the attestation", `^PUT .*/manifests/sha256:`, 1},
	{"setting the tag 1.4.1", `^PUT .*/manifests/1\.4\.1$`, 0},
	{"setting the tag 1.4.1", `^HEAD .*/manifests/1\.4\.1$`, 1},
	{"setting the tag 1.4", `^PUT .*/manifests/1\.4$`, 0},
	{"setting the tag 1.4", `^HEAD .*/manifests/1\.4$`, 1},
	{"setting the tag 1", `^PUT .*/manifests/1$`, 0},
	{"setting the tag latest", `^PUT .*/manifests/latest$`, 0},
	{"setting the tag latest", `^HEAD .*/manifests/latest$`, 1},
}

// TestAPushThatStopsSaysWhereAndContinues fails each request of a push in each way. What the error
// says is stored has to be there, and the same push has to continue.
func TestAPushThatStopsSaysWhereAndContinues(t *testing.T) {
	faults := map[string]func(http.ResponseWriter, func(http.ResponseWriter)){"a connection that ends before": kills, "a connection that ends after": killsAfter}
	for _, status := range []int{400, 401, 403, 405, 409, 412, 413, 422} {
		faults[fmt.Sprint(status)] = answers(status, `{"errors": [{"code": "MANIFEST_INVALID", "message": "no"}]}`)
	}
	data := bundleOf(t, "1.4.1", "b")
	attestation := attestationOf(attestationType, content.NewDescriptorFromBytes(layerType, data).Digest.Encoded())
	for name, fail := range faults {
		for _, s := range remoteSteps {
			t.Run(s.step+" "+s.request+" "+name, func(t *testing.T) {
				var registry faulty
				repository := serve(t, registry.around)
				mustPush(t, repository, bundleOf(t, "1.4.0", "a"))
				registry.set(&fault{regexp.MustCompile(s.request), s.skip, s.step == "storing the manifest", fail})
				r := must.Get(Open(repository, Options{}))(t)
				pushed, err := r.Push(t.Context(), data, attestation)
				registry.set(nil)
				if err == nil { // net/http has called again, or the push found out that a request was carried out
					if !strings.HasPrefix(name, "a connection that ends") {
						t.Errorf("the push succeeds: %+v", pushed)
					}
				} else {
					checkStopped(t, repository, err, s.step)
					pushed = must.Get(r.Push(t.Context(), data, attestation))(t)
				}
				for _, tag := range []string{"1.4.1", "1.4", "1", "latest"} {
					if got := versionAt(t, repository, tag); got != "1.4.1" {
						t.Errorf("in the end, %s is %s", tag, got)
					}
				}
				get(t, repository, pushed.Attestation[strings.Index(pushed.Attestation, "sha256:"):])
			})
		}
	}
}

func checkStopped(t *testing.T, repository string, err error, step string) {
	t.Helper()
	var stopped *StoppedError
	if !errors.As(err, &stopped) {
		t.Fatalf("the error is %v", err)
	}
	wantError(t, err, "the push stopped at "+step+": ", "Known to be stored: ")
	if stopped.Step != step {
		t.Errorf("the step is %q, want %q", stopped.Step, step)
	}
	for _, tag := range stopped.Set {
		if got := versionAt(t, repository, tag); got != "1.4.1" {
			t.Errorf("%s is not set: it refers to %s, and the error is %v", tag, got, err)
		}
	}
	if slices.Contains(stopped.Set, "1.4.1") && stopped.Attestation == "" {
		t.Errorf("the tag 1.4.1 is set before the attestation is stored: %v", err)
	}
	if late := strings.HasPrefix(step, "setting") || step == "storing the attestation"; late != (stopped.Reference != "") {
		t.Errorf("what is stored is %q", stopped.Reference)
	}
	for _, stored := range []string{stopped.Reference, stopped.Attestation} {
		if _, digest, found := strings.Cut(stored, "@"); found {
			get(t, repository, digest)
			wantError(t, err, stored)
		}
	}
	if strings.HasPrefix(step, "setting the tag") {
		tag := strings.TrimPrefix(step, "setting the tag ")
		if !slices.Contains(stopped.Missing, tag) || !strings.Contains(err.Error(), "Not set: "+strings.Join(stopped.Missing, ", ")) {
			t.Errorf("the tags that are missing are %q: %v", stopped.Missing, err)
		}
	}
}

// TestImmutableTagsAreSkipped refuses to set tags in the ways of several registries.
func TestImmutableTagsAreSkipped(t *testing.T) {
	body := func(code, message string) string {
		return fmt.Sprintf(`{"errors": [{"code": %q, "message": %q}]}`, code, message)
	}
	const floating, exact, anything = `^PUT .*/manifests/(1\.4|1|latest)$`, `^PUT .*/manifests/1\.4\.1$`, `^PUT `
	for _, c := range []struct {
		reason, request string
		status          int
		body            string
		tag             string // of the reference
		skipped         bool
	}{
		{"a tag that can't be overwritten", floating, 400, body("TAG_INVALID", "The image tag '1.4' already exists and cannot be overwritten because the repository is immutable."), "", true},
		{"another code, and words", floating, 400, body("MANIFEST_INVALID", "cannot update tag 1.4. The repository has enabled tag immutability"), "", true},
		{"a rule", floating, 412, body("PRECONDITION", "configured as immutable, cannot be updated"), "", true},
		{"a denied change, and words", floating, 412, body("DENIED", "The tag is immutable"), "", true},
		{"a lock", floating, 405, body("UNSUPPORTED", "The operation is disallowed on this registry, repository or image"), "", true},
		{"a conflict", floating, 409, body("CONFLICT", "the tag exists"), "", true},
		{"no words", floating, 400, "", "", true},
		{"no JSON", floating, 409, "<html>", "", true},
		{"a permission, whatever it says", floating, 403, body("DENIED", "The tag is immutable"), "", false},
		{"a manifest that is not valid", floating, 400, body("MANIFEST_INVALID", "manifest invalid"), "", false},
		{"a missing blob", floating, 400, body("MANIFEST_BLOB_UNKNOWN", "blob unknown"), "", false},
		{"a denied change", floating, 409, body("DENIED", "denied"), "", false},
		{"another status", floating, 422, body("TAG_INVALID", "immutable"), "", false},
		{"the tag of the version", exact, 400, body("TAG_INVALID", "immutable"), "", false},
		{"the only tag", `^PUT .*/manifests/latest$`, 400, body("TAG_INVALID", "immutable"), ":latest", false},
		{"a registry that can only be read", anything, 405, body("UNSUPPORTED", "The registry is read only"), "", false},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var registry faulty
			repository := serve(t, registry.around)
			mustPush(t, repository, bundleOf(t, "1.4.0", "a"))
			data := bundleOf(t, "1.4.1", "b")
			if c.request == anything { // only the floating tags are missing
				registry.set(&fault{regexp.MustCompile(floating), 0, false, answers(403, "")})
				_, err := push(t, repository, data)
				wantError(t, err, "stopped at setting the tag 1.4:")
			}
			registry.set(&fault{regexp.MustCompile(c.request), 0, false, answers(c.status, c.body)})
			pushed, err := push(t, repository+c.tag, data)
			if !c.skipped {
				tag := "1.4"
				switch c.request {
				case exact:
					tag = "1.4.1"
				case `^PUT .*/manifests/latest$`:
					tag = "latest"
				}
				var stopped *StoppedError
				if !errors.As(err, &stopped) || stopped.Step != "setting the tag "+tag || !slices.Contains(stopped.Missing, tag) {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, tag := range pushed.Tags {
				want := map[bool]string{true: "1.4.1", false: "1.4.0"}[tag.Name == "1.4.1"]
				if tag.Version != want || (tag.Immutable == "") != tag.Set || versionAt(t, repository, tag.Name) != want {
					t.Errorf("the tag is %+v", tag)
				}
			}
		})
	}
}

// TestATagThatIsNewIsNotSkipped refuses a tag that does not exist: it can't be immutable.
func TestATagThatIsNewIsNotSkipped(t *testing.T) {
	var registry faulty
	repository := serve(t, registry.around)
	registry.set(&fault{regexp.MustCompile(`^PUT .*/manifests/latest$`), 0, false, answers(400, `{"errors": [{"code": "TAG_INVALID", "message": "immutable"}]}`)})
	_, err := push(t, repository, bundleOf(t, "1.4.1", "b"))
	wantError(t, err, "stopped at setting the tag latest")
}
