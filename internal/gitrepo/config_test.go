package gitrepo

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestConfigIsWhatGitReads compares parsed configurations with git's.
func TestConfigIsWhatGitReads(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	tests := []struct{ reason, text string }{
		{"what git init writes", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"},
		{"a byte order mark", "\uFEFF[core]\n\tbare = false\n"},
		{"a key on the line of its section", "[core] bare = false\n[a]b=c[d]"},
		{"no line end at the end", "[core]\n\tbare = false"},
		{"line ends of Windows", "[core]\r\n\tbare = false\r\n[a]\r\n\tb\r\n"},
		{"comments", "# one\n; two\n[core] # three\n\tbare = false ; four\n\tx = \"# five\" # six\n"},
		{"a key alone, and one that is empty", "[core]\n\ta\n\tb =\n\tc = \"\"\n"},
		{"capitals", "[CORE]\n\tBare = False\n[Remote \"Origin\"]\n\tURL = X\n"},
		{"a section with a dot", "[branch.Main]\n\tremote = origin\n"},
		{"quotes and escapes", "[a]\n\tb = \" x \"y\\\"z\\\\ \\t\\n\\b\" \"\n\tc = a  b   \n\td = \"a\"  \"b\"  \n"},
		{"a value over two lines", "[a]\n\tb = one \\\n  two\n\tc = \"one\\\ntwo\"\n"},
		{"a name of a section with all kinds of characters", "[remote \"a b]\\\"\\\\\\x#;=\"]\n\turl = y\n"},
		{"an empty name of a section", "[remote \"\"]\n\turl = y\n"},
		{"a key twice", "[a]\n\tb = 1\n[c]\n[a]\n\tb = 2\n"},
		{"blanks", "\n  [core]  \t bare\t=\tfalse \t\n\n"},
		{"nothing", ""},
		{"a key without a section", "bare = false\n"},
		{"a section that does not end", "[core\n"},
		{"a quote that does not end", "[a]\n\tb = \"c\n"},
		{"an unknown escape", "[a]\n\tb = \\x\n"},
		{"a key that begins with a digit", "[a]\n\t1b = c\n"},
		{"a key with an odd character", "[a]\n\tb_c = d\n"},
		{"a key with a word behind it", "[a]\n\tb c\n"},
		{"a name of a section without a blank before it", "[a\"b\"]\n\tc = d\n"},
		{"something behind the name of a section", "[a \"b\" ]\n\tc = d\n"},
	}
	for _, tt := range tests {
		r.write("config", tt.text)
		out, err := r.command("git", "config", "--file", "config", "--list", "-z").Output()
		want := configFile{}
		for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			name, value, has := strings.Cut(entry, "\n")
			if !has {
				value = "true"
			}
			if name != "" {
				want[name] = value
			}
		}
		got, gotErr := parseConfig(tt.text)
		if (gotErr == nil) != (err == nil) || err == nil && !maps.Equal(got, want) {
			t.Errorf("%s: %q, %v, and git says %q, %v", tt.reason, got, gotErr, want, err)
		}
	}
}

func TestSwitches(t *testing.T) {
	config := must.Get(parseConfig("[a]\n\talone\n\tempty =\n\tyes = Yes\n\tone = 1\n\tno = NO\n\toff = off\n\tzero = 0\n"))(t)
	s := config
	for key := range config {
		want := slices.Contains([]string{"a.alone", "a.yes", "a.one"}, key)
		if got := s.isTrue(key); got != want {
			t.Errorf("%s is %t, want %t", key, got, want)
		}
	}
	if s.isTrue("a.absent") {
		t.Error("a switch that is not there is on")
	}
}
