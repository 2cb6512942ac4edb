package regex_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

// collected are expressions as people write them, for rubrics and elsewhere, with
// texts that they are meant for or that are hard for them.
func collected() []subject {
	folded, lines := regex.Flags{IgnoreCase: true}, regex.Flags{Multiline: true}
	return []subject{
		{`\bTBD\b`, none, []string{"TBD", "a TBD b", "éTBD", "TBDs", "_TBD"}},
		{`\b(?:asap|as soon as possible)\b`, folded, []string{"ASAP", "As Soon As Poſſible", "as soon as possible."}},
		{`[ ,(]etc\b`, none, []string{"a, b etc.", "etc", "(etc)"}},
		{`as\s+a\s+user`, folded, []string{"As a user", "as\u00a0a\u00a0user", "as\na\vuser"}},
		{`^\s*$`, lines, []string{"\n\n", "a\n\u00a0\nb", "\v\n"}},
		{`TODO.*`, none, []string{"TODO x\ny", "TODO x\u2028y"}},
		{`TODO:?$`, none, []string{"TODO\n", "TODO:", "TODO:\n\n"}},
		{`TODO(?:[\n ;]|$)`, none, []string{"TODO", "TODO\n", "TODO\n\n", "TODO;\n", "TODOs\n", "TODO TODO\n"}},
		{`(?:(?:TODO|TBC)(?:;|[^a-z]|$))`, none, []string{"TODO\n", "TBC", "TBC;\n", "TODO;"}},
		{`TODO(?:$|[\n ;])`, none, []string{"TODO\n", "TODO"}},
		{`^TODO$`, none, []string{"TODO\n", "TODO"}},
		{`\ATitle`, none, []string{"Title", "\nTitle"}},
		{`end\z`, none, []string{"end", "end\n"}},
		{`end\Z`, none, []string{"end", "end\n"}},
		{`(?i)lorem ipsum`, none, []string{"Lorem Ipsum", "lorem ipsum"}},
		{`lorem(?i) ipsum`, none, []string{"lorem IPSUM"}},
		{`(?i:lorem)`, none, []string{"LOREM"}},
		{`(?s)a.b`, none, []string{"a\nb"}},
		{`(?m)^#`, none, []string{"a\n# b"}},
		{`^#{1,6}[ \t]`, none, []string{"# a", "###### a", "####### a"}},
		{`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`, none, []string{"a.b@c.de", "ä@b.cd"}},
		{`[\w.-]+@[\w.-]+`, none, []string{"a.b@c-d.e", "é@é"}},
		{`[\w-.]+@`, none, []string{"a.b@"}},
		{`https?://[^\s)]+`, none, []string{"http://a.b/c d", "https://a\u00a0b", "http://a\vb"}},
		{`https?:\/\/\S+`, none, []string{"http://a.b/c d", "https://a\u00a0b"}},
		{`\d{4}-\d{2}-\d{2}`, none, []string{"2024-05-06", "٢٠٢٤-٠٥-٠٦"}},
		{`\$\d+(?:\.\d{2})?`, none, []string{"$12.50", "$7"}},
		{`\d+\ ?%`, none, []string{"12 %", "5%"}},
		{`[0-9]{1,3}(,[0-9]{3})*`, none, []string{"1,234,567", "12"}},
		{`[[:alpha:]]+`, none, []string{"abc", "l]"}},
		{`[[:space:]]`, none, []string{" ", "s]"}},
		{`\p{Lu}\w+`, none, []string{"École", "Abc"}},
		{`\pL+`, none, []string{"é"}},
		{`\p{Cyrillic}`, none, []string{"я"}},
		{`(?P<year>\d{4})-(?P<month>\d\d)`, none, []string{"2024-05"}},
		{`(?<year>\d{4})`, none, []string{"2024"}},
		{`(['"])(.*?)\1`, none, []string{`"a"`, `'b"`}},
		{`foo(?=bar)`, none, []string{"foobar"}},
		{`(?<!\w)-\w+`, none, []string{"-a", "b-a"}},
		{`a{,3}b`, none, []string{"aaab", "a{,3}b"}},
		{`{{\w+}}`, none, []string{"{{name}}"}},
		{`\{\{\w+\}\}`, none, []string{"{{name}}", "{{}}"}},
		{`\[[^\]]*\]\([^)]*\)`, none, []string{"[a](b)", "[](#)"}},
		{`[^]]+`, none, []string{"a]b"}},
		{`[]]`, none, []string{"]"}},
		{`<[^>]+>`, none, []string{"<b>x</b>", "<>"}},
		{`<(\w+)[^>]*>.*?</\1>`, none, []string{"<b>x</b>"}},
		{`\"[^\"]*\"`, none, []string{`"a"`}},
		{`\'\w+\'`, none, []string{`'a'`}},
		{`foo\-bar`, none, []string{"foo-bar"}},
		{`foo\_bar`, none, []string{"foo_bar"}},
		{`\#\d+`, none, []string{"#12"}},
		{`user\@host`, none, []string{"user@host"}},
		{`C:\\[^\n]*`, none, []string{`C:\a`}},
		{`\x{2014}`, none, []string{"a—b"}},
		{`\u2014`, none, []string{"a—b"}},
		{`—`, none, []string{"a—b"}},
		{`[“”„]`, none, []string{"“a”"}},
		{`[😀-🙏]`, none, []string{"a😀b", "🙏"}},
		{`😀+`, none, []string{"😀😀"}},
		{`später|früher`, none, []string{"Später", "früher"}},
		{`später`, folded, []string{"SPÄTER"}},
		{`\bstraße\b`, none, []string{"straße", "eine straße."}},
		{`k`, folded, []string{"K", "\u212a"}},
		{`s`, folded, []string{"ſ", "S"}},
		{`[^a-z]`, folded, []string{"ſ", "İ", "ı", "K", "-"}},
		{`(\w+)\s+\1`, folded, []string{"the the"}},
		{`(a|b*)*c`, none, []string{"abc", "aabbc"}},
		{`(?:|very )*`, none, []string{"very very good"}},
		{`(?:\s*|x)*`, none, []string{" x", "xx"}},
		{`(?:, ?)?and`, none, []string{", and", "and"}},
		{`a*+b`, none, []string{"aab"}},
		{`(?>a+)b`, none, []string{"aab"}},
		{`\Qa.b\E`, none, []string{"a.b"}},
		{`\h+`, none, []string{" \t"}},
		{`\R`, none, []string{"\n"}},
		{`\bno\b(?! longer)`, none, []string{"no more"}},
		{`[a-zA-Z&&[^aeiou]]`, none, []string{"b&]"}},
		{`[!-/:-@\[-` + "`" + `{-~]`, none, []string{"a!b", "~"}},
		{`\.{3,}|…`, none, []string{"...", "…"}},
		{`[?!]{2,}`, none, []string{"?!", "!"}},
		{`^[ \t]*[-*+][ \t]`, lines, []string{"a\n - b", "a\u2028- b"}},
		{`[ \t]+$`, lines, []string{"a \nb", "a \u2028b"}},
		{`\n{3,}`, none, []string{"\n\n\n"}},
		{`\r\n`, none, []string{"a\r\nb"}},
		{`\BTBD\B`, none, []string{"aTBDb", "TBD"}},
		{`\B`, none, []string{"", "ab"}},
		{`(?:TBD|TBC|)\b`, none, []string{"TBD"}},
		{``, none, []string{"", "ab", "😀"}},
		{`a||b`, none, []string{"ab"}},
		{strings.Repeat("(?:", 90) + "a" + strings.Repeat(")", 90), none, []string{"a"}},
		{strings.Repeat("(", 600) + "a" + strings.Repeat(")", 600), none, []string{"a"}},
		{`a{1000}`, none, []string{strings.Repeat("a", 1000)}},
		{`a{1001}`, none, []string{"a"}},
		{`(?:a{100}){11}`, none, []string{"a"}},
	}
}

var none regex.Flags

// shipped are the patterns of the library that comes with the repository, each
// with the texts of its own document.
func shipped(t *testing.T) []subject {
	t.Helper()
	root := os.DirFS("../../..")
	files, err := fs.Glob(root, "rubrics/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("the library has %d documents: %v", len(files), err)
	}
	var all []subject
	for _, name := range files {
		data := must.Get(fs.ReadFile(root, name))(t)
		texts := strings.Split(string(data), "\n\n")
		doc := document.Parse(source.NewFile(name, data))
		switch doc.Kind {
		case &document.Rubric:
			for _, n := range doc.Rubric().NegativeCriteria {
				for _, p := range n.FailPatterns {
					all = append(all, subject{p, regex.Flags{IgnoreCase: n.IgnoreCase}, texts})
				}
			}
		case &document.RuleSet:
			for _, rule := range doc.RuleSet().Rules {
				for _, c := range rule.Checks {
					if c.Pattern != "" {
						all = append(all, subject{c.Pattern, regex.Flags{IgnoreCase: c.IgnoreCase, Multiline: c.Multiline}, texts})
					}
				}
			}
		}
	}
	return all
}
