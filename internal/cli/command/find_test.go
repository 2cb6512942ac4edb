package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestFindLibrary(t *testing.T) {
	top := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	for _, name := range []string{"lib/rubrics/prd/a_v1.yaml", "lib/calibration/a/dataset.yaml", "other/rubrics/x.yaml", "none/x.zip"} {
		file := filepath.Join(top, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, nil, 0o666))
	}
	lib := filepath.Join(top, "lib")
	for _, c := range []struct {
		reason string
		here   string // the working folder
		in     Place
		names  []string
		want   Located
		list   string // the command that lists the documents, "" if the error has fails
		fails  string
	}{
		{"the working folder is the library", "lib", Place{}, nil, Located{Root: lib}, "rubric list", ""},
		{"the working folder is in the library", "lib/rubrics/prd", Place{Advice: "X"}, nil, Located{Root: lib, Prefix: "../.."}, "rubric list", ""},
		{
			"named files are in the library", ".", Place{}, []string{"lib/rubrics/prd/a_v1.yaml", "lib/calibration"},
			Located{Root: lib, Prefix: "lib", Only: []string{"rubrics/prd/a_v1.yaml", "calibration"}}, "rubric list", "",
		},
		{"rubrics/ means the whole library", ".", Place{}, []string{"lib/rubrics", "lib/calibration"}, Located{Root: lib, Prefix: "lib"}, "rubric list", ""},
		{
			"one file is not in the working tree yet", "lib", Place{Unsaved: "rubrics/prd/new_v1.yaml"}, []string{"rubrics/prd/new_v1.yaml"},
			Located{Root: lib, Only: []string{"rubrics/prd/new_v1.yaml"}}, "rubric list", "",
		},
		{"a folder", "none", Place{From: "../lib/"}, nil, Located{Root: "../lib/", Prefix: "../lib/"}, "rubric list ../lib/", ""},
		{"a folder that FROM takes only with a slash", ".", Place{From: "lib"}, nil, Located{Root: "lib", Prefix: "lib"}, "rubric list ./lib", ""},
		{"a folder without rubrics/ is an error of ReadLibrary", ".", Place{From: "./none"}, nil, Located{Root: "./none", Prefix: "./none"}, "rubric list ./none", ""},
		{"a bundle", "none", Place{From: "x.zip"}, nil, Located{Bundle: "x.zip"}, "rubric list x.zip", ""},
		{"no file is an error of ReadLibrary", "lib", Place{From: "y"}, nil, Located{Bundle: "y"}, "rubric list ./y", ""},
		{"a command that can do without", "none", Place{Anywhere: true}, nil, Located{}, "rubric list", ""},
		{"a command that can do without, and needs not to", "lib", Place{Anywhere: true}, nil, Located{Root: lib}, "rubric list", ""},

		{"outside", "none", Place{}, nil, Located{}, "", "`rubric init` creates a library"},
		{"outside, with advice", "none", Place{Advice: "Set --library"}, nil, Located{}, "", "not inside a library: no rubrics/ folder here or in any parent. Set --library"},
		{"no such file", "lib", Place{}, []string{"rubrics/y.yaml"}, Located{}, "", "rubrics/y.yaml does not exist"},
		{"two libraries", ".", Place{}, []string{"lib", "other"}, Located{}, "", "lib and other are in different libraries"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Chdir(filepath.Join(top, filepath.FromSlash(c.here)))
			got, err := FindLibrary(c.in, c.names)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("the error is %v, want %s", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&c.want, got, cmpopts.IgnoreUnexported(Located{})); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if list := got.listCommand(); list != c.list {
				t.Errorf("the documents are listed by `%s`, want `%s`", list, c.list)
			}
		})
	}
}
