"use strict";
// Filters of a list. The first input loads all rows of the list, listRows in a script. Without a
// filter, the page shows its own rows.
(() => {
  const { at, count, element, load, stack, unpack } = page;
  const form = at("list-filter");
  if (!form) return;
  const step = 100; // the number of rows to show at a time
  const body = at("list-rows");
  const own = [...body.rows];
  const selects = [...form.querySelectorAll("select")];
  let shown = step;
  let all; // a promise of the rows
  let searches = 0;

  async function read() {
    await load(form.dataset.rows);
    const rows = await unpack(listRows);
    for (const row of rows) row.said = row.cells.flat().map(({ text }) => text).join("\n").toLowerCase();
    return rows;
  }

  function pieceOf({ text, page: address, link, code, class: name }) {
    if (address || link) {
      const made = element("a", element("bdi", text));
      made.href = address ?? link;
      if (link) made.rel = "noreferrer";
      return made;
    }
    if (code) return element("code", text, "digest");
    return name ? element("span", text, `${name} class`) : element("bdi", text);
  }

  function rowOf({ cells }) {
    return element("tr", cells.map((cell, i) => {
      const made = element(i === 0 ? "th" : "td", cell.flatMap((each, j) => (j > 0 ? [element("br", ""), pieceOf(each)] : [pieceOf(each)])));
      if (i === 0) made.scope = "row";
      return made;
    }));
  }

  function remember(words, values) {
    const query = new URLSearchParams([["q", words], ...selects.map(({ name }, i) => [name, values[i]])].filter(([, value]) => value !== ""));
    history.replaceState(null, "", `${location.pathname}${query.size > 0 ? `?${query}` : ""}`);
  }

  async function show() {
    const mine = ++searches;
    const words = form.elements.q.value.trim();
    const values = selects.map(({ value }) => value);
    remember(words, values);
    const filtered = words !== "" || values.some((value) => value !== "");
    let rows = [];
    if (filtered) {
      if (!all) at("list-count").textContent = "Loading…";
      try {
        rows = await (all ??= read());
      } catch (error) {
        all = undefined;
        at("list-count").textContent = `Not filtered: ${error.message}.`;
        return;
      }
      if (mine !== searches) return;
    }
    const sought = words.toLowerCase().split(/[\s"'`]+/u).filter(Boolean);
    const found = rows.filter((row) => values.every((value, i) => value === "" || row.values[i] === value) && sought.every((word) => row.said.includes(word)));
    body.replaceChildren(...(filtered ? found.slice(0, shown).map(rowOf) : own));
    stack(body.closest("table"));
    if (at("list-pages")) at("list-pages").hidden = filtered;
    at("list-more").hidden = !filtered || found.length <= shown;
    const more = found.length > shown ? `, showing the first ${shown}` : "";
    at("list-count").textContent = filtered ? `${found.length} of ${count(rows.length, "entry", "entries")}${more}` : total;
  }

  const total = at("list-count").textContent;
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    shown = step;
    show();
  });
  at("list-more").addEventListener("click", () => {
    shown += step;
    show();
  });
  const asked = new URLSearchParams(location.search);
  for (const control of [form.elements.q, ...selects]) if (asked.has(control.name)) control.value = asked.get(control.name);
  if (asked.size > 0) show();
})();
