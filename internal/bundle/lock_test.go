package bundle

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestLockSaysTheSameAfterReading(t *testing.T) {
	var references []Reference
	for _, text := range []string{"story_v1@~1.2", "old_v1", "story_v1@1.2.3"} {
		r, err := ParseReference(text)
		if err != nil {
			t.Fatal(err)
		}
		references = append(references, r)
	}
	lock, err := NewLock(sample(t), references)
	if err != nil {
		t.Fatal(err)
	}
	data, err := lock.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseLock(data)
	if err != nil {
		t.Fatal(err)
	}
	l := sample(t)
	old, _ := l.Resolve("old_v1", "1.0.0")
	story, _ := l.Resolve("story_v1", "1.2.3")
	want := &Lock{1, Locked{"1.0.0", l.Digest()}, map[string]Locked{"old_v1": {"1.0.0", old.Digest}, "story_v1": {"1.2.3", story.Digest}}}
	if d := cmp.Diff(want, again); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestParseLockRefuses(t *testing.T) {
	tests := []struct{ text, want, reason string }{
		{``, "not a lock file", "nothing"},
		{`[]`, "not a lock file", "another shape"},
		{`{"schema_version": 2}`, "schema_version 2", "another format"},
		{`{"schema_version": 1} {}`, "extra content after its end", "two values"},
		{`{"schema_version": 1, "rubrics": {}}`, "not a lock file", "an unknown key"},
		{`{"schema_version": 1, "documents": {"a_v1": {"version": "1", "digest": ""}}}`, `"a_v1" is not an ID with a version`, "no version"},
	}
	for _, test := range tests {
		if _, err := ParseLock([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got the error %v, want %q", test.reason, err, test.want)
		}
	}
}

func TestCompareWithLock(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.rubric("b_v1", "1.0.0", "Is it clear?")
	c.rubric("gone_v1", "1.0.0", "Is it clear?")
	c.rubric("secret_v1", "1.0.0", "Is it clear?")
	c.commit()
	before := c.bytes(c.build(Options{}))
	var references []Reference
	for _, id := range openBytes(t, before).IDs() {
		references = append(references, Reference{ID: id.ID})
	}
	lock, err := NewLock(consume(t, before), references)
	if err != nil {
		t.Fatal(err)
	}
	lock.Documents["other_v1"] = Locked{"1.0.0", zeros}
	lock.Documents["b_v1"] = Locked{"1.0.0", zeros}

	c.rubric("a_v1", "1.1.0", "Is it short?")
	c.rubric("secret_v1", "1.1.0", "Is it short?")
	c.remove("rubrics/prd/gone_v1.yaml")
	c.write("rubrics/retired.yaml", strings.Replace(ledgerText, "a_v1", "gone_v1", 1))
	c.write("rubrics/exceptions.yaml", exceptionText(ruleWithdrawn, "secret_v1", "1.0.0"))
	c.commit()
	drifts, err := lock.Compare(consume(t, c.bytes(c.build(Options{Previous: openBytes(t, before)}))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range drifts {
		got = append(got, strings.Join([]string{d.ID, string(d.Status), d.Latest, d.Class}, " "))
	}
	want := []string{"a_v1 outdated 1.1.0 minor", "b_v1 different 1.0.0 ", "gone_v1 retired 1.0.0 ", "other_v1 missing  ", "secret_v1 withdrawn 1.1.0 "}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestAFolderHasNoLock(t *testing.T) {
	folder, err := library.OpenDir(fstest.MapFS{"rubrics/a_v1.yaml": {Data: []byte(rubricText("a_v1", "1.0.0", "x"))}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewLock(folder, nil); err != ErrNoBundle {
		t.Errorf("got the error %v, want that a folder has none", err)
	}
}

func TestWhatIsRetiredCantBeLocked(t *testing.T) {
	_, err := NewLock(sample(t), []Reference{{ID: "gone_v1"}})
	if want := "gone_v1 was retired: Nobody uses it. Use story_v1 instead."; err == nil || err.Error() != want {
		t.Errorf("got the error %v, want %q", err, want)
	}
}
