package release

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

const zeros = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

// sample is a bundle with a document in many versions, one deprecated and one retired
// document, and a withdrawn version.
func sample(t testing.TB) *library.Library {
	t.Helper()
	content := bundletest.Library{
		Documents: []string{
			strings.Replace(ruleSetText("api_v1", "1.0.0"), "artifact_type: api", "artifact_type: api_design", 1),
			rubricText("gone_v1", "1.0.0", "Is it clear?"),
			rubricText("old_v1", "1.0.0", "Is it clear?") + "deprecated:\n  reason: It is vague.\n  replaced_by: story_v1\n",
		},
		Ledger: "retired:\n" +
			"  - {id: gone_v1, kind: rubric, last_version: 1.0.0, reason: Nobody uses it., replaced_by: story_v1}\n" +
			"  - {id: older_v1, kind: rubric, last_version: 1.0.0, reason: Nobody used it.}\n",
		Tombstones: []bundlefile.Omission{{ID: "story_v1", Version: "1.1.0", Reason: "It named a customer."}},
	}
	for _, version := range []string{"0.9.0", "1.0.0", "1.2.0", "1.2.3", "1.10.0", "2.0.0"} {
		content.Documents = append(content.Documents, rubricText("story_v1", version, "Is it clear?"))
	}
	var data bytes.Buffer
	if _, err := bundletest.Write(&data, content); err != nil {
		t.Fatal(err)
	}
	return consume(t, data.Bytes())
}

func TestResolve(t *testing.T) {
	l := sample(t)
	stored, err := l.Resolve("story_v1", "1.2.0")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ text, want, reason string }{
		{"story_v1", "2.0.0", "without a constraint the latest"},
		{"story_v1@1.2.0", "1.2.0", "a version is that version and no later one"},
		{"story_v1@~1.2", "1.2.3", "~ stays in the minor version"},
		{"story_v1@^1.0", "1.10.0", "^ stays in the major version; versions are compared as numbers"},
		{"story_v1@>=1.0 <1.3", "1.2.3", "two bounds"},
		{"story_v1@0.x", "0.9.0", "x is any number"},
		{stored.String(), "1.2.0", "a stored reference finds its text"},
		{"gone_v1", "1.0.0", "what is retired can still be read"},
		{"story_v1@3", `no version of "story_v1" matches "3". Available: 0.9.0, 1.0.0, 1.2.0, 1.2.3, 1.10.0, 2.0.0`, "the versions are named"},
		{"story_v1@1.1.0", `no version of "story_v1" matches "1.1.0": it was withdrawn: It named a customer. Available: 0.9.0, 1.0.0, 1.2.0, 1.2.3, 1.10.0, 2.0.0`, "a tombstone says why"},
		{"stroy_v1", `the library has no document "stroy_v1". Did you mean story_v1?`, "near IDs are named"},
		{"xyz", "the library has no document \"xyz\". `rubric list` lists the IDs", "nothing near"},
		{"older_v1", `"older_v1" is retired: Nobody used it. There is no replacement. To explain an old score, get its version, such as 1.0.0, from a bundle`, "the ledger knows more than the index"},
		{"story_v1@1.2.0#" + zeros, "story_v1@1.2.0 has the digest " + stored.Digest + ", expected " + zeros + ". Use a reference and a bundle from the same source", "another text"},
		{"story_v1@", `the reference "story_v1@" has no version after the @: add one, such as story_v1@1.2.0 or story_v1@~1.2, or remove the @`, "half a constraint"},
		{"story_v1@banana", `"banana" is not a version or a constraint: expected, for example, 1.2.0, ~1.2, ^1.0, or >=1.2 <2`, "no constraint"},
		{"Story_V1", `"Story_V1" is not an ID: expected lowercase words joined by underscores, such as user_story_quality_v1`, "no ID"},
		{"Story V1", `the reference "Story V1" does not begin with an ID: expected ID, ID@CONSTRAINT, or ID@VERSION#DIGEST`, "two words"},
		{"story_v1#" + zeros, `the reference "story_v1#` + zeros + `" has a digest but no version: expected ID@VERSION#DIGEST`, "a digest is that of one version"},
		{"story_v1@1.2.0#md5:1", `in the reference "story_v1@1.2.0#md5:1", what is after the # must be sha256: and 64 lowercase hexadecimal digits, got "md5:1"`, "another hash"},
	}
	for _, test := range tests {
		got := ""
		r, err := ParseReference(test.text)
		if err == nil {
			var found *Resolved
			if found, err = Resolve(l, r); err == nil {
				got = found.Version
			}
		}
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s (%s):\ngot  %s\nwant %s", test.text, test.reason, got, test.want)
		}
	}
}

func FuzzParseReference(f *testing.F) {
	for _, text := range []string{"a_v1", "a_v1@~1.2", "a_v1@1.2.0#" + zeros, "@", "#", "a@>=1 <2 || 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReference(text)
		if err != nil {
			return
		}
		again, err := ParseReference(r.String())
		if err != nil || again.ID != r.ID || again.Version != r.Version {
			t.Errorf("%q is read as %q, and that as %q: %v", text, r, again, err)
		}
	})
}
