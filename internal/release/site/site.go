package site

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/rubric-library/rubric-library/internal/files/parallel"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/pkg/library"
)

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

// write writes the documents, and then the pages and files that list them.
func (b *builder) write() error {
	b.until = b.knownUntil()
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
	err := parallel.Each(len(b.entries), func(i int) error {
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
	return errors.Join(b.writeBundle(), b.writeAssets(), b.writeIndex(), b.writeTypes(), b.writeLists(),
		b.writeWithdrawn(), b.writeAboutPages(), b.writeData(), b.writeFeed())
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
