package library

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Source is where a Live gets its bundles: File, or HTTPS in package libraryhttp, which is
// separate because net/http would slow down the start of programs that open a file.
type Source interface {
	// Fetch returns the bundle and a tag for its content, or the known tag and nil if the
	// content still has that tag. The known tag is "" for the first call; a source
	// that has no tags returns "". Errors must name the source, but no credentials. If an
	// error has a method RetryAfter() time.Duration, a Live waits at least that long until it
	// checks the source again, at most an hour.
	//
	// Fetch must not return a part of a bundle without an error, must stop when ctx is
	// done, and must not read much more than MaxFetched bytes. The caller keeps the bundle.
	Fetch(ctx context.Context, known string) (bundle []byte, tag string, err error)
}

// MaxFetched is the size limit of a bundle that is followed, in bytes, because a Live keeps
// it in memory.
const MaxFetched = safefile.MaxBundle

// File returns a source that reads a file. To update it, rename a new file to its path; a
// file that is overwritten in place is also safe, because nothing is used before the whole
// file was read and verified.
func File(path string) Source { return file(path) }

type file string

var tagSeed = maphash.MakeSeed()

func (f file) Fetch(_ context.Context, known string) ([]byte, string, error) {
	r, err := safefile.Open(string(f))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", string(f), safefile.Reason(err))
	}
	defer r.Close()
	// Times and sizes can stay the same when the content changes. Nobody can know the seed,
	// and so make another content that has the same hash.
	var hash maphash.Hash
	hash.SetSeed(tagSeed)
	size, err := io.Copy(&hash, io.LimitReader(r, MaxFetched+1))
	tag := fmt.Sprintf("%x", hash.Sum64())
	var data []byte
	if err == nil && tag != known {
		if _, err = r.Seek(0, io.SeekStart); err == nil {
			data = make([]byte, size)
			_, err = io.ReadFull(r, data)
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", string(f), safefile.Reason(err))
	}
	return data, tag, nil
}
