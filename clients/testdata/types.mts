// Uses the client as a strict TypeScript program does. The test compiles it, which fails if
// a line marked as an error has none, and runs it with a bundle.

import {
  answerSchema, follow, hits, judgeView, NotFoundError, open, openFile, ruleScore, verdict,
  type AsyncLive, type AuditRecord, type Document, type Live, type Options,
} from "../javascript/rubric-bundle.mjs";

declare const process: { argv: string[]; getBuiltinModule(name: string): { readFile(path: string): Promise<Uint8Array> } };
const { readFile } = process.getBuiltinModule("node:fs/promises");
const path = process.argv[2] ?? "";
const audited: string[] = [];
const bundle = await openFile(path, { audit: (record) => audited.push(record.kind, record.bundle_digest, record.actor) });
const rubric = bundle.get("user_story_quality_v1", "~1.2", { requestId: "r-17", actor: "ann" });
const rules = bundle.get("rest_api_design_v1");
if (rubric.kind !== "rubric" || rules.kind !== "rule_set") throw new Error("another kind");

const scores = Object.fromEntries(rubric.data.criteria.map(({ name, threshold }) => [name, threshold]));
const result = verdict(rubric, scores, hits(rubric, "One, etc."));
const score = ruleScore(rules, "A", Object.fromEntries(rules.data.rules.map(({ id }) => [id, { verdict: "pass" }])));
const view = judgeView(rubric);
const judge = bundle.calibration(rubric.id, "gpt-4", "gpt-4-0613");
const later = await openFile(path, { audit: async ({ actor }) => { audited.push(actor); } });
const same: Document = await later.getAsync(rubric.id, "~1.2", { actor: "ben" });
const again = await later.resolveAsync(same.reference);
const sooner = await open(await readFile(path), { audit: (record) => { console.error(record); } });
let near: readonly string[] = [];
try {
  bundle.get(`${rubric.id}x`);
} catch (error) {
  if (error instanceof NotFoundError) near = error.near;
}

void async function mistakes(sometimes: (record: AuditRecord) => void | Promise<void>, unknown: (record: AuditRecord) => unknown, bytes: Uint8Array) {
  // @ts-expect-error nothing would wait for the audit
  later.get(rubric.id);
  // @ts-expect-error also not of a reference
  later.resolve(rubric.reference);
  // @ts-expect-error also of bytes
  (await open(bytes, { audit: async () => {} })).get(rubric.id);
  // @ts-expect-error also if it is asynchronous only sometimes
  (await openFile(path, { audit: sometimes })).get(rubric.id);
  // @ts-expect-error or if nobody knows
  (await openFile(path, { audit: unknown })).get(rubric.id);
  // @ts-expect-error anything that can be awaited
  (await openFile(path, { audit: () => ({ then() {} }) })).resolve(rubric.reference);
  // @ts-expect-error options that a synchronous bundle is opened with
  const options: Options = { audit: async () => {} };
  sooner.get(rubric.id);
  sooner.verify({ after: later });
  (await openFile(path, options)).get(rubric.id);
  (await openFile(path, { audit: () => ({ stored: true }) })).get(rubric.id);
  (await openFile(path, { audit: () => { throw new Error("full"); } })).get(rubric.id);
  const live: Live = await follow("rubrics.zip", { anyDigest: true, lastGood: "last-good", audit: (record) => audited.push(record.id) });
  live.resolve(live.current.get(rubric.id).reference);
  const server: AsyncLive = await follow(() => bytes, { digest: "", interval: 5, audit: async () => {} });
  await server.getAsync((await server.current.resolveAsync(rubric.id)).id);
  // @ts-expect-error nothing would wait for the audit
  server.get(rubric.id);
  // @ts-expect-error nor here
  server.current.get(rubric.id);
  // @ts-expect-error a misspelled option
  await follow("rubrics.zip", { anyDigest: true, lastgood: "last-good" });
  // @ts-expect-error the first bundle needs a digest, or any
  await follow("rubrics.zip");
  // @ts-expect-error without hits, nobody has searched for them
  verdict(rubric, scores);
  // @ts-expect-error a misspelled key of a document
  void rubric.data.criterias;
  // @ts-expect-error a misspelled key within
  void rubric.data.criteria[0]?.treshold;
  // @ts-expect-error a word that does not exist
  void (rubric.data.criteria[0]?.weight === "high");
  // @ts-expect-error a key of the other kind
  void rubric.data.rules;
  // @ts-expect-error a key that may be missing
  void rubric.data.scoring.pass_threshold;
  // @ts-expect-error a misspelled key of a verdict
  void result.pased;
  // @ts-expect-error a misspelled option
  bundle.get(rubric.id, "", { requestID: "r-17" });
  // @ts-expect-error a misspelled verdict
  ruleScore(rules, "A", { a: { verdict: "passed" } });
  // @ts-expect-error what a judge does not read
  void view.criteria[0]?.weight;
  // @ts-expect-error a judge that may be absent
  void bundle.calibration(rubric.id, "gpt-4", "gpt-4-0613").gate;
  // @ts-expect-error a judge without its model
  bundle.calibration(rubric.id, "gpt-4");
  // @ts-expect-error an answer that does not exist
  void (judge?.gate === "met");
  // @ts-expect-error a correlation that may be missing
  void judge?.correlation.value;
  // @ts-expect-error a document can't be changed
  rubric.data.name = "x";
};

console.log(JSON.stringify({
  audited: audited.length, again: again.reference === rubric.reference, gate: judge?.gate, near, passed: typeof result.passed, score: score.score, view: Object.keys(view), schema: Object.keys(answerSchema(rubric)),
}));
