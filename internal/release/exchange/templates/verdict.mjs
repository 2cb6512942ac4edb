// The verdict of the rubric in rubric.json on an output, for promptfoo. `rubric export`
// wrote this file.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hits, verdict } from "./rubric-bundle.mjs";

const text = readFileSync(new URL("rubric.json", import.meta.url), "utf8");
const rubric = JSON.parse(text);
const reference = `${rubric.rubric_id}@${rubric.version}#sha256:${createHash("sha256").update(text).digest("hex")}`;

const sentences = {
  criterion_below_minimum: ({ name, score, minimum }) => `the essential criterion ${name} must reach ${minimum}, got ${score}`,
  overall_below_threshold: ({ score, minimum }) => `the overall score must reach ${minimum}, got ${score}`,
  negative_criterion_hit: ({ name }) => `the negative criterion ${name} matches`,
};

/** Searches the output for one negative criterion. An error fails the test. */
export function negative(output, { config }) {
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
  const [scores, searched, found, others] = [{}, new Set(), [], []];
  for (let i = 0; i < componentResults.length; i++) {
    const result = componentResults[i];
    i += result.componentResults?.length ?? 0; // those of a set, which has decided, follow it
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
