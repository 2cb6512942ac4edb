package site

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// many is a library of rubrics of a few artifact types.
func many(t testing.TB, documents int) bundletest.Library {
	rubric := text(t, "story_1.yaml")
	var l bundletest.Library
	for i := range documents {
		l.Documents = append(l.Documents, strings.NewReplacer("story_v1", fmt.Sprintf("story%d_v1", i), "jira_tickets", fmt.Sprintf("type_%d", i%20)).Replace(rubric))
	}
	return l
}

// BenchmarkTenThousandRubrics includes writing the same files as a baseline, which takes
// most of the time.
func BenchmarkTenThousandRubrics(b *testing.B) {
	library, o := open(b, many(b, 10_000))
	var plain time.Duration
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "site")
		must.Get(Build(library, dir, o))(b)
		b.StopTimer()
		made, again := files(b, dir), filepath.Join(b.TempDir(), "again")
		start := time.Now()
		for name, content := range made {
			file := filepath.Join(again, filepath.FromSlash(name))
			must.Do(b, errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(content), 0o666)))
		}
		plain += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(b.Elapsed().Seconds()/plain.Seconds(), "times-writing")
}
