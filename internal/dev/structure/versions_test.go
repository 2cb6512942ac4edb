package structure_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// ordering may ask which of two versions is higher, for the reason given. The version that a
// document must have is a question for internal/change alone.
var ordering = map[string]string{
	"internal/change":              "it judges versions",
	"internal/gitrepo":             "the highest release tag comes first",
	"internal/release":             "the versions of a bundle are sorted, and its own version increases",
	"internal/library/bundlecheck": "a bundle follows another, and says which version is the latest",
	"internal/library/bundlefile":  "the format sorts versions",
	"pkg/library":                  "a constraint chooses the highest version",
	"internal/library/registry":    "a tag never moves to an older library",
	"internal/dev/bundletest":      "it sorts as the format does",
}

var asksForOrder = regexp.MustCompile(`\bCompareVersions\(|\.(LessThan|GreaterThan)(OrEqual|Equal)?\(|\bversion\.Compare\(|\bcompat\.(Required|Follows|First|Firsts)\(`)

func TestOnlyTheJudgmentOrdersVersions(t *testing.T) {
	asked := map[string]bool{}
	for _, root := range []string{"cmd", "internal", "pkg"} {
		must.Do(t, filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil || !asksForOrder.Match(data) {
				return err
			}
			folder := filepath.ToSlash(filepath.Dir(name))
			asked[folder] = true
			if ordering[folder] == "" {
				t.Errorf("%s asks for the order of versions: ask internal/change", name)
			}
			return nil
		}))
	}
	for folder := range ordering {
		if !asked[folder] {
			t.Errorf("%s no longer asks for the order of versions: remove it from the list", folder)
		}
	}
}
