package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var (
	// judgeCommand matches a command that asks a judge, in a page, a help text, or the
	// comment of an example.
	judgeCommand = regexp.MustCompile(`(?m)^[ \t]*(?:\$ )?(rubric calibrate (?:run|weekly)(?:[^\n\\` + "`" + `]|\\+\n)* --judge (?:[^\n\\` + "`" + `,]|\\+\n)*)`)
	// workflowCommand matches the value of the variable COMMAND of the workflow.
	workflowCommand = regexp.MustCompile(`COMMAND --env judge --body '([^']+)'`)
	continuation    = regexp.MustCompile(`\\+\n[ \t]*`)
)

// script is a judge that fails unless its folder is empty.
const script = `#!/usr/bin/env python3
import json, os, sys
assert not os.listdir("."), os.getcwd()
request = json.load(sys.stdin)
json.dump({"scores": {name: 3 for name in request["criteria"]}}, sys.stdout)
`

// TestDocumentedJudgesAnswer runs each command that asks a judge in a library with two
// datasets, and expects an answer to every item.
func TestDocumentedJudgesAnswer(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/judges/*.py", "internal/cli/command/help.txt"} {
		files := must.Get(filepath.Glob(pattern))(t)
		sources = append(sources, files...)
	}
	var commands []string
	for _, source := range sources {
		text := scripttest.Text(t, source)
		for _, match := range judgeCommand.FindAllStringSubmatch(text, -1) {
			command := strings.NewReplacer("NAME", "stories", "--dataset tickets", "--dataset stories", "--dataset bugs", "--dataset stories", "../rubric-library/", "", "\"", "'").Replace(match[1])
			commands = append(commands, continuation.ReplaceAllString(command, ""))
		}
		for _, match := range workflowCommand.FindAllStringSubmatch(text, -1) {
			commands = append(commands, "rubric calibrate weekly --judge j --model gpt-4.1-mini-2025-04-14 -- bash -c '"+match[1]+"'")
		}
	}
	slices.Sort(commands)
	if commands = slices.Compact(commands); len(commands) < 10 {
		t.Errorf("only %d commands were found:\n%s", len(commands), strings.Join(commands, "\n"))
	}
	repository := must.Get(filepath.Abs("."))(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serveModel(t, w, r) }))
	t.Cleanup(server.Close) // the script runs after this function
	var b strings.Builder
	fmt.Fprintf(&b, "[!exec:python3] skip 'python3 is not installed'\n[!symlink] skip 'links can not be made'\nchmod 755 my-judge\n")
	fmt.Fprintf(&b, "mkdir programs\nsymlink programs/examples -> '%[1]s/examples'\nsymlink examples -> '%[1]s/examples'\n", repository)
	fmt.Fprintf(&b, "env GITHUB_WORKSPACE=$WORK JUDGE_API_KEY=k OPENAI_BASE_URL=%[1]s OPENAI_API_KEY=k ANTHROPIC_BASE_URL=%[1]s ANTHROPIC_API_KEY=k\n", server.URL)
	for _, command := range commands {
		output := "stdout"
		if strings.Contains(command, "weekly") {
			output = "stderr" // the report goes to the output
		}
		fmt.Fprintf(&b, "rm calibration/stories/judges calibration/user_story_quality/judges\nexits 0 %s\n", command)
		fmt.Fprintf(&b, "%s '^run [^ ]* of [^ ]* on [^ ]*: [0-9]+ answers in '\n", output)
	}
	rubric := scripttest.Text(t, "rubrics/jira_tickets/user_story_quality_v1.yaml")
	items := strings.Join(strings.SplitAfter(scripttest.Text(t, "calibration/user_story_quality/items.jsonl"), "\n")[:2], "")
	dataset := scripttest.Text(t, "calibration/user_story_quality/dataset.yaml")
	for name, text := range map[string]string{
		"my-judge": script, "judge.py": script,
		"rubrics/jira_tickets/user_story_quality_v1.yaml": rubric,
		"calibration/user_story_quality/dataset.yaml":     dataset,
		"calibration/user_story_quality/items.jsonl":      items,
		"rubrics/stories/story_v1.yaml":                   strings.NewReplacer("user_story_quality_v1", "story_v1", "calibration/user_story_quality", "calibration/stories").Replace(rubric),
		"calibration/stories/dataset.yaml":                strings.ReplaceAll(dataset, "user_story_quality_v1", "story_v1"),
		"calibration/stories/items.jsonl":                 items,
	} {
		fmt.Fprintf(&b, "-- %s --\n%s", name, text)
	}
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "judges.txtar"), []byte(b.String()), 0o666))
	runScripts(t, dir, false, nil)
}

// serveModel answers as both providers do: each criterion gets a 3.
func serveModel(t *testing.T, w http.ResponseWriter, r *http.Request) {
	var call struct {
		Model  string
		Format struct {
			Schema struct{ Schema answers } `json:"json_schema"`
		} `json:"response_format"`
		Tools []struct {
			Schema answers `json:"input_schema"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		t.Error(err)
	}
	criteria := call.Format.Schema.Schema.Required
	for _, tool := range call.Tools {
		criteria = tool.Schema.Required
	}
	answer := map[string]any{}
	for _, name := range criteria {
		answer[name] = map[string]any{"reason": "", "score": 3}
	}
	text, err := json.Marshal(answer)
	if err == nil {
		err = json.NewEncoder(w).Encode(map[string]any{
			"model":   map[string]string{"gpt-4.1-mini": "gpt-4.1-mini-2025-04-14", "claude-sonnet-4-5": "claude-sonnet-4-5-20250929"}[call.Model],
			"choices": []any{map[string]any{"message": map[string]any{"content": string(text)}}},
			"content": []any{map[string]any{"type": "tool_use", "input": answer}},
		})
	}
	if err != nil {
		t.Error(err)
	}
}

type answers struct{ Required []string }
