// Package openapi checks the OpenAPI document of the server, in the version for generators, with an
// implementation of OpenAPI that others use.
package openapi

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/release/serve"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func init() {
	openapi3filter.RegisterBodyDecoder("application/problem+json", openapi3filter.JSONBodyDecoder)
}

// shipped is the server with documents of this repository.
func shipped(t *testing.T) *serve.Server {
	t.Helper()
	var documents []string
	for _, path := range []string{"rubrics/jira_tickets/user_story_quality_v1.yaml", "rubrics/api_design/rest_api_design_v1.yaml"} {
		documents = append(documents, string(must.Get(os.ReadFile(filepath.Join("..", "..", path)))(t)))
	}
	var data bytes.Buffer
	must.Get(bundletest.Write(&data, bundletest.Library{Verifiable: true, Documents: documents}))(t)
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	must.Do(t, os.WriteFile(path, data.Bytes(), 0o666))
	live := must.Get(library.Follow(t.Context(), library.File(path), library.WithAnyDigest(), library.WithAudit(slog.New(slog.DiscardHandler))))(t)
	t.Cleanup(func() { _ = live.Close() })
	server := serve.New("")
	server.Use(live)
	return server
}

// TestAnswersAreAsDescribed checks the document, and the answers to requests with it.
func TestAnswersAreAsDescribed(t *testing.T) {
	server := httptest.NewServer(shipped(t))
	defer server.Close()
	described := must.Get(server.Client().Get(server.URL + "/openapi-3.0.json"))(t)
	defer described.Body.Close()
	api := must.Get(openapi3.NewLoader().LoadFromIoReader(described.Body))(t)
	must.Do(t, api.Validate(t.Context()))
	router := must.Get(legacy.NewRouter(api))(t)
	const story = "/v1/documents/user_story_quality_v1"
	for _, c := range []struct {
		method, target, body string
		status               int
	}{
		{"GET", "/v1/library", "", 200},
		{"GET", "/v1/documents", "", 200},
		{"GET", "/v1/search?q=story", "", 200},
		{"GET", story, "", 200},
		{"GET", "/v1/documents/rest_api_design_v1", "", 200},
		{"POST", "/v1/documents/rest_api_design_v1/score", `{"phase": "A", "verdicts": []}`, 422},
		{"GET", story + "/judge-view", "", 200},
		{"GET", story + "/answer-schema", "", 200},
		{"GET", story + "/calibration", "", 200},
		{"POST", story + "/hits", `{"text": "Export CSV, PDF, etc."}`, 200},
		{"POST", story + "/verdict", `{"scores": {"clarity": 4, "specificity": 4, "scope": 4, "testability": 4, "independence": 2}, "hits": []}`, 200},
		{"POST", story + "/verdict", `{"scores": {}, "hits": []}`, 422},
		{"GET", "/v1/documents/none_v1", "", 404},
		{"GET", "/healthz", "", 200},
		{"GET", "/readyz", "", 200},
	} {
		t.Run(fmt.Sprint(c.method, " ", c.target, " ", c.status), func(t *testing.T) {
			r := must.Get(http.NewRequest(c.method, server.URL+c.target, strings.NewReader(c.body)))(t)
			if c.body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			route, parameters, err := router.FindRoute(httptest.NewRequest(c.method, c.target, nil))
			if err != nil {
				t.Fatal(err)
			}
			input := &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route}
			must.Do(t, openapi3filter.ValidateRequest(t.Context(), input))
			r.Body = io.NopCloser(strings.NewReader(c.body))
			response := must.Get(server.Client().Do(r))(t)
			defer response.Body.Close()
			if response.StatusCode != c.status {
				t.Errorf("the answer is %s", response.Status)
			}
			must.Do(t, openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
				RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Body: response.Body,
			}))
		})
	}
}
