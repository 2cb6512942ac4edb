package site

import (
	"bytes"
	"encoding/json"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// indexDataVersion is the schema_version of index.json. It is incremented with each
// incompatible change.
const indexDataVersion = 1

// indexData is index.json: the data of the index page for programs.
type indexData struct {
	SchemaVersion  int            `json:"schema_version"`
	LibraryVersion string         `json:"library_version,omitempty"`
	Digest         string         `json:"digest,omitempty"`
	Bundle         string         `json:"bundle,omitempty"`
	Feed           string         `json:"feed"`
	Counts         counts         `json:"counts"`
	Documents      []documentData `json:"documents"`
}

type documentData struct {
	ID           string           `json:"id"`
	Kind         string           `json:"kind"`
	Name         string           `json:"name"`
	ArtifactType string           `json:"artifact_type"`
	Description  string           `json:"description,omitempty"`
	Language     string           `json:"language,omitempty"`
	Status       string           `json:"status"`
	Latest       string           `json:"latest"`
	Change       string           `json:"change"`
	Changed      string           `json:"changed,omitempty"` // such as 2026-11-22
	Criteria     int              `json:"criteria,omitempty"`
	Rules        int              `json:"rules,omitempty"`
	Deprecated   *deprecationData `json:"deprecated,omitempty"`
	Calibration  *measure         `json:"calibration,omitempty"`
	Page         string           `json:"page"`
	Feed         string           `json:"feed"`
	Versions     []versionData    `json:"versions"`
}

type deprecationData struct {
	Reason     string `json:"reason"`
	ReplacedBy string `json:"replaced_by,omitempty"`
}

type versionData struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
	Path    string `json:"path"` // of the canonical form
}

// searchData is the data of a document for the search on the index page.
type searchData struct {
	Page        string   `json:"page"`
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Kind        string   `json:"kind"`
	Status      string   `json:"status"`
	Facts       []string `json:"facts"`
	Description string   `json:"description"`
}

// writeData writes index.json and the data of the search.
func (b *builder) writeData() error {
	index := indexData{
		SchemaVersion: indexDataVersion, LibraryVersion: b.library.Version, Digest: b.library.Digest, Feed: feedName,
		Counts: b.counts(), Documents: []documentData{},
	}
	if b.options.Bundle != "" {
		index.Bundle = bundleName
	}
	search := []searchData{}
	for _, e := range b.entries {
		index.Documents = append(index.Documents, e.data())
		search = append(search, e.searchData())
	}
	data, err := encode(index)
	if err != nil {
		return err
	}
	if err := b.put(indexDataName, data); err != nil {
		return err
	}
	if data, err = encode(search); err != nil {
		return err
	}
	script := append([]byte("\"use strict\";\nconst libraryDocuments = "), bytes.TrimSuffix(data, []byte("\n"))...)
	return b.put(searchDataName, append(script, ";\n"...))
}

// searchData returns sanitized data, because the search shows it unchanged.
func (e *entry) searchData() searchData {
	s := searchData{Page: e.Page(), ID: e.ID, Name: sanitize.Line(e.Name), Type: e.ArtifactType, Kind: e.Kind, Status: e.Status(), Description: e.Description}
	for _, fact := range e.Facts() {
		s.Facts = append(s.Facts, sanitize.Line(fact))
	}
	return s
}

// encode returns JSON with HTML escapes, so that it is also safe in a script element.
func encode(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	return append(data, '\n'), err
}

func (e *entry) data() documentData {
	d := documentData{
		ID: e.ID, Kind: e.Kind, Name: e.Name, ArtifactType: e.ArtifactType, Description: e.Description, Language: e.Language,
		Status: e.Status(), Latest: e.Latest, Change: e.Change, Changed: date(e.When), Calibration: e.Measure,
		Page: e.Page(), Feed: e.Folder + "/" + feedName,
	}
	if e.Kind == bundlefile.KindRuleSet {
		d.Rules = e.Count
	} else {
		d.Criteria = e.Count
	}
	if e.Deprecated != nil {
		d.Deprecated = &deprecationData{e.Deprecated.Reason, e.Deprecated.ReplacedBy}
	}
	for _, v := range e.Versions {
		d.Versions = append(d.Versions, versionData{v.Version, v.Digest, e.Folder + "/" + v.Version + ".json"})
	}
	return d
}
