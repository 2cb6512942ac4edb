package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Options are the settings of a site.
type Options struct {
	// Progress, unless it is nil, is called with each step and how much of it is done; total is 0
	// if that is not known. Calls can be concurrent.
	Progress func(step string, done, total int)
	// Name is the name of the library, or "" for DefaultName.
	Name string
	// BaseURL is the future URL of the site, for the links in the feed, or "" if it is
	// unknown. It must be valid by CheckBaseURL.
	BaseURL string
	// Bundle is the file of the library that the site offers for download, or "".
	Bundle string
	// EditURL is the address of a forge's editor. The path of a document's file in the
	// library is appended to it. It is "" if there is none, and valid by CheckBaseURL.
	EditURL string
	// Committed is the time of the commit that the library is from, or zero if it is unknown.
	Committed time.Time
	// Ended returns the library release that yanked a version, or retired a document if the
	// version is "", and the time of its commit; "" and zero if unknown. Ended can be nil.
	Ended func(id, version string) (release string, at time.Time)
	// Reviewers returns who the message of a commit names as reviewers. It can be nil.
	Reviewers func(commit string) []string
	// Owners returns the owners of a file of the library by CODEOWNERS. It can be nil.
	Owners func(name string) []string
	// Forge is what the forge says about releases and approvals, or nil.
	Forge *Forge
	// Docs is the address of the documentation of the tools, such as
	// https://example.org/docs/, or "".
	Docs string
	// Accepted returns why the owners accepted that the changes of a version are larger
	// than its number says, or "". Accepted can be nil.
	Accepted func(id, version string) string
	// Runs measures the recorded runs of the judges of a rubric. It is called concurrently, and can
	// be nil.
	Runs func(id string) ([]report.Past, error)
	// Datasets are the valid datasets of the repository by name, for the verdicts that changes
	// flip. If it is nil, only those count that the bundle has.
	Datasets map[string]*calibration.Dataset
}

// Summary counts the documents, versions, and files of a site.
type Summary struct{ Documents, Versions, Files int }

// The names of files in the root of a site.
const (
	bundleName    = "rubrics.zip"
	indexDataName = "index.json"
	feedName      = "feed.xml"
	typesName     = "types/index.html"
)

// DefaultName is the name of a library that has no other.
const DefaultName = "Rubric library"

// CheckBaseURL returns an error if a text is not a valid base URL of a site.
func CheckBaseURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(text, "?# ") || sanitize.Line(text) != text {
		return fmt.Errorf("%q is not a base URL: expected a URL such as https://example.org/rubrics/", text)
	}
	return nil
}

// Build writes the site of a library to a new or empty folder. If it fails, it leaves no
// part of the site behind. Errors name the document or the file.
func Build(l *library.Library, dir string, o Options) (Summary, error) {
	for _, address := range []*string{&o.BaseURL, &o.EditURL} {
		if *address != "" && !strings.HasSuffix(*address, "/") {
			*address += "/"
		}
	}
	o.Name = cmp.Or(o.Name, DefaultName)
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	lines, err := release.Entries(l)
	if err != nil {
		return Summary{}, err
	}
	return newBuilder(l, lines, o).build(dir)
}

func newBuilder(l *library.Library, lines []*library.Entry, o Options) *builder {
	if o.Forge == nil {
		o.Forge = &Forge{}
	}
	b := &builder{library: l, options: o, types: map[string][]*entry{}}
	for _, line := range lines {
		e := &entry{Entry: line, Status: statusOf(line)}
		b.entries = append(b.entries, e)
		b.types[line.ArtifactType] = append(b.types[line.ArtifactType], e)
	}
	return b
}

func (b *builder) build(dir string) (Summary, error) {
	var err error
	if b.out, err = newFolder(dir); err != nil {
		return Summary{}, err
	}
	if err = b.write(); err == nil {
		err = b.out.publish()
	}
	s := Summary{Documents: len(b.entries), Files: int(b.out.files.Load())}
	for _, e := range b.entries {
		s.Versions += len(e.Versions)
	}
	return s, errors.Join(err, b.out.clean())
}

type builder struct {
	library *library.Library
	options Options
	out     *folder
	packed  sync.Map            // functions that return a dataset of the bundle, by its name
	types   map[string][]*entry // by artifact type
	entries []*entry            // sorted by ID
	until   time.Time           // when the knowledge of the site ends
	// withdrawn are the withdrawn versions, sorted by ID and version.
	withdrawn []withdrawal
}

// write writes the documents, and then the pages and files that list them.
func (b *builder) write() error {
	b.until = b.known()
	for _, e := range b.entries {
		var err error
		if e.Folder, err = folderOf(e.Entry); err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		e.Page = e.Folder + "/index.html"
	}
	if err := b.readWithdrawals(); err != nil {
		return err
	}
	var done atomic.Int64
	err := each(len(b.entries), func(i int) error {
		if err := b.document(b.entries[i]); err != nil {
			return fmt.Errorf("%s: %w", b.entries[i].ID, err)
		}
		b.options.Progress("writing pages", int(done.Add(1)), len(b.entries))
		return nil
	})
	if err != nil {
		return err
	}
	b.options.Progress("writing lists", 0, 0)
	return errors.Join(b.writeBundle(), b.writeAssets(), b.writeIndex(), b.writeTypes(), b.writeLists(), b.writeWithdrawn(), b.writeAboutPages(), b.writeData(), b.writeFeed())
}

func (b *builder) writeBundle() error {
	if b.options.Bundle == "" {
		return nil
	}
	file, err := os.Open(b.options.Bundle)
	if err != nil {
		return err
	}
	return errors.Join(b.out.put(bundleName, file), file.Close())
}

// each calls do for the numbers from 0 to n-1, concurrently on all processors, and returns
// the error with the lowest number.
func each(n int, do func(i int) error) error {
	errs := make([]error, n)
	free := make(chan bool, runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for i := range n {
		free <- true
		workers.Go(func() {
			errs[i] = do(i)
			<-free
		})
	}
	workers.Wait()
	return cmp.Or(errs...)
}

func (b *builder) put(name string, data []byte) error { return b.out.put(name, bytes.NewReader(data)) }

// safeName is the form of folder names. Valid documents have no other IDs, artifact types,
// or versions, but names are never trusted.
var safeName = lazy.Expr(`^[a-z0-9][a-z0-9_.]{0,127}$`)

func folderOf(line *library.Entry) (string, error) {
	names := []string{line.ArtifactType}
	for _, v := range line.Versions {
		names = append(names, v.Version)
	}
	return folderNamed(line.Kind, line.ID, names...)
}

// folderNamed returns the folder of a document. It fails if its ID or another name in the folder
// is not safe.
func folderNamed(kind library.Kind, id string, others ...string) (string, error) {
	names := append([]string{id}, others...)
	if i := slices.IndexFunc(names, func(name string) bool { return !safeName().MatchString(name) || strings.Contains(name, "..") }); i >= 0 {
		return "", fmt.Errorf("%q is not a valid folder name: IDs, artifact types, and versions consist of lowercase letters, digits, underscores, and single dots", names[i])
	}
	if kind == bundlefile.KindRuleSet {
		return "rulesets/" + id, nil
	}
	return "rubrics/" + id, nil
}
