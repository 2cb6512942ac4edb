package repository

import (
	"path"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// gitConversion reports the attributes that make a file of the library differ between a
// commit and a working tree.
func gitConversion(p *lint.RepositoryPass) {
	var names []string
	for _, folder := range []string{lint.Root, calibration.Root} {
		p.Walk(path.Join(p.Folder, folder), func(name string) bool {
			if path.Base(name) != ".gitattributes" {
				names = append(names, name)
			}
			return true
		})
	}
	for _, name := range []string{path.Join(p.Folder, lint.ConfigFile), path.Join(p.Folder, lint.BaselineFile), ownersOf(p).location} {
		if name != "" && p.Holds(name) {
			names = append(names, name)
		}
	}
	inside, err := gitrepo.AttributesIn(p.Files, names)
	if err != nil {
		p.Report(source.Location{File: p.FromLibrary(".gitattributes")}, "attributes", "The attributes of the repository can't be read: %s.", err)
		return
	}
	files := append(append(append([]gitrepo.AttributesFile{}, p.Less...), inside...), p.More...)
	found, err := gitrepo.Conversions(files, names)
	if err != nil {
		p.Report(source.Location{File: p.FromLibrary(".gitattributes")}, "attributes", "Simplify the attributes of the repository: %s.", err)
	}
	for _, c := range found {
		f := files[c.File]
		name := f.Name
		if f.InTree {
			name = p.FromLibrary(name)
		}
		file := source.NewFile(filepath.ToSlash(name), f.Data)
		p.Report(source.Locate(file, file.LineSpan(c.Line)), c.Attribute+" "+f.Name,
			"Remove %s from this line, or turn it off for the library: it makes the text of %s in a working tree differ from the commit, which is reviewed and released.",
			c.Attribute, schema.Quote(c.Path))
	}
}
