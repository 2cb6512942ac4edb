package authoring

import (
	"strings"
	"testing"
)

func TestAWithdrawalKeepsTheLayout(t *testing.T) {
	const head = "retired: []\nyanked:\n"
	tests := []struct{ reason, before, after string }{
		{
			"an entry in braces", head + "  - {id: a_v1, version: \"1.1.0\", reason: Vague.} # by Ann\n",
			head + "  - {id: a_v1, version: \"1.1.0\", reason: Vague., withdrawn: true} # by Ann\n",
		},
		{
			"a comma at the end", head + "  - {id: a_v1, version: \"1.1.0\", reason: Vague.,}\n",
			head + "  - {id: a_v1, version: \"1.1.0\", reason: Vague., withdrawn: true,}\n",
		},
		{
			"an entry of several lines, with comments", head + "  - id: a_v1\n    # bad\n    version: \"1.1.0\"\n    reason: Vague. # sorry\n  # the next\n  - id: b_v1\n    version: \"1.0.0\"\n    reason: Vague.\n",
			head + "  - id: a_v1\n    # bad\n    version: \"1.1.0\"\n    reason: Vague. # sorry\n    withdrawn: true\n  # the next\n  - id: b_v1\n    version: \"1.0.0\"\n    reason: Vague.\n",
		},
		{
			"the lines of Windows, and none at the end", strings.ReplaceAll(head, "\n", "\r\n") + "  - id: a_v1\r\n    version: \"1.1.0\"\r\n    reason: Vague.",
			strings.ReplaceAll(head, "\n", "\r\n") + "  - id: a_v1\r\n    version: \"1.1.0\"\r\n    reason: Vague.\r\n    withdrawn: true",
		},
		{
			"a reason of several lines", head + "  - id: a_v1\n    version: \"1.1.0\"\n    reason: >\n      It is\n      vague.\n  - id: b_v1\n    version: \"1.0.0\"\n    reason: Vague.\n",
			head + "  - id: a_v1\n    version: \"1.1.0\"\n    reason: >\n      It is\n      vague.\n    withdrawn: true\n  - id: b_v1\n    version: \"1.0.0\"\n    reason: Vague.\n",
		},
		{
			"the default, written out", head + "  - {id: a_v1, version: \"1.1.0\", withdrawn: false, reason: Vague.}\n",
			head + "  - {id: a_v1, version: \"1.1.0\", withdrawn: true, reason: Vague.}\n",
		},
		{
			"a file in braces", `{"retired": [], "yanked": [{"id": "a_v1", "version": "1.1.0", "reason": "Vague."}]}`,
			`{"retired": [], "yanked": [{"id": "a_v1", "version": "1.1.0", "reason": "Vague.", withdrawn: true}]}`,
		},
		{
			"another version of the document first", head + "  - {id: a_v1, version: \"1.0.0\", reason: Vague.}\n  - {id: a_v1, version: \"1.1.0\", reason: Vague.}\n",
			head + "  - {id: a_v1, version: \"1.0.0\", reason: Vague.}\n  - {id: a_v1, version: \"1.1.0\", reason: Vague., withdrawn: true}\n",
		},
	}
	for _, test := range tests {
		f := &File{Path: ledgerFile, Before: []byte(test.before), After: []byte(test.before)}
		if err := f.withdraw("a_v1", "1.1.0"); err != nil || string(f.After) != test.after {
			t.Errorf("%s: got %v\n%s\nwant\n%s", test.reason, err, f.After, test.after)
		}
	}
}
