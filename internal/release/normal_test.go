package release

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// decomposed is a question that is not in NFC.
const decomposed = "Do the re\u0301sume\u0301s name a role?"

// asWritten replaces the content of a version in a build with that of an earlier program, whose
// texts were as in the library.
func asWritten(b *Build, text string) (data []byte) {
	d := document.Parse(source.NewFile("x.yaml", []byte(text)))
	data = schema.Canonical(d.Kind.Table, d.Tree.Root)
	for i, f := range b.files {
		if f.Path == bundlefile.DocumentPath(d.Kind.Name, d.ID(), d.Version()) {
			b.files[i].Data = data
			b.Index[0].Versions[0].Digest = fmt.Sprintf("sha256:%x", sha256.Sum256(data))
		}
	}
	return data
}

// TestBuildIsInNFC builds a version whose texts are not in NFC: the bundle has it in NFC, whatever
// its file in the library is.
func TestBuildIsInNFC(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", decomposed)
	c.commit()
	before := c.release(Options{})
	data := must.Get(bundlecheck.Read(before, bundlefile.KindRubric, "a_v1", "1.0.0"))(t).File.Data
	if !norm.NFC.IsNormal(data) || !bytes.Contains(data, []byte("résumés")) {
		t.Errorf("the bundle has another form: %s", data)
	}
	c.rubric("a_v1", "1.0.0", norm.NFC.String(decomposed))
	c.commit()
	if b := c.build(Options{Version: "1.0.1", Previous: before}); len(b.Problems)+len(b.Notes) > 0 {
		t.Errorf("the same text in NFC is another: %v %v", b.Problems, b.Notes)
	}
}

// TestReleasedTextsStay releases a version that an earlier program did not write in NFC: its bytes
// and its digest stay, also after the text in the library was fixed.
func TestReleasedTextsStay(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", decomposed)
	c.rubric("b_v1", "1.0.0", decomposed)
	c.commit()
	b := c.build(Options{})
	old := asWritten(b, rubricText("a_v1", "1.0.0", decomposed))
	before := openBytes(t, c.bytes(b))
	for _, question := range []string{decomposed, norm.NFC.String(decomposed)} {
		c.rubric("a_v1", "1.0.0", question)
		c.rubric("b_v1", "1.1.0", strings.Replace(question, "role", "place", 1))
		c.commit()
		next := c.build(Options{Version: "1.0.1", Previous: before})
		if len(next.Problems) > 0 {
			t.Errorf("%q can't be built: %v", question, next.Problems)
		}
		now := openBytes(t, c.bytes(next))
		if diff := cmp.Diff(string(old), string(must.Get(bundlecheck.Read(now, bundlefile.KindRubric, "a_v1", "1.0.0"))(t).File.Data)); diff != "" {
			t.Errorf("a released text changed (-before +now):\n%s", diff)
		}
		if digest := next.Index[0].Versions[0].Digest; digest != before.EntryDigest(bundlefile.DocumentPath(bundlefile.KindRubric, "a_v1", "1.0.0")) {
			t.Errorf("a released digest is now %s", digest)
		}
		if err := bundlecheck.After(before, now); err != nil {
			t.Error(err)
		}
	}
}
