package deploy_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// pod is the part of a manifest that concerns the server.
type pod struct {
	Spec struct {
		Template struct {
			Spec struct {
				Init       []server `yaml:"initContainers"`
				Containers []server
			}
		}
	}
}

type server struct {
	Name  string
	Args  []string
	Env   []struct{ Name, Value string }
	Ports []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
	StartupProbe   *probe `yaml:"startupProbe"`
	ReadinessProbe *probe `yaml:"readinessProbe"`
	LivenessProbe  *probe `yaml:"livenessProbe"`
}

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

// port is the number of a port.
func (s server) port(name string) string {
	for _, p := range s.Ports {
		if p.Name == name {
			return strconv.Itoa(p.ContainerPort)
		}
	}
	return ""
}

// manifests returns the server of each manifest by its file.
func manifests(t *testing.T) map[string]server {
	t.Helper()
	found := map[string]server{}
	for _, name := range must.Get(filepath.Glob(examples + "kubernetes/*.yaml"))(t) {
		d := yaml.NewDecoder(strings.NewReader(scripttest.Text(t, name)))
		for {
			var p pod
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, s := range append(p.Spec.Template.Spec.Init, p.Spec.Template.Spec.Containers...) {
				if s.Name == "rubrics" {
					found[name] = s
				}
			}
		}
	}
	if len(found) != 2 {
		t.Fatalf("%d manifests have a server", len(found))
	}
	return found
}

// TestManifestsStart runs the arguments of each manifest in the image, and sends its probes.
func TestManifestsStart(t *testing.T) {
	for name, s := range manifests(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			var environment []string
			for _, e := range s.Env {
				environment = append(environment, e.Name+"="+e.Value)
			}
			c := start(t, environment, func(digest string) []string {
				return strings.Split(replaced(t, strings.Join(s.Args, "\n"), map[string]string{
					"ghcr.io/acme/rubrics:1.4.0": "/library/rubrics.zip", "sha256:" + strings.Repeat("0", 64): digest, "/var/lib/rubric/": "/var/",
					":7070": ":0", "--health-listen=:" + s.port("health"): "--health-listen=:0",
				}), "\n")
			})
			c.isConfined(t)
			probes := 0
			for _, p := range []*probe{s.StartupProbe, s.ReadinessProbe, s.LivenessProbe} {
				if p == nil {
					continue
				}
				probes++
				if got := c.get(t, c.health+p.HTTPGet.Path); got != 200 || p.HTTPGet.Port != "health" {
					t.Errorf("the probe %s of the port %s: %d", p.HTTPGet.Path, p.HTTPGet.Port, got)
				}
			}
			if probes != 2 || s.LivenessProbe == nil || s.LivenessProbe.HTTPGet.Path != "/healthz" {
				t.Error("want a probe of life, which a bad bundle does not fail, and one of readiness")
			}
			c.stop(t)
			must.Get(os.Stat(filepath.Join(c.root, "var/last-good/first.zip")))(t)
		})
	}
}

// kubernetes is the version whose schemas the manifests are compared with, the newest one that
// kubectl-validate contains.
const kubernetes = "1.30"

// TestManifestsPassTheLinters: kubectl-validate compares each field with the schemas of Kubernetes,
// and kube-score finds settings that are not safe or not available.
func TestManifestsPassTheLinters(t *testing.T) {
	files := must.Get(filepath.Glob(examples + "kubernetes/*.yaml"))(t)
	for _, linter := range []struct {
		variable string
		args     []string
		breaks   string // text of a manifest
		by       string
	}{
		{"KUBECTL_VALIDATE", []string{"--version", kubernetes}, "readOnlyRootFilesystem", "readOnlyFilesystem"},
		{"KUBE_SCORE", []string{"score", "--output-format", "ci"}, "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"},
	} {
		t.Run(linter.variable, func(t *testing.T) {
			program := os.Getenv(linter.variable)
			if program == "" {
				t.Skipf("set %s to the linter, as .ci/run does", linter.variable)
			}
			for _, name := range files {
				if out, err := exec.Command(program, append(linter.args, name)...).CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", name, err, out)
				}
				broken := filepath.Join(t.TempDir(), filepath.Base(name))
				text := must.Get(os.ReadFile(name))(t)
				must.Do(t, os.WriteFile(broken, bytes.ReplaceAll(text, []byte(linter.breaks), []byte(linter.by)), 0o666))
				if out, err := exec.Command(program, append(linter.args, broken)...).CombinedOutput(); err == nil {
					t.Errorf("%s with %s passes:\n%s", name, linter.by, out)
				}
			}
		})
	}
}
