package site

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// readExamples reads the labeled texts of a rubric from the bundle.
func (b *builder) readExamples(e *entry, r *rubric.Rubric, s *report.Statistics) (x examples, err error) {
	switch {
	case b.options.Bundle == "":
		x.Reason = "A preview of a folder shows no labeled texts."
		return x, nil
	case e.Calibration == nil:
		x.Reason = "The rubric names no labeled texts."
		return x, nil
	case len(s.Reports) == 0:
		x.Reason = e.Calibration.Reason
		return x, nil
	}
	for _, report := range s.Reports {
		x.Count = max(x.Count, report.Dataset.Items)
	}
	if s.Dataset.Share != calibration.ShareFull {
		x.Reason = "Its owners share only the statistics of this dataset, not the texts."
		return x, nil
	}
	if x.Dataset, err = b.packedDataset(s.Dataset.Name); err != nil || x.Dataset == nil {
		return x, err
	}
	x.Count, x.Items = len(x.Dataset.Items), graded(r, x.Dataset, s.Reports[0].Rubric.JudgeDigest)
	return x, nil
}

// loadDataset reads a dataset from a bundle after comparing its files with their digests. It
// is nil if the bundle does not have its texts.
func loadDataset(bundle, digest, name string) (*calibration.Dataset, error) {
	packed, err := bundlefile.OpenFile(bundle, bundlefile.Open, bundlefile.Options{Digest: &digest})
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	for file := range packed.Paths(path.Join(calibration.Root, name) + "/") {
		if _, err := packed.Read(file); err != nil {
			return nil, err
		}
	}
	files, err := zip.OpenReader(bundle)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	d, problems, err := calibration.Load(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%s: %s", problems[0].File.Path, problems[0].Message)
	}
	return d, err
}
