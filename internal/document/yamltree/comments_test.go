package yamltree

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComments(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string // "line:column bytes | text"
	}{
		{"none", "a: 1\n", nil},
		{"on lines of their own", "# one\na: 1\n  #two\n\n# three", []string{"1:1 # one | one", "3:3 #two | two", "5:1 # three | three"}},
		{"behind values, keys and dashes", "a: 1 # b\nc: # d\n- 'e'\t#  f \n-  # g\n", []string{
			"1:6 # b | b", "2:4 # d | d", "3:7 #  f  | f", "4:4 # g | g"}},
		{"in brackets", "[ # a\n  b, # c\n] # d\n", []string{"1:3 # a | a", "2:6 # c | c", "3:3 # d | d"}},
		{"around the document", "# a\n--- # b\nc\n... # d\n# e\n", []string{"1:1 # a | a", "2:5 # b | b", "4:5 # d | d", "5:1 # e | e"}},
		{"behind the indicator of a block scalar, and after it", "a: | # b\n  # text\n # c\nd: >-  #e\n", []string{
			"1:6 # b | b", "3:2 # c | c", "4:8 #e | e"}},
		{"more than one #", "## a # b\nc: 1\n", []string{"1:1 ## a # b | # a # b"}},
		{"empty", "#\na: 1 #\n", []string{"1:1 # | ", "2:6 # | "}},
		{"columns count characters", "é: ü # ö\n", []string{"1:6 # ö | ö"}},
		{"CRLF is not part of it", "a: 1 # b\r\n# c\r\n", []string{"1:6 # b | b", "2:1 # c | c"}},
		{"no comment inside of texts", "a: b#c\nd: 'e # f'\ng: \"h # i\"\nj: |\n  # k\nl: m\n  n#o\n'p # q': r\n", nil},
		{"a comment ends a plain text", "a: b # c\n  # d\ne: f\n", []string{"1:6 # c | c", "2:3 # d | d"}},
	} {
		f, tree, _ := parse(c.text)
		if tree == nil {
			t.Errorf("%s: no tree", c.reason)
			continue
		}
		var got []string
		for _, comment := range tree.Comments {
			got = append(got, fmt.Sprintf("%s | %s", place(f, comment.Span), comment.Text))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}
