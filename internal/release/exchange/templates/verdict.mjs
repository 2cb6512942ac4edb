// The verdict of a rubric on an output, for promptfoo: of the one in rubric.json, or in a project
// of the one in ID.rubric.json. `rubric export` wrote this file.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hits, verdict } from "./rubric-bundle.mjs";

const read = new Map();

/** The rubric with an ID and its reference, or undefined. */
function load(id) {
  if (typeof id !== "string" || !/^[a-z][a-z0-9_]*$/.test(id)) return undefined;
  if (!read.has(id)) {
    const file = [`${id}.rubric.json`, "rubric.json"].map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url));
    const text = file === undefined ? "{}" : readFileSync(file, "utf8");
    const rubric = JSON.parse(text);
    const digest = createHash("sha256").update(text).digest("hex");
    read.set(id, rubric.rubric_id === id ? { rubric, reference: `${id}@${rubric.version}#sha256:${digest}` } : undefined);
  }
  return read.get(id);
}

const sentences = {
  criterion_below_minimum: ({ name, score, minimum }) => `the essential criterion ${name} must reach ${minimum}, got ${score}`,
  overall_below_threshold: ({ score, minimum }) => `the overall score must reach ${minimum}, got ${score}`,
  negative_criterion_hit: ({ name }) => `the negative criterion ${name} matches`,
};

/** Searches the output for one negative criterion. An error fails the test. */
export function negative(output, { config }) {
  const { rubric } = load(config.rubric);
  const criterion = rubric.negative_criteria.find((each) => each.name === config.negative_criterion);
  const found = hits({ ...rubric, negative_criteria: [criterion] }, typeof output === "string" ? output : JSON.stringify(output));
  return {
    pass: found.length === 0 || criterion.effect === "report",
    score: found.length === 0 ? 1 : 0,
    reason: found.length === 0 ? `${criterion.name} does not match` : `${criterion.name} matches at character ${found[0].start}`,
    metadata: { matches: found.length },
  };
}

/**
 * The verdict, from the scores that the judge gave and the negative criteria that match. What
 * the judge and promptfoo think of a score is ignored. Other assertions of a test have to
 * pass too. Missing or invalid scores are an error, which fails the test.
 */
export function assess(_, { componentResults }) {
  const results = [];
  for (let i = 0; i < componentResults.length; i++) {
    results.push(componentResults[i]);
    i += componentResults[i].componentResults?.length ?? 0; // those of a set, which has decided, follow it
  }
  const ids = [...new Set(results.map((result) => result.assertion?.config?.rubric))].filter(load);
  if (ids.length !== 1) throw new Error(`a test needs the assertions of one rubric, and this one has those of ${ids.join(" and ") || "none"}`);
  const { rubric, reference } = load(ids[0]);
  const [scores, searched, found, others] = [{}, new Set(), [], []];
  for (const result of results) {
    const { rubric: id, criterion, negative_criterion: name } = result.assertion?.config ?? {};
    if (id !== rubric.rubric_id) {
      if (!result.pass && !result.assertion?.metricOnly) others.push(result.reason);
    } else if (name !== undefined) {
      if (typeof result.metadata?.matches !== "number") continue; // it failed
      searched.add(name);
      if (result.metadata.matches > 0) found.push(name);
    } else {
      if (Object.hasOwn(scores, criterion)) throw new Error(`${criterion} has two scores`);
      if (result.metadata?.graderError) throw new Error(`the judge gave no score for ${criterion}: ${result.reason}`);
      scores[criterion] = result.score;
    }
  }
  for (const { name } of rubric.negative_criteria ?? []) {
    if (!searched.has(name)) throw new Error(`${name} was not searched for`);
  }
  const result = verdict(rubric, scores, found);
  const passed = Object.fromEntries(result.criteria.map((each) => [each.name, each.passed]));
  const reasons = [...result.reasons.map((reason) => sentences[reason.kind](reason)), ...others];
  return {
    pass: reasons.length === 0,
    score: result.overall,
    reason: reasons.join("; ") || "the rubric passes",
    componentResults: componentResults.map((each) => ({ ...each, pass: passed[each.assertion?.config?.criterion] ?? each.pass })),
    metadata: { rubric: reference, verdict: result },
  };
}
