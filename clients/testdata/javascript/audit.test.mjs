// What the JavaScript client does with audit callbacks that are not finished when they return, and
// with what they throw.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AuditError, open } from "../../javascript/rubric-bundle.mjs";
import { data, ID } from "./sample.mjs";

const opened = (audit) => open(data("1.4.0"), { audit });
const failing = () => { throw new Error("out of order"); };
const promise = Promise.reject(new Error("out of order"));
promise.catch(() => {});
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe("get and resolve", () => {
  for (const [reason, audit] of Object.entries({
    "an async function": async () => {},
    "a bound one": (async () => {}).bind(null),
    "a proxy of one": new Proxy(async () => {}, {}),
    "a promise that rejects": () => promise,
    "a proxy of a promise": () => new Proxy(Promise.resolve(), {}),
    "a promise without a constructor": () => Object.defineProperty(Promise.resolve(), "constructor", { get: failing }),
    "an object with then": () => ({ then: (done) => done() }),
    "a function with then": () => Object.assign(() => {}, { then: failing }),
    "a generator": function* () { assert.fail("nothing runs it"); },
    "an asynchronous generator": async function* () { assert.fail("nothing runs it"); },
  })) {
    it(`refuse ${reason}`, async () => {
      const bundle = await opened(audit);
      for (const call of [() => bundle.get(ID), () => bundle.resolve(ID)]) {
        assert.throws(call, (error) => error instanceof AuditError && /not finished.* getAsync or resolveAsync/.test(error.message));
      }
    });
  }

  it("take a callback that is asynchronous only sometimes, when it is not", async () => {
    let calls = 0;
    const bundle = await opened(() => (calls++ % 2 === 0 ? undefined : Promise.resolve()));
    assert.equal(bundle.get(ID).version, "1.4.0");
    assert.throws(() => bundle.get(ID), AuditError);
    assert.equal(bundle.get(ID).version, "1.4.0");
  });
});

describe("getAsync and resolveAsync", () => {
  for (const [reason, audit] of Object.entries({
    "a generator": function* () { assert.fail("nothing runs it"); },
    "an asynchronous generator": async function* () { assert.fail("nothing runs it"); },
    "a promise of a generator": async () => (function* () { assert.fail("nothing runs it"); })(),
  })) {
    it(`refuse ${reason}`, async () => {
      const bundle = await opened(audit);
      for (const call of [() => bundle.getAsync(ID), () => bundle.resolveAsync(ID)]) {
        await assert.rejects(call, (error) => error instanceof AuditError && /returns a promise/.test(error.message));
      }
    });
  }
});

describe("what a callback throws", () => {
  for (const [reason, audit] of Object.entries({
    "an error": failing,
    nothing: () => { throw undefined; },
    "a symbol": () => { throw Symbol("a"); },
    "an object without a text": () => { throw Object.create(null); },
    "an error whose text throws": () => { throw { toString: failing }; },
    "a property that throws": () => ({ get then() { return failing(); } }),
    "a proxy that was revoked": revoked,
  })) {
    it(`is an AuditError: ${reason}`, async () => {
      const bundle = await opened(audit);
      assert.throws(() => bundle.get(ID), AuditError);
      await assert.rejects(bundle.getAsync(ID), AuditError);
    });
  }
});
