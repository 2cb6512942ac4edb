package site

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/document/layout"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// document writes the pages of a document and completes its entry for lists.
func (b *builder) document(e *entry) error {
	line := e.Entry
	versions, err := b.versions(line)
	if err != nil {
		return err
	}
	b.date(line, versions)
	statistics, err := b.statistics(line)
	if err != nil {
		return err
	}
	e.Versions, e.Reports = versions, statistics.Reports
	if err := b.describe(e); err != nil {
		return err
	}
	for i := range versions {
		v := &versions[i]
		v.Path = path.Join(e.Folder, v.JSON())
		err := b.putTexts(e, v)
		switch {
		case err != nil:
		case line.Kind == bundlefile.KindRuleSet:
			err = b.ruleSetPage(e, i)
		default:
			err = b.rubricPage(e, i, statistics)
		}
		if err != nil {
			return err
		}
	}
	return b.comparisons(e)
}

// describe sets what an entry has of its latest version.
func (b *builder) describe(e *entry) (err error) {
	latest := e.Newest()
	e.Line, err = bundlefile.LineOf(e.ID, string(e.Kind), latest.data, []bundlefile.Version{{}})
	if err != nil {
		return err
	}
	e.Committed, e.Released = latest.Committed, latest.Released
	var metadata map[string]string
	if latest.Rubric != nil {
		metadata = latest.Rubric.Metadata
	} else {
		metadata = latest.RuleSet.Metadata
	}
	e.Owner, e.License = metadata["owner"], metadata["license"]
	if b.options.Owners != nil {
		for _, owner := range b.options.Owners(e.Source()) { // by CODEOWNERS
			if !slices.ContainsFunc(e.owners(), func(known string) bool { return strings.EqualFold(known, owner) }) {
				e.Owner = strings.TrimPrefix(e.Owner+", "+owner, ", ")
			}
		}
	}
	e.Change = latest.Change()
	e.Alone = len(b.types[e.ArtifactType]) == 1
	return nil
}

// putTexts writes the canonical form of a version, and the same as YAML.
func (b *builder) putTexts(e *entry, v *version) error {
	made, err := layout.Canonical(v.kind(), v.data)
	if err != nil {
		return fmt.Errorf("version %s: %w", v.Version, err)
	}
	if err := b.put(v.Path, v.data); err != nil {
		return err
	}
	return b.put(path.Join(e.Folder, v.YAML()), made)
}

func (b *builder) versions(line *library.Entry) ([]version, error) {
	available := line.Available()
	versions := make([]version, len(available))
	for i, v := range available {
		d, err := b.library.Get(context.Background(), line.ID, v.Version)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Version, err)
		}
		versions[i] = version{
			origin: v, moments: moments{Committed: timeOf(v)}, Rubric: d.Rubric, RuleSet: d.RuleSet, data: d.JSON(),
		}
		if i == 0 {
			continue
		}
		before := i - 1
		for before > 0 && versions[before].Yanked != "" {
			before-- // to the version that constraints select
		}
		for j := i - 1; j >= 0; j-- {
			if len(versions) <= allPairs || j == i-1 || j == before || i == latestOf(line) || j == latestOf(line) {
				versions[i].Others = append(versions[i].Others, versions[j].Version)
			}
		}
		if b.options.Accepted != nil {
			versions[i].Accepted = b.options.Accepted(line.ID, v.Version)
		}
		versions[i].Before = versions[before].Version
		if versions[i].changed, err = compared(line, &versions[before], &versions[i]); err != nil {
			return nil, fmt.Errorf("version %s: %w", v.Version, err)
		}
	}
	return versions, nil
}

// statistics returns the statistics of a rubric's dataset with the reports on its latest
// version, which are empty if there are none.
func (b *builder) statistics(line *library.Entry) (*report.Statistics, error) {
	data, err := b.library.Statistics(line.Calibration)
	s := &report.Statistics{}
	if err != nil || data == nil {
		return s, err
	}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", line.Calibration.Path, err)
	}
	s.Reports = slices.DeleteFunc(s.Reports, func(r report.View) bool {
		return r.Rubric.ID != line.ID || r.Rubric.Version != line.Latest
	})
	return s, nil
}
