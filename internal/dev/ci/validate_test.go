package ci_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestValidateIsTheRequiredCheck: a single named job decides whether a change can be
// merged, and it can't be left out, stay pending forever, or pass because a job did
// not run.
func TestValidateIsTheRequiredCheck(t *testing.T) {
	all := workflows(t)
	w := all["validate"]
	if filter, ok := w.On["merge_group"]; !ok || filter.Kind != yaml.ScalarNode {
		t.Error("validate does not run on every merge_group")
	}
	checksEveryTarget(t, w.On["pull_request"])
	last := w.Jobs["rubric-library"]
	var others []string
	for id, j := range w.Jobs {
		if id == "rubric-library" {
			continue
		}
		others = append(others, id)
		for permission, value := range j.Permissions {
			if value != "read" {
				t.Errorf("job %s may %s %s", id, value, permission)
			}
		}
	}
	slices.Sort(others)
	if needs := slices.Sorted(slices.Values(last.Needs)); !slices.Equal(needs, others) || last.If != "always()" {
		t.Errorf("the last job needs %q and runs if %q, and the others are %q", needs, last.If, others)
	}
	// Without --strict, tests whose programs are missing would skip and count as passed.
	if steps := w.Jobs["test"].Steps; steps[len(steps)-1].Run != ".ci/run --strict" {
		t.Errorf("the job test runs %q", steps[len(steps)-1].Run)
	}
	for name, w := range all {
		for id, j := range w.Jobs {
			if (id == "rubric-library" || strings.Contains(j.Name, "rubric-library")) && name != "validate" {
				t.Errorf("%s has a job of the same name, whose success would count", name)
			}
		}
	}
}

// event is the part of an event that validate.yml reads.
type event = map[string]any

// TestValidateIgnoresNewTitles: a run that checks nothing neither cancels another run nor
// reports under the name of the required check, and every other run checks everything.
// Gitea's runner gives results only to the jobs that an expression names.
func TestValidateIgnoresNewTitles(t *testing.T) {
	needs(t, "node")
	w := workflows(t)["validate"]
	last := w.Jobs["rubric-library"]
	from := event{"from": "x"}
	pull := func(changes event) event {
		e := event{"pull_request": event{"number": 7}}
		if changes != nil {
			e["changes"] = changes
		}
		return e
	}
	for _, test := range []struct {
		name   string
		event  event
		checks bool
		group  string
	}{
		{"a new commit", pull(nil), true, "validate-7-check"},
		{"another target", pull(event{"base": event{"ref": from}}), true, "validate-7-check"},
		{"another target and title", pull(event{"base": event{"ref": from}, "title": from}), true, "validate-7-check"},
		{"an edit that GitHub does not describe", pull(event{}), true, "validate-7-check"},
		{"a merge queue", event{"merge_group": event{"base_sha": "1"}}, true, "validate-1234-check"},
		{"another title", pull(event{"title": from}), false, "validate-7-99"},
		{"another text", pull(event{"body": from}), false, "validate-7-99"},
	} {
		for _, results := range [][2]string{{"success", "success"}, {"success", "failure"}, {"failure", "success"}, {"skipped", "skipped"}} {
			context := event{
				"github": event{"event": test.event, "sha": "1234", "run_id": "99"},
				"needs":  event{"library": event{"result": results[0]}, "test": event{"result": results[1]}},
			}
			texts := []string{w.Concurrency.Group, last.Name, w.Jobs["library"].If, w.Jobs["test"].If}
			env := last.Steps[0].Env
			names := slices.Sorted(maps.Keys(env))
			for _, name := range names {
				texts = append(texts, env[name])
			}
			got := evaluate(t, context, texts)
			if got[0] != test.group {
				t.Errorf("%s: the run cancels those of the group %s, want %s", test.name, got[0], test.group)
			}
			if (got[1] == "rubric-library") != test.checks {
				t.Errorf("%s: the last job reports as %q", test.name, got[1])
			}
			for i, job := range []string{"library", "test"} {
				if (got[2+i] == "true") != test.checks {
					t.Errorf("%s: the job %s runs: %s", test.name, job, got[2+i])
				}
			}
			for i := range names {
				names[i] += "=" + got[4+i]
			}
			s := &server{t: t}
			out, code := s.try(".", last.Steps[0].Run, names...)
			if passes := !test.checks || results == [2]string{"success", "success"}; (code == 0) != passes {
				t.Errorf("%s, with the results %q: the last job exits with %d:\n%s", test.name, results, code, out)
			}
		}
	}
}

// evaluate returns texts with their expressions replaced. The expressions of validate.yml
// mean the same in JavaScript, except that GitHub reads a missing property as null.
func evaluate(t *testing.T, context event, texts []string) []string {
	t.Helper()
	data := must.Get(json.Marshal([]any{context, texts}))(t)
	const script = `const [{github, needs}, texts] = JSON.parse(process.argv[1]);
		console.log(JSON.stringify(texts.map(text => text.replace(/\$\{\{(.*?)\}\}/g, (_, e) => eval(e.replaceAll(".", "?."))))))`
	out := must.Get(exec.Command("node", "-e", script, string(data)).Output())(t)
	var values []string
	must.Do(t, json.Unmarshal(out, &values))
	return values
}

// TestValidateJudgesWithTheToolsOfTheBase runs the steps of validate.yml on pull
// requests as they are checked out: the merge of a change with main.
func TestValidateJudgesWithTheToolsOfTheBase(t *testing.T) {
	s := newServer(t)
	file := "rubrics/prd/prd_quality_v1.yaml"
	words := `sed -i 's/^description: >-/&\n  New words./' ` + file
	blind := `printf 'package main\n\nfunc main() {}\n' >cmd/rubric-lint/main.go`
	fake := `mkdir fake && printf '#!/bin/sh\n' | tee fake/rubric-lint fake/rubric-diff >/dev/null && chmod +x fake/*
git add fake && printf '#!/bin/sh\necho "$PWD/fake"\n' >.ci/build-tools`
	version := func(v string) string { return `sed -i 's/^version: .*/version: "` + v + `"/' ` + file }
	for _, test := range []struct {
		name, change string
		lint         int
		says         string
	}{
		{"with the version that it needs", words + "\n" + version("1.1.0"), 0, "compared with"},
		{"without", words, 1, "version-too-low"},
		{"with a linter that finds nothing", words + "\n" + blind, 1, "version-too-low"},
		{"with a script that builds another linter", words + "\n" + fake, 1, "version-too-low"},
		{"of nothing that is graded", "echo >>README.md", 0, "compared with"},
	} {
		s.run(s.author, "git checkout --quiet -B change main\n"+test.change+"\ngit commit --quiet --all --message change && git push --quiet --force origin change")
		dir := s.clone("main")
		s.run(dir, "git merge --quiet --no-ff --message merge origin/change")
		summary := s.library(dir, func(name, out string, code int) {
			switch {
			case strings.HasPrefix(name, "Check documents"):
				if code != test.lint {
					t.Errorf("a change %s: lint exits with %d, want %d", test.name, code, test.lint)
				}
				contains(t, out, test.says)
			case code != 0:
				t.Errorf("a change %s: %s exits with %d:\n%s", test.name, name, code, out)
			}
		})
		s.run(dir, `grep -q '^\*\*.*ocuments' "`+summary+`"`)
	}
}

// library runs the steps of the job that checks the library, calls ran with the name, the
// output, and the exit code of each, and returns the file of the summary.
func (s *server) library(dir string, ran func(name, out string, code int)) (summary string) {
	s.t.Helper()
	summary = filepath.Join(dir, "..", "summary.md")
	output := filepath.Join(dir, "..", "output")
	context := map[string]string{}
	for _, step := range workflows(s.t)["validate"].Jobs["library"].Steps {
		if step.Run == "" {
			continue
		}
		env := []string{"BASE=HEAD^1", "RUNNER_TEMP=" + filepath.Dir(dir), "GITHUB_STEP_SUMMARY=" + summary, "GITHUB_OUTPUT=" + output}
		for name, text := range step.Env {
			env = append(env, name+"="+expand(text, context))
		}
		s.run(dir, ": >"+output)
		out, code := s.try(dir, step.Run, env...)
		ran(step.Name, out, code)
		data := must.Get(os.ReadFile(output))(s.t)
		for name, text := range stepOutputs(s.t, string(data)) {
			context["steps."+step.ID+".outputs."+name] = text
		}
	}
	return summary
}
