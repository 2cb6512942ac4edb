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
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
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

func publish(name string, data []byte) {
	if err := os.WriteFile(name, data, 0o666); err != nil {
		log.Fatal(err)
	}
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

// A service switches to a new bundle at run time, and keeps the last valid bundle if the
// new one is damaged.
func ExampleFollow() {
	name, remove := temporary()
	defer remove()
	releases := consecutive("1.4.0", "1.5.0")
	publish(name, releases[0].data)

	live, err := library.Follow(context.Background(), library.File(name), library.WithDigest(releases[0].digest),
		library.WithLastGood(name+".last-good"), library.WithInterval(time.Minute))
	if err != nil {
		log.Fatal(err)
	}
	defer live.Close()
	show := func() {
		d, err := live.Get(context.Background(), "story_v1", "")
		fmt.Println(live.Current().Version(), d.Reference.Version, err)
	}
	show()

	publish(name, releases[1].data[:len(releases[1].data)/2])
	var integrity *library.IntegrityError
	fmt.Println("damaged:", errors.As(live.Check(context.Background()), &integrity))
	show()

	publish(name, releases[1].data)
	fmt.Println("complete:", live.Check(context.Background()))
	show()
	// Output:
	// 1.4.0 1.4.0 <nil>
	// damaged: true
	// 1.4.0 1.4.0 <nil>
	// complete: <nil>
	// 1.5.0 1.5.0 <nil>
}
