"use strict";
// Search and filters of the index page. The first input loads the library's client, from which
// the search is, what is looked up before it, and the documents, librarySearch in search-data.js.
(() => {
  const { at, count, element, load, unpack } = page;
  const step = 30; // the number of documents to show at a time
  const mostEnded = 5; // the number of documents that are no longer in use to name at once
  const filters = { kind: "", status: "", type: "", owner: "", language: "" };
  let shown = step;
  let library; // a promise of the data, with the documents by ID
  let client;
  let searches = 0;

  const chips = [...document.querySelectorAll("#filters .chip")];
  const fields = [...document.querySelectorAll("#filters input")];
  const counted = new Map(chips.map((each) => [each, each.lastElementChild.textContent])); // in the whole library

  async function read() {
    await Promise.all([load("client.js"), load("lookup.js"), load("search-data.js")]);
    client = makeClient();
    const data = await unpack(librarySearch);
    return { ...data, documents: new Map(data.documents.map((each) => [each.line.id, each])) };
  }

  const values = {
    kind: (each) => [each.kind],
    status: (each) => (each.calibrated ? ["calibrated", each.status] : [each.status]),
    type: (each) => [each.line.artifact_type],
    owner: (each) => each.owners ?? [],
    language: (each) => [each.language],
  };
  const wordsOf = (key, value) => (key === "type" ? value.replaceAll("_", " ") : value);
  const keysBut = (key) => Object.keys(filters).filter((other) => other !== key);
  const matches = (each, keys) => keys.every((key) => filters[key] === "" || values[key](each).includes(filters[key]));
  const isEnded = ({ status }) => status === "deprecated" || status === "retired";

  // Returns the results of a query among the documents that some of the filters leave. As
  // everywhere, words find what is deprecated or retired only if that is asked for.
  function find(documents, query, keys, withEnded = query.trim() === "" || filters.status !== "") {
    const { named, words } = lookup.owners(query, documents);
    const places = new Map();
    for (const [id, each] of documents) {
      if (!matches(each, keys) || !lookup.owned(each, named) || (isEnded(each) && !withEnded)) continue;
      places.set(id, each.places ??= client.placesOf(each.line));
    }
    const found = client.searchPlaces(places, words);
    return found.length === 0 || found[0].partial ? ofOwners(documents, places, words, found) : found;
  }

  // Words that no document has can be those of an owner in CODEOWNERS, which the search does not cover.
  function ofOwners(documents, places, words, found) {
    const all = client.fold(words).split(" ").filter(Boolean);
    const has = (id) => all.every((word) => client.contains(client.fold((documents.get(id).owners ?? []).join(" ")), word) > 2);
    const owned = [...places.keys()].filter((id) => all.length > 0 && has(id));
    return owned.length > 0 ? owned.map((id) => ({ id, score: 0, matched: ["owner"], partial: false })) : found;
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

  // Counts the values of a facet within the query and the other filters.
  function countsOf(key, documents, query, found) {
    const results = key !== "status" && filters[key] === "" ? found : find(documents, query, keysBut(key), key === "status" || undefined);
    const counts = new Map();
    for (const { id } of results) for (const value of values[key](documents.get(id))) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  // Shows how many documents each filter would leave.
  function offer(documents, query, found) {
    const counts = {};
    for (const key of Object.keys(filters)) counts[key] = countsOf(key, documents, query, found);
    for (const each of chips) {
      const n = counts[each.dataset.key].get(each.dataset.value) ?? 0;
      each.lastElementChild.textContent = `(${n})`;
      each.disabled = n === 0 && each.getAttribute("aria-pressed") === "false";
    }
    for (const { dataset: { key }, list } of fields) {
      list.replaceChildren(...[...counts[key]].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value, n]) => {
        const option = element("option", count(n, "document"));
        option.value = wordsOf(key, value);
        return option;
      }));
    }
  }

  function press() {
    for (const each of chips) each.setAttribute("aria-pressed", String(filters[each.dataset.key] === each.dataset.value));
  }

  function remember(words) {
    const query = new URLSearchParams(Object.entries({ q: words.trim(), ...filters }).filter(([, value]) => value !== ""));
    history.replaceState(null, "", `${location.pathname}${query.size > 0 ? `?${query}` : ""}`);
  }

  // Shows the page as it is without a search.
  function rest(text) {
    at("found-count").textContent = text;
    at("all").hidden = false;
    at("found").hidden = true;
    countAll();
  }

  // Shows how many documents of the whole library each filter leaves.
  function countAll() {
    for (const [each, said] of counted) {
      each.lastElementChild.textContent = said;
      each.disabled = false;
    }
  }

  async function show() {
    const mine = ++searches;
    const query = at("words").value;
    const searched = query.trim() !== "" || Object.values(filters).some((value) => value !== "");
    remember(query);
    press();
    if (!searched) return rest("");
    if (!library) at("found-count").textContent = "Loading…";
    let data;
    try {
      data = await (library ??= read());
    } catch (error) {
      library = undefined;
      return rest(`Not searched: ${error.message}.`);
    }
    if (mine !== searches) return undefined;
    const special = lookup.find(query, data);
    return special ? showSpecial(special, data) : showFound(data, query);
  }

  // Shows what a reference, a digest, or a commit leads to.
  function showSpecial({ text, items = [], nearest }, { documents }) {
    const near = nearest ? lookup.nearest(nearest, documents.values(), client.fold) : [];
    const rows = [...items.map(special), ...near.map((each) => row(each, { id: each.line.id, matched: [] }, []))];
    list(`${text}${near.length > 0 ? " The nearest:" : ""}`, rows, false);
    at("found-ended").hidden = true;
    countAll(); // not those of the query before it
  }

  function special({ page, name, code, note, facts }) {
    const link = element("a", element("bdi", name));
    link.href = page;
    const item = element("li", element("p", [link, " ", element("code", code)], "document-name"));
    if (note) item.append(element("p", note, "summary"));
    item.append(element("ul", facts.map(({ Text, Class }) => element("li", Text, Class)), "facts-line"));
    return item;
  }

  // Shows rows below a statement, and the lists of the page if they help.
  function list(text, rows, lists) {
    at("found-count").textContent = text;
    at("found").hidden = false;
    at("all").hidden = !lists;
    at("found-list").replaceChildren(...rows.slice(0, shown));
    at("found-more").hidden = rows.length <= shown;
  }

  function showFound({ documents, gone }, query) {
    const found = find(documents, query, Object.keys(filters));
    const { words } = lookup.owners(query, documents);
    const folded = client.fold(client.REFERENCE.test(words) ? words.slice(0, words.indexOf("@")) : words).split(" ").filter(Boolean);
    const ended = endedWith(documents, query, found);
    const full = found.length > 0 && !found[0].partial;
    if (!full && ended.length > 0) {
      list(`No document in use has all the words. ${count(ended.length, "document")} no longer in use:`, ended.map((each) => {
        const item = rowOf(documents, each, folded, ended);
        item.append(element("p", lookup.ended(documents.get(each.id)), "summary"));
        return item;
      }), false);
    } else if (found.length > 0) {
      const more = found.length > shown ? `, showing the first ${shown}` : "";
      const partial = full ? "" : "No document has all the words. Those with the most: ";
      list(`${partial}${found.length} of ${count(documents.size, "document")}${more}`, found.map((each) => rowOf(documents, each, folded, found)), !full);
    } else showNearest(documents, query);
    sayEnded(documents, full ? ended : [], gone, folded);
    offer(documents, query, found);
  }

  // Returns the documents no longer in use that have all the words.
  function endedWith(documents, query, found) {
    if (query.trim() === "" || filters.status !== "") return [];
    const known = new Set(found.map(({ id }) => id));
    return find(documents, query, Object.keys(filters), true).filter(({ id, partial }) => !partial && !known.has(id) && isEnded(documents.get(id)));
  }

  // Names the documents that a search leaves out because they are no longer in use.
  function sayEnded(documents, ended, gone, folded) {
    const names = ended.slice(0, mostEnded).map(({ id }) => {
      const each = documents.get(id);
      const link = element("a", element("bdi", each.name));
      link.href = each.page;
      return [link, ` (${each.status}${each.replaced_by ? `: use ${each.replaced_by}` : ""})`];
    });
    const left = gone.filter(({ id }) => folded.length > 0 && folded.every((word) => client.contains(client.fold(id), word) > 0));
    for (const { id, reason } of left.slice(0, mostEnded)) names.push([element("code", id), ` (retired: ${reason})`]);
    const more = ended.length + left.length - names.length;
    at("found-ended").replaceChildren("No longer in use: ", ...names.flatMap((each, i) => (i > 0 ? [", ", ...each] : each)), more > 0 ? `, and ${more} more` : "");
    at("found-ended").hidden = names.length === 0;
  }

  // Without a match, shows what is there without the filters, or the documents with similar names.
  function showNearest(documents, query) {
    const filtered = [...documents.values()].filter((each) => matches(each, Object.keys(filters)));
    const without = filtered.length < documents.size ? find(documents, query, []) : [];
    if (without.length > 0) {
      const folded = client.fold(query).split(" ").filter(Boolean);
      return list(`Nothing was found with these filters. Without them: ${count(without.length, "document")}`, without.map((each) => rowOf(documents, each, folded, without)), false);
    }
    const near = lookup.nearest(query, documents.values(), client.fold);
    return list(`Nothing was found in ${count(documents.size, "document")}.${near.length > 0 ? " The nearest:" : ""}`, near.map((each) => row(each, { id: each.line.id, matched: [] }, [])), true);
  }

  // As in the search, a word of four letters or more is a typo if no document has it. All results have the others.
  function rowOf(documents, match, folded, found) {
    const first = documents.get(found[0].id).places;
    const typo = (word) => [...word].length > 3 && !/\p{N}/u.test(word) && !first.some(([, , said]) => said.includes(word));
    return row(documents.get(match.id), match, folded.map((word) => ({ word, typo: typo(word) })));
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
    const { key, value } = target.closest(".chip")?.dataset ?? {};
    if (key === undefined) return;
    filters[key] = filters[key] === value ? "" : value;
    again();
  });
  for (const field of fields) {
    const { key } = field.dataset;
    if (filters[key]) field.value = wordsOf(key, filters[key]);
    // The values are offered before the first search, too.
    field.addEventListener("focus", async () => {
      const { documents } = await (library ??= read());
      const query = at("words").value;
      offer(documents, query, find(documents, query, Object.keys(filters)));
    });
    field.addEventListener("input", async () => {
      const { documents } = await (library ??= read());
      const value = [...documents.values()].flatMap(values[key]).find((one) => wordsOf(key, one).toLowerCase() === field.value.trim().toLowerCase()) ?? "";
      if (value !== filters[key]) {
        filters[key] = value;
        again();
      }
    });
  }
  at("found-more").addEventListener("click", () => {
    shown += step;
    show();
  });
  document.addEventListener("keydown", move);
  if (location.hash === "#words") at("words").focus();
  if (at("words").value !== "" || Object.values(filters).some((value) => value !== "")) again(); // from the address, or restored by the browser
})();
