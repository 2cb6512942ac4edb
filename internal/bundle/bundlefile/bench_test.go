package bundlefile

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// library returns n rubrics of about 5 KB each, ready to be written.
func library(n int) (Manifest, []IndexLine, []File) {
	index := make([]IndexLine, n)
	files := make([]File, n)
	for i := range n {
		id := fmt.Sprintf("rubric_number_%06d_v1", i)
		text := strings.Repeat(fmt.Sprintf("The story %d says who wants what, and why. ", i), 115)
		data := fmt.Appendf(nil, `{"artifact_type":"jira_tickets","description":"%s","rubric_id":"%s"}`, text, id)
		files[i] = File{DocumentPath(KindRubric, id, "1.0.0"), data}
		index[i] = IndexLine{
			ID: id, Kind: KindRubric, Name: "Rubric", ArtifactType: "jira_tickets", Latest: "1.0.0",
			Description: "Scores the stories of a team before they are planned.",
			Versions:    []Version{{"1.0.0", digestPrefix + sumOf(data)}},
		}
	}
	return Manifest{LibraryVersion: "1.0.0", Commit: strings.Repeat("a", 40)}, index, files
}

// tiny returns n rubrics with almost no content.
func tiny(n int) (Manifest, []IndexLine, []File) {
	m, index, files := library(0)
	for i := range n {
		id := fmt.Sprintf("r%06d", i)
		data := []byte(id)
		files = append(files, File{DocumentPath(KindRubric, id, "1.0.0"), data})
		index = append(index, IndexLine{
			ID: id, Kind: KindRubric, Name: "R", ArtifactType: "a", Latest: "1.0.0",
			Versions: []Version{{"1.0.0", digestPrefix + sumOf(data)}},
		})
	}
	return m, index, files
}

func benchmarkFile(b *testing.B) (f *os.File, size int64, digest string) {
	m, index, files := library(10_000)
	f, err := os.Create(filepath.Join(b.TempDir(), "bundle.zip"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := f.Close(); err != nil {
			b.Error(err)
		}
	})
	if digest, err = Write(f, m, index, files); err != nil {
		b.Fatal(err)
	}
	size, err = f.Seek(0, io.SeekCurrent)
	if err != nil {
		b.Fatal(err)
	}
	return f, size, digest
}

// BenchmarkOpenAndRead measures a process that prints one rubric of 10,000.
func BenchmarkOpenAndRead(b *testing.B) {
	f, size, digest := benchmarkFile(b)
	b.ReportAllocs()
	for b.Loop() {
		bundle, err := Open(f, size, Options{Digest: new(digest)})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := bundle.Read("rubrics/rubric_number_007777_v1/1.0.0.json"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	f, size, digest := benchmarkFile(b)
	bundle, err := Open(f, size, Options{Digest: new(digest)})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bundle.Read("rubrics/rubric_number_007777_v1/1.0.0.json"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	f, size, digest := benchmarkFile(b)
	bundle, err := Open(f, size, Options{Digest: new(digest)})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range bundle.Index() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	f, size, digest := benchmarkFile(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Verify(f, size, Options{Digest: new(digest)}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	m, index, files := library(10_000)
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if _, err := Write(&out, m, index, files); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}
