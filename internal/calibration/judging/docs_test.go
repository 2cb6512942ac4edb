package judging

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// TestDocsShowRealRequest checks that the request in docs/calibration-reference.md is valid, with
// all keys and the right digest, and that the response answers it.
func TestDocsShowRealRequest(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/calibration-reference.md"))(t)
	blocks := jsonBlock.FindAllSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("the page shows %d JSON objects", len(blocks))
	}
	d := document.ParseRun(source.NewFile("request.json", blocks[0][1]), &document.JudgeRequest)
	for _, p := range d.Problems {
		t.Error(p.Message)
	}
	var request struct {
		Digest   string
		Rubric   json.RawMessage
		Criteria []string
	}
	must.Do(t, json.Unmarshal(blocks[0][1], &request))
	if digest := digestOf(t, request.Rubric); digest != request.Digest {
		t.Errorf("the digest of the words is %s", digest)
	}
	if _, err := readResponse(blocks[1][1], request.Criteria); err != nil {
		t.Error(err)
	}
}
