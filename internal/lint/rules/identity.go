package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/Masterminds/semver/v3"
	"golang.org/x/text/language"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

var identityRules = map[string]lint.Rule{
	"duplicate-id": {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true,
		Check: lint.OfLibrary(duplicateIDs),
	},
	"duplicate-name": {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true,
		Check: lint.OfDocument(duplicateNames),
	},
	"id-version": {
		Severity: lint.Error, Spec: lint.RL04, Unsuppressable: true, Check: lint.OfDocument(idVersion),
	},
	"language-tag":        {Severity: lint.Error, Check: lint.OfDocument(languageTag)},
	"id-unversioned":      {Severity: lint.Note, Spec: lint.RL01, Check: lint.OfLibrary(idUnversioned)},
	"unknown-replacement": {Severity: lint.Error, Placed: true, Check: lint.OfLibrary(unknownReplacements)},
}

func languageTag(p *lint.DocumentPass) {
	n := p.Root().Get("language")
	if n.Text() == "" || p.Doc.Kind == nil || !p.Doc.IsWritten() {
		return
	}
	if _, err := language.Parse(n.Value); err != nil {
		p.ReportAt(lint.Key("language"), n,
			"%s is not a language tag. Use a tag such as en, de, or pt-BR.", schema.Quote(n.Value))
	}
}

// duplicateIDs reports all documents with an ID but one: the first by path that is named
// after the ID, or else the first.
func duplicateIDs(p *lint.LibraryPass) {
	groups := map[string][]*lint.Facts{}
	for _, f := range p.Facts {
		if f.ID != "" {
			groups[f.ID] = append(groups[f.ID], f)
		}
	}
	for _, group := range groups {
		first := group[max(0, slices.IndexFunc(group, func(f *lint.Facts) bool { return lint.Stem(f.Path) == f.ID }))]
		for _, f := range group {
			if f != first {
				p.Report(f, []lint.Related{{Location: first.At, Message: "first used here"}},
					"Choose another ID: %s is already the ID of the %s in %s. A consumer that asks for it could get either document.",
					schema.Quote(f.ID), first.Kind.Noun, first.Path)
			}
		}
	}
}

// duplicateNames checks every list whose elements have an identity in the table of
// the kind.
func duplicateNames(p *lint.DocumentPass) {
	if p.Doc == nil || p.Doc.Kind == nil {
		return
	}
	for i := range p.Doc.Kind.Table.Fields {
		f := &p.Doc.Kind.Table.Fields[i]
		list := p.Root().Get(f.Key)
		if f.Value.Shape != schema.List || f.Value.Identity == "" || list == nil {
			continue
		}
		first := map[string]*yamltree.Node{}
		for i, item := range list.Items {
			name := item.Get(f.Value.Identity)
			if name == nil || name.Value == "" {
				continue
			}
			if before, ok := first[name.Value]; ok {
				at := lint.Key(f.Key).Elem(i, name.Value, f.Value.Elem.Noun).Key(f.Value.Identity, "")
				p.ReportBeside(at, name, before, "first used here",
					"Choose another name: another %s is already named %s, and results are stored by name, so one would count for both.",
					f.Value.Elem.Noun, schema.Quote(name.Value))
				continue
			}
			first[name.Value] = name
		}
	}
}

var zeroMajor = regexp.MustCompile(`_v0+([1-9][0-9]*)$`)

// idVersion compares the number at the end of the ID with the major version. Under
// _v1, a draft (0.x.y) is also allowed.
func idVersion(p *lint.DocumentPass) {
	n := p.Root().Get("version")
	id := p.ID()
	if n == nil || id == nil {
		return
	}
	if zeros := zeroMajor.FindStringSubmatch(id.Value); zeros != nil {
		p.ReportAt(lint.Key(p.Doc.Kind.IDKey), id,
			"Write _v%s at the end of the ID, without the leading zero: the number is the major version.", zeros[1])
		return
	}
	suffix := change.IDMajor.FindStringSubmatch(id.Value)
	version, err := semver.StrictNewVersion(n.Value)
	if suffix == nil || err != nil {
		return
	}
	major := strconv.FormatUint(version.Major(), 10)
	if suffix[1] == major || suffix[1] == "1" && major == "0" {
		return
	}
	allowed := suffix[1] + ".x.y"
	if suffix[1] == "1" {
		allowed = "0.x.y (a draft) or 1.x.y"
	}
	advice := fmt.Sprintf("Publish %s under an ID that ends in _v%s, so that it does not surprise consumers of this one.", n.Value, major)
	if major == "0" {
		advice = fmt.Sprintf("Write %s.0.0, or publish the draft under an ID that ends in _v1.", suffix[1])
	}
	p.ReportAt(lint.Key("version"), n,
		"The version under an ID that ends in _v%s must be %s, got %s. %s", suffix[1], allowed, n.Value, advice)
}

// idUnversioned has one finding for a library. It leaves out IDs that file-name reports.
func idUnversioned(p *lint.LibraryPass) {
	without := slices.DeleteFunc(slices.Clone(p.Facts), func(f *lint.Facts) bool {
		return !document.IsID(f.ID) || change.IDMajor.MatchString(f.ID)
	})
	most := 2*len(without) < len(p.Facts)
	without = slices.DeleteFunc(without, func(f *lint.Facts) bool { return lint.LosesVersion(f.Path, f.ID) })
	if len(without) == 0 || !most {
		return
	}
	var others []lint.Related
	for _, f := range without[1:] {
		others = append(others, lint.Related{Location: f.At, Message: "another ID without a version"})
	}
	p.Report(without[0], others,
		"Add a version such as _v1 to the end of %s, as most IDs of this library have it: a major change is then published as _v2.",
		schema.Quote(without[0].ID))
}

// mostSuggestions limits how often the whole library is searched for a similar ID.
const mostSuggestions = 20

func unknownReplacements(p *lint.LibraryPass) {
	var ids []string
	known := map[string]bool{}
	for _, f := range p.Facts {
		ids = append(ids, f.ID)
		known[f.ID] = true
	}
	for id := range p.Unread {
		known[id] = true
	}
	searches := 0
	for _, f := range p.Facts {
		if f.ReplacedBy == nil || f.Invalid || known[f.ReplacedBy.ID] && f.ReplacedBy.ID != f.ID {
			continue
		}
		message := "A document can't replace itself."
		if f.ReplacedBy.ID != f.ID {
			message = fmt.Sprintf("This library has no document %s.", schema.Quote(f.ReplacedBy.ID))
			if searches++; searches <= mostSuggestions {
				message += schema.DidYouMean(f.ReplacedBy.ID, ids)
			}
		}
		p.ReportAt(f, f.ReplacedBy.At, "/deprecated/replaced_by", "deprecated.replaced_by", nil,
			"%s Name the document to use instead, or remove replaced_by.", message)
	}
}
