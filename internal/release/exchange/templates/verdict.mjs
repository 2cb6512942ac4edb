// The verdict of a rubric or a rule set on an output, for promptfoo: of the document in
// rubric.json or ruleset.json, or in a project of the one in ID.rubric.json or ID.ruleset.json.
// `rubric export` wrote this file.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hits, normalize, ruleScore, verdict } from "./rubric-bundle.mjs";

const read = new Map();

/** The text of a file of a document, which in a project begins with its ID, or undefined. */
function textOf(id, name) {
  const file = [`${id}.${name}`, name].map((each) => new URL(each, import.meta.url)).find((url) => existsSync(url));
  return file && readFileSync(file, "utf8");
}

/** The document with an ID and its reference, or undefined. */
function load(id) {
  if (typeof id !== "string" || !/^[a-z][a-z0-9_]*$/.test(id)) return undefined;
  if (!read.has(id)) {
    const found = ["rubric.json", "ruleset.json"].map((name) => textOf(id, name)).filter((text) => text !== undefined)
      .map((text) => ({ document: JSON.parse(text), digest: createHash("sha256").update(text).digest("hex") }))
      .find(({ document }) => id === (document.rubric_id ?? document.ruleset_id));
    read.set(id, found && { document: found.document, reference: `${id}@${found.document.version}#sha256:${found.digest}` });
  }
  return read.get(id);
}

const textOfOutput = (output) => (typeof output === "string" ? output : JSON.stringify(output));

const sentences = {
  criterion_below_minimum: ({ name, score, minimum }) => `the essential criterion ${name} must reach ${minimum}, got ${score}`,
  overall_below_threshold: ({ score, minimum }) => `the overall score must reach ${minimum}, got ${score}`,
  negative_criterion_hit: ({ name }) => `the negative criterion ${name} matches`,
  rule_failed: ({ rule, explanation }) => `the rule ${rule} must pass but failed${explanation && `: ${explanation}`}`,
  score_below_threshold: ({ score, threshold }) => `the score must reach ${threshold}, got ${score}`,
};

/** Searches the output for one negative criterion. An error fails the test. */
export function negative(output, { config }) {
  const rubric = load(config.rubric).document;
  const criterion = rubric.negative_criteria.find((each) => each.name === config.negative_criterion);
  const found = hits({ ...rubric, negative_criteria: [criterion] }, textOfOutput(output));
  return {
    pass: found.length === 0 || criterion.effect === "report",
    score: found.length === 0 ? 1 : 0,
    reason: found.length === 0 ? `${criterion.name} does not match` : `${criterion.name} matches at character ${found[0].start}`,
    metadata: { matches: found.length },
  };
}

/** Counts matches that do not overlap: no empty match directly after another match. */
function count(expression, text) {
  let [found, endBefore] = [0, -1];
  for (const match of text.matchAll(new RegExp(expression, "gu"))) {
    const inPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(match.index - 1, match.index + 1)); // V8 can stop there
    if (inPair || (match[0] === "" && match.index === endBefore)) continue;
    found++;
    endBefore = match.index + match[0].length;
  }
  return found;
}

/** How each rule of a rule set is decided: `asked` of the judge, by `searches`, or both. */
const checksOf = (id) => JSON.parse(textOf(id, "checks.json"));

/** Runs the checks of one rule that search a text. An error fails the test. */
export function search(output, { config }) {
  const text = textOfOutput(output);
  if (/\p{Surrogate}/u.test(text)) throw new Error("the output contains half of a surrogate pair");
  const normal = normalize(text);
  const failed = [];
  for (const { expression, ignore_case: ignoreCase, least, most } of checksOf(config.rule_set)[config.rule].searches) {
    // The long s is no form of the letter s, where only the case of A to Z is ignored.
    const found = count(expression, ignoreCase ? normal.replaceAll("\u017f", "\u01bb") : normal);
    if (found < least || found > (most ?? Infinity)) failed.push(`${found} matches, expected ${most === undefined ? `at least ${least}` : `${least} to ${most}`}`);
  }
  return { pass: failed.length === 0, score: failed.length === 0 ? 1 : 0, reason: failed.join("; ") || "each search has the expected matches", metadata: { searched: true } };
}

/**
 * The verdict, from the answers of the judge and what was searched for. What the judge and
 * promptfoo think of a score is ignored. Other assertions of a test have to pass too. Missing
 * or invalid answers are an error, which fails the test.
 */
export function assess(_, { componentResults }) {
  const results = [];
  for (let i = 0; i < componentResults.length; i++) {
    results.push(componentResults[i]);
    i += componentResults[i].componentResults?.length ?? 0; // those of a set, which has decided, follow it
  }
  const idOf = (result) => result.assertion?.config?.rubric ?? result.assertion?.config?.rule_set;
  const ids = [...new Set(results.map(idOf))].filter(load);
  if (ids.length !== 1) throw new Error(`a test needs the assertions of one document, and this one has those of ${ids.join(" and ") || "none"}`);
  const { document, reference } = load(ids[0]);
  const own = results.filter((result) => idOf(result) === ids[0]);
  const others = results.filter((result) => idOf(result) !== ids[0] && !result.pass && !result.assertion?.metricOnly).map((result) => result.reason);
  const { result, score, passed } = document.rubric_id === undefined ? ofRules(document, own) : ofCriteria(document, own);
  const reasons = [...result.reasons.map((reason) => sentences[reason.kind](reason)), ...others];
  const partOf = (each) => each.assertion?.config?.criterion ?? each.assertion?.config?.rule;
  return {
    pass: reasons.length === 0,
    score,
    reason: reasons.join("; ") || `the ${document.rubric_id === undefined ? "rule set" : "rubric"} passes`,
    componentResults: componentResults.map((each) => ({ ...each, pass: passed[partOf(each)] ?? each.pass })),
    metadata: { [document.rubric_id === undefined ? "rule_set" : "rubric"]: reference, verdict: result },
  };
}

/** The verdict of a rubric, from the results of its assertions. */
function ofCriteria(rubric, results) {
  const [scores, searched, found] = [{}, new Set(), []];
  for (const result of results) {
    const { criterion, negative_criterion: name } = result.assertion.config;
    if (name !== undefined) {
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
  return { result, score: result.overall, passed: Object.fromEntries(result.criteria.map((each) => [each.name, each.passed])) };
}

/**
 * The verdict of a rule set in phase B. The judge answers with numbers that promptfoo never
 * puts in the place of an answer.
 */
function ofRules(ruleSet, results) {
  const [followed, broken] = [3, 2];
  const [answers, found] = [{}, {}];
  for (const result of results) {
    const { rule } = result.assertion.config;
    const isSearch = result.assertion.type === "javascript";
    const all = isSearch ? found : answers;
    if (Object.hasOwn(all, rule)) throw new Error(`${rule} has two answers`);
    if (isSearch && result.metadata?.searched !== true) throw new Error(`the search for ${rule} failed: ${result.reason}`);
    if (!isSearch && (result.metadata?.graderError || ![followed, broken].includes(result.score))) {
      throw new Error(`the judge must answer ${followed} or ${broken} for ${rule}, got ${result.score}: ${result.reason}`);
    }
    all[rule] = { verdict: (isSearch ? result.pass : result.score === followed) ? "pass" : "fail", reason: String(result.reason ?? "") };
  }
  const verdicts = {};
  for (const [id, { asked, searches }] of Object.entries(checksOf(ruleSet.ruleset_id))) {
    if (asked && !Object.hasOwn(answers, id)) throw new Error(`the judge was not asked for ${id}`);
    if (searches.length > 0 && !Object.hasOwn(found, id)) throw new Error(`${id} was not searched for`);
    const given = [found[id], answers[id]].filter((each) => each !== undefined);
    verdicts[id] = given.find((each) => each.verdict === "fail") ?? given[0];
  }
  const result = ruleScore(ruleSet, "B", verdicts);
  return { result, score: result.score, passed: Object.fromEntries(result.rules.map((each) => [each.id, each.verdict === "pass"])) };
}
