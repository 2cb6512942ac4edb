// The types of rubric-bundle.mjs, whose comments say what each function does.

// Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update
/** The content of a rubric. */
export interface RubricData {
  /** The ID of the rubric, unique in the library. It never changes. An ending such as _v1 or _v2 is the major version. */
  readonly rubric_id: string;
  /** The display name. */
  readonly name: string;
  /** The version, in quotes: "MAJOR.MINOR.PATCH". It increases with each change; 0.x.y is a draft. */
  readonly version: string;
  /** The type of artifact that it grades, such as jira_tickets or test_plans. Also the name of its folder. */
  readonly artifact_type: string;
  /** What the rubric is for. People read it; judges don't. */
  readonly description?: string;
  /** The criteria, each scored from 1 to 5. */
  readonly criteria: ReadonlyArray<{
    /** The name of the criterion, unique in the rubric. Scores are recorded under this name. */
    readonly name: string;
    /** What the criterion judges: one observable property. */
    readonly description: string;
    /** Whether the rubric can pass if this criterion fails. */
    readonly weight: "essential" | "important";
    /** How much the score counts in the overall score, compared with the other criteria. */
    readonly relative_weight?: number;
    /** The lowest score, from 1.0 to 5.0, at which the criterion passes. */
    readonly threshold: number;
    /** What can be observed in an artifact at each score: 1 is worst, 3 is acceptable, 5 is excellent. */
    readonly anchors: {
      /** What can be observed in an artifact that scores 1. */
      readonly 1: string;
      /** What can be observed in an artifact that scores 2. */
      readonly 2: string;
      /** What can be observed in an artifact that scores 3. */
      readonly 3: string;
      /** What can be observed in an artifact that scores 4. */
      readonly 4: string;
      /** What can be observed in an artifact that scores 5. */
      readonly 5: string;
    };
    /** Excerpts from artifacts with a given score. Judges score better with them. */
    readonly examples: {
      /** An excerpt from an artifact that scores 1. */
      readonly score_1: string;
      /** An excerpt from an artifact that scores 3. */
      readonly score_3?: string;
      /** An excerpt from an artifact that scores 5. */
      readonly score_5: string;
    };
  }>;
  /** Patterns that should not appear anywhere in the artifact. */
  readonly negative_criteria?: ReadonlyArray<{
    /** The name of the negative criterion, unique in the rubric. Hits are reported under this name. */
    readonly name: string;
    /** What must not appear and why, for people. */
    readonly description?: string;
    /** Regular expressions to search for anywhere in the artifact. Write them in single quotes. */
    readonly fail_patterns: ReadonlyArray<string>;
    /** Whether to ignore case. If true, patterns must be ASCII. */
    readonly ignore_case?: boolean;
    /** The effect of a hit. */
    readonly effect?: "fail" | "report";
    /** Texts that the patterns must match. */
    readonly fail_examples?: ReadonlyArray<string>;
    /** Texts that the patterns must not match. */
    readonly pass_examples?: ReadonlyArray<string>;
  }>;
  /** Minimums in addition to those of the criteria. */
  readonly scoring?: {
    /** The lowest overall score (the mean of the scores, weighted by relative_weight) at which the rubric passes. */
    readonly pass_threshold?: number;
    /** The lowest score at which any essential criterion passes. */
    readonly essential_minimum?: number;
  };
  /** The labeled items that judges are measured on: a folder in calibration/ or a URL. */
  readonly calibration_dataset?: string;
  /** The language of the texts, such as en, de, or pt-BR. */
  readonly language?: string;
  /** Marks the document as deprecated: new users should not adopt it. */
  readonly deprecated?: {
    /** Why the document is deprecated. */
    readonly reason: string;
    /** The ID of the document to use instead. */
    readonly replaced_by?: string;
  };
  /** Short texts for your own use, such as owner or ticket. Search finds the words of owner and keywords. No judge reads them. */
  readonly metadata?: Readonly<Record<string, string>>;
}
/** The content of a rule set. */
export interface RuleSetData {
  /** The ID of the rule set, unique in the library. It never changes. An ending such as _v1 or _v2 is the major version. */
  readonly ruleset_id: string;
  /** The display name. */
  readonly name: string;
  /** The version, in quotes: "MAJOR.MINOR.PATCH". It increases with each change; 0.x.y is a draft. */
  readonly version: string;
  /** The type of artifact that it grades, such as jira_tickets or test_plans. Also the name of its folder. */
  readonly artifact_type: string;
  /** What the rule set is for. People read it; judges don't. */
  readonly description?: string;
  /** The condition under which the rule set passes. */
  readonly scoring: {
    /** The lowest score, from 0 to 1, at which the rule set passes. The score is the share of the total weight that the passed rules have. */
    readonly pass_threshold: number;
  };
  /** The rules. Each gets its own verdict. */
  readonly rules: ReadonlyArray<{
    /** The ID of the rule: phase.category.aspect, such as a.correctness.endpoints. */
    readonly id: string;
    /** What the rule checks. */
    readonly description: string;
    /** The effect of a failure. */
    readonly severity: "fail" | "warn" | "info";
    /** How much the rule counts. Default: 2 for fail, 1 for warn, 0 for info. */
    readonly weight: number;
    /** The phase from which the rule applies. Default: the first part of the ID. */
    readonly phase: "A" | "B";
    /** How to verify the rule: an instruction that a person or a judge can follow. */
    readonly check: string;
    /** The same instruction as automated checks. The rule passes if all of them pass. */
    readonly checks?: ReadonlyArray<{
      /** The type of check. */
      readonly type: "content";
      /** A regular expression to search for anywhere in the artifact's normalized text. Matches do not overlap. Write it in single quotes. */
      readonly pattern?: string;
      /** A literal text to search for. It is normalized like the artifact's text. */
      readonly literal?: string;
      /** The files to search in a folder or a Git diff, as patterns: * and ? match in a name, ** also across folders, such as "**\/*_test.go". Default: all files. If none matches, the check finds nothing in a Git diff, and can't be run in a folder. */
      readonly files?: ReadonlyArray<string>;
      /** Whether to ignore the case of A to Z. If true, patterns must be ASCII. */
      readonly ignore_case?: boolean;
      /** Whether ^ and $ match at the beginning and end of each line. */
      readonly multiline?: boolean;
      /** What makes the check pass. */
      readonly expect?: "present" | "absent";
      /** The minimum number of matches. Default: 1. With 0, there can be none. */
      readonly min_count?: number;
      /** The maximum number of matches. Default: no limit. */
      readonly max_count?: number;
    } | {
      /** The type of check. */
      readonly type: "executable";
      /** The program and its arguments, one per list element. It runs without a shell in the artifact's folder, or in a copy of an artifact that is a folder or a Git diff. In an argument, {artifact} is replaced with ./ and the artifact's file name, which is change.diff for a Git diff and empty for a folder. */
      readonly command: ReadonlyArray<string>;
    }>;
  }>;
  /** The language of the texts, such as en, de, or pt-BR. */
  readonly language?: string;
  /** Marks the document as deprecated: new users should not adopt it. */
  readonly deprecated?: {
    /** Why the document is deprecated. */
    readonly reason: string;
    /** The ID of the document to use instead. */
    readonly replaced_by?: string;
  };
  /** Short texts for your own use, such as owner or ticket. Search finds the words of owner and keywords. No judge reads them. */
  readonly metadata?: Readonly<Record<string, string>>;
}
// End of the generated block.

export const FORMAT_VERSION: number;
export const TOLERANCE: number;

export class BundleError extends Error {}
export class FormatError extends BundleError {
  readonly version: number;
}
export class IntegrityError extends BundleError {}
export class ContinuityError extends BundleError {}
export class NotFoundError extends BundleError {
  readonly near: readonly string[];
}
export class RetiredError extends BundleError {
  readonly id: string;
  readonly lastVersion: string;
  readonly reason: string;
  readonly replacedBy: string;
}
export class ConstraintError extends BundleError {
  readonly versions: readonly string[];
}
export class BadReferenceError extends BundleError {}
export class DigestError extends BundleError {}
export class AuditError extends BundleError {}
export class TextError extends BundleError {}
export class InputError extends BundleError {
  readonly arguments: readonly string[];
  readonly definition: readonly string[];
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
  readonly invalid: readonly string[];
  readonly unknownHits: readonly string[];
  readonly inactive: readonly string[];
  readonly unknownPhase: boolean;
}

interface DocumentOf<Kind, Data> {
  readonly id: string;
  readonly version: string;
  readonly kind: Kind;
  readonly digest: string;
  readonly bundleVersion: string;
  readonly reference: string;
  readonly data: Data;
  readonly yanked: string;
}
export type RubricDocument = DocumentOf<"rubric", RubricData>;
export type RuleSetDocument = DocumentOf<"rule_set", RuleSetData>;
export type Document = RubricDocument | RuleSetDocument;

/**
 * Whether a judge may be used for something. library_limits is yes, by limits of the library that are looser than the
 * defaults; not_yet, too few items or runs; and cannot_tell, the labels can't tell.
 */
export type Answer = "yes" | "library_limits" | "not_yet" | "cannot_tell" | "no";

/** The lowest correlation over the criteria, with its interval, or why it is undefined. */
export interface Correlation {
  /** The criterion that has it, or the first without a correlation. */
  readonly criterion: string;
  /** From -1 to 1. */
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
  readonly undefined?: string;
}

/** What a bundle says about a judge: a name, a model, a prompt, and a number of repeats. Nothing here holds for another one. */
export interface JudgeCalibration {
  readonly judge: string;
  readonly model: string;
  /** "" if it is unknown. */
  readonly prompt_digest: string;
  /** How many answers to an item are averaged. */
  readonly repeats: number;
  /** Its newest run, with its date. */
  readonly run: string;
  readonly date: string;
  /** Whether its order of works may stand for that of people. */
  readonly rank: Answer;
  /** Whether its verdicts may. */
  readonly gate: Answer;
  /** Why it may not gate, or by which limits. */
  readonly reason?: string;
  /** It is missing unless people gave the labels, and labels and answers are for the current wording. */
  readonly correlation?: Correlation;
}

/** How well judges agree with people on the latest version. */
export interface Calibration {
  /** Sorted by name. */
  readonly judges: readonly JudgeCalibration[];
  /** Why there are none. */
  readonly reason?: string;
  /** Who gave the labels. Only people's let a judge rank or gate. */
  readonly labeled_by?: "people" | "authors" | "model";
  /** The entry with the statistics. */
  readonly path?: string;
}

/** A version of a document. What is unknown is "". */
export interface Version {
  readonly version: string;
  /** "" of a withdrawn version. */
  readonly digest: string;
  /** The commit that first had the version, and its time in UTC. */
  readonly commit: string;
  readonly time: string;
  /** The version of the library that first contained it. */
  readonly release: string;
  /** Why constraints no longer select the version, or "". */
  readonly yanked: string;
  /** Why its content is no longer published, or "". */
  readonly withdrawn: string;
}

export interface Entry {
  readonly id: string;
  readonly kind: Document["kind"];
  readonly name: string;
  readonly artifactType: string;
  readonly description: string;
  readonly language: string;
  readonly latest: string;
  readonly versions: readonly Version[];
  readonly deprecated: { readonly reason: string; readonly replaced_by?: string } | null;
  readonly retired: { readonly reason: string; readonly replaced_by?: string } | null;
  readonly calibration: Calibration | null;
}

/** A document that a search found. */
export interface Match extends Entry {
  /** Ranks the results of one search; 0 if the query has no words. */
  readonly score: number;
  /** The places with the words of the query, such as "name" or "criteria[clarity]". */
  readonly matched: readonly string[];
  /** Whether no document has all the words of the query. */
  readonly partial: boolean;
}

/** A place that a search covers: its name, its weight, and its words, each between spaces. */
export type Place = readonly [name: string, weight: number, words: string];

/** The places of a line of the index, the ID first, for searchPlaces. */
export function placesOf(line: unknown): Place[];

/** The documents that a query finds, best first. */
export function searchPlaces(documents: Map<string, Place[]>, query: string): { id: string; score: number; matched: string[]; partial: boolean }[];

export interface AuditRecord {
  readonly kind: Document["kind"];
  readonly id: string;
  readonly version: string;
  readonly digest: string;
  readonly bundle_version: string;
  readonly bundle_digest: string;
  readonly request_id: string;
  readonly actor: string;
  readonly yanked: string;
}
/** What nothing has to wait for. Of void alone, an asynchronous function would be one, too. */
export type Finished = void | null | string | number | bigint | boolean | symbol | (object & NotThenable) | (NotThenable & Record<string, unknown>);
interface NotThenable {
  readonly then?: never;
}
export interface Options<Result = Finished> {
  digest?: string;
  audit?: (record: AuditRecord) => Result;
}
export interface Caller {
  requestId?: string;
  actor?: string;
}
export interface Omission {
  readonly id: string;
  readonly version: string;
  readonly commit: string;
  readonly reason: string;
}
export interface Manifest {
  readonly format_version: number;
  /** The first version of the program that reads this format, in format 2 and later. */
  readonly reader_version?: string;
  readonly library_version: string;
  readonly commit: string;
  readonly previous: string;
  readonly counts: { readonly documents: number; readonly rubrics: number; readonly rule_sets: number; readonly versions: number };
  readonly refused: readonly Omission[];
  readonly retired: readonly string[];
  readonly tombstones: readonly Omission[];
  /** In format 2 and later. */
  readonly yanked?: readonly Omission[];
}

export class Bundle {
  private constructor();
  readonly manifest: Manifest;
  readonly digest: string;
  readonly version: string;
  verify(options?: { after?: AsyncBundle }): void;
  read(path: string): Uint8Array;
  list(): readonly Entry[];
  search(query?: { artifactType?: string; text?: string; kind?: "" | "rubric" | "rule_set"; deprecated?: boolean; retired?: boolean }): readonly Match[];
  similarArtifactTypes(artifactType: string): readonly string[];
  /** What the bundle says about your judge and its model, or null if it has no such judge. */
  calibration(id: string, judge: string, model: string): JudgeCalibration | null;
  get(id: string, constraint?: string, options?: Caller): Document;
  getAsync(id: string, constraint?: string, options?: Caller): Promise<Document>;
  resolve(reference: string, options?: Caller): Document;
  resolveAsync(reference: string, options?: Caller): Promise<Document>;
}
/** A bundle that was opened with an asynchronous audit callback, for which get and resolve would not wait. */
export type AsyncBundle = Omit<Bundle, "get" | "resolve">;
/** The bundle for what the audit callback returns. */
export type OpenedWith<Result> = [Result] extends [Finished] ? Bundle : AsyncBundle;
export function open<Result = void>(source: ArrayBuffer | Uint8Array, options?: Options<Result>): Promise<OpenedWith<Result>>;
export function openFile<Result = void>(path: string | URL, options?: Options<Result>): Promise<OpenedWith<Result>>;

export interface FollowOptions<Result = Finished> extends Options<Result> {
  anyDigest?: boolean;
  lastGood?: string;
  /** In seconds. */
  interval?: number;
  headers?: Readonly<Record<string, string>>;
  token?: string;
  ca?: string | Uint8Array;
  downgrades?: boolean;
}
/** What a bundle in use and its successors have, with the methods of a bundle that was opened with the same callback. */
export type LiveOf<Opened> = Pick<Opened, Extract<keyof Opened, "get" | "getAsync" | "resolve" | "resolveAsync">> & {
  readonly current: Opened;
  /** In seconds. */
  readonly age: number;
  readonly checks: number;
  readonly refused: string;
  check(): Promise<void>;
  close(): void;
};
export type Live = LiveOf<Bundle>;
export type AsyncLive = LiveOf<AsyncBundle>;
type Bytes = ArrayBuffer | Uint8Array;
export function follow<Result = void>(
  source: string | URL | (() => Bytes | Promise<Bytes>), options: FollowOptions<Result>,
): Promise<LiveOf<OpenedWith<Result>>>;
export function satisfies(version: string, constraint: string): boolean;
export function normalize(text: string): string;

export interface Hit {
  readonly name: string;
  readonly pattern: string;
  readonly start: number;
  readonly end: number;
}
export interface Verdict {
  readonly passed: boolean;
  readonly overall: number;
  readonly pass_threshold: number;
  readonly criteria: ReadonlyArray<{
    readonly name: string; readonly weight: "essential" | "important"; readonly score: number; readonly minimum: number; readonly passed: boolean;
  }>;
  readonly negative_criteria: ReadonlyArray<{ readonly name: string; readonly effect: "fail" | "report" }>;
  readonly reasons: ReadonlyArray<{
    readonly kind: "criterion_below_minimum" | "overall_below_threshold" | "negative_criterion_hit";
    readonly name: string; readonly score: number; readonly minimum: number;
  }>;
}
export function hits(rubric: Document | RubricData, text: string): readonly Hit[];
export function verdict(rubric: Document | RubricData, scores: Readonly<Record<string, number>>, found: Iterable<string | Hit>): Verdict;

type JudgedCriterion = Pick<RubricData["criteria"][number], "name" | "description" | "anchors" | "examples">;
type JudgedRule = Pick<RuleSetData["rules"][number], "id" | "description" | "check">;
interface JudgeViewOf {
  id: string;
  version: string;
  digest: string;
}
export type RubricView = JudgeViewOf & { criteria: JudgedCriterion[] };
export type RuleSetView = JudgeViewOf & { rules: JudgedRule[] };
export function judgeView(rubric: RubricDocument | RubricData): RubricView;
export function judgeView(ruleSet: RuleSetDocument | RuleSetData): RuleSetView;
export function judgeView(document: Document): RubricView | RuleSetView;
export function answerSchema(rubric: Document | RubricData): Record<string, unknown>;

export interface RuleResult {
  readonly verdict: "pass" | "fail" | "skipped";
  readonly reason?: string;
}
export interface RuleScore {
  readonly passed: boolean;
  readonly phase: string;
  readonly score: number;
  readonly passed_weight: number;
  readonly active_weight: number;
  readonly threshold: number;
  readonly rules: ReadonlyArray<{
    readonly id: string; readonly severity: "fail" | "warn" | "info"; readonly weight: number;
    readonly verdict: "pass" | "fail" | "skipped"; readonly reason: string;
  }>;
  readonly blocking: readonly string[];
  readonly reasons: ReadonlyArray<{
    readonly kind: "rule_failed" | "rule_skipped" | "score_below_threshold";
    readonly rule: string; readonly explanation: string; readonly score: number; readonly threshold: number;
  }>;
}
export function ruleScore(ruleSet: Document | RuleSetData, phase: "A" | "B", results: Readonly<Record<string, RuleResult>>): RuleScore;
