"use strict";
// Search and filters of the index page. The first input loads the library's client, from which
// the search is, and the documents, librarySearch in search-data.js.
(() => {
  const { at, count, element, load } = page;
  const step = 30; // the number of documents to show at a time
  const mostTypes = 8; // the number of artifact types to offer as filters
  const filters = { kind: "", status: "", type: "" };
  let shown = step;
  let library; // a promise of the documents by ID
  let client;
  let searches = 0;

  const firstTypes = [...document.querySelectorAll("#filters [data-key=type]")]; // that the page offers

  async function read() {
    await Promise.all([load("client.js"), load("search-data.js")]);
    client = makeClient();
    const bytes = Uint8Array.from(atob(librarySearch), (each) => each.charCodeAt(0));
    const data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
    return new Map(data.map((each) => [each.line.id, each]));
  }

  const values = { kind: (each) => each.kind, status: (each) => each.status, type: (each) => each.line.artifact_type };
  const matches = (each, keys) => keys.every((key) => filters[key] === "" || (filters[key] === "calibrated" ? each.calibrated : values[key](each) === filters[key]));

  // Returns the results in all artifact types, because their filters show how many each has.
  // As everywhere, words find what is deprecated or retired only if the filter asks for it.
  function find(documents, words) {
    const places = new Map();
    for (const [id, each] of documents) {
      if (!matches(each, Object.keys(filters))) continue;
      if (words.trim() !== "" && filters.status === "" && (each.status === "deprecated" || each.status === "retired")) continue;
      places.set(id, each.places ??= client.placesOf(each.line));
    }
    return client.searchPlaces(places, words);
  }

  // Reports whether a piece of a text has a word of the query, or one with a typo.
  function like(piece, words) {
    const said = client.fold(piece);
    return said !== "" && words.some(({ word, typo }) => client.contains(said, word) > 0 || (typo && client.oneEdit([...word], [...said.trim()])));
  }

  const pieces = (text) => text.split(/([\p{L}\p{M}\p{N}]+)/u);

  // Appends a text with the words of the query marked.
  function mark(target, text, words) {
    target.append(...pieces(text).map((piece) => (like(piece, words) ? element("mark", piece) : piece)));
    return target;
  }

  // Returns the beginning of a text from a little before the first word of the query, or ""
  // if it has none.
  function excerpt(text, words) {
    const plain = text.replace(/[\p{C}\p{Z}]+/gu, " ");
    const all = pieces(plain);
    const first = all.findIndex((piece) => like(piece, words));
    if (first < 0) return "";
    const at = all.slice(0, first).join("").length;
    const from = at < 60 ? 0 : plain.lastIndexOf(" ", at - 40);
    return `${from > 0 ? "… " : ""}${plain.slice(from, from + 140).trim()}${from + 140 < plain.length ? "…" : ""}`;
  }

  // Returns where the words were found other than in the ID, name, and type.
  function places({ line, page }, matched, words) {
    const parts = (line.parts ?? []).filter(({ list, name }) => matched.includes(`${list}[${name}]`)).slice(0, 2);
    return parts.map(({ list, name, text = "" }) => {
      const item = element("li", `${{ criteria: "criterion", negative_criteria: "negative criterion", rules: "rule" }[list]} `);
      const said = excerpt(text, words);
      const link = mark(element("a", ""), name, words);
      link.href = `${page}#${{ criteria: "", negative_criteria: "negative-", rules: "rule-" }[list]}${name}`;
      item.append(link, said && ": ");
      return mark(item, said, words);
    });
  }

  // Returns an item with the same structure as in the lists of the page, and the places of
  // the words.
  function row(found, { id, matched }, words) {
    const link = element("a", mark(element("bdi", ""), found.name, words));
    link.href = found.page;
    const item = element("li", element("p", [link, " ", mark(element("code", ""), id, words)], "document-name"));
    if (found.summary) {
      item.append(mark(element("p", "", "summary"), found.summary, words));
      item.lastChild.dir = "auto";
    }
    if (found.chips) item.append(element("ul", found.chips.map((each) => element("li", each)), "chips-line"));
    item.append(element("ul", found.facts.map(({ Text, Class }) => element("li", Text, Class)), "facts-line"));
    const others = places(found, matched, words);
    if (others.length > 0) item.append(element("ul", others, "places"));
    return item;
  }

  function chip(key, value, label) {
    const made = element("button", label, "chip");
    made.type = "button";
    made.dataset.key = key;
    made.dataset.value = value;
    return made;
  }

  // Offers the artifact types that most results have.
  function offerTypes(documents, found) {
    const group = at("filters");
    const focused = document.activeElement?.dataset?.value;
    group.querySelectorAll("[data-key=type]").forEach((each) => each.remove());
    const counts = new Map();
    for (const { id } of found) counts.set(values.type(documents.get(id)), (counts.get(values.type(documents.get(id))) ?? 0) + 1);
    const types = [...counts].sort((a, b) => b[1] - a[1]).slice(0, mostTypes);
    if (filters.type !== "" && !counts.has(filters.type)) types.push([filters.type, 0]);
    if (types.length > 1 || filters.type !== "") group.append(...types.map(([type, n]) => chip("type", type, `${type.replaceAll("_", " ")} (${n})`)));
    press();
    if (focused) [...group.children].find((each) => each.dataset.value === focused)?.focus();
  }

  function press() {
    for (const each of at("filters").children) each.setAttribute("aria-pressed", String(filters[each.dataset.key] === each.dataset.value));
  }

  function remember(words) {
    const query = new URLSearchParams(Object.entries({ q: words.trim(), ...filters }).filter(([, value]) => value !== ""));
    history.replaceState(null, "", `${location.pathname}${query.size > 0 ? `?${query}` : ""}`);
  }

  async function show() {
    const mine = ++searches;
    const words = at("words").value;
    const searched = words.trim() !== "" || Object.values(filters).some((value) => value !== "");
    remember(words);
    press();
    at("found-count").textContent = searched && !library ? "Loading…" : at("found-count").textContent;
    if (!searched) {
      at("found-count").textContent = "";
      at("all").hidden = false;
      at("found").hidden = true;
      at("filters").querySelectorAll("[data-key=type]").forEach((each) => each.remove());
      at("filters").append(...firstTypes);
      press();
      return;
    }
    let documents;
    try {
      documents = await (library ??= read());
    } catch (error) {
      library = undefined;
      at("found-count").textContent = `Not searched: ${error.message}.`;
      at("all").hidden = false;
      at("found").hidden = true;
      return;
    }
    if (mine !== searches) return;
    const found = find(documents, words);
    at("all").hidden = found.length > 0 && !found[0].partial;
    at("found").hidden = false;
    const folded = client.fold(/@/u.test(words) ? words.slice(0, words.indexOf("@")) : words).split(" ").filter(Boolean);
    // As in the search, a word of four letters or more is a typo if no document has it. All results have the others.
    const typo = (word) => found.length > 0 && [...word].length > 3 && !/\p{N}/u.test(word) && !documents.get(found[0].id).places.some(([, , said]) => said.includes(word));
    const marked = folded.map((word) => ({ word, typo: typo(word) }));
    const more = found.length > shown ? `, showing the first ${shown}` : "";
    const partial = found[0]?.partial ? "No document has all the words. Those with the most: " : "";
    if (found.length === 0) at("found-count").textContent = `Nothing was found. Below is the whole library: ${count(documents.size, "document")}.`;
    else at("found-count").textContent = `${partial}${found.length} of ${count(documents.size, "document")}${more}`;
    at("found-list").replaceChildren(...found.slice(0, shown).map((each) => row(documents.get(each.id), each, marked)));
    at("found-more").hidden = found.length <= shown;
    offerTypes(documents, found);
  }

  function again() {
    shown = step;
    return show();
  }

  // Moves through the results with the arrow keys, from the search box and back to it.
  function move(event) {
    const links = [...document.querySelectorAll("#found:not([hidden]) .document-name a")];
    const now = links.indexOf(document.activeElement);
    if (event.key === "Escape") {
      at("words").value = "";
      at("words").focus();
      again();
    } else if (event.key === "Enter" && document.activeElement === at("words")) links[0]?.click();
    else if (event.key === "ArrowDown" && (now >= 0 || document.activeElement === at("words"))) links[now + 1]?.focus();
    else if (event.key === "ArrowUp" && now >= 0) (links[now - 1] ?? at("words")).focus();
    else return;
    event.preventDefault();
  }

  at("search-missing").hidden = true;
  const asked = new URLSearchParams(location.search);
  for (const key of Object.keys(filters)) filters[key] = asked.get(key) ?? "";
  if (asked.has("q")) at("words").value = asked.get("q");
  at("words").addEventListener("input", again);
  at("filters").addEventListener("click", ({ target }) => {
    const { key, value } = target.dataset;
    if (key === undefined) return;
    filters[key] = filters[key] === value ? "" : value;
    again();
  });
  at("found-more").addEventListener("click", () => {
    shown += step;
    show();
  });
  document.addEventListener("keydown", move);
  if (location.hash === "#words") at("words").focus();
  if (at("words").value !== "" || Object.values(filters).some((value) => value !== "")) again(); // from the address, or restored by the browser
})();
