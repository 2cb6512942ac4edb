package authoring

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
)

func ids(data []byte) []string {
	var found []string
	for _, n := range items(parse(ledgerFile, data), listKey) {
		found = append(found, n.Get("id").Text())
	}
	return found
}

func entryOf(id string) []pair {
	return []pair{{"id", id}, {"kind", "rubric"}, {"last_version", "1.2.0"}, {"reason", "It's: gone."}}
}

// TestEntryKeepsTheFile shows where an entry for m_v1 goes: in the place of {}.
func TestEntryKeepsTheFile(t *testing.T) {
	entry := func(id string) string {
		return "  - id: " + id + "\n    kind: rule_set\n    last_version: 2.0.0\n    reason: Gone.\n"
	}
	const added = "  - {id: \"m_v1\", kind: \"rubric\", last_version: \"1.2.0\", reason: \"It's: gone.\"}\n"
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	tests := []struct {
		reason, text, want string
	}{
		{"between its neighbors", "retired:\n" + entry("a_v1") + "{}" + entry("z_v1"), added},
		{"first", "# The ledger.\nretired: # sorted\n{}" + entry("z_v1"), added},
		{"last", "retired:\n" + entry("a_v1") + "{}", added},
		{"a comment stays above its entry", "retired:\n" + entry("a_v1") + "{}  # Much used.\n" + entry("z_v1"), added},
		{"the last line has no end", "retired:\n" + strings.TrimSuffix(entry("a_v1"), "\n") + "{}", "\n" + added},
		{"line ends of the file", crlf("retired:\n"+entry("a_v1")) + "{}", crlf(added)},
		{"a list that is not indented", "retired:\n" + strings.ReplaceAll(entry("a_v1")[2:], "\n  ", "\n") + "{}", added[2:]},
		{
			"a text whose blank lines count", "retired:\n" + strings.Replace(entry("a_v1"), "Gone.", "|+\n      Gone.\n\n", 1) + "{}" + entry("z_v1"),
			added,
		},
		{
			"a list in brackets", `retired: [{id: a_v1, kind: rubric, last_version: 1.0.0, reason: r}, {}{id: z_v1, kind: rubric, last_version: 1.0.0, reason: r}]`,
			added[4:len(added)-1] + ", ",
		},
		{
			"an entry on each line", "retired:\n  - {id: a_v1, kind: rubric, last_version: 1.0.0, reason: r}\n{}  - {id: z_v1, kind: rubric, last_version: 1.0.0, reason: r}\n",
			added,
		},
		{
			"the end of a list in brackets", `{"retired": [{"id": "a_v1", "kind": "rubric", "last_version": "1.0.0", "reason": "r"}{}]}`,
			", " + added[4:len(added)-1],
		},
	}
	for _, tt := range tests {
		text := strings.Replace(tt.text, "{}", "", 1)
		ledger, err := validLedger([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		after, err := entered(ledger, listKey, entryOf("m_v1"))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(strings.Replace(tt.text, "{}", tt.want, 1), string(after.File.Data)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}

func TestFirstEntry(t *testing.T) {
	const added = "  - {id: \"m_v1\", kind: \"rubric\", last_version: \"1.2.0\", reason: \"It's: gone.\"}\n"
	tests := []struct {
		reason, text, want string
	}{
		{"a new ledger", EmptyLedger, strings.Replace(EmptyLedger, " []\n", "\n"+added, 1)},
		{"comments around the list stay", "# a\nretired: [] # b\n# c\n", "# a\nretired:\n" + strings.TrimSuffix(added, "\n") + " # b\n# c\n"},
		{"line ends of the file", "# a\r\nretired: []\r\n", "# a\r\nretired:\r\n" + strings.ReplaceAll(added, "\n", "\r\n")},
		{
			"a ledger in brackets", `{"retired": []}`,
			`{"retired": [{id: "m_v1", kind: "rubric", last_version: "1.2.0", reason: "It's: gone."}]}`,
		},
	}
	for _, tt := range tests {
		ledger, err := validLedger([]byte(tt.text))
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		after, err := entered(ledger, listKey, entryOf("m_v1"))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(tt.want, string(after.File.Data)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}

func TestLedgerThatCannotBeAddedToIsShownWhatToWrite(t *testing.T) {
	tests := []struct {
		reason, text string
	}{
		{"a dash on a line of its own", "retired:\n  -\n    id: a_v1\n    kind: rubric\n    last_version: 1.0.0\n    reason: r\n"},
		{"a comment that an entry would replace", "retired: [\n  # none yet\n]\n"},
	}
	for _, tt := range tests {
		ledger, err := validLedger([]byte(tt.text))
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		_, err = entered(ledger, listKey, entryOf("m_v1"))
		if err == nil || !strings.Contains(err.Error(), "Add this by hand") || !strings.Contains(err.Error(), `  - {id: "m_v1"`) {
			t.Errorf("%s: the error is %v", tt.reason, err)
		}
	}
}

// anyLedger draws a sorted ledger in some layout.
func anyLedger(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "# The ledger.\n", "---\n"}).Draw(t, "head") + "retired:")
	ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}_v[1-9]`), 0, 5, rapid.ID[string]).Draw(t, "ids")
	if len(ids) == 0 {
		return b.String() + " []\n"
	}
	slices.Sort(ids)
	b.WriteString("\n")
	indent := rapid.SampledFrom([]string{"", "  ", "    "}).Draw(t, "indent")
	quote := rapid.SampledFrom([]string{"", "'", `"`}).Draw(t, "quote")
	between := rapid.SampledFrom([]string{"", "\n", "# A comment.\n", "\n" + indent + "# A comment.\n"}).Draw(t, "between")
	for i, id := range ids {
		if i > 0 {
			b.WriteString(between)
		}
		fmt.Fprintf(&b, "%s- id: %s%s%s\n%s  reason: %s\n%s  kind: rubric\n%s  last_version: \"1.0.0\" # a comment\n", indent, quote, id, quote, indent,
			rapid.SampledFrom([]string{"Gone.", "|\n" + indent + "      Gone.", ">-\n" + indent + "      Gone,\n" + indent + "      forever."}).Draw(t, "reason"), indent, indent)
	}
	text := b.String()
	if rapid.Bool().Draw(t, "CRLF") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rapid.Bool().Draw(t, "no last line end") {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

// TestLedgerStaysSortedAndKeepsItsBytes holds it for any ledger.
func TestLedgerStaysSortedAndKeepsItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyLedger(t)
		id := rapid.StringMatching(`[a-z]{1,4}_v[1-9]`).Draw(t, "id")
		before := must.Get(validLedger([]byte(text)))(t)
		if retired(before, id) {
			return
		}
		after := must.Get(entered(before, listKey, entryOf(id)))(t)
		data := string(after.File.Data)
		want := append(ids([]byte(text)), id)
		slices.Sort(want)
		if diff := cmp.Diff(want, ids(after.File.Data)); diff != "" {
			t.Errorf("the IDs: %s", diff)
		}
		if text = strings.TrimSuffix(text, " []\n"); !isInsertion(text, data) {
			t.Errorf("more than an entry was added:\n%s\n\n%s", text, data)
		}
	})
}

// isInsertion reports whether b is a with one insertion.
func isInsertion(a, b string) bool {
	for i := range len(a) + 1 {
		if strings.HasPrefix(b, a[:i]) && strings.HasSuffix(b, a[i:]) {
			return true
		}
	}
	return false
}

// FuzzLedger adds an entry to whatever can be read as a ledger.
func FuzzLedger(f *testing.F) {
	f.Add([]byte(EmptyLedger))
	f.Add([]byte("retired:\n- id: a\n  kind: rubric\n  last_version: 1.0.0\n  reason: |+\n    x\n\n"))
	f.Add([]byte(`{"retired": [{"id": "z", "kind": "rubric", "last_version": "1.0.0", "reason": "x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ledger, err := validLedger(data)
		if err != nil || retired(ledger, "m_v1") {
			return
		}
		after, err := entered(ledger, listKey, entryOf("m_v1"))
		if err != nil {
			return
		}
		if !after.Valid() || len(items(after, listKey)) != len(items(ledger, listKey))+1 || !retired(after, "m_v1") {
			t.Errorf("%q becomes %q", data, after.File.Data)
		}
	})
}

func validLedger(data []byte) (*document.Document, error) {
	d := parse(ledgerFile, data)
	if !d.Valid() {
		return nil, mistakes(ledgerFile)
	}
	return d, nil
}
