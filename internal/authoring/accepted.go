package authoring

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
)

const acceptedKey = "accepted"

// WithAccepted is the content of a dataset.yaml in which one more run is accepted.
func WithAccepted(head *document.Document, a *calibration.Acceptance) ([]byte, error) {
	if err := CheckReason(a.Reason); err != nil {
		return nil, err
	}
	prompt := ""
	if a.PromptDigest != "" {
		prompt = fmt.Sprintf(", prompt_digest: %s", quote(a.PromptDigest))
	}
	entry := fmt.Sprintf("{judge: %s, model: %s%s, repeats: %d, run: %s, date: %s, reason: %s}",
		quote(a.Judge), quote(a.Model), prompt, a.Repeats, quote(a.Run), quote(a.Date), quote(a.Reason))
	after := withEntry(head, acceptedKey, len(items(head, acceptedKey)), entry)
	if after == nil {
		return nil, fmt.Errorf("%s can't be edited safely because of its layout. Write %q on its own line, with one entry per line below it",
			head.File.Path, acceptedKey+":")
	}
	return after.File.Data, nil
}
