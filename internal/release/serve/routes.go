package serve

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// route is a row of the table of routes. Each path has one method.
type route struct {
	method, path  string
	name, summary string
	query         []parameter
	body, result  any // values of their types; no body is nil
	answer        func(*call) (any, error)
}

// isHealth reports whether a route is about the process, and so can have a listener of its own.
func (r route) isHealth() bool {
	return !strings.HasPrefix(r.path, "/v1/") && !strings.HasPrefix(r.name, "getOpenAPI")
}

type parameter struct {
	name, doc string
	values    []string // nil for any
}

// documentJSON is a result that is a document in canonical form, and text one that is not
// JSON.
type (
	documentJSON json.RawMessage
	text         string
)

// call is a request to a route.
type call struct {
	*Server
	ctx   context.Context
	lib   *library.Library // nil for routes outside /v1/
	id    string
	query map[string]string
	data  []byte // of the body
	body  any    // a pointer to a value of the route's type
	// reference is set by routes about one version.
	reference library.Reference
}

var (
	versions = []parameter{{
		name: "version",
		doc:  "A version such as 1.2.0 or a constraint such as ~1.2. The default is the latest version.",
	}}
	ofType = parameter{name: "artifact_type", doc: "Only documents for this artifact type."}
	ofKind = parameter{
		name: "kind", doc: "Only documents of this kind.",
		values: []string{string(library.KindRubric), string(library.KindRuleSet)},
	}
	judges = []parameter{
		{name: "judge", doc: "Only the judge with this name. If the bundle does not list it, there are no judges."},
		{name: "model", doc: "Only judges with this model, exactly as in their runs."},
	}
	words = parameter{name: "q", doc: "The words. Without any, all documents match."}
)

// openAPI and openAPI30 describe the routes for programs, in versions 3.1 and 3.0 of OpenAPI. They
// are generated from the routes.
var (
	//go:embed openapi.json
	openAPI []byte
	//go:embed openapi-3.0.json
	openAPI30 []byte
)

var routes = []route{
	{
		"GET", "/v1/library", "getLibrary",
		"The bundle in use, or the folder, which has no version and no digest", nil, nil, libraryInfo{}, getLibrary,
	},
	{
		"GET", "/v1/documents", "listDocuments",
		"All documents, including deprecated and retired ones",
		[]parameter{ofType, ofKind}, nil, documentList{}, listDocuments,
	},
	{
		"GET", "/v1/search", "search",
		"The documents with every word, or with the most, best first, without deprecated and retired ones",
		[]parameter{words, ofType, ofKind}, nil, searchResult{}, search,
	},
	{
		"GET", "/v1/documents/{id}", "getDocument",
		"A document in canonical form, whose SHA-256 is its digest", versions, nil, documentJSON{}, getDocument,
	},
	{"GET", "/v1/documents/{id}/judge-view", "getJudgeView", "What a judge may read of a rubric", versions, nil, rubric.JudgeView{},
		ofRubric(func(_ *call, r *rubric.Rubric) (any, error) { return r.JudgeView(), nil })},
	{"GET", "/v1/documents/{id}/answer-schema", "getAnswerSchema", "The JSON Schema of what a judge has to return", versions, nil, json.RawMessage{},
		ofRubric(func(_ *call, r *rubric.Rubric) (any, error) { return r.AnswerSchema(), nil })},
	{
		"GET", "/v1/documents/{id}/calibration", "getCalibration",
		"How well judges agree with people on the latest version, and what each may be used for",
		judges, nil, library.Calibration{}, getCalibration,
	},
	{
		"POST", "/v1/documents/{id}/hits", "findHits",
		"Where the negative criteria of a rubric match a text", versions, textBody{}, hits{}, ofRubric(findHits),
	},
	{
		"POST", "/v1/documents/{id}/verdict", "computeVerdict", "The verdict of a rubric on scores and hits",
		versions, scoresBody{}, verdict{}, ofRubric(computeVerdict),
	},
	{
		"POST", "/v1/documents/{id}/score", "computeScore",
		"The score of a rule set for the verdicts on its rules", versions, verdictsBody{}, score{}, computeScore,
	},
	{
		"GET", "/openapi-3.0.json", "getOpenAPI30",
		"This API in OpenAPI 3.0, for generators that need it",
		nil, nil, json.RawMessage{}, func(*call) (any, error) { return json.RawMessage(openAPI30), nil },
	},
	{
		"GET", "/openapi.json", "getOpenAPI", "This API in OpenAPI 3.1", nil, nil, json.RawMessage{},
		func(*call) (any, error) { return json.RawMessage(openAPI), nil },
	},
	{
		"GET", "/metrics", "getMetrics",
		"Metrics in the text format of Prometheus, at the address for health if there is one",
		nil, nil, text(""), func(c *call) (any, error) { return c.metrics.text(c.Server.live.Load()) },
	},
	{
		"GET", "/healthz", "getHealth",
		"Whether the process answers, at the address for health if there is one",
		nil, nil, status{}, func(*call) (any, error) { return status{Status: "ok"}, nil },
	},
	{
		"GET", "/readyz", "getReadiness",
		"Whether there is a verified bundle, or a valid folder, at the address for health if there is one",
		nil, nil, status{}, func(c *call) (any, error) { return c.readiness() },
	},
}

type libraryInfo struct {
	// Source is "bundle", or "folder", which has neither a version nor a digest.
	Source   string `json:"source"`
	Version  string `json:"version"`
	Digest   string `json:"digest"`
	Rubrics  int    `json:"rubrics"`
	RuleSets int    `json:"rule_sets"`
}

func getLibrary(c *call) (any, error) {
	ids, err := c.lib.IDs()
	a := libraryInfo{Source: sourceOf(c.lib), Version: c.lib.Version(), Digest: c.lib.Digest()}
	for _, id := range ids {
		if id.Kind == library.KindRubric {
			a.Rubrics++
		} else {
			a.RuleSets++
		}
	}
	return a, err
}

// sourceOf returns what a library was read from: "bundle" or "folder".
func sourceOf(l *library.Library) string {
	if l.Version() == "" {
		return "folder"
	}
	return "bundle"
}

type documentList struct {
	Documents []library.Entry `json:"documents"`
}

func listDocuments(c *call) (any, error) {
	found, err := c.lib.Search(library.Query{
		ArtifactType: c.query["artifact_type"], Kind: library.Kind(c.query["kind"]),
		IncludeDeprecated: true, IncludeRetired: true,
	})
	l := documentList{Documents: make([]library.Entry, len(found))}
	for i, m := range found {
		l.Documents[i] = m.Entry
	}
	return l, err
}

type searchResult struct {
	Matches []library.Match `json:"matches"`
	// Similar are artifact types with a similar spelling, if no document has the one of the query.
	Similar []string `json:"similar_artifact_types,omitempty"`
}

func search(c *call) (any, error) {
	found, err := c.lib.Search(library.Query{
		Text: c.query["q"], ArtifactType: c.query["artifact_type"], Kind: library.Kind(c.query["kind"]),
	})
	if err != nil {
		return nil, err
	}
	similar, err := c.lib.SimilarArtifactTypes(c.query["artifact_type"])
	return searchResult{append([]library.Match{}, found...), similar}, err
}

func getDocument(c *call) (any, error) {
	d, err := c.lib.Get(c.ctx, c.id, c.query["version"])
	if err != nil {
		return nil, err
	}
	c.reference = d.Reference
	return documentJSON(d.JSON()), nil
}

// ofRubric returns the answer of a route about a version of a rubric.
func ofRubric(answer func(*call, *rubric.Rubric) (any, error)) func(*call) (any, error) {
	return func(c *call) (any, error) {
		r, err := c.lib.Rubric(c.ctx, c.id, c.query["version"])
		if err == nil {
			c.reference, err = c.lib.Resolve(c.id, r.Version)
		}
		if err != nil {
			return nil, err
		}
		return answer(c, r)
	}
}

func getCalibration(c *call) (any, error) {
	found, err := c.lib.DocumentCalibration(c.id)
	if found == nil {
		found = &library.Calibration{Judges: []library.JudgeCalibration{}}
		if sourceOf(c.lib) == "folder" {
			found.Reason = "The server reads a folder, which has no calibration data: only a bundle has it."
		}
	}
	only := func(name string, of func(*library.JudgeCalibration) string) {
		if wanted, ok := c.query[name]; ok {
			found.Judges = slices.DeleteFunc(found.Judges, func(j library.JudgeCalibration) bool { return of(&j) != wanted })
		}
	}
	only("judge", func(j *library.JudgeCalibration) string { return j.Judge })
	only("model", func(j *library.JudgeCalibration) string { return j.Model })
	return *found, err
}

type textBody struct {
	Text string `json:"text"`
}

type hits struct {
	Reference string       `json:"reference"`
	Hits      []rubric.Hit `json:"hits"`
	// Names are what computeVerdict takes as hits.
	Names []string `json:"names"`
}

// mostHits is the limit of the hits in an answer, which could be a hundred times as large as
// the text.
const mostHits = 10_000

func findHits(c *call, r *rubric.Rubric) (any, error) {
	found, err := r.NegativeHits(c.body.(*textBody).Text)
	if len(found) > mostHits {
		return nil, unusable("the text has %d hits: at most %d are returned. Shorten it", len(found), mostHits)
	}
	return hits{c.reference.String(), found, append([]string{}, rubric.HitNames(found)...)}, err
}

type scoresBody struct {
	Scores map[string]float64 `json:"scores"`
	Hits   []string           `json:"hits"`
}

type verdict struct {
	Reference string `json:"reference"`
	rubric.Verdict
}

func computeVerdict(c *call, r *rubric.Rubric) (any, error) {
	in := c.body.(*scoresBody)
	v, err := r.Verdict(in.Scores, in.Hits)
	return verdict{c.reference.String(), v}, err
}

// verdictsBody has the verdicts in the form of a file of verdicts.
type verdictsBody struct {
	Phase    ruleset.Phase   `json:"phase"`
	Verdicts []verdictOnRule `json:"verdicts"`
}

type verdictOnRule struct {
	Rule    string          `json:"rule"`
	Verdict ruleset.Verdict `json:"verdict"`
	Reason  string          `json:"reason,omitempty"`
}

type score struct {
	Reference string `json:"reference"`
	ruleset.Score
}

func computeScore(c *call) (any, error) {
	s, err := c.lib.RuleSet(c.ctx, c.id, c.query["version"])
	if err == nil {
		c.reference, err = c.lib.Resolve(c.id, s.Version)
	}
	if err != nil {
		return nil, err
	}
	in, results := c.body.(*verdictsBody), map[string]ruleset.Result{}
	for _, v := range in.Verdicts {
		if _, twice := results[v.Rule]; twice {
			return nil, unusable("the rule %q has two verdicts", v.Rule)
		}
		results[v.Rule] = ruleset.Result{Verdict: v.Verdict, Reason: v.Reason}
	}
	computed, err := s.Score(in.Phase, results)
	return score{c.reference.String(), computed}, err
}

// status is the result of a probe, with the bundle in use.
type status struct {
	Status  string `json:"status"`
	Source  string `json:"source,omitempty"`
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Confirmed is when the source last had this bundle, by RFC 3339.
	Confirmed string `json:"confirmed,omitempty"`
}
