// How the JavaScript client follows a server: one that works, and those that do not.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createPlain } from "node:http";
import { createServer as createSecure } from "node:https";
import { createServer as createSocket } from "node:net";
import { afterEach, it } from "node:test";
import { promisify } from "node:util";
import { follow } from "../../javascript/rubric-bundle.mjs";
import { data, ID, refuses, until, uses } from "./sample.mjs";

const run = promisify(execFile);
const folder = process.env.RELEASES;
const CA = `${folder}/ca.pem`;
let ended = [];
afterEach(() => {
  for (const end of ended) end();
  ended = [];
});

/** Listens on the loopback address until the test ends. */
async function listen(server) {
  const sockets = new Set();
  for (const event of ["connection", "secureConnection"]) server.on(event, (socket) => sockets.add(socket.on("error", () => {})));
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  ended.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${server.address().port}`;
}

/** A real server. `answer` gets each request; without it, it serves `version` with an ETag. */
async function serve({ secure = false } = {}) {
  const served = { version: "1.4.0", answer: undefined, requests: [], sent: 0 };
  const handle = (request, response) => {
    served.requests.push(request);
    if (served.answer !== undefined) return served.answer(request, response);
    const tag = `"${served.version}"`;
    if (request.headers["if-none-match"] === tag) return response.writeHead(304, { ETag: tag }).end();
    served.sent++;
    return response.writeHead(200, { ETag: tag }).end(data(served.version));
  };
  const key = readFileSync(`${folder}/server.pem`);
  served.host = await listen(secure ? createSecure({ key, cert: key }, handle) : createPlain(handle));
  served.url = `${secure ? "https" : "http"}://${served.host}/rubrics.zip`;
  return served;
}

async function start(address, options = {}) {
  const live = await follow(address, { interval: 3600, ...(options.digest === undefined && { anyDigest: true }), ...options });
  ended.push(() => live.close());
  return live;
}

/** Runs limits of many seconds in a fraction of the time. */
async function faster(run) {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (call, wait, ...rest) => real(call, wait >= 30_000 ? wait / 300 : wait, ...rest);
  try {
    return await run();
  } finally {
    globalThis.setTimeout = real;
  }
}

// The second answer of the server never comes, or slowly.
for (const [reason, secure, answer, waits, printed] of [
  ["a server that does not answer", false, () => {}, false, ""],
  ["one with a certificate", true, () => {}, false, ""],
  ["one that stops in the middle", false, (response) => response.writeHead(200).write("PK"), false, ""],
  ["a check that the program waits for", false, (response) => setTimeout(() => response.end(data("1.4.0")), 500), true, "1.4.0\n"],
]) {
  it(`lets the process end: ${reason}`, async () => {
    const server = await serve({ secure });
    server.answer = (_, response) => (server.requests.length === 1 ? response.end(data("1.4.0")) : answer(response));
    const script = `
      const { follow } = await import(${JSON.stringify(new URL("../../javascript/rubric-bundle.mjs", import.meta.url).href)});
      const live = await follow(process.argv[1], { anyDigest: true, interval: 0.01, ca: process.argv[2] });
      while (live.checks < 2) await new Promise((resolve) => { setTimeout(resolve, 5); });
      await new Promise((resolve) => { setTimeout(resolve, 50); });
      if (${waits}) await live.check().then(() => console.log(live.current.version));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script, server.url, CA], { timeout: 20_000 });
    assert.equal(stdout, printed);
  });
}

it("downloads only what changed", async () => {
  const server = await serve();
  const live = await start(server.url);
  for (const [version, sent] of [["1.4.0", 1], ["1.5.0", 2], ["1.5.0", 2], ["1.6.0", 3]]) {
    server.version = version;
    await live.check();
    assert.deepEqual([live.current.version, server.sent], [version, sent]);
  }
  assert.equal(live.checks, 5);
});

it("does not keep the tag of a bundle that was refused", async () => {
  const server = await serve();
  const live = await start(server.url);
  server.answer = (_, response) => response.writeHead(200, { ETag: '"new"' }).end(data("other-1.6.0"));
  await refuses(live, "ContinuityError", /does not continue/);
  server.answer = (_, response) => response.writeHead(200, { ETag: '"new"' }).end(data("1.5.0"));
  await live.check();
  uses(live, "1.5.0");
  assert.equal(server.requests.at(-1).headers["if-none-match"], '"1.4.0"');
});

it("trusts certificates in addition to those of Node.js", async () => {
  const server = await serve({ secure: true });
  const text = readFileSync(CA, "utf8");
  for (const ca of [CA, text, readFileSync(CA)]) uses(await start(server.url, { ca }), "1.4.0");
  uses(await start(server.url.replace("127.0.0.1", "localhost"), { ca: CA }), "1.4.0");
  await assert.rejects(start(server.url), /certificate/);
  assert.equal(server.requests.length, 4);
  for (const ca of ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "/no/such/file", 1, null, new Uint8Array([255])]) {
    await assert.rejects(start(server.url, { ca }), (error) => error.name === "InputError" && /certificates in PEM/.test(error.message), String(ca));
  }
});

it("refuses addresses", async () => {
  for (const address of [
    "http://example.com/b.zip", "http://localhost.example.com/", "http://127.0.0.1.example.com/", "http://127.0.0.1@example.com/",
    "http://example.com\\@127.0.0.1/\n", "ftp://localhost/b.zip", "https://", "https:///b.zip", "https://user:hidden\n@example.com", "https://a b/",
    "https://example.com:port/", "oci://localhost/b", "http://0.0.0.0/", "http://[::2]/", "https://[::1/", new URL("http://example.com/"),
  ]) {
    await assert.rejects(start(address), (error) => {
      assert.equal(error.name, "InputError", String(address));
      assert.match(error.message, /must be a valid https address/);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
  }
});

it("refuses answers, and then uses a good one", async () => {
  const [server, plain] = [await serve({ secure: true }), await serve()];
  const redirect = (location) => (_, response) => response.writeHead(302, { Location: location }).end();
  const status = (code) => (_, response) => response.writeHead(code).end(data("1.5.0"));
  for (const [reason, answer, text, name = "BundleError"] of [
    ["cut", (_, response) => response.writeHead(200, { "Content-Length": 5000 }).write(Buffer.alloc(1000), () => response.destroy()), /aborted/],
    ["cut in a chunk", (_, response) => response.writeHead(200).write(Buffer.alloc(1000), () => response.destroy()), /aborted/],
    ["declared too large", (_, response) => response.writeHead(200, { "Content-Length": 2 ** 30 + 1 }).flushHeaders(), /more than 1073741824 bytes/],
    ["an error", status(500), /answers 500 Internal Server Error$/], ["a part", status(206), /answers 206/], ["no bundle", status(404), /answers 404/],
    ["empty", (_, response) => response.writeHead(200).end(), /0 bytes/, "FormatError"],
    ["unchanged without a question", (request, response) => response.writeHead(request.headers["if-none-match"] ? 500 : 304).end(), /answers 500/],
    ["to http", redirect(plain.url), /from https to http,/], ["to a file", redirect("file:///etc/passwd"), /from https to file/],
    ["to ftp", redirect("ftp://127.0.0.1/"), /from https to ftp/], ["to nothing", redirect(""), /more than 10 times/],
    ["to itself", redirect(server.url), /more than 10 times/], ["to a bad port", redirect("https://127.0.0.1:x/"), /redirects to an address/],
    ["another protocol", (request) => request.socket.end("220 mail.example.org\r\n"), /Parse Error/],
    ["too many headers", (request) => request.socket.end(`HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(10_000)}\r\n`), /Header overflow/],
  ]) {
    server.answer = undefined;
    server.version = "1.4.0";
    const live = await start(server.url, { ca: CA });
    server.answer = answer;
    await refuses(live, name, text, "1.4.0").catch((error) => assert.fail(`${reason}: ${error.message}`));
    server.answer = undefined;
    server.version = "1.5.0";
    await live.check();
    uses(live, "1.5.0");
    assert.equal(live.refused, "");
  }
  assert.equal(plain.requests.length, 0);
});

it("limits an answer without a length", async () => {
  const server = await serve();
  const live = await start(server.url);
  let sent = 0;
  server.answer = (_, response) => {
    const chunk = Buffer.alloc(8 << 20);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    response.on("drain", more).writeHead(200);
    more();
  };
  await refuses(live, "BundleError", /more than 1073741824 bytes/);
  assert.ok(sent < 1.2 * 2 ** 30, `${sent} bytes were sent`);
});

it("follows redirects within the scheme, without credentials for another host", async () => {
  for (const secure of [false, true]) {
    const [first, second] = [await serve({ secure }), await serve({ secure })];
    first.answer = (_, response) => response.writeHead(302, { Location: second.url.replace("/rubrics", "/a%20b/x?y=%2f#part") }).end();
    for (const [options, name, user = ""] of [
      [{ token: "secret" }, "authorization"], [{ headers: { "Private-Token": "secret" } }, "private-token"], [{}, "authorization", "reader:secret@"],
    ]) {
      const live = await start(first.url.replace("://", `://${user}`), { ...options, ...(secure && { ca: CA }) });
      uses(live, "1.4.0");
      assert.match(first.requests.at(-1).headers[name], /secret|cmVhZGVyOnNlY3JldA==/);
      assert.equal(second.requests.at(-1).headers[name], undefined);
      assert.equal(second.requests.at(-1).headers.host, second.host);
    }
  }
});

it("follows ten redirects, also to a path with a space, and no more", async () => {
  const server = await serve();
  const hops = (count) => (request, response) => {
    const at = Number(/\d+$/.exec(request.url)?.[0] ?? 0);
    if (at === count) return response.end(data("1.4.0"));
    return response.writeHead(302, { Location: `/a b/${at + 1}` }).end();
  };
  server.answer = hops(10);
  uses(await start(server.url), "1.4.0");
  server.answer = hops(11);
  await assert.rejects(start(server.url), /it redirects more than 10 times/);
});

it("sends credentials, and never shows them", async () => {
  const server = await serve();
  for (const [options, name, value, user = ""] of [
    [{ token: "s3cret" }, "authorization", "Bearer s3cret"], [{ headers: { "Private-Token": "s3cret" } }, "private-token", "s3cret"],
    [{}, "authorization", "Basic cmVhZGVyOnMzY3JldA==", "reader:s3cret@"],
  ]) {
    server.answer = undefined;
    const live = await start(`${server.url.replace("://", `://${user}`)}?signature=s3cret`, options);
    assert.equal(server.requests.at(-1).headers[name], value);
    assert.equal(server.requests.at(-1).url, "/rubrics.zip?signature=s3cret");
    server.answer = (_, response) => response.writeHead(403).end();
    await refuses(live, "BundleError", new RegExp(`^http://${server.host}/rubrics.zip: the server answers 403 Forbidden$`));
  }
  for (const options of [
    { token: "s3cret\r\nX: y" }, { token: "" }, { token: 1 }, { token: null }, { headers: { A: "s3cret\n" } }, { headers: { "A b": "s3cret" } },
    { headers: { Host: "s3cret" } }, { headers: { A: null } }, { headers: ["s3cret"] }, { headers: null }, { token: "s3cret", headers: { authorization: "s3cret" } },
  ]) {
    await assert.rejects(start(server.url, options), (error) => error.name === "InputError" && !error.message.includes("s3cret") || assert.fail(String(error)));
  }
});

it("obeys Retry-After", async () => {
  for (const [code, after, least] of [[429, "2", 1.9], [503, new Date(Date.now() + 6000).toUTCString(), 1.5], [429, "soon", 0], [429, "-5", 0], [503, "", 0]]) {
    const server = await serve();
    const live = await start(server.url, { interval: 0.05 });
    const times = [];
    server.answer = (_, response) => {
      times.push(performance.now() / 1000);
      response.writeHead(code, { "Retry-After": after }).end();
    };
    await until(() => times.length === 2);
    live.close();
    assert.ok(times[1] - times[0] > least, `${after}: ${times}`);
    assert.ok(least > 0 || times[1] - times[0] < 1, `${after}: ${times}`);
  }
});

it("waits at most an hour, and a check by hand does not wait", async () => {
  const server = await serve();
  const live = await start(server.url, { interval: 0.05 });
  server.answer = (_, response) => response.writeHead(429, { "Retry-After": "999999999" }).end();
  await refuses(live, "BundleError", /answers 429 Too Many Requests/);
  const before = server.requests.length;
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  assert.equal(server.requests.length, before);
  server.answer = undefined;
  await live.check();
  await until(() => server.requests.length > before + 2);
});

it("gives up a server that sends nothing, or drips", async () => {
  const server = await serve();
  const drip = (begin) => ({ socket }) => {
    socket.write(begin);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("a")), 20);
  };
  for (const [answer, text] of [
    [() => {}, /no answer within 30 seconds/],
    [drip("HTTP/1.1 200 OK\r\nA: "), /no answer within 30 seconds/],
    [drip("HTTP/1.1 200 "), /no answer within 30 seconds/],
    [drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), /takes more than 300 seconds/],
  ]) {
    server.answer = undefined;
    const live = await start(server.url);
    server.answer = answer;
    await faster(() => refuses(live, "BundleError", text));
  }
  const listener = createSocket((socket) => { // a handshake that does not end
    socket.write(Buffer.from([22, 3, 3, 64, 0]));
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("\x02")), 20);
  });
  const host = await listen(listener);
  await faster(() => assert.rejects(start(`https://${host}/`), /no answer within 30 seconds/));
});

it("gives up a function that does not answer", async () => {
  let calls = 0;
  const live = await start(() => (calls++ === 0 ? data("1.4.0") : new Promise(() => {})));
  await faster(() => refuses(live, "BundleError", /takes more than 300 seconds/));
});

it("ends a download when it is closed", async () => {
  const server = await serve();
  const live = await start(server.url, { interval: 0.01 });
  let gone = 0;
  server.answer = (request, response) => {
    request.socket.on("close", () => { gone = performance.now(); });
    response.writeHead(200, { "Content-Length": 1_000_000 }).write("abc");
  };
  await until(() => server.requests.length > 1);
  const begin = performance.now();
  live.close();
  await until(() => gone > 0);
  assert.ok(gone - begin < 1000);
  assert.equal(live.current.get(ID).version, "1.4.0");
});

it("says that a server has no TLS, or that none listens", async () => {
  const server = await serve();
  await assert.rejects(start(server.url.replace("http:", "https:")), /answers in plain HTTP/);
  for (const host of ["127.0.0.1", "localhost"]) {
    await assert.rejects(start(`http://${host}:1/b.zip?signature=hidden`), (error) => /ECONNREFUSED/.test(error.message) && !error.message.includes("hidden"));
  }
});

it("refuses a wrong digest", async () => {
  const server = await serve();
  const digest = `sha256:${"0".repeat(64)}`;
  await assert.rejects(start(server.url, { digest }), { name: "IntegrityError", message: new RegExp(`expected ${digest}`) });
});
