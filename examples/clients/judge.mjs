// Computes a verdict as the Python program in docs/consuming.md does.
import { readFile } from "node:fs/promises";
import { hits, openFile, verdict } from "./rubric-bundle.mjs";

const audit = (record) => console.error(record);

// The new bundle, or the last good one.
async function reload(current, path, digest) {
  try {
    return await openFile(path, { digest, audit });
  } catch (error) {
    console.error("keeping the last good bundle:", error.message);
    return current;
  }
}

async function judge(bundle, text) {
  const [found] = bundle.search({ artifactType: "jira_tickets" });
  const rubric = bundle.get(found.id, "~1.1", { requestId: "request-17" });
  const hit = hits(rubric, text);
  // Your judge reads the text and judgeView(rubric).
  const scores = JSON.parse(await readFile("scores.json", "utf8"));
  const { passed } = verdict(rubric, scores, hit);
  for (const { name, start, end } of hit) console.log(`${name} at ${start} to ${end}`);
  console.log(`passed: ${passed}, by ${rubric.reference}`);
}

const digest = (await readFile("rubrics.digest", "utf8")).trim();
let bundle = await openFile("rubrics.zip", { digest, audit });
bundle = await reload(bundle, "next.zip", digest);
await judge(bundle, await readFile(process.argv[2], "utf8"));
