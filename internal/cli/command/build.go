package command

import (
	"regexp"
	"runtime/debug"
)

// Build is what the Go toolchain recorded about the program.
type Build struct {
	Version string // of the module, or "devel"
	// Release is the version if it is a tag of a release, and otherwise "".
	Release string
	// Commit is that of a build in a clone, or "": a program that go install built from a
	// downloaded module knows only its version.
	Commit string
	// Clean reports that the clone had no edits.
	Clean bool
}

// ThisBuild is the build of the running program.
func ThisBuild() Build {
	info, _ := debug.ReadBuildInfo() // nil if the program was built without modules
	return buildOf(info)
}

var releaseTag = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

func buildOf(info *debug.BuildInfo) Build {
	b := Build{Version: "devel"}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version, b.Release = v, releaseTag.FindString(v)
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.modified":
			b.Clean = setting.Value == "false"
		}
	}
	return b
}

// String is the version, and the commit if it is known.
func (b Build) String() string {
	if b.Commit == "" {
		return b.Version
	}
	return b.Version + " (commit " + b.Commit + ")"
}
