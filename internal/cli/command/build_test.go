package command

import (
	"runtime/debug"
	"testing"
)

func TestWhatABuildKnows(t *testing.T) {
	stamp := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.modified", Value: modified}}
	}
	for name, c := range map[string]struct {
		version  string
		settings []debug.BuildSetting
		want     Build
		says     string
	}{
		"go install of a release":        {"v1.2.3", nil, Build{Version: "v1.2.3", Release: "v1.2.3"}, "v1.2.3"},
		"go install of a branch":         {"v0.0.0-20261124120000-c0ffeec0ffee", nil, Build{Version: "v0.0.0-20261124120000-c0ffeec0ffee"}, "v0.0.0-20261124120000-c0ffeec0ffee"},
		"a clone at the tag":             {"v1.2.3", stamp("false"), Build{"v1.2.3", "v1.2.3", "c0ffee", true}, "v1.2.3 (commit c0ffee)"},
		"a clone with edits":             {"v1.2.3+dirty", stamp("true"), Build{"v1.2.3+dirty", "", "c0ffee", false}, "v1.2.3+dirty (commit c0ffee)"},
		"a clone without its repository": {"(devel)", nil, Build{Version: "devel"}, "devel"},
	} {
		got := buildOf(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings})
		if got != c.want || got.String() != c.says {
			t.Errorf("%s: got %+v (%s), want %+v (%s)", name, got, got, c.want, c.says)
		}
	}
	if got := buildOf(nil); got != (Build{Version: "devel"}) {
		t.Errorf("without information: got %+v", got)
	}
}
