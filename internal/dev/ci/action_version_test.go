package ci_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// releasedAs makes a job list the releases of a repository with these tags: v1.2.0 and
// v1.2.1 are annotated, others are lightweight, and each but v1.2.1 has its own commit.
// It returns the commit of v1.2.0.
func (j *actionJob) releasedAs(t *testing.T, tags ...string) (commit string) {
	t.Helper()
	origin := newActionJob(t)
	origin.git(t, "init", "-q", "-b", "main")
	for _, tag := range tags {
		if tag != "v1.2.1" {
			origin.commit(t)
		}
		if strings.HasPrefix(tag, "v1.2.") {
			origin.git(t, "-c", "user.name=n", "-c", "user.email=e@example.org", "tag", "-a", "-m", tag, tag)
		} else {
			origin.git(t, "tag", tag)
		}
	}
	origin.git(t, "branch", "fixes", "v1.2.0^{}")
	origin.git(t, "tag", "v1", "v1.2.0^{}")
	origin.commit(t) // main has a commit that is not released
	maps.Copy(j.env, map[string]string{
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url." + origin.workspace + ".insteadOf", "GIT_CONFIG_VALUE_0": "https://github.com/" + repository,
	})
	cmd := exec.Command("git", "rev-parse", "v1.2.0^{commit}")
	cmd.Dir = origin.workspace
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// testActionFindsVersions names releases in each way. None of them can be downloaded, so
// the message says which one was found.
func testActionFindsVersions(t *testing.T) {
	needs(t, "curl")
	for _, c := range []struct {
		version, ref, says string
	}{
		{"1.2.0", "", "The release v1.2.0 does not exist"},
		{"latest", "", "The release v2.0.0 does not exist"},
		{"1.x", "", "The release v1.10.0 does not exist"},
		{"v1", "", "The release v1.10.0 does not exist"},
		{"1.2.x", "", "The release v1.2.1 does not exist"},
		{"~1.2", "", "The release v1.2.1 does not exist"},
		{"~1.9.10", "", "The release v1.9.12 does not exist"},
		{"~1.9.13", "", `No release of rubric-library/rubric-library fits the version "~1.9.13"`},
		{"3.x", "", "No release of"},
		{"auto", "v1.2.0", "The release v1.2.0 does not exist"},
		{"auto", "v1", "The release v1.2.1 does not exist"},
		{"auto", "fixes", "The release v1.2.1 does not exist"},
		{"auto", "COMMIT", "The release v1.2.1 does not exist"},
		{"auto", "main", "No release has the action's own commit"},
		{"auto", strings.Repeat("0", 40), "No release has the action's own commit"},
	} {
		t.Run(c.version+" "+c.ref, func(t *testing.T) {
			j := onLinux(t)
			commit := j.releasedAs(t, "v1.1.0", "v1.9.9", "v1.9.12", "v1.10.0", "v1.2.0", "v1.2.1", "v2.0.0", "v2.1.0-rc.1", "library-v3.0.0", "v03.0.0", "v3.0.0-x")
			j.context["github.action_ref"] = strings.ReplaceAll(c.ref, "COMMIT", commit)
			(&releaseServer{}).serve(t, j)
			refusesUse(t, j, map[string]string{"version": c.version, "install-mode": "binary"}, c.says)
		})
	}
	t.Run("of a repository that is not there", func(t *testing.T) {
		j := onLinux(t)
		maps.Copy(j.env, map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url." + t.TempDir() + ".insteadOf", "GIT_CONFIG_VALUE_0": "https://github.com/"})
		refusesUse(t, j, map[string]string{"version": "latest"}, "can't be listed")
	})
}

// testActionReadsVersionsFromTheTarget plays a pull request that selects an old release.
func testActionReadsVersionsFromTheTarget(t *testing.T) {
	needs(t, "curl")
	for _, c := range []struct {
		name, file, text, changed string
		pull, queue               bool
		base                      string
		says                      string
	}{
		{"a text", "version.txt", "v1.2.0\r\n", "1.0.0\n", true, false, "auto", "The release v1.2.0 does not exist"},
		{"a line of .tool-versions", "ci/.tool-versions", "nodejs 1.0.0\nrubric 1.2.0 # ours\n", "rubric 1.0.0\n", true, false, "auto", "The release v1.2.0 does not exist"},
		{"in a merge queue", "version.txt", "1.2.0\n", "1.0.0\n", false, true, "auto", "The release v1.2.0 does not exist"},
		{"with a base that is named", "version.txt", "1.2.0\n", "1.0.0\n", false, false, "HEAD~1", "The release v1.2.0 does not exist"},
		{"after a push", "version.txt", "1.2.0\n", "1.0.0\n", false, false, "auto", "The release v1.0.0 does not exist"},
		{"which names another tool", ".tool-versions", "nodejs 1.0.0\n", "rubric 1.0.0\n", true, false, "auto", "names no version"},
		{"which only the change has", "new.txt", "", "1.0.0\n", true, false, "auto", "can't be read from refs/remotes/origin/main"},
		{"with a base that is an option", "version.txt", "1.2.0\n", "1.0.0\n", false, false, "--all", "can't be read from --all"},
		{"which is a script", "version.txt", "$(touch ran)\n::add-mask::a\n", "1.0.0\n", true, false, "auto", "%0A::add-mask::a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := onLinux(t)
			j.git(t, "init", "-q", "-b", "main")
			if c.text != "" {
				j.write(t, c.file, c.text)
			}
			j.commit(t)
			j.git(t, "update-ref", "refs/remotes/origin/main", "HEAD")
			if c.queue {
				j.context["github.event.merge_group.base_sha"] = "refs/remotes/origin/main"
			}
			if c.pull {
				j.env["GITHUB_BASE_REF"] = "main"
			}
			j.write(t, c.file, c.changed)
			j.commit(t)
			(&releaseServer{}).serve(t, j)
			refusesUse(t, j, map[string]string{"version-file": c.file, "base": c.base}, c.says)
			if ran := filesNamed(t, j.workspace, "ran"); len(ran) > 0 {
				t.Errorf("the file acted: %v", ran)
			}
		})
	}
}

// testActionKeepsArchives uses a release twice on one machine. The second job downloads
// nothing if the checksum is pinned, and takes nothing that another job left there.
func testActionKeepsArchives(t *testing.T, program string) {
	needs(t, "curl")
	archive := tarball(t, programs(t, program, ""))
	cache := t.TempDir()
	kept := filepath.Join(cache, "rubric-tools", sha(archive))
	for _, c := range []struct {
		name   string
		before func() error
		served int
	}{
		{"the first job", nil, 1},
		{"the second job", nil, 0},
		{"after another job replaced the archive", func() error { return os.WriteFile(kept, []byte("x"), 0o666) }, 1},
		{"after that", nil, 0},
		{"where a pipe was left", func() error {
			return exec.Command("sh", "-c", `rm "$0" && mkfifo "$0"`, kept).Run()
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.before != nil {
				if err := c.before(); err != nil {
					t.Fatal(err)
				}
			}
			j := onLinux(t)
			j.env["RUNNER_TOOL_CACHE"] = cache
			server := releaseServer{files: map[string][]byte{linuxArchive: archive}}
			server.serve(t, j)
			got := j.use(t, asks("checksum", sha(archive), "install-only", "true"))
			if got.code != 0 || len(server.served) != c.served {
				t.Errorf("exit code %d, and %v was downloaded:\n%s", got.code, server.served, got.log)
			}
			installs(t, got, j.temp)
		})
	}
}

// testActionShowsTheChange checks that the summary has the change also where the check
// fails, and that the findings are in a file that another action can upload.
func testActionShowsTheChange(t *testing.T, program string) {
	const file = "lib/rubrics/prd/x_v1.yaml"
	right := scripttest.Rubric("x_v1", "1.0.0", "prd")
	j := newActionJob(t)
	j.write(t, file, right)
	j.git(t, "init", "-q", "-b", "main")
	j.commit(t)
	j.write(t, file, strings.Replace(right, "threshold: 3.0", "threshold: 4.0", 1))
	j.commit(t)
	got := j.check(t, program, map[string]string{"base": "HEAD~1", "working-directory": "lib", "sarif": "found.sarif"})
	if got.code != 1 || got.outputs["class"] != "major" {
		t.Errorf("exit code %d, and the outputs are %v:\n%s", got.code, got.outputs, got.log)
	}
	contains(t, got.summary, "### Lint", "publish it as `x_v2`")
	contains(t, scripttest.Text(t, filepath.Join(j.workspace, "found.sarif")), "version-too-low")
	got = j.check(t, program, map[string]string{"base": "none", "working-directory": "lib"})
	if got.code != 0 || got.outputs["class"] != "" {
		t.Errorf("without a base: exit code %d, and the outputs are %v:\n%s", got.code, got.outputs, got.log)
	}
}
