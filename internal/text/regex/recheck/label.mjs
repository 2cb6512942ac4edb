// Labels the patterns of patterns.json by recheck, for ../testdata/recheck.json.
// It is run by hand; README.md says how.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { checkSync } from "recheck";

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(require.resolve("recheck").replace(/recheck\/.*/, "recheck/package.json"), "utf8"));

const labels = JSON.parse(readFileSync("patterns.json", "utf8")).map((pattern) => {
  const found = checkSync(pattern, "", { timeout: 20_000 });
  const label = { pattern, growth: found.status === "unknown" ? "unknown" : found.complexity.type };
  return label;
});
const count = (growth) => labels.filter((l) => l.growth === growth).length;
console.log(labels.length, "patterns;", ["safe", "linear", "polynomial", "exponential", "unknown"].map((g) => `${g} ${count(g)}`).join(", "));
const lines = labels.map((l) => "  " + JSON.stringify(l)).join(",\n");
writeFileSync("recheck.json", `{"recheck": "${version}", "labels": [\n${lines}\n]}\n`);
