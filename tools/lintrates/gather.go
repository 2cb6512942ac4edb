package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

//go:embed sources.txt
var sourcesFile string

// foreign is a file of another repository that has rubrics.
type foreign struct {
	repository, commit, path string
	// order says which end of its levels is best. A person looked: the words of the levels must not
	// decide, because rules that read them are measured.
	order levels.Order
}

// orders are the words for orders in sources.txt.
var orders = map[string]levels.Order{"best-first": levels.BestFirst, "worst-first": levels.WorstFirst}

// readSources reads sources.txt: a repository, a commit, an order, and a path on each line.
func readSources(text string) (all []foreign, err error) {
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(fields) < 4 || orders[fields[2]] == levels.Unsaid {
			return nil, fmt.Errorf("sources.txt: %q is not OWNER/NAME COMMIT best-first|worst-first PATH",
				strings.TrimSpace(line))
		}
		all = append(all, foreign{fields[0], fields[1], fields[3], orders[fields[2]]})
	}
	return all, nil
}

// mostOfOne is how many criteria of a repository are kept, so that no author decides a rate.
const mostOfOne = 24

// gather writes the criteria of the files of sources.txt, which it reads from clones, as the
// rubrics of the fresh source.
func gather(clones, folder string) error {
	files, err := readSources(sourcesFile)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	seen, of := map[string]bool{}, map[string]int{}
	for _, f := range files {
		data, err := f.read(clones)
		if err != nil {
			return err
		}
		all, err := f.criteria(data)
		if err != nil {
			return err
		}
		for _, c := range all {
			anchors := fmt.Sprint(c.anchors())
			if seen[anchors] || of[f.repository] == mostOfOne {
				continue // a copy, one scale for several criteria, or enough
			}
			seen[anchors] = true
			of[f.repository]++
			if err := enc.Encode(c); err != nil {
				return err
			}
		}
	}
	name := filepath.Join(folder, freshFolder)
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(name, "rubrics.jsonl"), out.Bytes(), 0o644)
}

func (f foreign) read(clones string) ([]byte, error) {
	clone := filepath.Join(clones, filepath.FromSlash(f.repository))
	data, err := exec.Command("git", "-C", clone, "show", f.commit+":"+f.path).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %s of commit %.12s can't be read: %w", clone, f.path, f.commit, err)
	}
	return data, nil
}

// criteria returns the criteria of a file with the content data that have both ends of the scale
// and a level between them.
func (f foreign) criteria(data []byte) (all []criterion, err error) {
	name := path.Base(f.path)
	imported, problems := importing.Read(source.NewFile(name, data),
		importing.Options{Levels: levels.Options{Order: f.order}})
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %s: %s", f.repository, f.path, problems[0].Message)
	}
	for n, draft := range imported.Drafts {
		for i, node := range draft.Content.Get("criteria").List() {
			c := criterionOf(node)
			c.Rubric = fmt.Sprintf("%s/%s#%d", f.repository, f.path, n+1)
			c.ID = fmt.Sprintf("%s.%d", c.Rubric, i+1)
			if len(c.Anchors) > 2 && c.Anchors["1"] != "" && c.Anchors["5"] != "" {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

func criterionOf(node *yamltree.Node) criterion {
	c := criterion{Task: node.Get("name").Text(), Anchors: map[string]string{}}
	c.Criteria = cmp.Or(node.Get("description").Text(), c.Task)
	for score := 1; score <= 5; score++ {
		key := fmt.Sprint(score)
		if text := node.Get("anchors").Get(key).Text(); text != "" {
			c.Anchors[key] = text
		}
	}
	return c
}
