// Answers requests from the tests, one line of JSON each, with the JavaScript client.

import { createInterface } from "node:readline";
import * as client from "../javascript/rubric-bundle.mjs";

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));

async function accepts(data, digest, whole = true) {
  try {
    const opened = await client.open(data, { digest });
    if (whole) opened.verify();
    return opened.digest;
  } catch (error) {
    if (error instanceof client.FormatError || error instanceof client.IntegrityError) return "";
    throw error;
  }
}

// The error type for an invalid bundle.
async function verify(data, after) {
  try {
    (await client.open(data)).verify(after ? { after: await client.open(after) } : {});
    return "";
  } catch (error) {
    if (error instanceof client.ContinuityError) return `${error.name}: ${error.message}`;
    if (error instanceof client.BundleError) return error.name;
    throw error;
  }
}

// The documents of the open bundle that are rejected.
function refused(version) {
  return bundle.list().map(({ id }) => id).filter((id) => {
    try {
      bundle.get(id, version);
      return false;
    } catch (error) {
      if (error instanceof client.IntegrityError) return true;
      throw error;
    }
  });
}

async function handsOut(data, id, constraint) {
  try {
    const opened = await client.open(data);
    return id === "" || opened.get(id, constraint).id === id;
  } catch (error) {
    if (error instanceof client.IntegrityError) return false;
    throw error;
  }
}

/** What is known of a document, or the step that refuses the bundle, or why there is none. */
async function opened(data, id, constraint) {
  const only = (object, names) => Object.fromEntries(Object.entries(names).filter(([name]) => object[name]).map(([name, key]) => [key, object[name]]));
  const names = Object.fromEntries(["version", "digest", "release", "yanked", "withdrawn"].map((name) => [name, name]));
  let step = "open";
  try {
    const read = await client.open(data);
    step = "get";
    const { version } = read.get(id, constraint);
    step = "list";
    return { version, versions: read.list().find((entry) => entry.id === id).versions.map((each) => only(each, names)) };
  } catch (error) {
    if (error instanceof client.IntegrityError) return { integrity: step };
    if (error instanceof client.RetiredError && error.id === id) return { retired: only(error, { lastVersion: "last_version", reason: "reason", replacedBy: "replaced_by" }) };
    if (error instanceof client.NotFoundError) return { not_found: true };
    if (error instanceof client.ConstraintError) return { unsatisfied: true };
    throw error;
  }
}

/** The step that refuses the bundle or the document, with the name of the error, or "". */
async function stepOf(data, id, constraint) {
  let step = "open";
  try {
    const read = await client.open(data);
    step = "get";
    read.get(id, constraint);
    step = "list";
    read.list();
    return "";
  } catch (error) {
    if (error instanceof client.BundleError) return `${step}: ${error.name}`;
    throw error;
  }
}

/** The gate of a judge, "" if there is no such judge, or the name of the error. */
async function tellsOf(data, id, judge, model) {
  try {
    return (await client.open(data)).calibration(id, judge, model)?.gate ?? "";
  } catch (error) {
    if (error instanceof client.IntegrityError) return error.name;
    throw error;
  }
}

async function emptyDigest() {
  try {
    await client.open(new Uint8Array(), { digest: "" });
    return null;
  } catch (error) {
    if (error instanceof client.InputError) return error.message;
    throw error;
  }
}

// The document of a bundle, or "" if it is refused.
async function documentOf(data) {
  try {
    const { data: content, reference } = (await client.open(data)).get("a", "1.2.0");
    return JSON.stringify([content, reference]);
  } catch (error) {
    if (error instanceof client.BundleError) return "";
    throw error;
  }
}

// The bytes that can be changed, removed, or doubled without an error, or give another document.
async function flip(data) {
  const missed = [];
  const original = await documentOf(data);
  for (let at = 0; at < data.length; at++) {
    const changed = data.slice();
    changed[at] ^= 1 << at % 8;
    const less = Buffer.concat([data.slice(0, at), data.slice(at + 1)]);
    const more = Buffer.concat([data.slice(0, at), data.slice(at, at + 1), data.slice(at)]);
    for (const tampered of [changed, less, more, data.slice(0, at)]) {
      if (await accepts(tampered)) missed.push(at);
    }
    if (!["", original].includes(await documentOf(changed))) missed.push(at);
  }
  return missed;
}

// The number of ways to change a returned object.
function change(id) {
  const document = bundle.get(id);
  const result = client.verdict(document, Object.fromEntries(document.data.criteria.map(({ name }) => [name, 3])), []);
  const tries = [
    () => { document.data.version = "9.9.9"; },
    () => { document.data.criteria.push(1); },
    () => { document.data.criteria[0].threshold = 1; },
    () => { document.version = "9.9.9"; },
    () => { result.passed = true; },
    () => { bundle.version = "9.9.9"; },
    () => { delete bundle.manifest.commit; },
  ];
  return tries.filter((attempt) => {
    try {
      attempt();
      return true;
    } catch (error) {
      return !(error instanceof TypeError);
    }
  }).length;
}

function oddScores() {
  const rubric = { rubric_id: "a", criteria: [{ name: "a", weight: "important", threshold: 1 }] };
  return [NaN, Infinity, -Infinity, true, "3", null, [3]].filter((score) => {
    try {
      client.verdict(rubric, { a: score }, []);
      return false;
    } catch (error) {
      return error instanceof client.InputError;
    }
  }).length;
}

// What get throws if nothing waits for the audit.
async function asynchronousAudit({ path, id }) {
  const later = async () => { throw new Error("the disk is full"); };
  const thrown = [];
  for (const audit of [later, () => Promise.resolve(), () => ({ then: (done) => done() })]) {
    const opened = await client.openFile(path, { audit });
    try {
      thrown.push(opened.get(id).reference);
    } catch (error) {
      thrown.push(error instanceof client.AuditError && error.message.includes("asynchronous") ? "asynchronous" : String(error));
    }
  }
  return thrown;
}

// What the methods that wait for the audit return, with the number of records that are stored then.
async function awaitedAudit({ path, id }) {
  let stored = [];
  const failure = new Error("the disk is full");
  const later = (record) => new Promise((done) => setTimeout(() => done(stored.push(record)), 20));
  const audits = [later, (record) => ({ then: (done) => later(record).then(done) }), (record) => stored.push(record),
    async () => { throw failure; }, () => { throw failure; }, () => ({ then: (_, failed) => failed(failure) })];
  const out = [];
  for (const audit of audits) {
    const opened = await client.openFile(path, { audit });
    for (const call of [() => opened.getAsync(id, "", { requestId: "r" }), () => opened.resolveAsync(id, { requestId: "r" }), () => opened.getAsync(`${id}_x`)]) {
      stored = [];
      const pending = call();
      const before = stored.length;
      try {
        const { reference } = await pending;
        out.push([reference, stored.length, stored.every((record) => record.request_id === "r" && `${record.id}@${record.version}#${record.digest}` === reference)]);
      } catch (error) {
        out.push([error.name, stored.length, error.cause === undefined || error.cause === failure]);
      }
      if (before > 0 && audit !== audits[2]) out.push("the record was stored early, so nothing was tested");
    }
  }
  return out;
}

// What calls with arguments of the wrong types throw.
function oddArguments() {
  const rubric = { rubric_id: "a", criteria: [{ name: "a", weight: "important", threshold: 1 }] };
  const calls = [
    () => client.verdict(rubric, { a: 3 }),
    ...[null, "a", 1, { a: 1 }, [null], [1]].map((hits) => () => client.verdict(rubric, { a: 3 }, hits)),
    ...[null, "a", 1, [3]].map((scores) => () => client.verdict(rubric, scores, [])),
    ...[null, "a", 1, [3]].map((document) => () => client.verdict(document, { a: 3 }, [])),
  ];
  return calls.map((call) => {
    try {
      return JSON.stringify(call());
    } catch (error) {
      return error instanceof client.InputError && error.arguments.length > 0 ? "InputError" : String(error);
    }
  });
}

// The CPU time to open the bundle and get a document, to get a known ID, and an unknown one.
async function costs({ path, known, other }) {
  const seconds = (since) => Object.values(process.cpuUsage(since)).reduce((sum, part) => sum + part) / 1e6;
  let begin = process.cpuUsage();
  const opened = await client.openFile(path);
  opened.get(known);
  const out = [seconds(begin)];
  for (const id of [known, other]) {
    begin = process.cpuUsage();
    for (let i = 0; i < 200; i++) {
      try {
        client.verdict(opened.get(id === other ? id + "x".repeat(i) : id), {}, []);
      } catch (error) {
        if (!(error instanceof client.BundleError)) throw error;
      }
    }
    out.push(seconds(begin));
  }
  return out;
}

// The calls with an argument that does not exist, or is not an object, that are accepted.
async function wrongArguments() {
  const calls = {
    "search text": () => bundle.search("jira_tickets"), "search null": () => bundle.search(null),
    "search artifact_type": () => bundle.search({ artifact_type: "jira_tickets" }), verify: () => bundle.verify({ before: bundle }),
    get: () => bundle.get("prd_quality_v1", "", { request_id: "x" }), resolve: () => bundle.resolve("prd_quality_v1", { request: "x" }),
    open: () => client.open(new Uint8Array(), { Digest: "x" }),
  };
  const accepted = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
      accepted.push(name);
    } catch (error) {
      if (!(error instanceof client.InputError)) accepted.push(`${name}: ${error}`);
    }
  }
  return accepted;
}

let bundle;
const audited = [];

function audit(record) {
  if (record.request_id === "broken") throw new Error("the disk is full");
  audited.push(record);
}

const facts = ({ id, version, kind, reference }) => ({ id, version, kind, reference });

const answers = {
  verdict: (q) => client.verdict(q.rubric, q.scores, q.hits),
  hits: (q) => client.hits(q.rubric, q.text),
  rule_score: (q) => client.ruleScore(q.ruleset, q.phase, q.results),
  satisfies: (q) => client.satisfies(q.version, q.constraint),
  accepts: (q) => accepts(bytes(q.data)),
  opens: (q) => accepts(bytes(q.data), q.digest, false),
  verify: (q) => verify(bytes(q.data), q.after && bytes(q.after)),
  refused: (q) => refused(q.version),
  hands_out: (q) => handsOut(bytes(q.data), q.id, q.constraint),
  opened: (q) => opened(bytes(q.data), q.id, q.constraint),
  step: (q) => stepOf(bytes(q.data), q.id, q.constraint),
  empty_digest: emptyDigest,
  flip: (q) => flip(bytes(q.data)),
  open: async (q) => (bundle = await client.openFile(q.path, { digest: q.digest, audit })).version,
  get: (q) => facts(bundle.get(q.id, q.constraint, { requestId: q.request, actor: q.actor })),
  resolve: (q) => facts(bundle.resolve(q.reference)),
  search: (q) => bundle.search({ artifactType: q.type, text: q.text, kind: q.kind ?? "", deprecated: q.all, retired: q.all }).map(({ id, score, matched, partial }) => ({ id, score, matched, partial })),
  similar_types: (q) => bundle.similarArtifactTypes(q.type),
  wrong_arguments: wrongArguments,
  judge_view: (q) => client.judgeView(bundle.get(q.id)),
  answer_schema: (q) => client.answerSchema(bundle.get(q.id)),
  read: (q) => Buffer.from(bundle.read(q.path)).toString("base64"),
  list: () => bundle.list().map((e) => `${e.id}${e.deprecated ? " deprecated" : ""}${e.retired ? " retired" : ""}`),
  calibrations: () => Object.fromEntries(bundle.list().map((e) => [e.id, e.calibration])),
  calibration: (q) => bundle.calibration(q.id, q.judge, q.model),
  tells_of: (q) => tellsOf(bytes(q.data), q.id, q.judge, q.model),
  audited: () => audited,
  asynchronous_audit: asynchronousAudit,
  awaited_audit: awaitedAudit,
  plain_data: () => [],
  costs,
  verdict_of_hits: (q) => client.verdict(q.rubric, q.scores, client.hits(q.rubric, q.text)),
  lone_surrogate: () => client.hits({ negative_criteria: [{ name: "n", fail_patterns: ["a"] }] }, "a\ud800"),
  odd_scores: oddScores,
  odd_arguments: oddArguments,
  change: (q) => change(q.id),
};

function failure(error) {
  return {
    type: error.name, text: error.message, missing: error.missing, unknown: error.unknown, invalid: error.invalid,
    unknown_hits: error.unknownHits, inactive: error.inactive,
    definition: (error.definition ?? []).length > 0, unknown_phase: error.unknownPhase,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { op, ...q } = JSON.parse(line);
  let out;
  try {
    out = { result: await answers[op](q) };
  } catch (error) {
    if (!(error instanceof client.BundleError)) throw error;
    out = { error: failure(error) };
  }
  process.stdout.write(`${JSON.stringify(out)}\n`);
}
