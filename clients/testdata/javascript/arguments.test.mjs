// What the functions of the JavaScript client do with arguments that are not what they take.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { inspect } from "node:util";
import * as client from "../../javascript/rubric-bundle.mjs";
import { data, ID } from "./sample.mjs";

const folder = mkdtempSync(join(tmpdir(), "arguments-"));
process.chdir(folder); // some values are names of folders
after(() => {
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true });
});

const path = `${process.env.RELEASES}/1.4.0.zip`;
const bundle = await client.openFile(path);
const live = await client.follow(path, { anyDigest: true });
const { data: rubric, reference } = bundle.get(ID);
const ruleSet = { ruleset_id: "a", rules: [{ id: "a.b.c", severity: "fail", phase: "A", weight: 1, check: "c" }], scoring: { pass_threshold: 1 } };
const scores = Object.fromEntries(rubric.criteria.map(({ name }) => [name, 3]));
const line = { id: "a", artifact_type: "b", name: "c" };
const caller = { requestId: "r-17", actor: "ann" };
const digest = bundle.digest;

/** Valid arguments of each function and method, all of them. */
const rows = {
  satisfies: ["1.2.0", "~1.2"],
  placesOf: [line],
  searchPlaces: [new Map([["a", client.placesOf(line)]]), "c"],
  open: [data("1.4.0"), { digest, audit: () => {} }],
  openFile: [path, { digest, audit: () => {} }],
  follow: [path, { digest, anyDigest: false, lastGood: undefined, interval: 60, headers: undefined, token: undefined, ca: undefined, audit: () => {}, downgrades: false }],
  verdict: [rubric, scores, []],
  judgeView: [rubric],
  answerSchema: [rubric],
  normalize: ["a"],
  hits: [rubric, "a"],
  ruleScore: [ruleSet, "A", { "a.b.c": { verdict: "pass", reason: "" } }],
  "Bundle.similarArtifactTypes": ["tickets"],
  "Bundle.verify": [{ after: bundle }],
  "Bundle.read": ["manifest.json"],
  "Bundle.list": [],
  "Bundle.search": [{ artifactType: "jira_tickets", text: "a", kind: "rubric", deprecated: true, retired: true }],
  "Bundle.calibration": [ID, "judge", "model"],
  "Bundle.get": [ID, "1.4.0", caller],
  "Bundle.getAsync": [ID, "1.4.0", caller],
  "Bundle.resolve": [reference, caller],
  "Bundle.resolveAsync": [reference, caller],
  "Live.check": [],
  "Live.get": [ID, "1.4.0", caller],
  "Live.getAsync": [ID, "1.4.0", caller],
  "Live.resolve": [reference, caller],
  "Live.resolveAsync": [reference, caller],
  "Live.close": [],
};

/** How many arguments each needs; the others can be undefined. */
const needed = { follow: 2, verdict: 3, hits: 2, satisfies: 2, searchPlaces: 2, ruleScore: 3, "Bundle.calibration": 3, "Bundle.verify": 0, "Bundle.search": 0 };

/** What is null, or another type than anything takes. */
const odd = [null, undefined, 1, NaN, true, "", "\ud800", [], [null], {}, { a: null }, Symbol("odd"), 10n, () => {}, new Date(NaN), Object.create(null)];

const methods = (prototype) => Object.entries(Object.getOwnPropertyDescriptors(prototype))
  .filter(([name, { value }]) => typeof value === "function" && name !== "constructor" && !["start"].includes(name)).map(([name]) => name);

/** Every function of the module, by name. */
const functions = {
  ...Object.fromEntries(Object.entries(client).filter(([, value]) => typeof value === "function" && !/^class /.test(value.toString()))),
  ...Object.fromEntries(methods(client.Bundle.prototype).map((name) => [`Bundle.${name}`, (...given) => bundle[name](...given)])),
  ...Object.fromEntries(methods(Object.getPrototypeOf(live)).map((name) => [`Live.${name}`, (...given) => live[name](...given)])),
};

/** The error of a call, or null. Only the errors of the module may be thrown, and those of a file that does not exist. */
async function errorOf(name, given) {
  try {
    const result = await functions[name](...given);
    if (name === "follow") result.close();
    return null;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "EISDIR") return error;
    assert.ok(error instanceof client.BundleError, `${name}(${given.map((each) => inspect(each).slice(0, 200)).join(", ")}): ${error.stack}`);
    return error;
  }
}

/** An argument, and each key of an object of options, with another value. */
function* changed(name, given, value) {
  for (let i = 0; i < given.length; i++) {
    yield [`${name}, argument ${i}`, given.with?.(i, value) ?? Object.assign([...given], { [i]: value }), i < (needed[name] ?? 1)];
    if (i < (needed[name] ?? 1) && name !== "follow" || typeof given[i] !== "object" || given[i] instanceof Map || ArrayBuffer.isView(given[i])) continue;
    for (const key of Object.keys(given[i])) {
      yield [`${name}, ${key}`, Object.assign([...given], { [i]: { ...given[i], [key]: value } }), false];
    }
  }
}

it("has a row for each function, with arguments that are valid", async () => {
  assert.deepEqual(Object.keys(rows).sort(), Object.keys(functions).sort());
  for (const [name, given] of Object.entries(rows)) {
    if (name !== "Live.close" && name !== "Bundle.verify") assert.equal(await errorOf(name, given), null, name);
  }
});

it("refuses null, and what is required and undefined", async () => {
  for (const [name, given] of Object.entries(rows)) {
    for (const [reason, call, required] of changed(name, given, null)) {
      const error = await errorOf(name, call);
      assert.match(error?.name ?? "no error", /^(?:InputError|NotFoundError|TextError)$/, `${reason} is null`);
      if (error.name === "InputError" && !/^ruleScore/.test(name)) assert.ok(error.arguments.length > 0, reason);
      if (required) {
        const missing = await errorOf(name, call.map((each) => each ?? undefined));
        assert.match(missing?.name ?? "no error", /^(?:InputError|NotFoundError|TextError)$/, `${reason} is missing`);
      }
    }
  }
});

it("throws only its own errors for anything else", async () => {
  for (const [name, given] of Object.entries(rows)) {
    for (const value of odd) {
      for (const [, call] of changed(name, given, value)) await errorOf(name, call);
    }
  }
});

it("throws only its own errors for documents with anything in them", async () => {
  for (const document of [rubric, ruleSet]) {
    for (const key of ["criteria", "negative_criteria", "rules", "scoring"]) {
      for (const value of [...odd, [{}], [{ name: null, fail_patterns: null, threshold: null, weight: null, id: null }], [{ fail_patterns: [null] }]]) {
        const broken = { ...document, [key]: value };
        for (const [name, ...rest] of [["verdict", scores, []], ["hits", "a"], ["judgeView"], ["answerSchema"], ["ruleScore", "A", { "a.b.c": { verdict: "pass" } }]]) {
          await errorOf(name, [broken, ...rest]);
        }
      }
    }
  }
});

it("has a name for each error that a minifier keeps", () => {
  for (const [name, value] of Object.entries(client)) {
    if (name.endsWith("Error")) assert.equal(Object.getOwnPropertyDescriptor(value.prototype, "name")?.value, name);
  }
});
