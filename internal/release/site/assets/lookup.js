"use strict";
// What the first page looks up before it searches for words: references, digests, commits, and
// owners. Texts of the data are sanitized.
const lookup = (() => {
  const { count } = page;
  const leastDigits = 7;

  // Returns a text without quotes and characters that can't be seen.
  const plain = (text) => text.replace(/["'`“”„‘’«»\p{Cf}]/gu, "").trim();

  // Returns the digits at the beginning of a text, also if spaces or line breaks are in between.
  function digits(text) {
    const rest = text.trim().replace(/^sha256:\s*/iu, "");
    const [first] = /^[^\s,;)\]}>*.…]*/u.exec(rest);
    const joined = rest.replace(/\s/gu, "");
    return (first.length < 64 && /^[0-9a-f]*$/iu.test(joined) ? joined : first).toLowerCase();
  }

  const short = (digest) => digest.slice(0, "sha256:".length + 12);
  const noPeriod = (text) => text.replace(/\.+$/u, "");

  // Says what ended: the version, or its document.
  function ended(each, { version, yanked } = {}) {
    const why = [];
    if (yanked) why.push(`Version ${version} is yanked: ${noPeriod(yanked)}.`);
    if (each.ended) why.push(`The document is ${each.status}: ${noPeriod(each.ended)}.`);
    if (each.replaced_by) why.push(`Use ${each.replaced_by} instead.`);
    return why.join(" ");
  }

  // Returns what a list shows of a version.
  function item(each, found) {
    const { version, digest, release, commit, yanked } = found;
    const facts = [yanked && ["yanked", "retired"], each.status !== "active" && [each.status, each.status],
      [digest, "digest"], release && [`library ${release}`, ""], commit && [`commit ${commit.slice(0, 12)}`, ""]].filter(Boolean);
    return {
      page: each.page.replace(/[^/]*$/u, `${version}.html`), name: `${each.name} ${version}`, code: `${each.line.id}@${version}`,
      note: ended(each, found), facts: facts.map(([Text, Class]) => ({ Text, Class })),
    };
  }

  const items = (each) => each.versions.map((version) => item(each, version)).reverse();
  const gone = (id, version, { withdrawn }) => withdrawn.find((each) => each.id === id && each.version === version);
  const goneItem = ({ page, id, version, reason }) => ({ page, name: id, code: `${id}@${version}`, note: `Withdrawn: ${reason}`, facts: [{ Text: "withdrawn", Class: "retired" }] });

  function versionOf(id, version, pasted, data) {
    const each = data.documents.get(id);
    const name = `${id}@${version}`;
    const found = each?.versions.find((one) => one.version === version);
    const withdrawn = gone(id, version, data);
    if (withdrawn) return { text: `${name} is withdrawn: ${noPeriod(withdrawn.reason)}.`, items: [goneItem(withdrawn)] };
    const retired = data.gone.find((one) => one.id === id);
    if (retired) return { text: `${id} is retired, and no version of it is available: ${retired.reason}`, items: [] };
    if (!each) return { text: `${name} does not exist: no document has the ID ${id}.`, nearest: id };
    if (!found) return { text: `${name} does not exist. ${id} has ${count(each.versions.length, "version")}.`, items: items(each) };
    const digest = pasted === undefined ? "" : digits(pasted);
    if (pasted !== undefined && !found.digest.startsWith(`sha256:${digest}`)) {
      const others = /^[0-9a-f]{7,64}$/u.test(digest) ? withDigits(digest, data).items : [];
      const whose = others.length > 0 ? "The digest in the reference is that of:" : "No version has the digest in the reference.";
      return { text: `${name} has another digest, ${short(found.digest)}…. ${whose}`, items: others.length > 0 ? others : [item(each, found)] };
    }
    const doubt = pasted !== undefined && digest.length < leastDigits ? ` At least ${leastDigits} digits of the digest are required to compare it.` : "";
    const latest = version === each.line.latest ? "" : ` The latest version is ${each.line.latest}.`;
    return { text: `${ended(each, found) || `${name} is in this library.`}${latest}${doubt}`, items: [item(each, found)] };
  }

  // Returns the versions and releases whose digest or commit begins with digits.
  function withDigits(digits, { documents, releases }) {
    const is = ({ digest = "", commit = "" }) => digest.startsWith(`sha256:${digits}`) || commit.startsWith(digits);
    const versions = [...documents.values()].flatMap((each) => each.versions.filter(is).map((version) => item(each, version)));
    const found = releases.filter(is).map(({ version, page, digest, commit }) => ({
      page, name: `Release ${version}`, code: `library ${version}`, note: "",
      facts: [{ Text: digest || "digest not recorded", Class: "digest" }, ...(commit ? [{ Text: `commit ${commit.slice(0, 12)}`, Class: "" }] : [])],
    }));
    const said = [versions.length > 0 && count(versions.length, "version"), found.length > 0 && count(found.length, "release")].filter(Boolean);
    const notes = versions.map(({ note }) => note).filter(Boolean);
    return { text: `${said.join(" and ")} with this digest or commit.${notes.length === 1 ? ` ${notes[0]}` : ""}`, items: [...versions, ...found] };
  }

  function ofDigits(text, data) {
    const marked = /sha256:(.*)$/isu.exec(text);
    const joined = text.replace(/^(?:commit|digest)\b:?/iu, "").replace(/[\s#]/gu, "").replace(/[.…,;]+$/u, "");
    const token = /(?<![0-9a-z])([0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-z])/iu.exec(text)?.[1];
    const found = marked ? digits(marked[1]) : (token ?? (/^[0-9a-f]{7,64}$/iu.test(joined) ? joined : "")).toLowerCase();
    if (marked && !/^[0-9a-f]*$/u.test(found)) return { text: "This is not a digest: expected sha256: and hexadecimal digits.", items: [] };
    if (marked && found.length < leastDigits) return { text: `At least ${leastDigits} digits of a digest are required.`, items: [] };
    if (found === "") return undefined;
    const result = withDigits(found, data);
    if (result.items.length > 0) return result;
    return marked || found.length >= 40 ? { text: "No version and no release has this digest or commit.", items: [] } : undefined;
  }

  // Returns what a reference, a digest, or a commit leads to, and undefined for words.
  function find(query, data) {
    const text = plain(query);
    const reference = /(?:^|[^a-z0-9_])([a-z][a-z0-9_]*)\s*@\s*v?(\d+\.\d+\.\d+)(?![\w+]|[.-]\w|\.\*)(?:\s*#(.*)|[\s@(,]*(sha256:.*))?/isu.exec(text);
    return reference ? versionOf(reference[1].toLowerCase(), reference[2], reference[3] ?? reference[4], data) : ofDigits(text, data);
  }

  // Splits a query into the owners that it names, such as @acme/sre, and the other words.
  function owners(query, documents) {
    const known = new Set([...documents.values()].flatMap((each) => each.owners ?? []).map((owner) => owner.toLowerCase()));
    const named = [];
    const rest = query.split(/\s+/u).filter((word) => {
      const name = plain(word).replace(/[,;]+$/u, "").toLowerCase();
      const owner = name.length > 1 && name.includes("@") && [...known].some((each) => (name.startsWith("@") ? each.startsWith(name) : each === name));
      if (owner) named.push(name);
      return !owner;
    });
    return { named, words: named.length > 0 ? rest.join(" ") : query };
  }

  // Reports whether a document has all the owners, of which the ends can be missing.
  const owned = (each, named) => named.every((name) => (each.owners ?? []).some((owner) => owner.toLowerCase().startsWith(name)));

  const pairs = (text) => new Set([...text].slice(1).map((letter, i) => [...text][i] + letter));

  // Returns the documents whose names or IDs are spelled most like a text, the nearest first.
  function nearest(text, documents, fold) {
    const wanted = pairs(fold(text));
    const like = (said) => 2 * [...wanted].filter((pair) => said.has(pair)).length / (wanted.size + said.size);
    return [...documents].map((each) => ({ each, near: Math.max(like(each.named ??= pairs(fold(each.name))), like(each.spelled ??= pairs(fold(each.line.id)))) }))
      .filter(({ near }) => near > 0).sort((a, b) => b.near - a.near).slice(0, 5).map(({ each }) => each);
  }

  return Object.freeze({ find, owners, owned, nearest, ended });
})();
