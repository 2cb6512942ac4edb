package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// shortestQuote is how many words of a text are enough to recognize it.
const shortestQuote = 8

// checkUnseen returns an error if a test of the repository has a text of the sample: what a rule was
// written on says nothing about it.
func checkUnseen(repository fs.FS, items []item) error {
	quotes := map[string]string{} // the criteria, by the first words of their texts
	for _, i := range items {
		for _, c := range i.criteria {
			for _, text := range append(slices.Collect(maps.Values(c.Anchors)), c.Criteria) {
				if words := wordsOf(text); len(words) >= shortestQuote {
					quotes[strings.Join(words[:shortestQuote], " ")] = c.ID
				}
			}
		}
	}
	return fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		isTest := strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/")
		if err != nil || d.IsDir() || !isTest || path.Ext(name) == ".zip" {
			return err
		}
		data, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		words := wordsOf(string(data))
		for at := range max(0, len(words)-shortestQuote+1) {
			if id, isKnown := quotes[strings.Join(words[at:at+shortestQuote], " ")]; isKnown {
				return fmt.Errorf("%s has a text of %s, so its source can't be measured on: remove it from sources.txt", name, id)
			}
		}
		return nil
	})
}

func wordsOf(text string) (words []string) {
	for w := range wording.Read(text).Words() {
		words = append(words, w)
	}
	return words
}

// repository is the repository around the folder tools.
func repository() fs.FS { return os.DirFS(root) }
