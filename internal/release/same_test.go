package release

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

var update = flag.Bool("update", false, "write the golden bundle anew")

// small is the history of the golden bundle: all that a bundle can hold.
func small(c *checkout) {
	c.write("schema/rubric.schema.json", "{}\n")
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.write("rubrics/api/c_v1.yaml", ruleSetText("c_v1", "0.1.0"))
	c.write("rubrics/prd/gone_v1.yaml", rubricText("gone_v1", "1.0.0", "Is it „clear“?"))
	c.write("rubrics/prd/bad_v1.yaml", "rubric_id: bad_v1\nversion: \"1.0.0\"\n")
	c.commit()
	c.rubric("a_v1", "1.1.0", "Is it secret?")
	c.remove("rubrics/prd/bad_v1.yaml")
	c.commit()
	text := calibratedText("a_v1", "1.10.0", "Is it short?", "calibration/stories")
	c.write("rubrics/prd/a_v1.yaml", text)
	c.dataset("stories", text, byPeople+"share: full\n")
	c.remove("rubrics/prd/gone_v1.yaml")
	c.write("rubrics/retired.yaml", "retired:\n  - id: gone_v1\n    kind: rubric\n    last_version: \"1.0.0\"\n    reason: Nobody uses it.\n    replaced_by: a_v1\n"+
		withdrawnText("a_v1", "1.1.0"))
	c.commit()
}

var smallOptions = Options{Version: "1.4.0", Conformance: map[string][]byte{
	"conformance/verdict.json": []byte(`{"vectors":[{"name":"a","result":1}]}` + "\n"),
	"conformance/hits.json":    []byte(`{"vectors":[]}` + "\n"),
}}

// TestGoldenBundle holds every byte of a bundle. A change of it is a change for
// all consumers: of the format, or of the words in the changelog and manifest. Keep the
// earlier one, and add it to TestEarlierBundle and to the clients' test of earlier bundles.
func TestGoldenBundle(t *testing.T) {
	c := newRepository(t)
	small(c)
	got := c.bytes(c.build(smallOptions))
	golden := filepath.Join("testdata", "format-2.zip")
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the bundle has %d bytes and is not the golden one, which has %d", len(got), len(want))
	}
	if _, err := bundlecheck.Verify(bytes.NewReader(want), int64(len(want)), bundlefile.Options{}); err != nil {
		t.Errorf("the golden bundle does not verify: %v", err)
	}
}

// TestSameCommitSameBytes builds from other checkouts of the same commit. What
// the process brings along (time zone, locale, umask) is tested with the command.
func TestSameCommitSameBytes(t *testing.T) {
	c := newRepository(t)
	small(c)
	want := c.bytes(c.build(smallOptions))
	clone := func(t *testing.T, args ...string) *checkout {
		other := &checkout{t: t, dir: t.TempDir()}
		other.git(append(append([]string{"clone", "-q"}, args...), "file://"+c.dir, ".")...)
		return other
	}
	tests := []struct {
		name, reason string
		other        func(t *testing.T) *checkout
	}{
		{"again", "maps have no order", func(*testing.T) *checkout { return c }},
		{"clone", "another folder", func(t *testing.T) *checkout { return clone(t) }},
		{"bare clone", "no working tree", func(t *testing.T) *checkout { return clone(t, "--bare") }},
		{"repacked", "other files below .git", func(t *testing.T) *checkout {
			other := clone(t)
			other.git("repack", "-a", "-d", "-q", "-f")
			return other
		}},
		{"CRLF checkout", "the working tree plays no part", func(t *testing.T) *checkout {
			other := clone(t, "-c", "core.autocrlf=true")
			data, err := os.ReadFile(filepath.Join(other.dir, "rubrics/prd/a_v1.yaml"))
			if err != nil || !bytes.Contains(data, []byte("\r\n")) {
				t.Fatalf("the checkout has no CRLF: %v", err)
			}
			return other
		}},
		{"edited checkout", "uncommitted edits do not count", func(t *testing.T) *checkout {
			other := clone(t)
			other.rubric("a_v1", "9.9.9", "Is it edited?")
			other.remove("schema/rubric.schema.json")
			return other
		}},
		{"later commits that change nothing", "the commit is the last that changed the content", func(t *testing.T) *checkout {
			other := clone(t)
			other.write("README.md", "x")
			other.commit()
			return other
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			other := test.other(t)
			if got := other.bytes(other.build(smallOptions)); !bytes.Equal(got, want) {
				t.Errorf("other bytes: %s", test.reason)
			}
		})
	}
}
