package holdings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Together counts the labels of a dataset that are not in the history before the first answers to
// their items, although these say that they were there: on the line of first parents, both came in
// the same commit.
func Together(repo *gitrepo.Repo, from gitrepo.Commit, folder string, d *calibration.Dataset) (int, error) {
	below := path.Join(calibration.Root, d.Name)
	steps, err := stepsOf(repo, from, folder, below)
	if err != nil {
		return 0, err
	}
	t := &together{
		below: below, firsts: d.FirstAnswers(),
		items: map[string]*calibration.Item{}, answered: map[string]bool{},
	}
	for i := range d.Items {
		t.items[d.Items[i].ID] = &d.Items[i]
	}
	for _, step := range slices.Backward(steps) { // the oldest first
		if err := t.step(repo, folder, step); err != nil {
			return 0, err
		}
	}
	return t.count, nil
}

// stepsOf has the commits that changed a folder, newest first. The parent of the first is the zero
// commit if it is the root.
func stepsOf(repo *gitrepo.Repo, from gitrepo.Commit, folder, below string) (steps []Passage, err error) {
	root := from
	for p, err := range Line(repo, from, folder, below) {
		if err != nil {
			return nil, err
		}
		if len(p.Others) > 0 {
			steps = append(steps, p)
		}
		if root = p.Parent; !root.IsZero() {
			hash, err := repo.Snapshot(root, folder).Hash(below)
			if hash == "" || err != nil {
				return steps, err // the folder begins here
			}
		}
	}
	entries, err := repo.Snapshot(root, folder).Subfolder(below).Entries()
	if err != nil || len(entries) == 0 {
		return steps, err
	}
	first := Passage{Child: root}
	for _, e := range entries {
		first.Others = append(first.Others, path.Join(below, e.Path))
	}
	return append(steps, first), nil
}

type together struct {
	below    string
	firsts   calibration.Firsts
	items    map[string]*calibration.Item
	answered map[string]bool
	count    int
}

// step counts the labels of the items that a commit answers first, unless its parent has them.
func (t *together) step(repo *gitrepo.Repo, folder string, p Passage) error {
	now := repo.Snapshot(p.Child, folder)
	var answered []string
	for _, name := range p.Others {
		if !strings.HasPrefix(name, path.Join(t.below, calibration.JudgesDir)+"/") {
			continue
		}
		err := eachLine(now, name, func(line *line) {
			if t.items[line.Item] != nil && len(line.Scores) > 0 && !t.answered[line.Item] {
				t.answered[line.Item] = true
				answered = append(answered, line.Item)
			}
		})
		if err != nil {
			return err
		}
	}
	if len(answered) == 0 {
		return nil
	}
	before := map[string]map[string]map[string]json.RawMessage{} // by item, rater, and criterion
	if !p.Parent.IsZero() {
		parent, items := repo.Snapshot(p.Parent, folder), path.Join(t.below, calibration.ItemsFile)
		err := eachLine(parent, items, func(line *line) { before[line.ID] = line.Labels })
		if err != nil {
			return err
		}
	}
	for _, id := range answered {
		for rater, labels := range t.items[id].Labels {
			for criterion := range labels {
				if before[id][rater][criterion] == nil && !t.firsts.IsLater(id, rater, criterion) {
					t.count++
				}
			}
		}
	}
	return nil
}

// line is what an answer or an item says, as far as it is read here.
type line struct {
	Item   string
	ID     string
	Scores map[string]json.RawMessage
	Labels map[string]map[string]json.RawMessage
}

// eachLine reads the lines of a file in a commit that are valid: lint reports the others.
func eachLine(s *gitrepo.Snapshot, name string, do func(line *line)) error {
	data, err := safefile.ReadFile(s, name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, gitrepo.ErrNotAFolder):
		return s.Err()
	case safefile.IsTooLarge(err), safefile.IsPointer(err):
		return s.Err()
	case err != nil:
		return err
	}
	for text := range bytes.Lines(data) {
		one := &line{}
		var labels struct{ Labels json.RawMessage }
		if json.Unmarshal(text, &struct {
			Item, ID *string
			Scores   *map[string]json.RawMessage
			Labels   *json.RawMessage
		}{&one.Item, &one.ID, &one.Scores, &labels.Labels}) != nil {
			continue
		}
		if json.Unmarshal(labels.Labels, &one.Labels) != nil {
			one.Labels = nil // an answer has lists of criteria
		}
		do(one)
	}
	return nil
}
