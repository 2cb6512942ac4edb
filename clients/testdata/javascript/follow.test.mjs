// How the JavaScript client follows files and functions.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { follow } from "../../javascript/rubric-bundle.mjs";
import { data, digest, ID, refuses, until, uses, warnings } from "./sample.mjs";

const HOUR = 3600;
const OTHER = `sha256:${"0".repeat(64)}`;
let folder, path, good, all;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "follow-"));
  path = join(folder, "rubrics.zip");
  good = join(folder, "new", "good");
  all = [];
  publish("1.4.0");
});
afterEach(() => {
  for (const live of all) live.close();
  rmSync(folder, { recursive: true });
});

function write(bytes) {
  writeFileSync(`${path}.next`, bytes);
  renameSync(`${path}.next`, path);
}
const publish = (version) => write(data(version));

async function start(options = {}, source = path) {
  const live = await follow(source, { interval: HOUR, ...(options.digest === undefined && { anyDigest: true }), ...options });
  all.push(live);
  return live;
}

describe("follow", () => {
  it("uses a new release without a call", async () => {
    const live = await start({ digest: await digest("1.4.0"), interval: 0.05 });
    const held = live.current;
    publish("1.5.0");
    await until(() => live.current.version === "1.5.0");
    uses(live, "1.5.0");
    assert.deepEqual([held.version, held.get(ID).version, live.refused], ["1.4.0", "1.4.0", ""]);
    assert.ok(live.checks > 1);
  });

  it("counts checks, and the age is that of the last confirmation", async () => {
    const live = await start();
    assert.equal(live.checks, 1);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    assert.ok(live.age > 0.1);
    await live.check();
    assert.ok(live.age < 0.1);
    rmSync(path);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    await refuses(live, "Error", /no such file/);
    assert.ok(live.age > 0.1);
    assert.equal(live.checks, 3);
    assert.match(warnings.at(-1), /keeping the last good bundle, library 1\.4\.0: ENOENT/);
  });

  it("refuses what is not the next release", async () => {
    const release = data("1.6.0");
    const changed = Buffer.from(release);
    changed[release.indexOf("Neither actor")] ^= 32;
    for (const [reason, bytes, name, text] of [
      ["cut", release.subarray(0, 1000), "IntegrityError", /end of the zip/],
      ["empty", new Uint8Array(), "FormatError", /0 bytes/],
      ["an error page", "<html>Bad gateway</html>", "FormatError", /not a zip/],
      ["a changed byte", changed, "IntegrityError", /was changed/],
      ["without what every build writes", data("incomplete-1.6.0"), "IntegrityError", /is missing/],
      ["an earlier release", data("1.4.0"), "ContinuityError", /it is library 1\.4\.0, but the previous one is 1\.5\.0: a version never goes down/],
      ["another library", data("other-1.6.0"), "ContinuityError", /does not continue/],
      ["the same version with another content", data("other-1.5.0"), "ContinuityError", /both are library 1\.5\.0, but with different content/],
    ]) {
      publish("1.5.0");
      const live = await start();
      write(bytes);
      await refuses(live, name, text, "1.5.0").catch((error) => assert.fail(`${reason}: ${error.message}`));
      publish("1.6.0");
      await live.check();
      uses(live, "1.6.0");
      assert.equal(live.refused, "");
    }
  });

  it("refuses a yank that is undone", async () => {
    const live = await start();
    publish("yanked-1.5.0");
    await live.check();
    publish("unyanked-1.6.0");
    await refuses(live, "ContinuityError", /manifest\.json: no longer lists story_v1 1\.4\.0 as yanked/, "1.5.0");
  });

  it("goes back only if allowed", async () => {
    publish("1.5.0");
    const live = await start({ downgrades: true });
    publish("other-1.4.0");
    await refuses(live, "ContinuityError", /does not continue/);
    for (const version of ["1.4.0", "1.5.0"]) {
      publish(version);
      await live.check();
      uses(live, version);
    }
  });

  it("refuses a file that is not regular at once", async () => {
    const live = await start({}, pathToFileURL(path));
    rmSync(path);
    execFileSync("mkfifo", [path]);
    await refuses(live, "BundleError", /not a regular file/);
    rmSync(path);
    mkdirSync(path);
    await refuses(live, "BundleError", /not a regular file/);
  });

  it("needs a bundle and valid arguments", async () => {
    const any = { anyDigest: true };
    for (const [reason, source, options, name, text] of [
      ["no options", path, undefined, "InputError", /anyDigest/],
      ["no digest", path, {}, "InputError", /anyDigest/],
      ["two digests", path, { digest: OTHER, ...any }, "InputError", /either/],
      ["an empty digest", path, { digest: "" }, "InputError", /64/],
      ["another digest", path, { digest: OTHER }, "IntegrityError", new RegExp(`expected ${OTHER}`)],
      ["no source", `${path}2`, any, "Error", /no such file/],
      ["no interval", path, { ...any, interval: 0 }, "InputError", /above 0/],
      ["an interval without an end", path, { ...any, interval: Infinity }, "InputError", /above 0/],
      ["an interval that is none", path, { ...any, interval: null }, "InputError", /above 0/],
      ["no folder", path, { ...any, lastGood: "" }, "InputError", /lastGood/],
      ["an audit that is none", path, { ...any, audit: 1 }, "InputError", /audit/],
      ["nothing", null, any, "InputError", /source/],
      ["an empty path", "", any, "InputError", /source/],
      ["another scheme", "file:///etc/passwd", any, "InputError", /https/],
      ["a token for a file", path, { ...any, token: "x" }, "InputError", /not one/],
      ["a function that returns nothing", () => undefined, any, "InputError", /the function must return the bytes of a bundle, got Undefined/],
      ["a function that fails", () => { throw new Error("out of order"); }, any, "BundleError", /out of order/],
      ["a function that fails later", async () => { throw new Error("out of order"); }, any, "BundleError", /out of order/],
      ["a function that returns too much", () => ({ byteLength: 2 ** 30 + 1 }), any, "BundleError", /more than 1073741824 bytes/],
    ]) {
      await assert.rejects(follow(source, options), (error) => error.name === name && text.test(error.message) || assert.fail(`${reason}: ${error}`));
    }
  });

  it("takes a function, whose bytes can change later", async () => {
    const versions = ["1.4.0"];
    const shared = Buffer.alloc(data("1.5.0").length + 100);
    const live = await start({}, async () => {
      const bytes = data(versions.at(-1));
      bytes.copy(shared);
      return shared.subarray(0, bytes.length);
    });
    versions.push("1.5.0");
    await live.check();
    shared.fill(0);
    uses(live, "1.5.0");
  });

  it("closes promptly, and what is held stays usable", async () => {
    let entered = false;
    let calls = 0;
    const live = await start({ interval: 0.01 }, () => (calls++ === 0 ? data("1.4.0") : new Promise(() => { entered = true; })));
    const held = live.current;
    await until(() => entered);
    const waiting = live.check();
    const begin = performance.now();
    live.close();
    live.close();
    await assert.rejects(waiting, /close was called/);
    assert.ok(performance.now() - begin < 1000);
    for (const call of [async () => live.get(ID), async () => live.resolve(ID), () => live.check(), () => live.getAsync(ID), () => live.resolveAsync(ID)]) {
      await assert.rejects(call, /close was called/);
    }
    assert.deepEqual([held.get(ID).version, live.current.version], ["1.4.0", "1.4.0"]);
  });

  it("lets the process end", () => {
    const script = `
      const { follow } = await import(${JSON.stringify(new URL("../../javascript/rubric-bundle.mjs", import.meta.url).href)});
      const live = await follow(process.argv[1], { anyDigest: true, interval: 60 });
      if (process.argv[2] === "close") live.close();
      console.log(live.current.version);`;
    for (const last of ["close", "leave"]) {
      const { stdout, status, error } = spawnSync(process.execPath, ["--input-type=module", "--eval", script, path, last], { encoding: "utf8", timeout: 30_000 });
      assert.deepEqual([stdout, status, error], ["1.4.0\n", 0, undefined], last);
    }
  });

  it("checks one after the other, and stays right under load", async () => {
    const live = await start({ downgrades: true, interval: 0.001 });
    const checks = [];
    for (let i = 0; i < 20; i++) {
      publish(i % 2 === 0 ? "1.5.0" : "1.4.0");
      checks.push(live.check());
      const held = live.current;
      await new Promise((resolve) => { setTimeout(resolve, 2); });
      assert.equal(held.get(ID).version, held.version);
    }
    await Promise.all(checks);
    await live.check();
    uses(live, "1.4.0");
    assert.equal(live.refused, "");
  });

  it("audits every bundle", async () => {
    const records = [];
    const live = await start({ audit: async (record) => { records.push([record.bundle_version, record.request_id, record.actor]); } });
    await live.getAsync(ID, "", { requestId: "r-17", actor: "ann" });
    publish("1.5.0");
    await live.check();
    await live.resolveAsync(ID);
    assert.deepEqual(records, [["1.4.0", "r-17", "ann"], ["1.5.0", "", ""]]);
    assert.throws(() => live.get(ID), { name: "AuditError" });
  });
});

describe("the folder of the last good bundle", () => {
  const last = (name = "last.zip") => readFileSync(join(good, name));

  /** Starts without the source. */
  async function restart(version, options = {}) {
    const down = () => { throw new Error("it is down"); };
    if (version === undefined) return assert.rejects(start({ lastGood: good, ...options }, down), /it is down/);
    const live = await start({ lastGood: good, ...options }, down);
    uses(live, version);
    assert.match(live.refused, /it is down/);
    assert.ok(live.age < 60);
    return live.close();
  }

  it("is the start if it has the digest", async () => {
    const [first, second, third] = await Promise.all(["1.4.0", "1.5.0", "1.6.0"].map(digest));
    const live = await start({ digest: first, lastGood: good });
    publish("1.5.0");
    await live.check();
    assert.deepEqual([last("first.zip"), last()], [data("1.4.0"), data("1.5.0")]);
    await restart("1.5.0", { digest: first });
    await restart("1.5.0");
    await restart(undefined, { digest: third });
    await restart("1.5.0", { digest: second }); // the last bundle was pinned
    publish("1.6.0");
    uses(await start({ digest: second, lastGood: good }), "1.6.0");
    await restart("1.6.0", { digest: second });
    publish("1.4.0"); // the pin and the source go back
    uses(await start({ digest: first, lastGood: good }), "1.4.0");
    publish("1.5.0");
    uses(await start({ digest: first, lastGood: good }), "1.5.0");
    publish("1.4.0"); // the source goes back
    const back = await start({ digest: first, lastGood: good });
    uses(back, "1.5.0");
    assert.match(back.refused, /does not continue/);
    for (const bytes of [data("other-1.5.0"), data("1.5.0").subarray(0, 1000), new Uint8Array()]) {
      writeFileSync(join(good, "last.zip"), bytes);
      await restart("1.4.0", { digest: first });
      assert.match(warnings.join("\n"), /an earlier bundle was not used: .*last\.zip: /);
    }
    publish("1.6.0");
    uses(await start({ digest: third, lastGood: good }), "1.6.0");
    assert.ok(!existsSync(join(good, "last.zip")));
    publish("1.5.0");
    uses(await start({ digest: second, lastGood: good }), "1.5.0");
    await restart("1.5.0", { digest: second });
  });

  it("tells the age of its bundle", async () => {
    (await start({ digest: await digest("1.4.0"), lastGood: good })).close();
    utimesSync(join(good, "first.zip"), Date.now() / 1000 - HOUR, Date.now() / 1000 - HOUR);
    const live = await start({ digest: await digest("1.4.0"), lastGood: good }, `${path}2`);
    assert.ok(Math.abs(live.age - HOUR) < 60);
  });

  it("is reported if it can't be written", async () => {
    mkdirSync(join(folder, "new"));
    writeFileSync(good, "not a folder");
    const live = await start({ lastGood: good });
    assert.match(live.refused, /was not saved/);
    publish("1.5.0");
    for (let i = 0; i < 2; i++) {
      await refuses(live, "BundleError", /was not saved/, "1.5.0");
      assert.ok(live.age < 10);
    }
    rmSync(good);
    await live.check();
    assert.deepEqual([last(), live.refused, readdirSync(good)], [data("1.5.0"), "", ["last.zip"]]);
  });

  it("keeps the earlier bundle on a full disk", () => {
    const script = `
      const { follow } = await import(${JSON.stringify(new URL("../../javascript/rubric-bundle.mjs", import.meta.url).href)});
      const live = await follow(process.argv[1], { anyDigest: true, lastGood: process.argv[2] });
      console.log(live.current.version, live.refused);`;
    const run = (limit) => spawnSync("sh", ["-c", `trap '' XFSZ; ulimit -f ${limit}; exec "$0" --input-type=module --eval "$1" "$2" "$3"`, process.execPath, script, path, good], { encoding: "utf8" });
    assert.equal(run("unlimited").stdout, "1.4.0 \n");
    publish("1.5.0");
    assert.match(run("1").stdout, /^1\.5\.0 the bundle in use was not saved as the last good one: .*EFBIG/);
    assert.deepEqual([readdirSync(good), last()], [["last.zip"], data("1.4.0")]);
    assert.equal(run("unlimited").stdout, "1.5.0 \n");
    assert.deepEqual([readdirSync(good), last()], [["last.zip"], data("1.5.0")]);
  });
});
