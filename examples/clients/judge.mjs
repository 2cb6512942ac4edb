// Computes a verdict as the Python program in docs/consuming.md does.
import { readFile } from "node:fs/promises";
import { follow, hits, verdict } from "./rubric-bundle.mjs";

const audit = (record) => console.error(record);
const read = (name) => readFile(name, "utf8");

const digest = (await read("rubrics.digest")).trim();
const live = await follow("rubrics.zip", { digest, lastGood: "last-good", audit });
const { rubric: reference } = JSON.parse(await read("rubrics.json"));
const rubric = live.resolve(reference, { requestId: "request-17" });
const found = hits(rubric, await read(process.argv[2]));
// Your judge reads the text and judgeView(rubric).
const { passed } = verdict(rubric, JSON.parse(await read("scores.json")), found);
for (const { name, start, end } of found) console.log(`${name} at ${start} to ${end}`);
console.log(`passed: ${passed}, by ${rubric.reference}`);
live.close();
