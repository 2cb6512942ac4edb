package pages_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// exampleYAML matches a YAML file that the README shows.
var exampleYAML = regexp.MustCompile("(?s)```yaml\n((?:on|repos):.*?)```")

// TestReadmeShowsTheCheckThatInitWrites: whoever copies the job or the hook of the README gets what
// a new library gets, and each is short.
func TestReadmeShowsTheCheckThatInitWrites(t *testing.T) {
	examples := exampleYAML.FindAllStringSubmatch(scripttest.Text(t, "README.md"), -1)
	if len(examples) != 2 {
		t.Fatalf("the README shows %d files, want a job and a hook", len(examples))
	}
	for _, example := range examples {
		if lines := strings.Count(example[1], "\n"); lines > 10 {
			t.Errorf("it has %d lines, want 10 at most:\n%s", lines, example[1])
		}
	}
	type workflow struct {
		On   any
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses string
				With map[string]any
			}
		}
	}
	pin := strings.NewReplacer("{{PROJECT}}", "rubric-library/rubric-library", "{{PIN}}", "COMMIT", "{{BRANCH}}", "main")
	var shown, written workflow
	must.Do(t, yaml.Unmarshal([]byte(examples[0][1]), &shown))
	must.Do(t, yaml.Unmarshal([]byte(pin.Replace(scripttest.Text(t, "internal/authoring/starter/github.yml"))), &written))
	shown.On, written.On = nil, nil // which also starts on other events
	if diff := cmp.Diff(written, shown); diff != "" {
		t.Errorf("the job of init (-) and of the README (+) differ: %s", diff)
	}
	var hooks []struct{ ID string }
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile(".pre-commit-hooks.yaml"))(t), &hooks))
	var config struct {
		Repos []struct{ Hooks []struct{ ID string } }
	}
	must.Do(t, yaml.Unmarshal([]byte(examples[1][1]), &config))
	for _, hook := range config.Repos[0].Hooks {
		if !slices.Contains(hooks, hook) {
			t.Errorf("there is no hook %s", hook.ID)
		}
	}
}
