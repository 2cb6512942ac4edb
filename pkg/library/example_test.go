package library_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile/bundletest"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// release writes a bundle like a release and returns its digest.
func release(name, version string) (digest string) {
	var out bytes.Buffer
	digest, err := bundletest.Write(&out, bundletest.Library{Version: version, Documents: []string{
		rubricOf("story_v1", "1.2.0"), rubricOf("story_v1", "1.3.0"), ruleSetOf("api_v1", "1.0.0"),
	}})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
	return digest
}

func temporary() (name string, remove func()) {
	dir, err := os.MkdirTemp("", "library-")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, "rubrics.zip"), func() { os.RemoveAll(dir) }
}

func ExampleOpen() {
	name, remove := temporary()
	defer remove()
	digest := release(name, "1.4.0") // published in the release notes

	lib, err := library.Open(name, library.WithDigest(digest), library.WithAudit(slog.New(slog.DiscardHandler)))
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	fmt.Println("library", lib.Version())
	// Output:
	// library 1.4.0
}

func ExampleOpenDir() {
	lib, err := library.OpenDir(os.DirFS("../.."))
	if err != nil {
		log.Fatal(err)
	}
	ids, err := lib.IDs()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(ids) > 0)
	// Output:
	// true
}

// A program gets a rubric, has a judge score an artifact, and stores the score with the
// reference of the rubric.
func ExampleLibrary_Get() {
	name, remove := temporary()
	defer remove()
	release(name, "1.4.0")
	lib, err := library.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()

	ctx := library.WithRequestID(context.Background(), "request-17")
	doc, err := lib.Get(ctx, "story_v1", "~1.2") // no rewording comes unseen
	if err != nil {
		log.Fatal(err)
	}
	r := doc.Rubric
	const story = "A clerk archives invoices and so on."
	hits, err := r.NegativeHits(story)
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := r.Verdict(map[string]float64{"clarity": 4}, rubric.HitNames(hits))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("passed:", verdict.Passed)
	for _, reason := range verdict.Reasons {
		fmt.Println("-", reason)
	}
	fmt.Println("by", doc.Reference.String()[:len("story_v1@1.2.0#sha256:")]+"…")
	// Output:
	// passed: false
	// - the negative criterion vague matches
	// by story_v1@1.2.0#sha256:…
}

func ExampleLibrary_Search() {
	name, remove := temporary()
	defer remove()
	release(name, "1.4.0")
	lib, err := library.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()

	found, err := lib.Search(library.Query{ArtifactType: "jira_tickets", Text: "testable"})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range found {
		fmt.Println(e.ID, e.Latest, e.Name)
	}
	// Output:
	// story_v1 1.3.0 Story quality
}

// The type of an error identifies the cause; its message says what to do.
func ExampleNotFoundError() {
	name, remove := temporary()
	defer remove()
	release(name, "1.4.0")
	lib, err := library.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()

	_, err = lib.Rubric(context.Background(), "storey_v1", "")
	var unknown *library.NotFoundError
	fmt.Println(errors.As(err, &unknown))
	fmt.Println(err)
	// Output:
	// true
	// the library has no rubric "storey_v1". Did you mean story_v1?
}

// service keeps the last valid bundle. Rubrics are copies, so the lock is held only while
// one is retrieved, not while a judge uses it.
type service struct {
	mu  sync.RWMutex
	lib *library.Library
}

// reload switches to a new bundle. After an error, it keeps the previous one.
func (s *service) reload(name, digest string) error {
	next, err := library.Open(name, library.WithDigest(digest))
	if err != nil {
		return err
	}
	// Search reads the whole index, so that a damaged one is found now.
	if _, err := next.Search(library.Query{}); err != nil {
		return errors.Join(err, next.Close())
	}
	s.mu.Lock()
	before := s.lib
	s.lib = next
	s.mu.Unlock()
	if before == nil {
		return nil
	}
	return before.Close()
}

func (s *service) rubric(ctx context.Context, id, constraint string) (*rubric.Rubric, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.lib.Rubric(ctx, id, constraint)
}

// A service switches to a new bundle at run time, and keeps the last valid bundle if the
// new one is damaged.
func Example_reload() {
	name, remove := temporary()
	defer remove()
	var s service
	if err := s.reload(name, release(name, "1.4.0")); err != nil {
		log.Fatal(err)
	}
	show := func() {
		r, err := s.rubric(context.Background(), "story_v1", "")
		fmt.Println(s.lib.Version(), r.Version, err)
	}
	show()

	damaged := name + ".damaged"
	digest := release(damaged, "1.5.0")
	if err := os.Truncate(damaged, 5000); err != nil {
		log.Fatal(err)
	}
	var integrity *library.IntegrityError
	fmt.Println("damaged:", errors.As(s.reload(damaged, digest), &integrity))
	show()

	right := name + ".right"
	if err := s.reload(right, release(right, "1.5.0")); err != nil {
		log.Fatal(err)
	}
	show()
	// Output:
	// 1.4.0 1.3.0 <nil>
	// damaged: true
	// 1.4.0 1.3.0 <nil>
	// 1.5.0 1.3.0 <nil>
}
