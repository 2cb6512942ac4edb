// @ts-check
/**
 * Read a bundle of scoring rubrics, and compute the same verdicts as the library.
 *
 * One ES module without dependencies, for Node.js 20 or later and for browsers. It
 * guarantees:
 *
 * - `open` checks the directory, the manifest, and the retired IDs, `get` the document that it
 *   returns and its line of the index, and `list` the index. `Bundle.verify` checks the whole bundle; `get` never returns a
 *   document that it rejects. Only the command `rubric verify` also checks patterns, hidden
 *   characters, and the changelog: `hits` throws an error for a pattern that it can't use.
 * - `verdict`, `hits`, and `ruleScore` return the same results as the library's Go
 *   packages. Vectors in the bundle (`conformance/*.json`) prove it.
 * - An input that can't be judged throws a typed error and never passes.
 * - Returned objects are frozen, except for those of `judgeView` and `answerSchema`, which
 *   are the caller's own.
 *
 *     const bundle = await openFile("rubrics.zip", { digest: "sha256:..." });
 *     const rubric = bundle.get("user_story_quality_v1", "~1.2");
 *     const found = hits(rubric, text);
 *     const result = verdict(rubric, scores, found);
 *     store(result.passed, rubric.reference);
 *
 * The whole file is kept in memory. Texts are compared in Unicode NFC as this engine
 * defines it, so results can differ for characters from newer Unicode versions.
 *
 * @module
 */

/** The newest format of bundles that this module reads. It reads the earlier ones, too. */
export const FORMAT_VERSION = 2;
/** A score reaches a minimum if score >= minimum - TOLERANCE. */
export const TOLERANCE = 1e-9;

/** @typedef {Record<string, any>} Json an object as JSON has it */
/** @typedef {{ kind: string, id: string, version: string, digest: string, bundle_version: string, bundle_digest: string,
 *   request_id: string, actor: string }} AuditRecord the fields of all clients */
/** @typedef {{ digest?: string, audit?: (record: Readonly<AuditRecord>) => unknown }} Options */
/** @typedef {{ requestId?: string, actor?: string }} Caller for the audit; actor is the person or service that the document is for */

// Errors.

/** The base class of all errors of this module. */
export class BundleError extends Error {}

/** The file is not a bundle, or has a format that this module can't read. */
export class FormatError extends BundleError {
  /** @param {string} message @param {number} [version] the unsupported format, or 0 for another reason */
  constructor(message, version = 0) {
    super(message);
    this.version = version;
  }
}

/** The bundle was changed or damaged. Do not use it; fetch it again. */
export class IntegrityError extends BundleError {}

/** The bundle lacks something that a consumer of an earlier bundle relies on. Keep the earlier one. */
export class ContinuityError extends BundleError {}

/**
 * The document or entry does not exist. `near` lists similar IDs. They are searched for when
 * `near` or the message is first read, because a request can carry an unknown ID.
 */
export class NotFoundError extends BundleError {
  /** @type {readonly string[] | undefined} */ #near;
  #word;
  #known;

  /** @param {string} message @param {string} [word] @param {Map<string, unknown>} [known] */
  constructor(message, word = "", known = new Map()) {
    super(message);
    this.#word = word;
    this.#known = known;
    const hint = () => (this.near.length > 0 ? `. Did you mean ${this.near.join(" or ")}?` : "");
    Object.defineProperty(this, "message", { configurable: true, get: () => message + hint() });
  }

  get near() {
    return (this.#near ??= Object.freeze(nearWords(this.#word, this.#known.keys())));
  }
}

/**
 * The document `id` is retired. You can still get it by its version. `lastVersion` is its last
 * version, or "" if that was withdrawn. `reason` says why it is retired, or is "" if the library
 * does not say, and `replacedBy` is the ID of the document to use instead, or "".
 */
export class RetiredError extends BundleError {
  /** @param {string} id @param {string} [lastVersion] @param {string} [reason] @param {string} [replacedBy] */
  constructor(id, lastVersion = "", reason = "", replacedBy = "") {
    const why = reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`;
    const instead = replacedBy === "" ? "There is no replacement" : `Use ${JSON.stringify(replacedBy)} instead`;
    super(`${JSON.stringify(id)} is retired${why}. ${instead}${lastVersion && `. To explain an old score, get its version, such as ${lastVersion}`}`);
    Object.assign(this, { id, lastVersion, reason, replacedBy });
  }
}

/** The constraint is invalid, or none of the existing `versions` satisfies it. */
export class ConstraintError extends BundleError {
  /** @param {string} message @param {readonly string[]} [versions] */
  constructor(message, versions = []) {
    super(message);
    this.versions = versions;
  }
}

/** The reference is invalid. */
export class BadReferenceError extends BundleError {}

/** The content that the reference names differs from that in the bundle, so one of the two was changed. */
export class DigestError extends BundleError {}

/** The audit callback failed; its error is the cause. No document was returned. */
export class AuditError extends BundleError {}

/** The text is not valid Unicode (it contains half of a surrogate pair), so it was not searched. */
export class TextError extends BundleError {}

/**
 * The document can't be applied to this input, so there is no verdict, or `arguments` are
 * wrong. Lists every problem: `definition` those of the document itself, the others as sorted names.
 */
export class InputError extends BundleError {
  /**
   * @param {unknown} id
   * @param {{ arguments?: string[], definition?: string[], missing?: string[], unknown?: string[], invalid?: string[],
   *   unknownHits?: string[], inactive?: string[], unknownPhase?: boolean }} found
   */
  constructor(id, found) {
    const list = (/** @type {string[]} */ names = []) => Object.freeze([...new Set(names)].sort());
    const parts = [...(found.arguments ?? []), ...(found.definition ?? [])];
    if (found.unknownPhase) parts.push("unknown phase, expected A or B");
    const named = /** @type {const} */ ([
      ["missing", "missing:"], ["unknown", "unknown:"], ["invalid", "invalid value for"],
      ["unknownHits", "unknown negative criterion:"], ["inactive", "not active in this phase:"],
    ]);
    for (const [key, what] of named) {
      if (found[key]?.length) parts.push(`${what} ${list(found[key]).map((name) => JSON.stringify(name)).join(", ")}`);
    }
    super(`${id === "" ? "" : `${JSON.stringify(id)} can't be applied: `}${parts.join("; ")}`);
    this.arguments = Object.freeze([...(found.arguments ?? [])]);
    this.definition = Object.freeze([...(found.definition ?? [])]);
    this.missing = list(found.missing);
    this.unknown = list(found.unknown);
    this.invalid = list(found.invalid);
    this.unknownHits = list(found.unknownHits);
    this.inactive = list(found.inactive);
    this.unknownPhase = found.unknownPhase ?? false;
    /** Whether there is any problem. */
    this.any = parts.length > 0;
  }
}

// Minifiers change the names of classes, but not those of properties.
for (const [name, { prototype }] of Object.entries({
  BundleError, FormatError, IntegrityError, ContinuityError, NotFoundError, RetiredError, ConstraintError, BadReferenceError,
  DigestError, AuditError, TextError, InputError,
})) Object.defineProperty(prototype, "name", { value: name, configurable: true, writable: true });

// The container. docs/bundle.md describes its format.

const MAX_SIZE = 2 ** 32 - 1;
const MAX_ENTRIES = 1_000_000;
const MAX_SMALL = 1 << 20; // a document, the manifest, a line of the index or of the calibrations
const MAX_ENTRY = 256 << 20;
const FIRST = ["manifest.json", "SHA256SUMS", "index.jsonl", "calibration.jsonl"];
const [MANIFEST, SUMS, INDEX, CALIBRATIONS] = FIRST;
const LEDGER_NAME = "retired.json";

const ID = /^(?=.{1,128}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const VERSION = /^(?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const TIME = /^(?:19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;
const JUDGE = /^(?=.{1,128}$)[a-z0-9]+(?:[_-][a-z0-9]+)*$/;
const RUN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const LABELERS = ["people", "authors", "model"];
const ANSWERS = ["yes", "library_limits", "not_yet", "cannot_tell", "no"];
const FILE = /^(?:schema|conformance)\/([a-z0-9]+(?:[._-][a-z0-9]+)*)\.json$/;
const CALIBRATION =
  /^calibration\/([a-z0-9]+(?:[_-][a-z0-9]+)*)(?:\/([a-z0-9]+(?:[_-][a-z0-9]+)*))?(?:\/([a-z0-9]+(?:[_-][a-z0-9]+)*))?\/([a-z0-9]+(?:[_-][a-z0-9]+)*)\.(?:json|jsonl|yaml)$/;
/** @type {Readonly<Record<string, string>>} */
const KINDS = { rubric: "rubrics", rule_set: "rulesets" };

/** @param {string} name */
const isDocument = (name) => name.startsWith("rubrics/") || name.startsWith("rulesets/");

/** Reports whether a name is valid for an entry of a bundle. @param {string} name */
function isName(name) {
  if (name.length > 300) return false;
  if ([...FIRST, "changelog.json", LEDGER_NAME].includes(name)) return true;
  if (isDocument(name)) {
    const [, id, file, ...more] = name.split("/");
    return more.length === 0 && ID.test(id) && file !== undefined && file.endsWith(".json") && VERSION.test(file.slice(0, -5));
  }
  const words = FILE.exec(name) ?? CALIBRATION.exec(name);
  return words !== null && words.slice(1).every((word) => (word ?? "").length <= 128);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** @param {Uint8Array} data */
function crc32(data) {
  let crc = 0xffffffff;
  for (let i = 0; i < data.length; i++) crc = CRC_TABLE[(crc ^ data[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The bytes of little-endian numbers, each given as [value, length]. @param {...[number, number]} numbers */
function bytes(...numbers) {
  const out = [];
  for (let [value, length] of numbers) {
    for (; length > 0; length--, value = Math.floor(value / 256)) out.push(value % 256);
  }
  return out;
}

/** The records after the zip's central directory. @param {number} count @param {number} size @param {number} offset */
function end(count, size, offset) {
  const out = [];
  if (count >= 0xffff) {
    out.push(0x50, 0x4b, 6, 6, ...bytes([44, 8], [0x032d, 2], [45, 2], [0, 8], [count, 8], [count, 8], [size, 8], [offset, 8]));
    out.push(0x50, 0x4b, 6, 7, ...bytes([0, 4], [offset + size, 8], [1, 4]));
  }
  const shown = Math.min(count, 0xffff);
  out.push(0x50, 0x4b, 5, 6, ...bytes([0, 4], [shown, 2], [shown, 2], [size, 4], [offset, 4], [0, 2]));
  return out;
}

/** @param {ArrayLike<unknown>} a @param {ArrayLike<unknown>} b */
function same(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** @typedef {{ crc: number, size: number, offset: number }} Extent an entry in the container */

/** @param {Uint8Array} data */
const viewOf = (data) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** Reports whether the fields that both records of an entry share are at a position. @param {DataView} view @param {number} at @param {Extent} place @param {number} length of the name */
function hasFacts(view, at, { crc, size }, length) {
  return view.getUint16(at, true) === 10 && view.getUint32(at + 2, true) === 0 && view.getUint32(at + 6, true) === 0x210000
    && view.getUint32(at + 10, true) === crc && view.getUint32(at + 14, true) === size && view.getUint32(at + 18, true) === size
    && view.getUint16(at + 22, true) === length;
}

/**
 * The place of each entry. It compares every byte of the zip's directory and of its end.
 * @param {Uint8Array} data
 * @returns {Map<string, Extent>}
 */
function readDirectory(data) {
  const view = viewOf(data);
  const last = data.length - 22;
  if (last < 0 || view.getUint32(last, true) !== 0x06054b50) throw new IntegrityError("the end of the zip is missing, or something follows it");
  let count = view.getUint16(last + 10, true);
  const [length, offset] = [view.getUint32(last + 12, true), view.getUint32(last + 16, true)];
  if (count === 0xffff && last >= 76 && view.getUint32(last - 76, true) === 0x06064b50) {
    count = Number(view.getBigUint64(last - 52, true));
    if (count > MAX_ENTRIES) throw new FormatError(`not a bundle: it has more than ${MAX_ENTRIES} entries`);
  }
  const stop = offset + length;
  if (!same(data.subarray(stop), end(count, length, offset))) throw new IntegrityError("the end of the zip does not match its directory");
  const text = new TextDecoder("latin1").decode(data.subarray(offset, stop));
  /** @type {Map<string, Extent>} */
  const entries = new Map();
  let next = 0;
  let at = offset;
  for (let named = 0; at < stop; at += 46 + named) {
    if (at + 46 > stop) throw new IntegrityError("the file ends within the directory");
    named = view.getUint16(at + 28, true);
    const name = text.slice(at - offset + 46, at - offset + 46 + named);
    if (!isName(name) || name.length !== named || entries.has(name)) {
      throw new IntegrityError(`${JSON.stringify(name.slice(0, 301))} is not a valid entry name, or appears twice`);
    }
    const place = { crc: view.getUint32(at + 16, true), size: view.getUint32(at + 20, true), offset: next };
    if (view.getUint32(at, true) !== 0x02014b50 || view.getUint16(at + 4, true) !== 0x0314 || !hasFacts(view, at + 6, place, named)
      || view.getUint32(at + 30, true) !== 0 || view.getUint32(at + 34, true) !== 0 || view.getUint32(at + 38, true) !== 0x81a40000
      || view.getUint32(at + 42, true) !== next) {
      throw new IntegrityError(`${name}: its record in the directory is not that of a bundle entry (compressed or changed)`);
    }
    entries.set(name, place);
    next += 30 + named + place.size;
    if (place.size > (name === MANIFEST || isDocument(name) ? MAX_SMALL : MAX_ENTRY) || next > offset) {
      throw new IntegrityError(`${name}: its size of ${place.size} bytes is too large`);
    }
  }
  if (at !== stop || next !== offset || entries.size !== count) throw new IntegrityError("the directory of the zip does not match its entries");
  const names = [...entries.keys()];
  if (!same(names, [...FIRST, ...names.slice(4).sort()])) {
    throw new IntegrityError("the entries are not those of a bundle, or not in order");
  }
  return entries;
}

/**
 * The hexadecimal SHA-256 of each entry except SHA256SUMS. Reading an entry finds a sum that is not one.
 * @param {Uint8Array} content @param {Map<string, Extent>} entries @returns {Map<string, string>}
 */
function readSums(content, entries) {
  const lines = new TextDecoder("latin1").decode(content).split("\n");
  const names = [...entries.keys()].filter((name) => name !== SUMS).sort();
  if (lines.pop() !== "" || !same(lines.map((line) => line.slice(64)), names.map((name) => `  ${name}`))) {
    throw new IntegrityError("SHA256SUMS does not list exactly the entries: one was added or removed");
  }
  return new Map(names.map((name, i) => [name, lines[i].slice(0, 64)]));
}

/** Rejects other files and future formats before any other check. @param {Uint8Array} data */
function checkFormat(data) {
  if (data.length === 0 || data.length > MAX_SIZE) throw new FormatError(`not a bundle: it has ${data.length} bytes`);
  if (!same(data.subarray(0, 4), [0x50, 0x4b, 3, 4])) throw new FormatError("not a bundle: it is not a zip file");
  const begin = 30 + MANIFEST.length;
  const named = data.length >= begin && data[26] === MANIFEST.length && data[27] === 0;
  if (!named || String.fromCharCode(...data.subarray(30, begin)) !== MANIFEST) {
    throw new FormatError(`not a bundle: it is a zip that does not begin with ${MANIFEST}`);
  }
  if (data[8] !== 0 || data[9] !== 0) return;
  const view = viewOf(data);
  const size = view.getUint32(18, true);
  const content = data.subarray(begin, begin + size);
  if (size > MAX_SMALL || content.length < size || crc32(content) !== view.getUint32(14, true)) return;
  let manifest;
  try {
    manifest = JSON.parse(utf8(content));
  } catch {
    return;
  }
  const version = manifest?.format_version;
  if (Number.isInteger(version) && version !== 0 && !isFormat(version)) {
    const install = matches(VERSION, manifest.reader_version) ? `version ${manifest.reader_version} or later` : "the newest version";
    throw new FormatError(`the bundle has format ${version}, but this module reads formats 1 to ${FORMAT_VERSION}: install ${install}`, version);
  }
}

const ROUNDS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/**
 * The hexadecimal SHA-256. WebCrypto has only an asynchronous one, and `get` is synchronous.
 * @param {Uint8Array} data
 */
function sha256(data) {
  const state = Int32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  const words = new Int32Array(64);
  const whole = data.length - (data.length % 64);
  const tail = new Uint8Array(data.length - whole < 56 ? 64 : 128);
  tail.set(data.subarray(whole));
  tail[data.length - whole] = 0x80;
  viewOf(tail).setUint32(tail.length - 8, Math.floor(data.length / 2 ** 29));
  viewOf(tail).setUint32(tail.length - 4, (data.length << 3) >>> 0);
  for (const view of [viewOf(data.subarray(0, whole)), viewOf(tail)]) {
    for (let at = 0; at < view.byteLength; at += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
      addBlock(state, words);
    }
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {Int32Array} state @param {Int32Array} words the first 16 are the block */
function addBlock(state, words) {
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
}

/** @param {Uint8Array} data */
const utf8 = (data) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);

// Canonical JSON (RFC 8785).

/** @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  if (typeof value === "string" && !isWellFormed(value)) throw new SyntaxError("half of a surrogate pair");
  return JSON.stringify(value);
}

/** Decodes canonical JSON and rejects every other form. @param {string} path @param {Uint8Array | string} data @returns {any} */
function decode(path, data) {
  try {
    const text = typeof data === "string" ? data : utf8(data);
    const value = JSON.parse(text);
    if (canonical(value) === text) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)) throw error;
  }
  throw new IntegrityError(`${path}: its JSON is not in canonical form`);
}

/** @template T @param {T} value @returns {T} */
function freeze(value) {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}

// The manifest and the index.

/** @param {unknown} condition @param {string} path @param {string} what */
function need(condition, path, what) {
  if (!condition) throw new IntegrityError(`${path}: ${what}`);
}

/** @param {RegExp} pattern @param {unknown} value */
const matches = (pattern, value) => typeof value === "string" && pattern.test(value);

/** @param {any} value @param {string} required @param {string} [optional] */
function hasKeys(value, required, optional = "") {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const wanted = required.split(" ").filter(Boolean);
  const known = new Set([...wanted, ...optional.split(" ")]);
  return wanted.every((key) => Object.hasOwn(value, key)) && Object.keys(value).every((key) => known.has(key));
}

/** @param {any} version */
const isFormat = (version) => Number.isInteger(version) && version >= 1 && version <= FORMAT_VERSION;

/** Whether a text is a time in UTC that exists. @param {any} text */
const isTime = (text) => matches(TIME, text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text.replace("Z", ".000Z");

/** @param {any} manifest */
function checkManifest(manifest) {
  const check = (/** @type {unknown} */ condition, /** @type {string} */ what) => need(condition, MANIFEST, `${what} is not valid`);
  const keys = "commit counts format_version library_version previous refused retired tombstones";
  const first = manifest?.format_version === 1;
  check(hasKeys(manifest, first ? keys : `${keys} reader_version yanked`), "the list of keys");
  check(isFormat(manifest.format_version), "format_version");
  check(first || matches(VERSION, manifest.reader_version), "reader_version");
  check(matches(VERSION, manifest.library_version), "library_version");
  check(matches(COMMIT, manifest.commit), "commit");
  check(manifest.previous === "" || matches(DIGEST, manifest.previous), "previous");
  check(hasKeys(manifest.counts, "documents rubrics rule_sets versions"), "counts");
  const { retired } = manifest;
  check(Array.isArray(retired) && retired.every((id, i) => matches(ID, id) && (i === 0 || retired[i - 1] < id)), "retired");
  for (const key of ["refused", "tombstones", ...(first ? [] : ["yanked"])]) {
    check(Array.isArray(manifest[key]), key);
    let before = "";
    for (const entry of manifest[key]) {
      check(hasKeys(entry, "commit id reason version") && Object.values(entry).every((text) => typeof text === "string"), key);
      check(ID.test(entry.id) && entry.reason !== "", key);
      check((entry.version === "" && key === "refused") || VERSION.test(entry.version), key);
      check(entry.commit === "" || COMMIT.test(entry.commit), key);
      const now = `${entry.id}\0${entry.version}\0${entry.commit}`;
      check(before < now, key);
      before = now;
    }
  }
}

/** @param {any} line @param {string} path @param {number} format */
function checkLine(line, path, format) {
  const check = (/** @type {unknown} */ condition, /** @type {string} */ what) => need(condition, path, `${what} is not valid`);
  const optional = `deprecated description ${format === 1 ? "" : "keywords owner "}language parts retired`;
  check(hasKeys(line, "artifact_type id kind latest name versions", optional), "the list of keys");
  check(matches(ID, line.id), "id");
  check(line.kind === "rubric" || line.kind === "rule_set", "kind");
  check(matches(ID, line.artifact_type), "artifact_type");
  check(line.retired === undefined || line.retired === true, "retired");
  const texts = [line.name, line.description ?? "-", line.language ?? "-", line.keywords ?? "-", line.owner ?? "-"];
  for (const key of optional.split(" ")) check(line[key] !== null, key);
  if (line.deprecated !== undefined) {
    check(hasKeys(line.deprecated, "reason", "replaced_by"), "deprecated");
    check(line.deprecated.replaced_by === undefined || matches(ID, line.deprecated.replaced_by), "deprecated");
    texts.push(line.deprecated.reason);
  }
  check(line.parts === undefined || (Array.isArray(line.parts) && line.parts.length > 0), "parts");
  for (const part of line.parts ?? []) {
    check(hasKeys(part, "list name", "text") && PART_LISTS.includes(part.list) && part.text !== null, "parts");
    texts.push(part.name, part.text ?? "-");
  }
  check(texts.every((text) => typeof text === "string" && text !== ""), "a text");
  check(Array.isArray(line.versions) && line.versions.length > 0, "versions");
  let before = [-1, 0, 0];
  for (const version of line.versions) {
    check(hasKeys(version, "digest version", format === 1 ? "" : "commit release time") && Object.values(version).every((value) => value !== null), "versions");
    const { commit, release = "1.0.0", time } = version;
    check(matches(VERSION, version.version) && matches(DIGEST, version.digest) && matches(VERSION, release), "versions");
    check(commit === undefined ? time === undefined : matches(COMMIT, commit) && isTime(time), "versions");
    check(compare(before, parts(version.version)) < 0, "versions");
    before = parts(version.version);
  }
  check(line.versions.some((/** @type {Json} */ { version }) => version === line.latest), "latest");
}

/**
 * The calibrations by ID. It checks all of them and their order.
 * @param {string[]} texts @param {number} format @returns {Map<string, Json>}
 */
function readCalibrations(texts, format) {
  const found = new Map();
  let before = "";
  for (const text of texts) {
    const path = `${CALIBRATIONS}: line ${found.size + 1}`;
    const { id, ...calibration } = readCalibration(text, path, format);
    need(before < id, path, "it is not sorted by ID");
    before = id;
    found.set(id, calibration);
  }
  return found;
}

/**
 * A checked line of the calibrations, in which judges is never missing.
 * @param {string} text @param {string} path @param {number} format @returns {Json}
 */
function readCalibration(text, path, format) {
  const check = (/** @type {unknown} */ condition, what = "the calibration is not valid") => need(condition, path, what);
  check(new TextEncoder().encode(text).length <= MAX_SMALL, "it is too long");
  const line = decode(path, text);
  const first = format === 1;
  check(hasKeys(line, "id", first ? "path correlation reason" : "path reason judges labeled_by") && matches(ID, line.id));
  check(Object.values(line).every((value) => value !== null));
  const { correlation, ...calibration } = line;
  const { path: entry = "calibration/a/a.json", reason = "-", judges = [null], labeled_by: labeledBy } = calibration;
  check(typeof entry === "string" && entry.startsWith("calibration/") && isName(entry));
  check(typeof reason === "string" && reason !== "");
  const reasoned = "reason" in line;
  if (first) {
    check((correlation !== undefined) !== reasoned && ("path" in line || reasoned) && isCorrelation(correlation ?? 0));
    return { ...calibration, judges: [], reason: calibration.reason ?? "A bundle of format 1 does not name its judges." };
  }
  check("path" in line ? LABELERS.includes(labeledBy) : labeledBy === undefined);
  check("judges" in line !== reasoned && (reasoned || "path" in line) && Array.isArray(judges) && judges.length > 0);
  let before = "";
  for (const judge of line.judges ?? []) {
    check(isJudge(judge, labeledBy));
    check(before < judge.judge, "its judges are not sorted by name");
    before = judge.judge;
  }
  return { judges: [], ...calibration };
}

/** Whether a judge is valid for labels of people or of others. @param {any} judge @param {string} labeledBy */
function isJudge(judge, labeledBy) {
  if (!hasKeys(judge, "date gate judge model prompt_digest rank repeats run", "correlation reason")) return false;
  const { correlation, date, gate, model, prompt_digest: prompt, rank, reason = "-", repeats, run } = judge;
  const given = [rank, gate].some((answer) => ANSWERS.indexOf(answer) < 2);
  return matches(JUDGE, judge.judge) && typeof model === "string" && model !== ""
    && (prompt === "" || matches(DIGEST, prompt))
    && Number.isInteger(repeats) && repeats >= 1 && repeats <= 1000
    && matches(RUN, run) && typeof date === "string" && isTime(`${date}T00:00:00Z`)
    && ANSWERS.includes(rank) && ANSWERS.includes(gate)
    && typeof reason === "string" && reason !== "" && "reason" in judge === (gate !== "yes")
    && ("correlation" in judge ? hasCorrelation(correlation) && labeledBy === "people" : !given);
}

/** Whether the correlation of a judge is valid. @param {any} of */
function hasCorrelation(of) {
  if (!hasKeys(of, "criterion", "value low high undefined") || !matches(ID, of.criterion)) return false;
  const { value = 0, low = -1, high = 1, undefined: why = "-" } = of;
  return "value" in of !== "undefined" in of && "low" in of === "high" in of && (!("low" in of) || "value" in of)
    && typeof why === "string" && why !== "" && [value, low, high].every(isCorrelation) && low <= high;
}

/** @param {unknown} value */
const isCorrelation = (value) => typeof value === "number" && Math.abs(value) <= 1;

const PART_LISTS = ["criteria", "negative_criteria", "rules"];

/** The parts that the index has for a document. @param {Json} document */
const partsOf = (document) => PART_LISTS.flatMap((list) => (document[list] ?? []).map((/** @type {Json} */ { name, id, description }) => (
  { list, name: list === "rules" ? id : name, ...(description ? { text: description } : {}) })));

/** @param {string} version */
const parts = (version) => version.split(".").map(Number);

/** @param {readonly number[]} a @param {readonly number[]} b */
const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** @param {string} kind @param {string} id @param {string} version */
const pathOf = (kind, id, version) => `${KINDS[kind]}/${id}/${version}.json`;

/** @param {string} text @param {string} path @param {number} format @returns {Json} */
function readLine(text, path, format) {
  need(new TextEncoder().encode(text).length <= MAX_SMALL, path, "it is too long");
  const line = decode(path, text);
  checkLine(line, path, format);
  return line;
}

/**
 * The lines of the index by ID, with their calibrations. It checks all of them and their order.
 * @param {Iterable<string>} texts @param {Map<string, Json>} calibrations @param {number} format
 * @returns {Map<string, Json>}
 */
function readIndex(texts, calibrations, format) {
  const lines = new Map();
  let before = "";
  for (const text of texts) {
    const path = `${INDEX}: line ${lines.size + 1}`;
    const line = readLine(text, path, format);
    need(before < line.id, path, "it is not sorted by ID");
    before = line.id;
    lines.set(line.id, line);
    if (calibrations.has(line.id)) line.calibration = calibrations.get(line.id);
  }
  for (const id of calibrations.keys()) need(lines.has(id), CALIBRATIONS, "it has a line for a document that is not in the index");
  return lines;
}

/** What the names of the entries of a bundle and its manifest say about its documents. */
class Documents {
  /** The kind of each, in the order of the IDs. @type {Map<string, string>} */
  kinds;
  /** @type {Map<string, Set<string>>} */
  #versions = new Map();
  #retired;

  /** @param {Iterable<string>} names of the entries @param {Json} manifest */
  constructor(names, manifest) {
    const kinds = new Map();
    for (const name of names) {
      if (!isDocument(name)) continue;
      const [folder, id, file] = name.split("/");
      const kind = folder === KINDS.rubric ? "rubric" : "rule_set";
      need((kinds.get(id) ?? kind) === kind, name, "there is a document of the other kind with the same ID");
      kinds.set(id, kind);
      this.#versions.set(id, (this.#versions.get(id) ?? new Set()).add(file.slice(0, -5)));
    }
    this.kinds = new Map([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#retired = new Set(manifest.retired);
    /** Why versions were yanked, by ID and version. */
    this.yanked = reasonsOf(manifest.yanked ?? []);
    /** Why versions were withdrawn, by ID and version. */
    this.withdrawn = reasonsOf(manifest.tombstones);
    this.#checkManifest(manifest);
  }

  /** @param {string} id @param {string} version */
  #has(id, version) {
    return this.#versions.get(id)?.has(version) ?? false;
  }

  /** @param {Json} manifest */
  #checkManifest({ counts, retired, tombstones, yanked = [] }) {
    const kinds = [...this.kinds.values()];
    const rubrics = kinds.filter((kind) => kind === "rubric").length;
    const versions = [...this.#versions.values()].reduce((sum, { size }) => sum + size, 0);
    const found = { documents: kinds.length, rubrics, rule_sets: kinds.length - rubrics, versions };
    need(canonical(counts) === canonical(found), MANIFEST, "the counts do not match the entries");
    for (const id of retired) need(this.kinds.has(id), MANIFEST, `it lists ${id} as retired, of which the bundle has no version`);
    for (const { id, version } of tombstones) need(!this.#has(id, version), MANIFEST, `${id} ${version} is present although it was withdrawn`);
    for (const { id, version } of yanked) need(this.#has(id, version), MANIFEST, `it yanks ${id} ${version}, which is not in the bundle`);
  }

  /** @param {Json[]} ledger */
  checkLedger(ledger) {
    for (const { id, last_version: last } of ledger) {
      // The owners of the library can accept that a document comes back.
      const versions = [...(this.#versions.get(id) ?? [])];
      const right = this.#retired.has(id) || versions.length === 0 || versions.some((version) => compare(parts(version), parts(last)) > 0);
      need(right, LEDGER_NAME, `it lists ${id}, which is not retired`);
    }
  }

  /** The lines of the index by ID, of which there must be one for each document. They are not checked yet. @param {string[]} texts */
  split(texts) {
    const ids = [...this.kinds.keys()];
    ids.forEach((id, i) => {
      // In canonical JSON, a quotation mark in a text is escaped, so that this is the key.
      need(/,"id":"([^"]*)/.exec(texts[i] ?? "")?.[1] === id, INDEX, `line ${i + 1} is not that of ${id}: expected a line for each document, sorted by ID`);
    });
    need(texts.length === ids.length, INDEX, `it has ${texts.length} lines, but the bundle has ${ids.length} documents`);
    return new Map(ids.map((id, i) => [id, texts[i]]));
  }

  /** Compares a line of the index with the manifest and the entries. @param {Json} line @param {Map<string, string>} sums */
  checkLine({ id, kind, latest, retired = false, versions, calibration }, sums) {
    for (const { version, digest } of versions) {
      const path = pathOf(kind, id, version);
      need(`sha256:${sums.get(path)}` === digest, path, "it is missing or differs from the index");
    }
    need(versions.length === this.#versions.get(id)?.size, INDEX, `it does not list every version of ${id}`);
    need(this.#retired.has(id) === retired, MANIFEST, `the index differs in whether ${id} is retired`);
    const left = versions.filter((/** @type {Json} */ { version }) => !this.yanked.get(id)?.has(version));
    need(left.length > 0 || retired, MANIFEST, `it yanks every version of ${id}, which is not retired`);
    need(latest === (left.length > 0 ? left : versions).at(-1).version, INDEX, `its latest version of ${id} is not the highest that is not yanked`);
    const statistics = calibration?.path ?? MANIFEST;
    need(sums.has(statistics), statistics, "it is missing");
  }
}

/** The reasons of a list of the manifest, by ID and version. @param {Json[]} list @returns {Map<string, Map<string, string>>} */
function reasonsOf(list) {
  const found = new Map();
  for (const { id, version, reason } of list) found.set(id, (found.get(id) ?? new Map()).set(version, reason));
  return found;
}

// The types of documents and of the ledger, in the notation of the library's package
// internal/document/schema.

// Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update
const PATTERNS = [
    "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
    "[^\\t\\n\\v\\f\\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]",
    "^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$",
    "[^x]|x",
    "^(calibration/[^ \\\\]+|[A-Za-z][A-Za-z0-9+.-]+:[^ \\\\]+)$",
    "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
    "^[a-z][a-z0-9]*([_.-][a-z0-9]+){0,15}$",
    "^[ab](\\.[a-z][a-z0-9]*([_-][a-z0-9]+)*){2}$",
    "^(?:[^/\\\\.][^/\\\\]*|\\.[^/\\\\.][^/\\\\]*|\\.\\.[^/\\\\]+)(?:/(?:[^/\\\\.][^/\\\\]*|\\.[^/\\\\.][^/\\\\]*|\\.\\.[^/\\\\]+))*$",
];
const LEDGER = {
    "may": {},
    "must": {
        "retired": {
            "list": {
                "may": {"replaced_by": {"most": 128, "text": 0}},
                "must": {
                    "id": {"most": 128, "text": 0},
                    "kind": {"words": ["rubric", "rule_set"]},
                    "last_version": {"text": 2},
                    "reason": {"text": 1},
                },
            },
        },
    },
};
const RUBRIC = {
    "may": {
        "calibration_dataset": {"text": 4},
        "deprecated": {"may": {"replaced_by": {"most": 128, "text": 0}}, "must": {"reason": {"text": 1}}},
        "description": {"text": 1},
        "language": {"default": "\"en\"", "most": 64, "text": 5},
        "metadata": {"keys": 6, "map": {"most": 256, "text": 1}, "most": 32},
        "negative_criteria": {
            "list": {
                "may": {
                    "description": {"text": 1},
                    "effect": {"default": "\"fail\"", "words": ["fail", "report"]},
                    "fail_examples": {"list": {"text": 3}},
                    "ignore_case": {"default": "false", "flag": 1},
                    "pass_examples": {"list": {"text": 3}},
                },
                "must": {"fail_patterns": {"least": 1, "list": {"text": 3}}, "name": {"most": 128, "text": 0}},
            },
        },
        "scoring": {"may": {"essential_minimum": {"number": [1, 5]}, "pass_threshold": {"number": [1, 5]}}, "must": {}},
    },
    "must": {
        "artifact_type": {"most": 128, "text": 0},
        "criteria": {
            "least": 1,
            "list": {
                "may": {"relative_weight": {"default": "1", "number": [2.2250738585072014e-308, 1000]}},
                "must": {
                    "anchors": {
                        "may": {},
                        "must": {"1": {"text": 1}, "2": {"text": 1}, "3": {"text": 1}, "4": {"text": 1}, "5": {"text": 1}},
                    },
                    "description": {"text": 1},
                    "examples": {"may": {"score_3": {"text": 1}}, "must": {"score_1": {"text": 1}, "score_5": {"text": 1}}},
                    "name": {"most": 128, "text": 0},
                    "threshold": {"number": [1, 5]},
                    "weight": {"words": ["essential", "important"]},
                },
            },
        },
        "name": {"text": 1},
        "rubric_id": {"most": 128, "text": 0},
        "version": {"text": 2},
    },
};
const RULE_SET = {
    "may": {
        "deprecated": {"may": {"replaced_by": {"most": 128, "text": 0}}, "must": {"reason": {"text": 1}}},
        "description": {"text": 1},
        "language": {"default": "\"en\"", "most": 64, "text": 5},
        "metadata": {"keys": 6, "map": {"most": 256, "text": 1}, "most": 32},
    },
    "must": {
        "artifact_type": {"most": 128, "text": 0},
        "name": {"text": 1},
        "rules": {
            "least": 1,
            "list": {
                "may": {
                    "checks": {
                        "list": {
                            "by": "type",
                            "of": {
                                "content": {
                                    "may": {
                                        "expect": {"default": "\"present\"", "words": ["present", "absent"]},
                                        "files": {"least": 1, "list": {"most": 256, "text": 8}, "most": 100},
                                        "ignore_case": {"default": "false", "flag": 1},
                                        "literal": {"text": 3},
                                        "max_count": {"whole": [0, 1000000]},
                                        "min_count": {"whole": [0, 1000000]},
                                        "multiline": {"default": "false", "flag": 1},
                                        "pattern": {"text": 3},
                                    },
                                    "must": {"type": {"words": ["content", "executable"]}},
                                    "one": ["pattern", "literal"],
                                },
                                "executable": {
                                    "may": {},
                                    "must": {
                                        "command": {"least": 1, "list": {"text": 3}},
                                        "type": {"words": ["content", "executable"]},
                                    },
                                },
                            },
                        },
                    },
                },
                "must": {
                    "check": {"text": 1},
                    "description": {"text": 1},
                    "id": {"most": 128, "text": 7},
                    "phase": {"words": ["A", "B"]},
                    "severity": {"words": ["fail", "warn", "info"]},
                    "weight": {"number": [0, 1000000]},
                },
            },
        },
        "ruleset_id": {"most": 128, "text": 0},
        "scoring": {"may": {}, "must": {"pass_threshold": {"number": [0, 1]}}},
        "version": {"text": 2},
    },
};
// End of the generated block.

const COMPILED = PATTERNS.map((pattern) => new RegExp(pattern, "u"));
/** @type {Json} */
const DOCUMENTS = { rubric: RUBRIC, rule_set: RULE_SET };

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reports whether a value in canonical form has a type. Values that equal the default must be omitted.
 * @param {any} kind @param {any} value @returns {boolean}
 */
function fits(kind, value) {
  if (kind.text !== undefined) {
    return typeof value === "string" && COMPILED[kind.text].test(value) && (kind.most === undefined || Array.from(value).length <= kind.most);
  }
  if (kind.words) return kind.words.includes(value);
  if (kind.flag) return typeof value === "boolean";
  if (kind.number || kind.whole) {
    const [low, high] = kind.number ?? kind.whole;
    return typeof value === "number" && value >= low && value <= high && (!kind.whole || Number.isInteger(value));
  }
  if (kind.list) {
    return Array.isArray(value) && value.length >= (kind.least ?? 0) && value.every((item) => fits(kind.list, item));
  }
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  if (kind.map) return entries.length <= kind.most && entries.every(([key, item]) => COMPILED[kind.keys].test(key) && fits(kind.map, item));
  if (kind.by) return typeof value[kind.by] === "string" && Object.hasOwn(kind.of, value[kind.by]) && fits(kind.of[value[kind.by]], value);
  if (kind.one && kind.one.filter((/** @type {string} */ key) => Object.hasOwn(value, key)).length !== 1) return false;
  return Object.keys(kind.must).every((key) => Object.hasOwn(value, key)) && entries.every(([key, item]) => {
    if (Object.hasOwn(kind.must, key)) return fits(kind.must[key], item);
    if (!Object.hasOwn(kind.may, key) || !fits(kind.may[key], item)) return false;
    const text = canonical(item);
    return text !== "[]" && text !== "{}" && text !== kind.may[key].default;
  });
}

/**
 * The data of a document, which must be what a release writes under this name.
 * @param {string} kind @param {string} id @param {string} version @param {Uint8Array} content @returns {Json}
 */
function readDocument(kind, id, version, content) {
  const path = pathOf(kind, id, version);
  const data = decode(path, content);
  need(fits(DOCUMENTS[kind], data), path, `it does not match the schema of a ${kind}, or contains a default value`);
  need(data[kind === "rubric" ? "rubric_id" : "ruleset_id"] === id && data.version === version, path, "its ID or version differs from its path");
  const problems = kind === "rubric" ? [...criteriaProblems(data), ...negativeProblems(data)] : ruleSetProblems(data);
  need(problems.length === 0, path, problems.join("; "));
  return data;
}

/** Parses a JSON object that is not nested too deeply. @param {string} path @param {string} text @returns {Json} */
function readObject(path, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new IntegrityError(`${path}: it is not JSON`);
  }
  need(isObject(value) && nesting(value, 100), path, "it is not a JSON object, or is nested too deeply");
  return value;
}

/** @param {any} value @param {number} most @returns {boolean} */
function nesting(value, most) {
  return typeof value !== "object" || value === null || (most > 0 && Object.values(value).every((item) => nesting(item, most - 1)));
}

/** Checks an entry for people and other programs. @param {string} path @param {Uint8Array} content */
function checkText(path, content) {
  let text = "";
  try {
    text = utf8(content);
  } catch {
    throw new IntegrityError(`${path}: it is not UTF-8`);
  }
  if (path.endsWith(".json")) {
    const { vectors } = readObject(path, text);
    const good = Array.isArray(vectors) && vectors.every((vector) => isObject(vector) && typeof vector.name === "string" && vector.name !== "");
    need(good || !path.startsWith("conformance/"), path, "it is not a list of vectors, each with a name");
  } else if (path.endsWith(".jsonl")) {
    for (const line of text.split("\n")) if (/[^ \t\r]/.test(line)) readObject(path, line);
  }
}

// Versions.

const PART = "(?:0|[1-9][0-9]{0,14}|[xX*])";
const CONSTRAINT = `(!=|>=|=>|<=|=<|~>|[=<>~^])?[\\t\\n\\f\\r ]*v?(${PART})(?:\\.(${PART}))?(?:\\.(${PART}))?`;
const ALL = new RegExp(`^[\\t\\n\\f\\r ]*${CONSTRAINT}(?:(?:[\\t\\n\\f\\r ]+|[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*)${CONSTRAINT})*[\\t\\n\\f\\r ]*$`);
const EACH = new RegExp(CONSTRAINT, "g");
const RANGE = new RegExp(`(?<![^\\t\\n\\f\\r ,|])(v?${PART}(?:\\.${PART}){0,2})[\\t\\n\\f\\r ]+-[\\t\\n\\f\\r ]+(v?${PART}(?:\\.${PART}){0,2})(?![^\\t\\n\\f\\r ,|])`, "g");

/**
 * Reports whether a version such as "1.2.0" satisfies a constraint.
 *
 * A constraint is an exact version (1.2.0), ~1.2 (1.2.x), ^1 (1.x.x), a
 * comparison (= != > >= < <=), a part (1.2, 1.x, *), or a range (1.0 - 1.4). A
 * space or a comma joins constraints that must all hold, and || joins alternatives.
 * This is the syntax of Masterminds/semver, which the Go packages use, without
 * prereleases (-beta), build metadata (+1), and leading zeros, because no document has them.
 *
 * @param {string} version @param {string} constraint
 */
export function satisfies(version, constraint) {
  needTexts({ version, constraint });
  if (!matches(VERSION, version)) throw new ConstraintError(`${JSON.stringify(version)} is not a version: expected three numbers such as 1.2.0`);
  const given = parts(version);
  return parseConstraint(constraint).map((group) => group.every(([operator, numbers]) => holds(given, operator, numbers))).includes(true);
}

/**
 * The alternatives, each a list of operators with the numbers of their version.
 * @param {string} text @returns {[string, number[]][][]}
 */
function parseConstraint(text) {
  const quoted = JSON.stringify(text);
  const alternatives = text.replace(RANGE, " >=$1 <=$2 ").split("||");
  if (new TextEncoder().encode(text).length > 512 || alternatives.length > 32) throw new ConstraintError("the constraint is too long");
  return alternatives.map((alternative) => {
    if (!ALL.test(alternative)) throw new ConstraintError(`${quoted} is not a constraint: expected a form such as 1.2.0, ~1.2, ^1, or ">=1.2, <2"`);
    return Array.from(alternative.matchAll(EACH), ([, operator = "", ...given]) => {
      const unknown = given.findIndex((part) => part === undefined || /[xX*]/.test(part));
      const numbers = unknown < 0 ? given : given.slice(0, unknown);
      if (numbers.length === 0 && !["", "=", ">=", "=>", "~", "~>"].includes(operator)) {
        throw new ConstraintError(`${quoted} has an operator without a version`);
      }
      return /** @type {[string, number[]]} */ ([operator, numbers.map(Number)]);
    });
  });
}

/** @param {number[]} given @param {string} operator @param {number[]} numbers */
function holds(given, operator, numbers) {
  const least = [...numbers, 0, 0, 0].slice(0, 3);
  const agrees = (/** @type {number} */ count) => numbers.slice(0, count).every((number, i) => number === given[i]);
  const order = compare(given, least);
  switch (operator) {
    case "!=": return !agrees(3);
    case ">": return order > 0 && !agrees(3);
    case "<": return order < 0;
    case ">=": case "=>": return order >= 0;
    case "<=": case "=<": return order < 0 || agrees(3);
    case "^": {
      const first = numbers.findIndex((number) => number > 0);
      return order >= 0 && agrees(first < 0 ? 3 : first + 1);
    }
    case "~": case "~>":
      if (numbers.length === 3 && compare(least, [0, 0, 0]) === 0) return true; // as the Go packages do
      return order >= 0 && agrees(2);
  }
  return agrees(3);
}

// The bundle.

/**
 * One version of a rubric or a rule set.
 *
 * @typedef {object} Document
 * @property {string} id
 * @property {string} version
 * @property {"rubric" | "rule_set"} kind
 * @property {string} digest "sha256:" and the SHA-256 of the canonical JSON
 * @property {string} bundleVersion
 * @property {string} reference the reference to store with a score: id@version#digest; Bundle.resolve accepts it
 * @property {Json} data the content, frozen
 * @property {string} yanked why constraints no longer select this version, or ""
 */

/**
 * The index entry of a document, for lists and searches.
 *
 * @typedef {object} Entry
 * @property {string} id
 * @property {"rubric" | "rule_set"} kind
 * @property {string} name
 * @property {string} artifactType
 * @property {string} description
 * @property {string} language
 * @property {string} latest
 * @property {readonly Version[]} versions from lowest to highest, also those that are yanked or withdrawn
 * @property {{ reason: string, replaced_by?: string } | null} deprecated
 * @property {{ reason: string, replaced_by?: string } | null} retired null unless the document is retired; reason is "" if
 *   the library does not say
 * @property {{ judges: readonly JudgeCalibration[], reason?: string, labeled_by?: "people" | "authors" | "model",
 *   path?: string } | null} calibration how well judges agree with people on the latest version: the judges, sorted by name,
 *   or the reason why there are none; who gave the labels; and path, the entry with the statistics. null if the document
 *   names no labeled items.
 *
 * What a bundle says about a judge: a name, a model, a prompt, and a number of repeats. Nothing
 * here holds for another one.
 *
 * @typedef {object} JudgeCalibration
 * @property {string} judge
 * @property {string} model
 * @property {string} prompt_digest "" if it is unknown
 * @property {number} repeats how many answers to an item are averaged
 * @property {string} run its newest one
 * @property {string} date that of the run
 * @property {Answer} rank whether its order of works may stand for that of people
 * @property {Answer} gate whether its verdicts may
 * @property {string} [reason] why it may not gate, or by which limits
 * @property {{ criterion: string, value?: number, low?: number, high?: number, undefined?: string }} [correlation] the
 *   lowest over the criteria, with its interval, or why it is undefined. It is missing unless people gave the labels, and
 *   labels and answers are for the current wording.
 *
 * library_limits is yes, by limits of the library that are looser than the defaults; not_yet, too few items or runs; and
 * cannot_tell, the labels can't tell.
 *
 * @typedef {"yes" | "library_limits" | "not_yet" | "cannot_tell" | "no"} Answer
 */

/**
 * A version of a document. Of a withdrawn one, nothing else is known. What is unknown is "".
 *
 * @typedef {object} Version
 * @property {string} version
 * @property {string} digest
 * @property {string} commit the one that first had the version
 * @property {string} time that of the commit in UTC, such as 2026-11-21T08:30:00Z
 * @property {string} release the version of the library that first contained it
 * @property {string} yanked why constraints no longer select the version, or ""
 * @property {string} withdrawn why its content is no longer published, or ""
 */

const [MOST_CACHED, MOST_COMPARED, MOST_PROBLEMS] = [512, 200, 10];
// Methods of a bundle for this module only.
const STEPS = Symbol("steps");
const CONTINUE = Symbol("continue");

/**
 * A document that a search found.
 *
 * @typedef {object} Found
 * @property {number} score ranks the results of one search; 0 if the query has no words
 * @property {readonly string[]} matched the places with the words of the query, such as "name" or "criteria[clarity]"
 * @property {boolean} partial whether no document has all the words of the query
 *
 * @typedef {Entry & Found} Match
 */

/** An open bundle, as returned by `open` and `openFile`. */
export class Bundle {
  #data;
  #entries;
  /** @type {Map<string, string>} */ #sums = new Map();
  #known;
  #texts;
  #gone;
  /** @type {readonly Entry[] | undefined} */ #all;
  /** @type {Map<string, any>} */ #cache = new Map();
  /** @type {Map<string, Json> | undefined} */ #lines;
  /** @type {Map<string, Place[]>} */ #places = new Map();
  #audit;
  #metrics;

  /** @param {Uint8Array} data @param {string | undefined} digest @param {Options["audit"]} audit @param {Metrics | undefined} metrics */
  constructor(data, digest, audit, metrics) {
    checkFormat(data);
    this.#metrics = metrics;
    this.#data = data;
    this.#entries = readDirectory(data);
    this.#audit = audit;
    const sums = this.#load(SUMS);
    this.#sums = readSums(sums, this.#entries);
    /** "sha256:" and the SHA-256 of SHA256SUMS. @readonly */
    this.digest = `sha256:${sha256(sums)}`;
    if (digest !== undefined && digest !== this.digest) {
      throw new IntegrityError(`the digest of the bundle is ${this.digest}, expected ${digest}: it is another bundle, or it was replaced`);
    }
    const first = this.#load(MANIFEST);
    need(first[first.length - 1] === 10, MANIFEST, "it does not end with a line feed");
    const manifest = decode(MANIFEST, first.subarray(0, -1));
    checkManifest(manifest);
    this.#known = new Documents(this.#entries.keys(), manifest);
    this.#texts = this.#known.split(this.#split(INDEX));
    const ledger = this.#ledger();
    this.#known.checkLedger(ledger);
    this.#gone = new Map(ledger.map((entry) => [entry.id, entry]));
    /** The manifest of the bundle. @type {Json} @readonly */
    this.manifest = freeze(manifest);
    /** The version of the library. @type {string} @readonly */
    this.version = manifest.library_version;
    Object.freeze(this);
  }

  /**
   * Up to three artifact types with a similar spelling, most similar first, or none if a
   * document has the artifact type itself.
   * @param {string} artifactType
   */
  similarArtifactTypes(artifactType) {
    needTexts({ artifactType });
    const types = new Set([...this.#documents().values()].map((line) => line.artifact_type));
    return Object.freeze(types.has(artifactType) ? [] : nearWords(artifactType, types));
  }

  /** The content of an entry, compared with the directory and SHA256SUMS. @param {string} name */
  #load(name) {
    const place = /** @type {Extent} */ (this.#entries.get(name));
    const { crc, size, offset } = place;
    const view = viewOf(this.#data);
    const start = offset + 30 + name.length;
    const named = String.fromCharCode(...this.#data.subarray(offset + 30, start)) === name;
    if (!named || view.getUint32(offset, true) !== 0x04034b50 || !hasFacts(view, offset + 4, place, name.length) || view.getUint16(offset + 28) !== 0) {
      throw new IntegrityError(`${name}: its local header differs from the directory`);
    }
    const content = this.#data.subarray(start, start + size);
    if (crc32(content) !== crc) throw new IntegrityError(`${name}: its content was changed (CRC-32)`);
    const sum = this.#sums.get(name);
    if (sum !== undefined && sha256(content) !== sum) throw new IntegrityError(`${name}: its content was changed (SHA256SUMS)`);
    return content;
  }

  /** The lines of an entry. @param {string} name */
  #split(name) {
    let texts = [""];
    try {
      texts = utf8(this.#load(name)).split("\n");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new IntegrityError(`${name}: it is not UTF-8`);
    }
    need(texts.pop() === "", name, "it does not end with a line feed");
    return texts;
  }

  /** The checked lines of the index by ID. @returns {Map<string, Json>} */
  #documents() {
    return (this.#lines ??= this.#readIndex());
  }

  #readIndex() {
    const format = this.manifest.format_version;
    const lines = readIndex(this.#texts.values(), readCalibrations(this.#split(CALIBRATIONS), format), format);
    for (const line of lines.values()) this.#known.checkLine(line, this.#sums);
    return lines;
  }

  /** @template T @param {string} key @param {() => T} make @returns {T} */
  #cached(key, make) {
    let value = this.#cache.get(key);
    if (value === undefined) {
      value = make();
      if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
      this.#cache.set(key, value);
    }
    return value;
  }

  /**
   * Checks that the whole bundle is what a release of the library writes, except for
   * patterns, hidden characters, and the changelog.
   *
   * With `after`, an earlier bundle, it also checks that everything a consumer of that
   * bundle relies on still holds: every version has its content unless it was withdrawn
   * since, and every withdrawal and every retired ID is still listed. It also checks that
   * this bundle continues the line of releases, as far as both record it. It does not
   * verify who built the bundle. Throws IntegrityError or ContinuityError.
   *
   * @param {{ after?: Bundle }} [options]
   */
  verify(options = {}) {
    only(options, "after", "verify");
    const { after } = options;
    if (after !== undefined && !(after instanceof Bundle)) throw wrongArguments(`after must be an open bundle, got ${shown(after)}`);
    for (const _ of this[STEPS]());
    if (after !== undefined) this[CONTINUE](after);
  }

  /** Checks the whole bundle, a part at each step. */
  *[STEPS]() {
    for (const path of this.#entries.keys()) yield this.#load(path); // the whole container first, which is the cheaper part
    const lines = this.#readIndex();
    for (const path of this.#entries.keys()) {
      yield;
      const content = this.#load(path);
      if (isDocument(path)) {
        const [folder, id, file] = path.split("/");
        const [line, version] = [/** @type {Json} */ (lines.get(id)), file.slice(0, -5)];
        const data = readDocument(folder === "rubrics" ? "rubric" : "rule_set", id, version, content);
        if (line.latest !== version) continue;
        for (const key of ["name", "artifact_type", "description", "language", "deprecated"]) {
          need(canonical(line[key] ?? null) === canonical(data[key] ?? null), INDEX, `its ${key} of ${id} differs from ${path}`);
        }
        const metadata = this.manifest.format_version > 1 ? data.metadata : undefined;
        need(line.keywords === metadata?.keywords, INDEX, `its keywords of ${id} differ from ${path}`);
        // The first bundles of format 2 have no owners.
        need(line.owner === undefined || line.owner === metadata?.owner, INDEX, `its owner of ${id} differs from ${path}`);
        need(canonical(line.parts ?? []) === canonical(partsOf(data)), INDEX, `its parts of ${id} differ from ${path}`);
        const named = !line.retired && data.calibration_dataset !== undefined;
        need((line.calibration !== undefined) === named, INDEX, `its calibration of ${id} differs from ${path}`);
      } else if (![...FIRST, LEDGER_NAME].includes(path)) {
        checkText(path, content);
      }
    }
    for (const path of ["changelog.json", "conformance/hits.json", "conformance/verdict.json", LEDGER_NAME]) {
      need(this.#entries.has(path), path, "it is missing, and every bundle has it");
    }
  }

  /** @returns {Json[]} */
  #ledger() {
    if (!this.#entries.has(LEDGER_NAME)) return [];
    const content = this.#load(LEDGER_NAME);
    need(content[content.length - 1] === 10, LEDGER_NAME, "it does not end with a line feed");
    const ledger = decode(LEDGER_NAME, content.subarray(0, -1));
    need(fits(LEDGER, ledger), LEDGER_NAME, "it does not match the schema of the ledger");
    return ledger.retired;
  }

  /**
   * Checks that everything that a consumer of an earlier bundle relies on still holds.
   * @param {Bundle} old
   */
  [CONTINUE](old) {
    const problems = [...this.#lineProblems(old), ...this.#versionProblems(old), ...this.#listProblems(old)];
    if (problems.length === 0) return;
    const listed = problems.length > MOST_PROBLEMS ? [...problems.slice(0, MOST_PROBLEMS), "and more"] : problems;
    throw new ContinuityError(`the bundle does not continue the previous one: ${listed.join("; ")}. Keep the previous bundle, and ask the maintainers of the library`);
  }

  /** Compares the positions in the line of releases. @param {Bundle} old */
  *#lineProblems(old) {
    const [now, before] = [parts(this.version), parts(old.version)];
    const { previous } = this.manifest;
    const order = compare(now, before);
    const next = compare(now, [before[0], before[1], before[2] + 1]) === 0;
    if (this.digest === old.digest) return;
    if (order < 0) yield `it is library ${this.version}, but the previous one is ${old.version}: a version never goes down`;
    else if (order === 0) yield `both are library ${this.version}, but with different content: ${this.digest} and ${old.digest}`;
    else if (previous === "") yield `it claims to be the first release, but library ${old.version} came before it`;
    else if (previous === old.manifest.previous) yield `its previous bundle must be library ${old.version}, got that library's own previous bundle, ${previous}`;
    else if (next && previous !== old.digest) yield `it is library ${this.version}, which follows ${old.version}, so its previous bundle must be ${old.digest}, got ${previous}`;
  }

  /** Compares the versions. Their entries identify them, so the indexes are not read. @param {Bundle} old */
  *#versionProblems(old) {
    const withdrawn = this.#namesOf("tombstones");
    for (const path of [...old.#entries.keys()].filter(isDocument)) {
      const [, id, file] = path.split("/");
      const [expected, got] = [old.#sums.get(path), this.#sums.get(path)];
      if (expected === got) continue;
      if (!withdrawn.has(`${id} ${file.slice(0, -5)}`)) {
        yield got === undefined ? `${path}: is missing, and the manifest does not list it as withdrawn`
          : `${path}: has different content: expected sha256:${expected}, got sha256:${got}`;
      }
      const [kind, now] = [old.#known.kinds.get(id), this.#known.kinds.get(id)];
      if (now !== undefined && kind !== now) yield `${path}: ${id} must be a ${kind}, got a ${now}`;
    }
  }

  /** Compares the lists of withdrawn and yanked versions, and the ledgers. @param {Bundle} old */
  *#listProblems(old) {
    const [withdrawn, yanked] = [this.#namesOf("tombstones"), this.#namesOf("yanked")];
    for (const name of old.#namesOf("tombstones")) {
      if (!withdrawn.has(name)) yield `${MANIFEST}: no longer lists ${name} as withdrawn`;
    }
    for (const name of old.#namesOf("yanked")) {
      if (!yanked.has(name) && !withdrawn.has(name)) yield `${MANIFEST}: no longer lists ${name} as yanked`;
    }
    for (const id of [...old.#gone.keys()].sort()) {
      if (!this.#gone.has(id)) yield `${LEDGER_NAME}: no longer lists ${id}: a retired ID must never be reused`;
    }
  }

  /** The IDs and versions of a list of the manifest. @param {string} list */
  #namesOf(list) {
    return new Set((this.manifest[list] ?? []).map((/** @type {Json} */ { id, version }) => `${id} ${version}`));
  }

  /** Returns a copy of an entry such as "conformance/verdict.json". Throws NotFoundError if it does not exist. @param {string} path */
  read(path) {
    needTexts({ path });
    if (!this.#entries.has(path)) throw new NotFoundError(`the bundle has no entry ${JSON.stringify(path)}`);
    return this.#load(path).slice();
  }

  /** All documents, sorted by ID, including retired and deprecated ones. @returns {readonly Entry[]} */
  list() {
    return (this.#all ??= freeze([...this.#documents().values()].map((line) => this.#entryOf(line))));
  }

  /**
   * The documents for an artifact type that contain every word of the text, best first.
   *
   * The search covers the ID, the artifact type, the name, the description, the keywords, the
   * owner, and the criteria, negative criteria, and rules. Case, word order, and characters
   * between words are ignored. A word that no document contains can have one typo. Of a reference, only
   * the ID counts. Deprecated and retired documents are excluded by default.
   *
   * @param {{ artifactType?: string, text?: string, kind?: "" | "rubric" | "rule_set", deprecated?: boolean, retired?: boolean }} query
   * @returns {readonly Match[]}
   */
  search(query = {}) {
    only(query, "artifactType text kind deprecated retired", "search");
    const { artifactType = "", text = "", kind = "", deprecated = false, retired = false } = query;
    needTexts({ artifactType, text, kind });
    needFlags({ deprecated, retired });
    if (kind !== "" && !Object.hasOwn(KINDS, kind)) throw wrongArguments(`kind must be "rubric" or "rule_set", or "" for both, got ${shown(kind)}`);
    /** @type {Map<string, Place[]>} */
    const documents = new Map();
    for (const [id, line] of this.#documents()) {
      if (artifactType !== "" && artifactType !== line.artifact_type || kind !== "" && kind !== line.kind) continue;
      if (!(line.retired ? retired : deprecated || line.deprecated === undefined)) continue;
      const places = this.#places.get(id) ?? placesOf(line);
      this.#places.set(id, places);
      documents.set(id, places);
    }
    return freeze(searchPlaces(documents, text).map((found) => ({ ...this.#entryOf(/** @type {Json} */ (this.#documents().get(found.id))), ...found })));
  }

  /** @param {Json} line @returns {Entry} */
  #entryOf(line) {
    const { yanked, withdrawn } = this.#known;
    const gone = this.#gone.get(line.id) ?? {};
    const here = line.versions.map((/** @type {Json} */ { version, digest, commit = "", time = "", release = "" }) => (
      { version, digest, commit, time, release, yanked: yanked.get(line.id)?.get(version) ?? "", withdrawn: "" }));
    const left = [...(withdrawn.get(line.id) ?? [])].map(([version, reason]) => (
      { version, digest: "", commit: "", time: "", release: "", yanked: "", withdrawn: reason }));
    return {
      id: line.id, kind: line.kind, name: line.name, artifactType: line.artifact_type,
      description: line.description ?? "", language: line.language ?? "en", latest: line.latest,
      versions: [...here, ...left].sort((a, b) => compare(parts(a.version), parts(b.version))),
      deprecated: line.deprecated ? { ...line.deprecated } : null,
      retired: line.retired ? { reason: gone.reason ?? "", ...(gone.replaced_by && { replaced_by: gone.replaced_by }) } : null,
      calibration: line.calibration ?? null,
    };
  }

  /**
   * What the bundle says about your judge and the model that it asks, for the latest version
   * of a document. Compare prompt_digest and repeats with yours as well.
   *
   * It is null if the bundle has no such judge, so that nothing is known about it: the name
   * or the model is another one, or the document names no labeled items. Throws NotFoundError
   * for an unknown ID.
   *
   * @param {string} id @param {string} judge @param {string} model @returns {JudgeCalibration | null}
   */
  calibration(id, judge, model) {
    needTexts({ id, judge, model });
    this.#line(id);
    return this.#calibration(id).judges.find((/** @type {Json} */ each) => each.judge === judge && each.model === model) ?? null;
  }

  /** The checked calibration of a document, without judges if it has none. @param {string} id @returns {Json} */
  #calibration(id) {
    return this.#cached(`${CALIBRATIONS} ${id}`, () => {
      const text = this.#split(CALIBRATIONS).find((each) => each.includes(`"id":"${id}"`)); // in canonical JSON, a quotation mark in a text is escaped
      if (text === undefined) return freeze({ judges: [] });
      const line = readCalibration(text, `${CALIBRATIONS}: the line of ${id}`, this.manifest.format_version);
      need(line.id === id, CALIBRATIONS, `the line of ${id} is that of another document`);
      return freeze(line);
    });
  }

  /**
   * The highest version of a document that satisfies the constraint.
   *
   * Without a constraint, it returns the latest version, or throws RetiredError if the
   * document is retired. For a gate, use an exact version or ~1.2, because a minor
   * version can reword what a judge reads. NotFoundError lists similar IDs, and
   * ConstraintError lists the existing versions.
   *
   * @param {string} id @param {string} [constraint] @param {Caller} [options]
   * @returns {Readonly<Document>}
   */
  get(id, constraint = "", options = {}) {
    return this.#handOut({ id, constraint }, options);
  }

  /**
   * The same document as `get`, after the audit callback has finished. Use it for a bundle
   * whose callback is asynchronous, which `get` refuses.
   *
   * @param {string} id @param {string} [constraint] @param {Caller} [options]
   * @returns {Promise<Readonly<Document>>}
   */
  async getAsync(id, constraint = "", options = {}) {
    return this.#handOutAudited({ id, constraint }, options);
  }

  /**
   * The document of a stored reference, id@version#digest, or of id@constraint or an ID.
   * Throws DigestError if the content in the bundle has another digest, and otherwise the
   * same errors as `get`.
   *
   * @param {string} reference @param {Caller} [options]
   * @returns {Readonly<Document>}
   */
  resolve(reference, options = {}) {
    return this.#handOut(parseReference(reference), options);
  }

  /**
   * The same document as `resolve`, after the audit callback has finished.
   *
   * @param {string} reference @param {Caller} [options]
   * @returns {Promise<Readonly<Document>>}
   */
  async resolveAsync(reference, options = {}) {
    return this.#handOutAudited(parseReference(reference), options);
  }

  /** @param {Wanted} wanted @param {Caller} options @returns {Readonly<Document>} */
  #handOut(wanted, options) {
    const call = { begin: performance.now(), kind: "any" };
    try {
      const { document, pending } = this.#audited(wanted, options, call);
      refusePending(document, pending, "use getAsync or resolveAsync, which wait for it");
      return this.#handedOut(call, document);
    } catch (error) {
      throw this.#refused(call, error);
    }
  }

  /** @param {Wanted} wanted @param {Caller} options @returns {Promise<Readonly<Document>>} */
  async #handOutAudited(wanted, options) {
    const call = { begin: performance.now(), kind: "any" };
    try {
      const { document, pending } = this.#audited(wanted, options, call);
      let answer;
      try {
        answer = await pending;
      } catch (error) {
        throw auditFailed(document, error);
      }
      refusePending(document, answer, "pass a function that returns a promise");
      return this.#handedOut(call, document);
    } catch (error) {
      throw this.#refused(call, error);
    }
  }

  /** @param {Call} call @param {Readonly<Document>} document */
  #handedOut({ begin, kind }, document) {
    this.#metrics?.retrieved(begin, kind, "ok", document);
    return document;
  }

  /** @param {Call} call @param {any} error */
  #refused({ begin, kind }, error) {
    this.#metrics?.retrieved(begin, kind, OUTCOMES.get(error?.constructor) ?? "error");
    return error;
  }

  /**
   * The document that a caller wants, and what the audit callback returned.
   * @param {Wanted} wanted @param {Caller} options @param {Call} call @returns {{ document: Readonly<Document>, pending: any }}
   */
  #audited({ id, constraint, digest }, options, call) {
    only(options, "requestId actor", "get");
    const { requestId = "", actor = "" } = options;
    needTexts({ id, constraint, requestId, actor });
    const line = this.#line(id);
    call.kind = line.kind;
    const document = this.#chosen(line, constraint, digest);
    const { kind, version, yanked } = document;
    const record = Object.freeze({
      kind, id, version, digest: document.digest, bundle_version: this.version, bundle_digest: this.digest, request_id: requestId, actor, yanked,
    });
    try {
      return { document, pending: this.#audit?.(record) };
    } catch (error) {
      throw auditFailed(document, error);
    }
  }

  /** @param {Json} line @param {string} constraint @param {string | undefined} digest @returns {Readonly<Document>} */
  #chosen(line, constraint, digest) {
    const { id } = line;
    const yanked = this.#known.yanked.get(id) ?? new Map();
    const chosen = choose(line, constraint, yanked, this.#known.withdrawn.get(id) ?? new Map(), this.#gone.get(id));
    if (digest !== undefined && chosen.digest !== digest) {
      throw new DigestError(`${id}@${chosen.version}#${digest} names different content: this bundle has ${chosen.digest}`);
    }
    return this.#cached(pathOf(line.kind, id, chosen.version), () => this.#document(line, chosen, yanked.get(chosen.version) ?? ""));
  }

  /** The checked line of the index of a document. @param {string} id @returns {Json} */
  #line(id) {
    const text = this.#texts.get(id);
    if (text !== undefined) return this.#cached(id, () => this.#readLine(id, text));
    const gone = this.#gone.get(id);
    if (gone === undefined && !this.#known.withdrawn.has(id)) {
      throw new NotFoundError(`the bundle has no document ${JSON.stringify(id)?.slice(0, 300)}`, id, this.#texts);
    }
    // No version is left.
    return { id, kind: gone?.kind ?? "", latest: gone?.last_version ?? "", versions: [], retired: gone !== undefined };
  }

  /** @param {string} id @param {string} text @returns {Json} */
  #readLine(id, text) {
    const path = `${INDEX}: the line of ${id}`;
    const line = readLine(text, path, this.manifest.format_version);
    need(line.id === id, path, "it has another ID");
    this.#known.checkLine(line, this.#sums);
    return line;
  }

  /** @param {Json} line @param {Json} chosen @param {string} yanked @returns {Readonly<Document>} */
  #document({ kind, id }, { version, digest }, yanked) {
    const path = pathOf(kind, id, version);
    need(`sha256:${this.#sums.get(path)}` === digest, path, "it is missing or differs from the index");
    const data = readDocument(kind, id, version, this.#load(path));
    return freeze({ id, version, kind, digest, bundleVersion: this.version, reference: `${id}@${version}#${digest}`, data, yanked });
  }
}

/** @typedef {{ id: string, constraint: string, digest?: string }} Wanted the document that a caller wants */
/** @typedef {{ begin: number, kind: string }} Call what is measured of a call */

/** @param {string} reference @returns {Wanted} */
function parseReference(reference) {
  needTexts({ reference });
  const match = /^([^@# \t\r\n/]+)(?:@([^#]+)(?:#(sha256:[0-9a-f]{64}))?)?$/.exec(reference);
  if (match === null) {
    throw new BadReferenceError(`${JSON.stringify(reference)} is not a reference: expected a form such as id@1.2.0#sha256:...`);
  }
  const [, id, constraint = "", digest] = match;
  return { id, constraint, digest };
}

/** @param {Readonly<Document>} document @param {unknown} error */
function auditFailed({ id, version }, error) {
  let text = "it threw what has no text";
  try {
    text = String(error);
  } catch {
    // The text of an error can throw another one.
  }
  return new AuditError(`the audit of ${id} ${version} failed: ${text}`, { cause: error });
}

/**
 * Throws an error if an audit callback is not finished when it returns: its answer can be awaited,
 * or is a generator, of which nothing has run.
 * @param {Readonly<Document>} document @param {any} answer @param {string} remedy
 */
function refusePending(document, answer, remedy) {
  let pending;
  try {
    pending = typeof answer?.then === "function" || /^\[object (?:Async)?Generator\]$/.test(Object.prototype.toString.call(answer));
  } catch (error) {
    throw auditFailed(document, error); // a property or a proxy that throws
  }
  if (!pending) return;
  (async () => answer)().catch(() => {}); // its failure is part of this one
  throw new AuditError(`the audit of ${document.id} ${document.version} is not finished, because the callback is asynchronous: ${remedy}`);
}

/**
 * The highest version of a document that satisfies the constraint, a yanked one only if it is named.
 * @param {Json} line @param {string} constraint
 * @param {Map<string, string>} yanked @param {Map<string, string>} withdrawn
 * @param {Json} [gone] its entry in the ledger @returns {Json}
 */
function choose(line, constraint, yanked, withdrawn, gone) {
  if (constraint === "" && line.retired) {
    throw new RetiredError(line.id, withdrawn.has(line.latest) ? "" : line.latest, gone?.reason, gone?.replaced_by);
  }
  let why = "";
  for (const version of [...line.versions].reverse()) {
    if (constraint !== "" && !satisfies(version.version, constraint)) continue;
    const reason = yanked.get(version.version);
    if (reason === undefined || version.version === constraint) return version;
    why ||= `: version ${version.version} was yanked: ${reason.replace(/\.+$/, "")}`;
  }
  for (const [version, reason] of [...withdrawn].reverse()) {
    if (constraint === "" || satisfies(version, constraint)) why ||= `: version ${version} was withdrawn: ${reason.replace(/\.+$/, "")}`;
  }
  const versions = line.versions.map((/** @type {Json} */ { version }) => version).filter((/** @type {string} */ version) => !yanked.has(version));
  throw new ConstraintError(`no version of ${line.id} satisfies ${JSON.stringify(constraint)}${why}; available versions: ${versions.join(", ")}`, versions);
}

/**
 * A place that a search covers: its name, its weight, and its words, each between spaces.
 *
 * @typedef {readonly [string, number, string]} Place
 */

/**
 * The words of a text in lowercase NFC and in the singular, each between spaces, or "". Each
 * character is folded by itself: a final sigma of toLowerCase depends on the characters around it.
 *
 * @param {string} text
 */
function fold(text) {
  const lower = text.normalize("NFC").replace(/[ßẞ]/gu, "ss").replace(/[İı]/gu, "i").toLowerCase().replace(/ς/gu, "σ");
  const words = lower.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean).map(singular);
  return words.length > 0 ? ` ${words.join(" ")} ` : "";
}

/** The word without the plural ending of English. @param {string} word */
function singular(word) {
  if ([...word].length < 4 || !/[^s]s$/u.test(word)) return word;
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/(?<=ss|sh|ch|x|z)es$|s$/u, "");
}

/** The places of a line of the index, the ID first, for searchPlaces. @param {Json} line @returns {Place[]} */
export function placesOf(line) {
  if (!isObject(line)) throw wrongArguments(`the line must be one of the index, got ${shown(line)}`);
  needTexts({ id: line.id, artifact_type: line.artifact_type, name: line.name });
  /** @type {Place[]} */
  const places = [
    ["id", 6, fold(line.id)], ["artifact_type", 5, fold(line.artifact_type)], ["name", 4, fold(line.name)],
    ["description", 2, fold(line.description ?? "")], ["keywords", 5, fold(line.keywords ?? "")],
    ["owner", 3, fold(line.owner ?? "")],
  ];
  for (const { list, name, text = "" } of line.parts ?? []) places.push([`${list}[${name}]`, 3, fold(name)], [`${list}[${name}]`, 1, fold(text)]);
  return places;
}

const MAX_WORDS = 16;
/** An ID before a version, a constraint, a digest, or nothing, but not an owner such as search@acme.example. */
const REFERENCE = /^[ \t\r\n]*[^ \t\r\n@]+@[ \t\r\n]*(?:[vV]?[0-9]|[\^~<>=!*#]|$)/u;
/** Words that don't count if no document has all the words, and those that are not found inside others. */
const UNCOUNTED = /^[a-z0-9]{1,2}$/u;
const SHORT = /^[a-z0-9]{1,3}$/u;
/** Words that no author has to write. */
const GENERIC = ["rubric", "ruleset"];

/**
 * The documents that a query finds, best first. docs/bundle.md defines the search.
 *
 * @param {Map<string, Place[]>} documents @param {string} query
 */
export function searchPlaces(documents, query) {
  if (!(documents instanceof Map)) throw wrongArguments(`the documents must be a Map of places, got ${shown(documents)}`);
  needTexts({ query });
  const text = fold(REFERENCE.test(query) ? query.slice(0, query.indexOf("@")) : query);
  const finder = wordFinder(documents);
  const all = text.split(" ").filter(Boolean).slice(0, MAX_WORDS).filter((word) => !GENERIC.includes(word)).map((word) => ({ word, best: finder(word) }));
  const telling = all.filter(({ best }) => best.size < documents.size || documents.size < 2);
  const words = telling.length > 0 ? telling : all;
  const found = [...documents].map(([id, places]) => {
    const here = words.filter(({ best }) => best.has(id));
    const partial = here.length < words.length;
    const at = here.map(({ best }) => {
      const [score, name] = /** @type {[number, string]} */ (best.get(id));
      return { score: score * (partial ? documents.size - best.size : 1), name };
    });
    const score = at.reduce((sum, each) => sum + each.score, text !== "" && places[0][2] === text ? 100 : 0);
    const rank = partial ? here.filter(({ word }) => !UNCOUNTED.test(word)).length : MAX_WORDS + 1;
    return { rank, match: { id, score, matched: [...new Set(at.map(({ name }) => name))], partial } };
  });
  const most = found.reduce((most, { rank }) => Math.max(most, rank), 1);
  return found.filter(({ rank }) => rank === most).map(({ match }) => match).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** A function that returns the best place of a word in each document. @param {Map<string, Place[]>} documents */
function wordFinder(documents) {
  /** @type {Set<string> | undefined} */
  let known;
  return (/** @type {string} */ word) => {
    const best = bestPlaces(documents, word, contains);
    if (best.size > 0 || [...word].length < 4 || /\p{N}/u.test(word)) return best;
    const words = (known ??= new Set([...documents.values()].flatMap((places) => places.flatMap(([, , said]) => said.split(" ").filter(Boolean)))));
    const near = [...words].filter((other) => oneEdit([...word], [...other])).map((other) => ` ${other} `);
    for (let i = 1; i < word.length; i++) {
      if (words.has(word.slice(0, i)) && words.has(word.slice(i))) near.push(` ${word.slice(0, i)} ${word.slice(i)} `);
    }
    return bestPlaces(documents, word, (said) => Number(near.some((other) => said.includes(other))));
  };
}

/**
 * The highest score of a word in each document that has it, and the first place with that score.
 *
 * @param {Map<string, Place[]>} documents @param {string} word @param {(text: string, word: string) => number} grade
 */
function bestPlaces(documents, word, grade) {
  /** @type {Map<string, [number, string]>} */
  const best = new Map();
  for (const [id, places] of documents) {
    for (const [name, weight, text] of places) {
      const score = weight * grade(text, word);
      if (score > (best.get(id)?.[0] ?? 0)) best.set(id, [score, name]);
    }
  }
  return best;
}

/** @param {string} text @param {string} word */
function contains(text, word) {
  if (!text.includes(word)) return 0;
  const inside = SHORT.test(word) ? 0 : 2;
  return text.includes(` ${word} `) ? 4 : text.includes(` ${word}`) ? 3 : inside;
}

/**
 * Whether two different words are one character apart, which is added, missing, or another,
 * or have two adjacent characters swapped.
 *
 * @param {string[]} a @param {string[]} b
 */
function oneEdit(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let [start, end] = [0, 0];
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return Math.max(x.length, y.length) === 1 || (x.length === 2 && y.length === 2 && x[0] === y[1] && x[1] === y[0]);
}

/**
 * Opens a bundle, and checks its directory, manifest, and retired IDs. `Bundle.verify` checks all of it.
 *
 * With `digest` ("sha256:..." from the release), only that bundle is accepted. Without
 * it, a complete bundle from an attacker would pass. `audit` is called before a document
 * is returned. If it is asynchronous, use `getAsync` and `resolveAsync`, which wait for it;
 * `get` and `resolve` throw an AuditError.
 * Rejects with FormatError or IntegrityError.
 *
 * Where the API of OpenTelemetry is installed, the bundle reports to the meter provider that
 * is set when it is opened.
 *
 * @param {ArrayBuffer | Uint8Array} source @param {Options} [options]
 * @returns {Promise<Bundle>}
 */
export async function open(source, options = {}) {
  only(options, "digest audit", "open");
  const { digest, audit } = options;
  const problems = [];
  if (digest !== undefined && !matches(DIGEST, digest)) problems.push("the digest must be sha256: and 64 lowercase hexadecimal digits");
  if (audit !== undefined && typeof audit !== "function") problems.push(`the audit must be a function, got ${shown(audit)}`);
  if (problems.length > 0) throw wrongArguments(...problems);
  const meters = await metrics();
  const bundle = new Bundle(bytesOf(source, "open takes the bytes of a bundle, an ArrayBuffer or a Uint8Array"), digest, audit, meters);
  meters?.describe(bundle);
  return bundle;
}

/**
 * A copy of what a buffer or a view of one has, protected against later changes by the caller.
 * @param {any} source @param {string} takes what is expected, for an error @returns {Uint8Array}
 */
function bytesOf(source, takes) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  const type = Object.prototype.toString.call(source).slice("[object ".length, -1); // also of another realm
  if (type === "ArrayBuffer" || type === "SharedArrayBuffer") return new Uint8Array(source).slice();
  const has = (/** @type {string} */ name) => typeof source?.[name] === "function";
  let advice = "";
  if (has("then")) advice = ". Await it first";
  else if (has("arrayBuffer")) advice = ". Open (await it.arrayBuffer())";
  else if (typeof source === "string" || source instanceof URL) advice = ". In Node.js, openFile opens a file; elsewhere, open what (await fetch(address)).arrayBuffer() returns";
  throw wrongArguments(`${takes}, got ${type}${advice}`);
}

/** The error for wrong arguments. @param {...string} problems */
const wrongArguments = (...problems) => new InputError("", { arguments: problems });

/** Refuses values that are not texts. @param {Record<string, unknown>} values by name */
function needTexts(values) {
  const problems = Object.entries(values).filter(([, value]) => typeof value !== "string");
  if (problems.length > 0) throw wrongArguments(...problems.map(([name, value]) => `${name} must be a text, got ${shown(value)}`));
}

/** Refuses values that are neither true nor false. @param {Record<string, unknown>} values by name */
function needFlags(values) {
  const problems = Object.entries(values).filter(([, value]) => typeof value !== "boolean");
  if (problems.length > 0) throw wrongArguments(...problems.map(([name, value]) => `${name} must be true or false, got ${shown(value)}`));
}

/** Refuses what is not an object with some of the keys. @param {object} options @param {string} keys @param {string} name of the function */
function only(options, keys, name) {
  const known = keys.split(" ");
  if (typeof options !== "object" || options === null) {
    throw wrongArguments(`${name} takes an object with ${known.join(", ")}, got ${shown(options)}`);
  }
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw wrongArguments(`${name} has no argument ${JSON.stringify(unknown[0])}: expected ${known.join(", ")}`);
}

// The metrics.

const OUTCOMES = new Map(/** @type {[unknown, string][]} */ ([
  [NotFoundError, "not_found"], [RetiredError, "retired"], [ConstraintError, "constraint"],
  [DigestError, "digest"], [IntegrityError, "integrity"], [AuditError, "audit"],
  [ContinuityError, "continuity"], [FormatError, "format"],
]));

/** The library's metrics in OpenTelemetry, named as in the Go package libraryotel. */
class Metrics {
  /** @type {WeakRef<Bundle> | undefined} */
  #described;
  /** @type {WeakRef<Live> | undefined} */
  #followed;
  #time;
  #usage;
  #checks;

  /** @param {any} meter of the API of OpenTelemetry */
  constructor(meter) {
    this.#time = meter.createHistogram("rubric.retrieval_time_ms", { unit: "ms", description: "Time to get a rubric or a rule set from the library." });
    this.#usage = meter.createCounter("rubric.usage_count", { unit: "{retrieval}", description: "Number of times a version of a rubric or rule set was returned." });
    meter.createObservableGauge("rubric.total_count", { unit: "{rubric}", description: "Number of rubrics in the library that are not retired." })
      .addCallback((/** @type {any} */ result) => { if (this.#described?.deref()) result.observe(this.#rubrics().length); });
    meter.createObservableGauge("rubric.calibration_correlation", { unit: "1", description: "Correlation of a judge's scores with people's labels, the lowest of the criteria." })
      .addCallback((/** @type {any} */ result) => {
        for (const { id, calibration } of this.#rubrics()) {
          for (const { judge, model, rank, gate, correlation } of calibration?.judges ?? []) {
            if (correlation !== undefined) result.observe(correlation.value ?? NaN, { id, judge, model, rank, gate });
          }
        }
      });
    meter.createObservableGauge("bundle.age", { unit: "s", description: "Time since the source last confirmed the bundle in use." })
      .addCallback((/** @type {any} */ result) => {
        const live = this.#followed?.deref();
        if (live !== undefined) result.observe(live.age, { version: live.current.version });
      });
    this.#checks = meter.createCounter("bundle.checks", { unit: "{check}", description: "Number of checks of the source for a new bundle." });
  }

  #rubrics() {
    return (this.#described?.deref()?.list() ?? []).filter(({ kind, retired }) => kind === "rubric" && !retired);
  }

  /** Makes the gauges those of a bundle, while it is in use. @param {Bundle} bundle */
  describe(bundle) {
    this.#described = new WeakRef(bundle);
  }

  /** @param {number} begin @param {string} kind @param {string} outcome @param {Document} [document] */
  retrieved(begin, kind, outcome, document) {
    this.#time.record(performance.now() - begin, { kind, outcome });
    if (document !== undefined) this.#usage.add(1, { id: document.id, version: document.version });
  }

  /** Makes the age that of what follows a source. @param {Live} live */
  follow(live) {
    this.#followed = new WeakRef(live);
  }

  /** Ends the age of what was closed. @param {Live} live */
  leave(live) {
    if (this.#followed?.deref() === live) this.#followed = undefined;
  }

  /** @param {any} [error] why the check did not confirm the bundle in use */
  checked(error) {
    this.#checks.add(1, { outcome: error === undefined ? "ok" : OUTCOMES.get(error?.constructor) ?? "error" });
  }
}

/** The metrics of each provider, because the API gives the instruments of the one that is set. @type {WeakMap<object, Metrics>} */
const providers = new WeakMap();

/** The metrics, or undefined where the API of OpenTelemetry is not installed. @returns {Promise<Metrics | undefined>} */
async function metrics() {
  let api;
  try {
    api = await atRuntime("@opentelemetry/api");
  } catch {
    return undefined;
  }
  const provider = api.metrics.getMeterProvider();
  const known = providers.get(provider) ?? new Metrics(provider.getMeter("rubric-bundle"));
  providers.set(provider, known);
  return known;
}

/**
 * A module that is found, if at all, when the program runs. Bundlers neither include nor require it.
 * @param {string} name @returns {Promise<any>}
 */
const atRuntime = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ name);

/** A module of Node.js. @param {string} name @param {string} what needs it */
async function builtin(name, what) {
  try {
    return await atRuntime(`node:${name}`);
  } catch (cause) {
    throw new TypeError(`${what} works in Node.js only. Elsewhere, open what (await fetch(address)).arrayBuffer() returns`, { cause });
  }
}

/** Opens a bundle on disk, in Node.js only. @param {string | URL} path @param {Options} [options] @returns {Promise<Bundle>} */
export async function openFile(path, options) {
  if (typeof path !== "string" && !(path instanceof URL)) throw wrongArguments(`the path must be a text or a URL, got ${shown(path)}`);
  const fs = await builtin("fs/promises", "openFile");
  return open(await fs.readFile(path), options);
}

// Following releases.

const MAX_FETCHED = 2 ** 30;
const [FETCH_SECONDS, ANSWER_SECONDS, MOST_PAUSE_SECONDS] = [300, 30, 3600];
const [MOST_REDIRECTS, MOST_TIMEOUT] = [10, 2 ** 31 - 1];
const SLICE = 20; // milliseconds
const [FIRST_GOOD, LAST_GOOD] = ["first.zip", "last.zip"];
const ADDRESS = "the address of the bundle must be a valid https address, or http for localhost";
const OWN_HEADERS = ["accept-encoding", "connection", "content-length", "host", "if-none-match", "range", "transfer-encoding"];

/** Whether modules of Node.js exist. */
const isNode = () => typeof /** @type {any} */ (globalThis).process?.versions?.node === "string";

/** Sets a timer that does not keep the process alive. @param {() => void} call @param {number} milliseconds */
function later(call, milliseconds) {
  const timer = /** @type {any} */ (setTimeout(call, milliseconds));
  timer.unref?.();
  return timer;
}

/** @param {any} error */
const messageOf = (error) => String(error?.message || error?.code || error);

/**
 * Where bundles come from. `fetch` returns the bundle with a tag for its content, or no data if
 * it has the known tag or content. `earliest` is when it may be asked again, as of performance.now().
 *
 * @typedef {{ data?: Uint8Array, tag: string }} Fetched
 * @typedef {{ earliest: number, fetch: (tag: string, known: Uint8Array | undefined, signal: AbortSignal) => Promise<Fetched> }} Source
 * @typedef {{ digest?: string, anyDigest?: boolean, lastGood?: string, interval?: number, headers?: Record<string, string>, token?: string,
 *   ca?: string | Uint8Array, audit?: Options["audit"], downgrades?: boolean }} FollowOptions
 */

/**
 * A file in Node.js. To update it, rename a new file to its path.
 * @param {string | URL} path @returns {Source}
 */
const fileSource = (path) => ({
  earliest: 0,
  async fetch(_, known, signal) {
    const fs = await builtin("fs/promises", "a file");
    const file = await fs.open(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)); // a pipe must not block
    try {
      if (!(await file.stat()).isFile()) throw new BundleError(`${path}: it is not a regular file`);
      const data = await collect(file.createReadStream({ autoClose: false, highWaterMark: 1 << 20, signal }));
      return { data: known !== undefined && equalBytes(data, known) ? undefined : data, tag: "" };
    } finally {
      await file.close();
    }
  },
});

/** @param {() => ArrayBuffer | Uint8Array | Promise<ArrayBuffer | Uint8Array>} get @returns {Source} */
const functionSource = (get) => ({
  earliest: 0,
  async fetch() {
    let data;
    try {
      data = await get();
    } catch (error) {
      throw new BundleError(`the function that returns the bundle failed: ${messageOf(error)}`, { cause: error });
    }
    const size = /** @type {any} */ (data)?.byteLength;
    if (size > MAX_FETCHED) throw new BundleError(`the bundle has more than ${MAX_FETCHED} bytes`);
    return { data: bytesOf(data, "the function must return the bytes of a bundle"), tag: "" };
  },
});

/** All bytes of a stream that is not too long. @param {AsyncIterable<Uint8Array>} stream */
async function collect(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_FETCHED) throw new BundleError(`the bundle has more than ${MAX_FETCHED} bytes`);
    chunks.push(chunk);
  }
  const data = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    data.set(chunk, at);
    at += chunk.length;
  }
  return data;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function equalBytes(a, b) {
  const compare = /** @type {any} */ (globalThis).Buffer?.compare; // a loop takes a second for 1 GiB
  return a.length === b.length && (compare ? compare(a, b) === 0 : same(a, b));
}

/** An address that may be asked, or undefined. @param {string} text @param {string} [base] */
function parseAddress(text, base) {
  if (/[\x00-\x1f\x7f]/.test(text) || (base === undefined && !/^https?:\/\/[^\s/?#]\S*$/i.test(text))) return undefined;
  let at;
  try {
    at = new URL(text, base);
  } catch {
    return undefined;
  }
  const loopback = at.hostname === "localhost" || at.hostname === "[::1]" || /^127(?:\.[0-9]{1,3}){3}$/.test(at.hostname);
  return at.protocol === "https:" || (at.protocol === "http:" && loopback) ? at : undefined;
}

/**
 * The headers that only the server of the address gets.
 * @param {URL} at @param {FollowOptions} options @returns {Record<string, string>}
 */
function secretsOf(at, { headers = {}, token }) {
  const problems = [];
  if (!isObject(headers)) problems.push("headers must be an object with texts");
  const given = Object.entries(isObject(headers) ? headers : {});
  for (const [name, value] of given) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || OWN_HEADERS.includes(name.toLowerCase())) problems.push(`the header ${JSON.stringify(name)} can't be set`);
    else if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) problems.push(`the value of the header ${name} is not a text of one line`);
  }
  if (token !== undefined && !matches(/^[\x21-\x7e]+$/, token)) problems.push("the token must be a text without spaces");
  const login = at.username !== "" || at.password !== "";
  const own = given.some(([name]) => name.toLowerCase() === "authorization");
  if ([login, own, token !== undefined].filter(Boolean).length > 1) problems.push("use only one of a token, a header Authorization, and a user in the address");
  if (problems.length > 0) throw wrongArguments(...problems);
  const secrets = Object.fromEntries(given);
  if (token !== undefined) secrets.Authorization = `Bearer ${token}`;
  if (login) {
    const text = new TextEncoder().encode(`${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`);
    secrets.Authorization = `Basic ${btoa(String.fromCharCode(...text))}`;
  }
  return secrets;
}

/**
 * A server. It is asked with the ETag of the bundle in use: in a browser, by the cache of the browser.
 * @param {URL} address @param {FollowOptions} options @returns {Promise<Source>}
 */
async function addressSource(address, options) {
  const secrets = secretsOf(address, options);
  const start = new URL(address);
  start.username = start.password = "";
  const ask = isNode() ? await nodeClient(start, secrets, await certificates(options.ca)) : browserClient(start, secrets);
  /** @type {Source} */
  const source = {
    earliest: 0,
    async fetch(tag, _, signal) {
      const call = new AbortController();
      signal.addEventListener("abort", () => call.abort(signal.reason));
      const timer = later(() => call.abort(new BundleError(`no answer within ${ANSWER_SECONDS} seconds`)), 1000 * ANSWER_SECONDS);
      try {
        const answer = await ask(tag, call.signal);
        clearTimeout(timer);
        if (answer.status === 200) return { data: await download(answer), tag: answer.header("etag") };
        answer.cancel();
        if (answer.status === 304 && tag !== "") return { tag };
        source.earliest = performance.now() + 1000 * pauseOf(answer.header("retry-after"));
        throw new BundleError(`the server answers ${answer.status} ${answer.reason.slice(0, 100)}`.trimEnd());
      } catch (error) {
        const cause = call.signal.aborted ? call.signal.reason : error;
        throw new BundleError(`${start.origin}${start.pathname}: ${explain(cause)}`, { cause }); // without the query, which can be a signature
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return source;
}

/** @param {ServerAnswer} answer */
async function download(answer) {
  if (Number(answer.header("content-length")) <= MAX_FETCHED) return collect(answer.body());
  answer.cancel();
  throw new BundleError(`the bundle has more than ${MAX_FETCHED} bytes`);
}

/** How many seconds a server asks to wait, at most an hour. @param {string} text of Retry-After */
function pauseOf(text) {
  const seconds = /^[0-9]{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Math.min(Math.max(seconds || 0, 0), MOST_PAUSE_SECONDS);
}

/** @param {any} error */
function explain(error) {
  if (["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"].includes(error?.code)) {
    return "it answers in plain HTTP, and only HTTPS is used, except on a loopback address such as localhost";
  }
  return messageOf(error);
}

/** The trusted certificates, or undefined for those of Node.js. @param {string | Uint8Array | undefined} ca */
async function certificates(ca) {
  if (ca === undefined) return undefined;
  const [fs, tls, crypto] = await Promise.all(["fs/promises", "tls", "crypto"].map((name) => builtin(name, "ca")));
  try {
    let text = typeof ca === "string" ? ca : utf8(ca);
    if (!text.includes("-----BEGIN")) text = await fs.readFile(text, "utf8");
    const own = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [""];
    own.forEach((/** @type {string} */ one) => new crypto.X509Certificate(one));
    return [...(tls.getCACertificates?.() ?? tls.rootCertificates), ...own];
  } catch (cause) {
    throw wrongArguments(`ca must be certificates in PEM, or the path of a file with them: ${messageOf(cause)}`);
  }
}

/** @typedef {{ status: number, reason: string, header: (name: string) => string, body: () => AsyncIterable<Uint8Array>, cancel: () => void }} ServerAnswer */
/** @typedef {(tag: string, signal: AbortSignal) => Promise<ServerAnswer>} Client */

/** @param {URL} start @param {Record<string, string>} secrets @param {string[] | undefined} ca @returns {Promise<Client>} */
async function nodeClient(start, secrets, ca) {
  const { request } = await builtin(start.protocol.slice(0, -1), "an address");
  return async (tag, signal) => {
    for (let at = start, redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const headers = { "Accept-Encoding": "identity", ...(tag !== "" && { "If-None-Match": tag }), ...(at.origin === start.origin && secrets) };
      const answer = await /** @type {Promise<any>} */ (new Promise((resolve, reject) => {
        request(at, { agent: false, ca, headers, signal }, resolve)
          .on("socket", (/** @type {any} */ socket) => socket.unref()).on("error", reject).end();
      }));
      const header = (/** @type {string} */ name) => answer.headers[name] ?? "";
      const cancel = () => answer.on("error", () => {}).destroy();
      if (![301, 302, 303, 307, 308].includes(answer.statusCode)) {
        return { status: answer.statusCode, reason: answer.statusMessage, header, body: () => answer, cancel };
      }
      cancel();
      at = redirected(at, header("location"));
    }
    throw new BundleError(`it redirects more than ${MOST_REDIRECTS} times`);
  };
}

/** @param {URL} from @param {string} location */
function redirected(from, location) {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(location)?.[1].toLowerCase() ?? from.protocol.slice(0, -1);
  if (`${scheme}:` !== from.protocol) throw new BundleError(`it redirects from ${from.protocol.slice(0, -1)} to ${scheme.slice(0, 20)}, which is not allowed`);
  const at = parseAddress(location, from.href);
  if (at === undefined) throw new BundleError("it redirects to an address that is not https, or http for localhost");
  at.username = at.password = "";
  return at;
}

/** @param {URL} start @param {Record<string, string>} secrets @returns {Client} */
function browserClient(start, secrets) {
  // A browser follows redirects on its own, also with the headers.
  const redirect = Object.keys(secrets).length > 0 ? "error" : "follow";
  return async (_, signal) => {
    const response = await fetch(start, { headers: secrets, redirect, signal, cache: "no-cache" });
    redirected(start, response.url);
    const reader = response.body?.getReader();
    async function* body() {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done || value === undefined) return;
        yield value;
      }
    }
    const header = (/** @type {string} */ name) => (name === "etag" ? "" : response.headers.get(name) ?? "");
    return { status: response.status, reason: response.statusText, header, body, cancel: () => { reader?.cancel().catch(() => {}); } };
  };
}

/** @param {any} source @param {FollowOptions} options @returns {Promise<Source>} */
async function sourceOf(source, options) {
  const isFile = isNode() && source instanceof URL && source.protocol === "file:";
  const text = source instanceof URL ? source.href : source;
  if (typeof text === "string" && !isFile && (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) || !isNode())) {
    const at = parseAddress(text, isNode() ? undefined : globalThis.location?.href);
    if (at === undefined) throw wrongArguments(ADDRESS);
    return addressSource(at, options);
  }
  if (["headers", "token", "ca"].some((key) => options[/** @type {"token"} */ (key)] !== undefined)) {
    throw wrongArguments("headers, token, and ca are for an address; the source is not one");
  }
  if (typeof source === "function") return functionSource(source);
  if (typeof text !== "string" || text === "") {
    throw wrongArguments(`the source must be a path, an https address, or a function that returns bytes, got ${shown(source)}`);
  }
  return fileSource(source);
}

/** Works through steps, and lets others work after each slice of time. @param {Iterable<unknown>} steps */
async function inSlices(steps) {
  let begin = performance.now();
  for (const _ of steps) {
    if (performance.now() - begin < SLICE) continue;
    await new Promise((resolve) => { setTimeout(resolve); });
    begin = performance.now();
  }
}

/**
 * A bundle that follows the releases of its source, as returned by `follow`. It always has a
 * bundle, the last one that was completely verified.
 */
class Live {
  #source;
  #options;
  #metrics;
  /** @type {Bundle | undefined} */ #current;
  /** @type {Uint8Array | undefined} */ #data;
  #tag = "";
  #saved = false;
  #confirmed = 0;
  #checks = 0;
  #refused = "";
  #closed = false;
  /** @type {Promise<void>} */ #last = Promise.resolve();
  /** @type {AbortController | undefined} */ #download;
  /** @type {any} */ #timer;

  /** @param {Source} source @param {FollowOptions} options @param {Metrics | undefined} metrics */
  constructor(source, options, metrics) {
    this.#source = source;
    this.#options = options;
    this.#metrics = metrics;
  }

  /** Starts from the last good bundle, and checks the source for the first time. */
  async start() {
    const refused = await this.#startFromLastGood();
    if (refused.length > 0) console.warn(`rubric-bundle: an earlier bundle was not used: ${refused.join("; ")}`);
    try {
      await this.check();
    } catch (error) {
      if (this.#current === undefined) throw error;
    }
    this.#metrics?.follow(this);
    return this;
  }

  /** The bundle in use. It stays usable while it is held. Use one for calls that must agree. */
  get current() {
    return /** @type {Bundle} */ (this.#current);
  }

  /** Seconds since the source last confirmed the bundle in use, or since a bundle of `lastGood` was saved. */
  get age() {
    return Math.max(0, (performance.now() - this.#confirmed) / 1000);
  }

  /** How often the source was checked. */
  get checks() {
    return this.#checks;
  }

  /** Why the last check did not confirm the bundle in use, or did not save it, or "". */
  get refused() {
    return this.#refused;
  }

  /** Works like `Bundle.get` of the bundle in use. After `close`, it throws BundleError. @param {string} id @param {string} [constraint] @param {Caller} [options] */
  get(id, constraint, options) {
    return this.#open().get(id, constraint, options);
  }

  /** @param {string} id @param {string} [constraint] @param {Caller} [options] */
  async getAsync(id, constraint, options) {
    return this.#open().getAsync(id, constraint, options);
  }

  /** @param {string} reference @param {Caller} [options] */
  resolve(reference, options) {
    return this.#open().resolve(reference, options);
  }

  /** @param {string} reference @param {Caller} [options] */
  async resolveAsync(reference, options) {
    return this.#open().resolveAsync(reference, options);
  }

  /**
   * Checks the source now, after a check that is running, also if a server asked to wait.
   *
   * Rejects with FormatError, IntegrityError, or ContinuityError for a bundle that is refused,
   * and with another error if the source has none, or it was not saved. The bundle in use then
   * stays in use.
   */
  check() {
    const alive = setInterval(() => {}, MOST_TIMEOUT); // who waits for a check needs the process
    return this.#checkNext().finally(() => clearInterval(alive));
  }

  /** Checks the source after a check that is running. This alone does not keep the process alive. */
  #checkNext() {
    const check = this.#last.then(() => this.#check());
    this.#last = check.catch(() => {});
    return check;
  }

  /** Stops following the source. A download that is running ends. */
  close() {
    this.#closed = true;
    this.#metrics?.leave(this);
    clearTimeout(this.#timer);
    this.#download?.abort(new BundleError("close was called"));
  }

  #open() {
    this.#needOpen();
    return this.current;
  }

  #needOpen() {
    if (this.#closed) throw new BundleError("close was called, so the source is no longer followed");
  }

  /** Sets the time of the next check. */
  #schedule() {
    clearTimeout(this.#timer);
    if (this.#closed || this.#current === undefined) return;
    // From 0.8 to 1.2 intervals, so that programs do not ask at the same time.
    const wait = 1000 * (this.#options.interval ?? 60) * (0.8 + 0.4 * Math.random());
    const least = this.#source.earliest - performance.now();
    this.#timer = later(() => this.#checkNext().catch(() => {}), Math.min(Math.max(wait, least), MOST_TIMEOUT)); // it reports the error
  }

  async #check() {
    this.#needOpen();
    this.#checks++;
    this.#source.earliest = 0;
    try {
      await this.#refresh();
      this.#confirmed = performance.now();
      await this.#save();
      this.#refused = "";
      this.#metrics?.checked();
    } catch (error) {
      this.#refused = messageOf(error);
      if (!this.#closed) this.#metrics?.checked(error);
      if (this.#current !== undefined && !this.#closed) {
        console.warn(`rubric-bundle: the check of the source failed: keeping the last good bundle, library ${this.#current.version}: ${this.#refused}`);
      }
      throw error;
    } finally {
      this.#schedule();
    }
  }

  /** Replaces the bundle in use by the one of the source, or throws why it is not the same. */
  async #refresh() {
    const { data, tag } = await this.#fetch();
    const unchanged = data === undefined || (this.#data !== undefined && equalBytes(data, this.#data));
    if (this.#current === undefined || !unchanged) {
      await this.#use(data ?? new Uint8Array());
      this.#saved = false;
    }
    // The tag of a bundle that was refused is not kept: the source might correct itself.
    this.#tag = tag;
  }

  /** What the source has. A source that does not answer is left alone. */
  async #fetch() {
    const download = new AbortController();
    this.#download = download;
    const slow = new BundleError(`the download takes more than ${FETCH_SECONDS} seconds`);
    const timer = later(() => download.abort(slow), 1000 * FETCH_SECONDS);
    const aborted = new Promise((_, reject) => { download.signal.addEventListener("abort", () => reject(download.signal.reason)); });
    try {
      return await Promise.race([this.#source.fetch(this.#tag, this.#data, download.signal), /** @type {Promise<never>} */ (aborted)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Uses a bundle if it may replace the one in use. @param {Uint8Array} data */
  async #use(data) {
    const { digest, audit, downgrades } = this.#options;
    const current = this.#current;
    const next = new Bundle(data, current === undefined ? digest : undefined, audit, this.#metrics);
    await inSlices(next[STEPS]());
    if (current !== undefined) {
      if (downgrades && compare(parts(next.version), parts(current.version)) < 0) current[CONTINUE](next);
      else next[CONTINUE](current);
    }
    this.#needOpen();
    this.#current = next;
    this.#data = data;
    this.#metrics?.describe(next);
  }

  /** Uses the bundle in the folder, if one may be used. Returns why others may not. */
  async #startFromLastGood() {
    const { digest, lastGood } = this.#options;
    const refused = [];
    for (const name of lastGood === undefined ? [] : digest === undefined ? [LAST_GOOD] : [FIRST_GOOD, LAST_GOOD]) {
      const path = `${lastGood}/${name}`;
      try {
        const { data } = await fileSource(path).fetch("", undefined, new AbortController().signal);
        const fs = await builtin("fs/promises", "lastGood");
        const { mtimeMs } = await fs.stat(path);
        await this.#use(data ?? new Uint8Array());
        this.#saved = true;
        this.#confirmed = performance.now() - Math.max(0, Date.now() - mtimeMs);
        if (name === LAST_GOOD && this.current.digest === digest) {
          // Since the digest is that of the last one, what follows must continue this one. If it
          // can't be moved, #save reports why.
          await fs.rename(path, `${lastGood}/${FIRST_GOOD}`).catch(() => { this.#saved = false; });
        }
      } catch (error) {
        if (/** @type {any} */ (error)?.code !== "ENOENT") refused.push(`${path}: ${messageOf(error)}`);
      }
    }
    return refused;
  }

  /** Keeps the bundle in use as the last good one. */
  async #save() {
    const { digest, lastGood } = this.#options;
    if (lastGood === undefined || this.#saved) return;
    try {
      const fs = await builtin("fs/promises", "lastGood");
      await fs.mkdir(lastGood, { recursive: true });
      const first = this.current.digest === digest;
      // A last bundle from before must not follow a first one that was set since.
      if (first) await fs.rm(`${lastGood}/${LAST_GOOD}`, { force: true });
      await replaceFile(fs, `${lastGood}/${first ? FIRST_GOOD : LAST_GOOD}`, /** @type {Uint8Array} */ (this.#data));
    } catch (cause) {
      throw new BundleError(`the bundle in use was not saved as the last good one: ${messageOf(cause)}`, { cause });
    }
    this.#saved = true;
  }
}

/** Replaces a file at once. After an error, the earlier one is still there. @param {any} fs @param {string} path @param {Uint8Array} data */
async function replaceFile(fs, path, data) {
  const real = await fs.realpath(path).catch(() => path);
  const temporary = `${real}.${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  try {
    const file = await fs.open(temporary, "wx");
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(temporary, real);
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Gets a bundle from a source, and checks the source for new ones until `close`.
 *
 * The source is a path, an https address (or http for localhost), or a function that returns
 * the bytes of a bundle or a promise of them; in a browser, an address or a function. A new
 * bundle of at most 1 GiB replaces the one in use only after it was completely verified and
 * continues it as with `verify({ after })`. Until then, and after any error, the last good one
 * stays in use. An earlier release is refused unless `downgrades` is true. Each failed check is
 * a warning of the console. Checks alone do not keep a process alive.
 *
 * - `digest` is that of the first bundle; `anyDigest: true` accepts any first bundle.
 * - `lastGood` is a folder that keeps the last good bundle for the next start, when the source
 *   can be down. It must have the digest, or continue the bundle that has it; a new digest
 *   therefore starts anew, also with an earlier release. In Node.js only.
 * - `interval` is the average time between two checks in seconds, 60 by default. A server that
 *   asks for a later one (Retry-After) gets it, at most an hour later.
 * - `headers` and `token` (a bearer token), or a user and password in the address, are sent to
 *   the server of the address, and not to others that it redirects to. In a browser, redirects
 *   are then an error.
 * - `ca` are certificates in PEM, or the path of a file with them, that are trusted in addition
 *   to those of Node.js. A proxy of the environment is not used.
 * - `audit` is that of `open`.
 *
 * If there is no bundle to start with, it rejects with what `open` and `verify` throw, or the
 * error of the source; for wrong arguments, with InputError.
 *
 * @param {string | URL | (() => ArrayBuffer | Uint8Array | Promise<ArrayBuffer | Uint8Array>)} source @param {FollowOptions} options
 */
export async function follow(source, options = {}) {
  only(options, "digest anyDigest lastGood interval headers token ca audit downgrades", "follow");
  const { digest, anyDigest = false, lastGood, interval = 60, ca, audit, downgrades = false } = options;
  needFlags({ anyDigest, downgrades });
  const problems = [];
  if ((digest !== undefined) === anyDigest) problems.push("follow needs the digest of the first bundle, or any: use either digest or anyDigest");
  if (digest !== undefined && !matches(DIGEST, digest)) problems.push("the digest must be sha256: and 64 lowercase hexadecimal digits");
  if (!(Number.isFinite(interval) && interval > 0)) problems.push(`the interval must be above 0, got ${shown(interval)}`);
  if (lastGood !== undefined && !matches(/./s, lastGood)) problems.push("the folder of lastGood must be a path, and not empty");
  if (!isNode() && (lastGood ?? ca) !== undefined) problems.push("lastGood and ca work in Node.js only");
  if (audit !== undefined && typeof audit !== "function") problems.push(`the audit must be a function, got ${shown(audit)}`);
  if (problems.length > 0) throw wrongArguments(...problems);
  return new Live(await sourceOf(source, options), { ...options }, await metrics()).start();
}

/**
 * Up to three known words whose distance is at most a third of the word's length, nearest
 * first. Known words are ASCII, and what a word has beyond it counts in bytes. The letters that
 * two words do not share bound their distance from below, so that few words need the full
 * comparison. Their number is limited, because the word can be an attacker's.
 * @param {string} text @param {Iterable<string>} known
 */
function nearWords(text, known) {
  const word = text.length > 160 ? text : String.fromCharCode(...new TextEncoder().encode(text));
  const limit = Math.max(1, Math.floor(word.length / 3));
  const close = [...(word.length <= 160 ? known : [])].map((other) => ({ other, least: unshared(word, other) }))
    .filter(({ least }) => least <= limit).sort((a, b) => a.least - b.least).slice(0, MOST_COMPARED);
  /** @type {{ other: string, far: number }[]} */
  let near = [];
  for (const { other, least } of close) {
    if (near.length === 3 && least > near[2].far) break;
    const far = distance(word, other, limit);
    if (far <= limit) near = [...near, { other, far }].sort((a, b) => a.far - b.far || (a.other < b.other ? -1 : 1)).slice(0, 3);
  }
  return near.map(({ other }) => other);
}

/** The larger number of letters that one of two words has and the other lacks. @param {string} a @param {string} b */
function unshared(a, b) {
  const counts = new Int32Array(128);
  for (let i = 0; i < a.length; i++) counts[a.charCodeAt(i) % 128]++;
  for (let i = 0; i < b.length; i++) counts[b.charCodeAt(i) % 128]--;
  let [more, less] = [0, 0];
  for (const count of counts) {
    more += Math.max(count, 0);
    less -= Math.min(count, 0);
  }
  return Math.max(more, less);
}

/** The number of letters to add, remove, replace, or swap with a neighbor. @param {string} a @param {string} b @param {number} limit */
function distance(a, b, limit) {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  /** @type {number[]} */
  let before = [];
  /** @type {number[]} */
  let above = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    [before, above, row] = [above, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.length];
}

// Verdicts of rubrics.

/** @typedef {Document | Json} AnyDocument a document of a bundle, or the decoded JSON of one */
/** @typedef {{ name: string, weight: string, score: number, minimum: number, passed: boolean }} CriterionResult */
/** @typedef {{ name: string, effect: "fail" | "report" }} NegativeResult */
/**
 * One reason why a rubric fails. name is "" for the overall score; score and minimum are 0 for a hit.
 * @typedef {{ kind: "criterion_below_minimum" | "overall_below_threshold" | "negative_criterion_hit", name: string, score: number, minimum: number }} Reason
 */
/**
 * The verdict of a rubric on an artifact. `reasons` is empty if and only if it passed; `pass_threshold` is 0 if there is none.
 * @typedef {{ passed: boolean, overall: number, pass_threshold: number, criteria: CriterionResult[],
 *   negative_criteria: NegativeResult[], reasons: Reason[] }} Verdict
 */

/** @param {AnyDocument} document @returns {Json} */
const dataOf = (document) => (document.kind !== undefined && document.reference !== undefined ? document.data : document);

/** @param {unknown} value */
const onScale = (value) => typeof value === "number" && value >= 1 && value <= 5;

/** The sum in ascending order. @param {number[]} values */
const sum = (values) => [...values].sort((a, b) => a - b).reduce((total, value) => total + value, 0);

/** @param {string} kind @param {string[]} names */
function nameProblems(kind, names) {
  const problems = names.filter((name) => !name).map(() => `a ${kind} has no name`);
  const repeated = new Set(names.filter((name, i) => name && names.indexOf(name) < i));
  return problems.concat([...repeated].map((name) => `the name of ${kind} ${JSON.stringify(name)} is used more than once`));
}

/** @param {Json} rubric */
function criteriaProblems(rubric) {
  const criteria = rubric.criteria ?? [];
  const problems = criteria.length > 0 ? [] : ["the rubric has no criteria"];
  for (const { name, weight, relative_weight: relative = 1, threshold } of criteria) {
    if (weight !== "essential" && weight !== "important") problems.push(`criterion ${JSON.stringify(name)} has no known weight`);
    if (!(typeof relative === "number" && relative > 0 && relative <= 1000)) {
      problems.push(`criterion ${JSON.stringify(name)} has relative_weight ${relative}, expected above 0 and at most 1000`);
    }
    if (!onScale(threshold)) problems.push(`criterion ${JSON.stringify(name)} has no threshold from 1 to 5`);
  }
  problems.push(...nameProblems("criterion", criteria.map((/** @type {Json} */ each) => each.name ?? "")));
  for (const key of ["pass_threshold", "essential_minimum"]) {
    const value = rubric.scoring?.[key] ?? 0;
    if (value !== 0 && !onScale(value)) problems.push(`${key} is ${value}, expected 1 to 5 or none`);
  }
  return problems;
}

/** @param {Json} rubric */
function negativeProblems(rubric) {
  const negatives = rubric.negative_criteria ?? [];
  const problems = negatives.filter((/** @type {Json} */ each) => !["fail", "report"].includes(each.effect ?? "fail"))
    .map((/** @type {Json} */ each) => `negative criterion ${JSON.stringify(each.name)} has no known effect`);
  return problems.concat(nameProblems("negative criterion", negatives.map((/** @type {Json} */ each) => each.name ?? "")));
}

/**
 * Returns the data of a document that functions can be applied to. wrong has the problems of other arguments.
 * @param {unknown} document @param {string} key of the ID @param {string[]} wrong @returns {Json}
 */
function checkArguments(document, key, wrong) {
  const data = /** @type {any} */ (isObject(document) ? dataOf(/** @type {AnyDocument} */ (document)) : document);
  const problems = isObject(data) ? [...partsProblems(data), ...wrong] : [`the document must be what get returns, or its data, got ${shown(data)}`, ...wrong];
  if (problems.length > 0) throw new InputError(isObject(data) ? data[key] : "the document", { arguments: problems });
  return data;
}

/** The parts of a document that functions can't go through. @param {Json} data */
function partsProblems(data) {
  const isTexts = (/** @type {unknown} */ list) => Array.isArray(list) && list.every((text) => typeof text === "string");
  const isMissing = (/** @type {unknown} */ value) => value === undefined || value === null; // Go writes null for a list without elements
  const problems = PART_LISTS.filter((list) => !isMissing(data[list]) && !(Array.isArray(data[list]) && data[list].every(isObject)))
    .map((list) => `${list} must be a list of objects`);
  if (problems.length > 0) return problems;
  return (data.negative_criteria ?? []).filter((/** @type {Json} */ each) => !isMissing(each.fail_patterns) && !isTexts(each.fail_patterns))
    .map((/** @type {Json} */ each) => `fail_patterns of ${shown(each.name)} must be a list of texts`);
}

/** @param {unknown} value */
const shown = (value) => (typeof value === "string" ? JSON.stringify(value) : typeof value === "object" && value !== null ? Object.prototype.toString.call(value) : String(value)).slice(0, 100);

/**
 * Returns the names of hits, or null if these are none. A text is not a list of its characters.
 * @param {unknown} found @returns {Set<string> | null}
 */
function namesOf(found) {
  if (typeof found !== "object" || found === null || !(Symbol.iterator in found)) return null;
  const names = Array.from(/** @type {Iterable<any>} */ (found), (each) => (typeof each === "string" ? each : each?.name));
  return names.every((name) => typeof name === "string") ? new Set(names) : null;
}

/**
 * Computes the verdict from the scores of all criteria, 1 to 5, and the names of the
 * negative criteria that were hit. An empty list of hits says that the artifact was searched and has none.
 *
 * The artifact passes if every essential criterion reaches its minimum, the mean of the
 * scores, weighted by relative_weight, reaches the pass threshold, and no negative
 * criterion with effect fail is hit. InputError lists everything that is missing, unknown, or invalid.
 *
 * @param {AnyDocument} rubric @param {Record<string, number>} scores @param {Iterable<string | Readonly<Hit>>} found hits, or their names
 * @returns {Readonly<Verdict>}
 */
export function verdict(rubric, scores, found) {
  const names = namesOf(found);
  const wrong = [];
  if (!isObject(scores)) wrong.push(`the scores must be an object with the names of criteria and numbers, got ${shown(scores)}`);
  if (names === null) wrong.push(`the hits must be a list of hits or of names, [] if there are none, got ${shown(found)}`);
  const data = checkArguments(rubric, "rubric_id", wrong);
  const hit = names ?? new Set();
  /** @type {Json[]} */
  const [criteria, negatives] = [data.criteria ?? [], data.negative_criteria ?? []];
  /** @type {string[]} */
  const known = criteria.map((/** @type {Json} */ each) => each.name ?? "");
  const given = (/** @type {string} */ name) => Object.hasOwn(scores, name);
  const problem = new InputError(data.rubric_id, {
    definition: [...criteriaProblems(data), ...negativeProblems(data)],
    missing: known.filter((name) => !given(name)),
    unknown: Object.keys(scores).filter((name) => !known.includes(name)),
    invalid: known.filter((name) => given(name) && !onScale(scores[name])),
    unknownHits: [...hit].filter((name) => !negatives.some((/** @type {Json} */ each) => each.name === name)),
  });
  if (problem.any) throw problem;
  /** @type {Reason[]} */
  const reasons = [];
  /** @type {CriterionResult[]} */
  const results = criteria.map((/** @type {Json} */ { name, weight, threshold }) => {
    const score = scores[name];
    const minimum = weight === "essential" ? Math.max(threshold, data.scoring?.essential_minimum ?? 0) : threshold;
    const passed = score >= minimum - TOLERANCE;
    if (!passed && weight === "essential") reasons.push({ kind: "criterion_below_minimum", name, score, minimum });
    return { name, weight, score, minimum, passed };
  });
  const weights = criteria.map((/** @type {Json} */ each) => each.relative_weight ?? 1);
  const overall = sum(results.map((result, i) => weights[i] * result.score)) / sum(weights);
  const threshold = data.scoring?.pass_threshold ?? 0;
  if (!(overall >= threshold - TOLERANCE)) reasons.push({ kind: "overall_below_threshold", name: "", score: overall, minimum: threshold });
  const negative = negatives.filter((/** @type {Json} */ each) => hit.has(each.name))
    .map((/** @type {Json} */ each) => ({ name: each.name, effect: each.effect ?? "fail" }));
  for (const { name, effect } of negative) {
    if (effect === "fail") reasons.push({ kind: "negative_criterion_hit", name, score: 0, minimum: 0 });
  }
  return freeze({ passed: reasons.length === 0, overall, pass_threshold: threshold, criteria: results, negative_criteria: negative, reasons });
}

/**
 * Exactly the parts of a document that a judge reads, as a new object. For a rubric: ID,
 * version, judge digest, and the name, description, anchors, and examples of each criterion,
 * but no weights or thresholds, which would influence the judge. For a rule set: the same
 * with ID, description, and check of each rule. The judge digest covers the criteria or the
 * rules, and is the same for documents with the same words.
 *
 * @param {AnyDocument} document @returns {Json}
 */
export function judgeView(document) {
  const data = checkArguments(document, "rubric_id", []);
  const [key, idKey, ...fields] = data.rules === undefined
    ? ["criteria", "rubric_id", "name", "description", "anchors", "examples"] : ["rules", "ruleset_id", "id", "description", "check"];
  const pick = (/** @type {Json} */ item) => Object.fromEntries(fields.filter((field) => Object.hasOwn(item, field)).map((field) => [field, item[field]]));
  /** @type {Json[]} */
  const items = structuredClone((data[key] ?? []).map(pick));
  // Rules are judged one by one, so their order does not count.
  const counted = key === "criteria" ? items : [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
  const digest = `sha256:${sha256(new TextEncoder().encode(canonical({ [key]: counted })))}`;
  return { id: data[idKey], version: data.version, digest, [key]: items };
}

/**
 * The JSON Schema of a judge's answer to a rubric, as a new object: for each criterion a
 * reason, and then a score, `{ criteria: { NAME: { reason, score } } }` with everything
 * required and nothing else allowed. InputError means that the document is not a rubric.
 *
 * @param {AnyDocument} rubric @returns {Json}
 */
export function answerSchema(rubric) {
  const data = checkArguments(rubric, "rubric_id", []);
  const definition = criteriaProblems(data);
  if (definition.length > 0) throw new InputError(data.rubric_id, { definition });
  const object = (/** @type {[string, Json][]} */ ...properties) => ({
    type: "object", properties: Object.fromEntries(properties), required: properties.map(([name]) => name), additionalProperties: false,
  });
  const answer = () => object(["reason", { type: "string" }], ["score", { type: "integer", minimum: 1, maximum: 5 }]);
  return object(["criteria", object(...data.criteria.map((/** @type {Json} */ { name }) => /** @type {[string, Json]} */ ([name, answer()])))]);
}

// Hits of negative criteria.

/**
 * A match of a pattern: a half-open range in code points of the normalized text.
 * @typedef {{ name: string, pattern: string, start: number, end: number }} Hit
 */

/** @param {string} text */
const isWellFormed = (text) => !/\p{Surrogate}/u.test(text);

/** The normalized text that patterns are searched in: NFC, with LF instead of CRLF or CR. @param {string} text */
export function normalize(text) {
  needTexts({ text });
  return text.replace(/\r\n?/g, "\n").normalize("NFC");
}

/**
 * Finds the hits of the negative criteria in a text, ordered by negative criterion,
 * pattern, and position.
 *
 * InputError lists patterns that can't be used. The search can take very long on a long
 * text, so limit the length of untrusted input.
 *
 * @param {AnyDocument} rubric @param {string} text @returns {readonly Hit[]}
 */
export function hits(rubric, text) {
  const data = checkArguments(rubric, "rubric_id", typeof text === "string" ? [] : [`the text must be a text, got ${shown(text)}`]);
  const definition = negativeProblems(data);
  const compiled = [];
  for (const { name, fail_patterns: given, ignore_case: ignoreCase = false } of data.negative_criteria ?? []) {
    const patterns = given ?? [];
    if (patterns.length === 0) definition.push(`negative criterion ${JSON.stringify(name)} has no fail_patterns`);
    for (const pattern of patterns) {
      try {
        compiled.push({ name, pattern, ignoreCase, expression: compile(pattern, ignoreCase) });
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
        definition.push(`pattern ${JSON.stringify(pattern)} of negative criterion ${JSON.stringify(name)} can't be used: ${error.message}`);
      }
    }
  }
  if (definition.length > 0) throw new InputError(data.rubric_id, { definition });
  if (!isWellFormed(text)) throw new TextError("the text contains half of a surrogate pair");
  text = normalize(text);
  // With the flags iu, s matches the long s, unlike in Go and Python.
  const withoutLongS = text.replaceAll("\u017f", "\u01bb");
  const places = codePoints(text);
  return freeze(compiled.flatMap(({ name, pattern, ignoreCase, expression }) =>
    findAll(expression, ignoreCase ? withoutLongS : text)
      .map(([start, stop]) => ({ name, pattern, start: places[start], end: places[stop] }))));
}

/** The number of code points before each position in UTF-16. @param {string} text */
function codePoints(text) {
  const places = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    places[at] = count;
    at += /** @type {number} */ (text.codePointAt(at)) > 0xffff ? 2 : 1;
  }
  places[text.length] = count;
  return places;
}

/**
 * All matches that do not overlap, as in Go: no empty match directly after another match.
 * @param {RegExp} expression @param {string} text
 */
function findAll(expression, text) {
  /** @type {[number, number][]} */
  const found = [];
  for (let at = 0, endBefore = -1; at <= text.length;) {
    const match = search(expression, text, at);
    if (match === null) break;
    const [start, stop] = [match.index, match.index + match[0].length];
    if (stop > at || start !== endBefore) found.push([start, stop]);
    at = stop > at ? stop : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
    endBefore = stop;
  }
  return found;
}

/**
 * The first match from a position on. V8 sometimes finds an empty match between the
 * halves of a surrogate pair, although the flag u excludes that position.
 *
 * @param {RegExp} expression @param {string} text @param {number} at
 */
function search(expression, text, at) {
  for (;; at++) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    if (match === null || !/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(match.index - 1, match.index + 1))) return match;
    at = match.index;
  }
}

const NAMES_ASCII = /^(?:[\x00-\x5B\x5D-\x7F]|\\x[0-7][0-9A-Fa-f]|\\[^pPx1-7])*$/u;

/** @type {Map<string, RegExp>} */
const expressions = new Map();

/** @param {string} pattern @param {boolean} ignoreCase */
function compile(pattern, ignoreCase) {
  const flags = ignoreCase ? "giu" : "gu";
  const known = expressions.get(flags + pattern);
  if (known !== undefined) return known;
  if (ignoreCase && !NAMES_ASCII.test(pattern)) throw new SyntaxError("with ignore_case, it may contain only ASCII characters");
  const expression = new RegExp(new Translator(pattern).expression(), flags);
  if (expressions.size >= MOST_CACHED) expressions.clear();
  expressions.set(flags + pattern, expression);
  return expression;
}

/** @type {Readonly<Record<string, string>>} */
const SETS = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r " };
/** @type {Readonly<Record<string, string>>} */
const IN_SET = { ...SETS, D: "\\D", W: "\\W", S: "\\x00-\\x08\\v\\x0e-\\x1f!-\\u{10ffff}" };
/** @type {Readonly<Record<string, number>>} */
const CONTROLS = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const QUANTIFIER = /(?:[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*|))?\})\??/y;
const GROUP = /\((?:\?(?::|P?<[A-Za-z0-9_]+>)|(?!\?))/y;
const HEX = /x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})/y;

/**
 * Translates a regular expression from Go's syntax to ECMAScript's, and rejects it if the
 * meaning would differ.
 *
 * Every character becomes a numeric escape, and every group a non-capturing one. It
 * rejects inline flags, named classes, properties, quoted text, octal numbers, and
 * repetitions of expressions that can match nothing, because languages differ in them.
 */
class Translator {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  expression() {
    const [out] = this.alternatives();
    if (this.at < this.text.length) this.refuse("an unmatched )");
    return out;
  }

  /** @param {string} what @returns {never} */
  refuse(what) {
    throw new SyntaxError(`it has ${what} at character ${this.at}, which this module does not support`);
  }

  /** @param {RegExp} expression sticky */
  match(expression) {
    expression.lastIndex = this.at;
    return expression.exec(this.text);
  }

  /** The translation, and whether it can match nothing. @returns {[string, boolean]} */
  alternatives() {
    let [out, empty] = this.sequence();
    while (this.text[this.at] === "|") {
      this.at++;
      const [more, moreEmpty] = this.sequence();
      [out, empty] = [`${out}|${more}`, empty || moreEmpty];
    }
    return [out, empty];
  }

  /** @returns {[string, boolean]} */
  sequence() {
    let [out, allEmpty] = ["", true];
    while (this.at < this.text.length && !"|)".includes(this.text[this.at])) {
      let [atom, empty] = this.atom();
      const quantifier = this.match(QUANTIFIER);
      if (quantifier) {
        if (empty) this.refuse("a repetition of an expression that can match nothing");
        const [all, first, comma, last] = quantifier;
        const least = all.startsWith("+") ? 1 : Number(first ?? 0);
        const most = comma ? Number(last || 1000) : least;
        if (Math.max(least, most) > 1000 || most < least && first) this.refuse("a repetition above 1000, or a reversed one");
        this.at += all.length;
        if (this.match(QUANTIFIER)) this.refuse("a repetition of a repetition");
        [atom, empty] = [atom + all, least === 0];
      }
      [out, allEmpty] = [out + atom, allEmpty && empty];
    }
    return [out, allEmpty];
  }

  /** @returns {[string, boolean]} */
  atom() {
    const char = String.fromCodePoint(/** @type {number} */ (this.text.codePointAt(this.at)));
    if (char === "(") {
      const match = this.match(GROUP) ?? this.refuse("a flag or lookaround");
      this.at += match[0].length;
      const [out, empty] = this.alternatives();
      if (this.text[this.at] !== ")") this.refuse("an unclosed (");
      this.at++;
      return [`(?:${out})`, empty];
    }
    if (char === "[") return [this.set(), false];
    if (this.match(QUANTIFIER)) this.refuse("a quantifier without an expression");
    this.at += char.length;
    if (char === "\\") return this.escape();
    if (char === "^" || char === "$") return [char, true];
    return [char === "." ? "[^\\n]" : this.literal(/** @type {number} */ (char.codePointAt(0))), false];
  }

  /** @returns {[string, boolean]} */
  escape() {
    const char = this.text[this.at] ?? "";
    if (char !== "" && "AzbB".includes(char)) {
      this.at++;
      return [{ A: "^", z: "$" }[char] ?? `\\${char}`, true];
    }
    if (Object.hasOwn(SETS, char.toLowerCase())) {
      this.at++;
      return [`[${char === char.toLowerCase() ? "" : "^"}${SETS[char.toLowerCase()]}]`, false];
    }
    return [this.literal(this.character()), false];
  }

  /** The character after a backslash. */
  character() {
    const char = this.text[this.at] ?? "";
    const hex = this.match(HEX);
    if (hex) {
      this.at += hex[0].length;
      return parseInt(hex[1] ?? hex[2], 16);
    }
    if (Object.hasOwn(CONTROLS, char)) {
      this.at++;
      return CONTROLS[char];
    }
    if (!/^[\x00-\x7f]$/.test(char) || /[0-9A-Za-z]/.test(char)) this.refuse("an unsupported escape");
    this.at++;
    return char.charCodeAt(0);
  }

  /** @param {number} code */
  literal(code) {
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) this.refuse("a number that is not a character");
    return `\\u{${code.toString(16)}}`;
  }

  set() {
    this.at++;
    let out = "";
    if (this.text[this.at] === "^") {
      this.at++;
      out = "^";
    }
    for (let first = true; first || this.text[this.at] !== "]"; first = false) {
      if (this.text.startsWith("[:", this.at)) this.refuse("a named character class");
      const follows = this.text[this.at + 1] ?? "";
      if (this.text[this.at] === "\\" && Object.hasOwn(IN_SET, follows)) {
        this.at += 2;
        out += IN_SET[follows];
        continue;
      }
      const low = this.member();
      let high = low;
      if (this.text[this.at] === "-" && ![undefined, "]"].includes(this.text[this.at + 1])) {
        this.at++;
        high = this.member();
      }
      if (high < low) this.refuse("a reversed range");
      out += `${this.literal(low)}-${this.literal(high)}`;
    }
    this.at++;
    return `[${out}]`;
  }

  member() {
    const code = this.text.codePointAt(this.at) ?? this.refuse("an unclosed [");
    this.at += code > 0xffff ? 2 : 1;
    return code === 0x5c ? this.character() : code;
  }
}

// Scores of rule sets.

/** @typedef {{ verdict: "pass" | "fail" | "skipped", reason?: string }} RuleResult */
/** The result of one active rule. `weight` is its effective weight, 0 for an info rule.
 * @typedef {{ id: string, severity: string, weight: number, verdict: string, reason: string }} RuleOutcome */
/**
 * One reason why an artifact does not pass. Fields that do not apply are "" or 0.
 * @typedef {{ kind: "rule_failed" | "rule_skipped" | "score_below_threshold", rule: string, explanation: string, score: number, threshold: number }} RuleReason
 */
/**
 * The result of a rule set for an artifact. `reasons` is empty if and only if it passed.
 * @typedef {{ passed: boolean, phase: string, score: number, passed_weight: number, active_weight: number,
 *   threshold: number, rules: RuleOutcome[], blocking: string[], reasons: RuleReason[] }} RuleScore
 */

const NOT_BLANK = /[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** @param {Json} rule @returns {number} */
const counted = (rule) => (rule.severity === "info" ? 0 : rule.weight);

/** @param {Json} data */
function ruleSetProblems(data) {
  const rules = data.rules ?? [];
  const problems = rules.length > 0 ? [] : ["the rule set has no rules"];
  const threshold = data.scoring?.pass_threshold ?? 0;
  if (!(typeof threshold === "number" && threshold >= 0 && threshold <= 1)) problems.push(`pass_threshold is ${threshold}, expected 0 to 1`);
  for (const { id = "", severity, phase, weight = 0 } of rules) {
    const name = JSON.stringify(id);
    if (!["fail", "warn", "info"].includes(severity)) problems.push(`rule ${name} has no known severity`);
    if (phase !== "A" && phase !== "B") problems.push(`rule ${name} has no known phase`);
    if (!(Number.isFinite(weight) && (weight > 0 || (weight === 0 && severity === "info")))) {
      problems.push(`rule ${name} has weight ${weight}, expected a finite number above 0 (0 only for info)`);
    }
  }
  problems.push(...nameProblems("rule", rules.map((/** @type {Json} */ rule) => rule.id ?? "")));
  if (problems.length === 0 && !Number.isFinite(sum(rules.map(counted)))) problems.push("the weights add up to more than a number can hold");
  return problems;
}

/** @param {any} result */
function usable(result) {
  const { verdict, reason = "" } = result ?? {};
  if (typeof reason !== "string") return false;
  return verdict === "pass" || verdict === "fail" || (verdict === "skipped" && NOT_BLANK.test(reason));
}

/**
 * Scores the results of the rules that are active in phase A or B, by ID.
 *
 * A skipped rule needs a reason and counts as not passed. The score is the weight of the
 * passed rules divided by the weight of all active rules. The artifact passes if the score
 * reaches the threshold and every rule with severity fail passes. InputError lists
 * everything that is missing, unknown, inactive, or invalid.
 *
 * @param {AnyDocument} ruleSet @param {string} phase @param {Record<string, RuleResult>} results
 * @returns {Readonly<RuleScore>}
 */
export function ruleScore(ruleSet, phase, results) {
  const unusable = isObject(results) ? [] : [`the results must be an object with the IDs of rules and results, got ${shown(results)}`];
  const data = checkArguments(ruleSet, "ruleset_id", unusable);
  /** @type {Json[]} */
  const rules = data.rules ?? [];
  const unknownPhase = phase !== "A" && phase !== "B";
  const active = rules.filter((rule) => !unknownPhase && (rule.phase === "A" || (rule.phase === "B" && phase === "B")));
  const ids = new Set(active.map((rule) => rule.id ?? ""));
  const known = new Set(rules.map((rule) => rule.id ?? ""));
  const given = Object.keys(results);
  const problem = new InputError(data.ruleset_id, {
    definition: ruleSetProblems(data), unknownPhase,
    missing: [...ids].filter((id) => !Object.hasOwn(results, id)),
    unknown: given.filter((id) => !known.has(id)),
    inactive: unknownPhase ? [] : given.filter((id) => known.has(id) && !ids.has(id)),
    invalid: given.filter((id) => (unknownPhase ? known : ids).has(id) && !usable(results[id])),
  });
  if (problem.any) throw problem;
  /** @type {RuleReason[]} */
  const reasons = [];
  const outcomes = active.map((rule) => {
    const { verdict, reason = "" } = results[rule.id];
    if (verdict !== "pass" && rule.severity === "fail") {
      reasons.push({ kind: verdict === "fail" ? "rule_failed" : "rule_skipped", rule: rule.id, explanation: reason, score: 0, threshold: 0 });
    }
    return { id: rule.id, severity: rule.severity, weight: counted(rule), verdict, reason };
  });
  const blocking = reasons.map((reason) => reason.rule);
  const passedWeight = sum(outcomes.filter((outcome) => outcome.verdict === "pass").map((outcome) => outcome.weight));
  const activeWeight = sum(outcomes.map((outcome) => outcome.weight));
  const score = activeWeight > 0 ? passedWeight / activeWeight : 1;
  const threshold = data.scoring?.pass_threshold ?? 0;
  if (!(score >= threshold - TOLERANCE)) reasons.push({ kind: "score_below_threshold", rule: "", explanation: "", score, threshold });
  return freeze({
    passed: reasons.length === 0, phase, score, passed_weight: passedWeight, active_weight: activeWeight,
    threshold, rules: outcomes, blocking, reasons,
  });
}
