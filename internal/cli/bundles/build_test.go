package bundles

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// TestChangedVectorsAreMajor takes the golden bundle as the one that was released
// last, 1.4.0: it has a vector that no longer exists.
func TestChangedVectorsAreMajor(t *testing.T) {
	previous, err := bundlefile.OpenFile(filepath.Join("..", "..", "release", "testdata", "format-2.zip"), bundlefile.Open, bundlefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer previous.Close()
	for _, tt := range []struct{ reason, next, want string }{
		{"nothing else changed", "1.4.0", "2.0.0"},
		{"a document also has a minor change", "1.5.0", "2.0.0"},
		{"a document also has a major change", "2.0.0", "2.0.0"},
	} {
		got, err := atLeastMajor(tt.next, previous)
		if err != nil || got != tt.want {
			t.Errorf("%s: the version is %s, %v, want %s", tt.reason, got, err, tt.want)
		}
	}
}

// TestANewFormatIsMajor: programs that read the previous bundle can't read the next one.
func TestANewFormatIsMajor(t *testing.T) {
	previous, err := bundlefile.OpenFile(filepath.Join("..", "..", "library", "bundlefile", "testdata", "golden-v1.zip"), bundlefile.Open, bundlefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer previous.Close()
	if got, err := atLeastMajor("1.4.1", previous); err != nil || got != "2.0.0" {
		t.Errorf("the version is %s, %v", got, err)
	}
}

// TestALargeBundleIsAWarning: from half of the limit, while there is time to split the library.
func TestALargeBundleIsAWarning(t *testing.T) {
	for size, want := range map[int64]string{
		1: "", 512<<20 - 1: "", 512 << 20: "has 512 MiB. To push, pull, follow, or serve one of more than 1024 MiB will not be possible",
		1 << 30: "will not be possible", 1<<30 + 1: "is not possible", 1440 << 20: "has 1440 MiB. ",
	} {
		got := sizeWarning(size)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}
