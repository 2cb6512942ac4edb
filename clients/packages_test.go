package clients_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestPackages builds the wheel and the npm tarball as a release does, installs each in a
// folder of its own, and reads a bundle with it. The package names the format of the
// bundles that its code reads.
func TestPackages(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("releases are built on Linux")
	}
	bundle := must.Get(filepath.Abs("../internal/release/testdata/format-2.zip"))(t)
	for _, program := range []string{"bash", "jq", "npm", "node", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed, so the packages were not built", program)
		}
	}
	if exec.Command("python3", "-c", "import tomllib, venv, pip").Run() != nil {
		t.Skip("python3 is older than 3.11 or has no pip, so the packages were not built")
	}
	dir := t.TempDir()
	execute := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	script := must.Get(filepath.Abs("../.ci/clients"))(t)
	execute(script, "1.2.3", filepath.Join(dir, "packages"))
	execute(script, "1.2.3", filepath.Join(dir, "again"))
	execute("diff", "-r", "packages", "again")

	execute("python3", "-m", "venv", "--without-pip", "environment")
	python := filepath.Join(dir, "environment/bin/python")
	execute("python3", "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "packages/rubric_bundle-1.2.3-py3-none-any.whl")
	execute("npm", "install", "--offline", "--silent", "./packages/rubric-bundle-1.2.3.tgz")

	got := map[string]string{
		"python": execute(python, "-I", "-c", `if True:
			import importlib.metadata, sys, rubric_bundle
			about = importlib.metadata.metadata("rubric-bundle")
			format = f"rubric-bundle-format-{rubric_bundle.FORMAT_VERSION}"
			print(about["Version"], about["Keywords"] == format, len(rubric_bundle.open(sys.argv[1]).search()))`, bundle),
		"javascript": execute("node", "--input-type=module", "--eval", `
			import { FORMAT_VERSION, openFile } from "rubric-bundle";
			import { readFileSync } from "node:fs";
			const about = JSON.parse(readFileSync("node_modules/rubric-bundle/package.json"));
			const bundle = await openFile(process.argv[1]);
			console.log(about.version, about.keywords.join() === "rubric-bundle-format-" + FORMAT_VERSION, bundle.search().length);`, bundle),
	}
	for client, line := range got {
		if fields := strings.Fields(strings.ToLower(line)); len(fields) != 3 || fields[0] != "1.2.3" || fields[1] != "true" || fields[2] == "0" {
			t.Errorf("%s prints %q: expected the version, that the format is the code's, and the number of documents", client, line)
		}
	}
}
