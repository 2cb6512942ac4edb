package clients

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestJavaScriptOpensBytesOnly: of anything else, it would open no bytes, or other ones.
func TestJavaScriptOpensBytesOnly(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed, so this client was not tested")
	}
	path := must.Get(filepath.Abs("../internal/release/testdata/format-2.zip"))(t)
	out, err := exec.Command("node", "--input-type=module", "--eval", `
		import { readFileSync } from "node:fs";
		import { runInNewContext } from "node:vm";
		const { open } = await import(process.argv[2]);
		const data = readFileSync(process.argv[1]);
		const bytes = new Uint8Array(data), buffer = bytes.buffer;
		const shared = new SharedArrayBuffer(bytes.length);
		new Uint8Array(shared).set(bytes);
		const longer = new Uint8Array(bytes.length + 7);
		longer.set(bytes, 3);
		const elsewhere = runInNewContext("new ArrayBuffer(" + bytes.length + ")");
		new Uint8Array(elsewhere).set(bytes);
		const sources = {
			Buffer: data, Uint8Array: bytes, ArrayBuffer: buffer, DataView: new DataView(buffer), part: longer.subarray(3, -4), shared, elsewhere,
			Blob: new Blob([data]), File: new File([data], "x.zip"), Response: new Response(data), promise: Promise.resolve(data),
			string: "rubrics.zip", URL: new URL("https://example.org/x.zip"), number: 12, array: [1, 2], nothing: undefined, null: null, object: {},
		};
		for (const [name, source] of Object.entries(sources)) {
			try {
				console.log(name + ": " + (await open(source)).search().length);
			} catch (error) {
				console.log(name + ": " + error.name + ": " + error.message);
			}
		}`, path, must.Get(filepath.Abs("javascript/rubric-bundle.mjs"))(t)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const takes = "InputError: open takes the bytes of a bundle, an ArrayBuffer or a Uint8Array, got "
	file := ". In Node.js, openFile opens a file; elsewhere, open what (await fetch(address)).arrayBuffer() returns"
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		said[name] = text
	}
	documents := said["Buffer"]
	if documents == "0" || len(documents) != 1 {
		t.Fatalf("the bundle has %q documents", documents)
	}
	for name, want := range map[string]string{
		"Uint8Array": documents, "ArrayBuffer": documents, "DataView": documents, "part": documents, "shared": documents, "elsewhere": documents,
		"Blob": takes + "Blob. Open (await it.arrayBuffer())", "File": takes + "File. Open (await it.arrayBuffer())",
		"Response": takes + "Response. Open (await it.arrayBuffer())", "promise": takes + "Promise. Await it first",
		"string": takes + "String" + file, "URL": takes + "URL" + file,
		"number": takes + "Number", "array": takes + "Array", "nothing": takes + "Undefined", "null": takes + "Null", "object": takes + "Object",
	} {
		if said[name] != want {
			t.Errorf("%s: %s, want %s", name, said[name], want)
		}
	}
}
