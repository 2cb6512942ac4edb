// The bundles that the test in Go wrote, consecutive releases of a library with one rubric.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openFile } from "../../javascript/rubric-bundle.mjs";

export const ID = "story_v1";
const folder = process.env.RELEASES;

export const data = (version) => readFileSync(`${folder}/${version}.zip`);
export const digest = async (version) => (await openFile(`${folder}/${version}.zip`)).digest;

/** What is written to the console as a warning, instead of the console. */
export const warnings = [];
console.warn = (text) => { warnings.push(text); };

/** Waits until something is true. */
export async function until(condition) {
  for (const end = performance.now() + 30_000; !condition();) {
    assert.ok(performance.now() < end, `${condition} is still false`);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

/** Checks which release is in use. */
export function uses(live, version) {
  assert.deepEqual([live.current.version, live.get(ID).version, live.resolve(ID).version], [version, version, version]);
}

/** Checks that a check ends with an error, and that the bundle in use stays in use. */
export async function refuses(live, name, text, version = live.current.version) {
  await assert.rejects(live.check(), (error) => {
    assert.equal(error.name, name, error.message);
    assert.match(error.message, text);
    return true;
  });
  assert.match(live.refused, text);
  uses(live, version);
}
