"use strict";
// Shared functions of the pages' scripts. Strings become text nodes, never elements.
const page = Object.freeze({
  at: (id) => document.getElementById(id),

  // Returns an element with children, which are nodes or texts.
  element(name, children, className = "") {
    const made = document.createElement(name);
    made.append(...[children].flat());
    if (className) made.className = className;
    return made;
  },

  list: (items) => page.element("ul", items.map((item) => page.element("li", item))),

  count: (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`,

  // Formats a number below a minimum so that it is never rounded up to the minimum.
  below(score, minimum) {
    for (let places = 2; places <= 9; places++) {
      if (Number(score.toFixed(places)) < minimum) return String(Number(score.toFixed(places)));
    }
    return String(score);
  },

  // Returns the value in a script with data.
  async unpack(packed) {
    const bytes = Uint8Array.from(atob(packed), (each) => each.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
  },

  // On a phone, each row of a table is a list, in which the columns name the cells.
  stack(table) {
    table.classList.add("stacked");
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, i) => { cell.dataset.column = table.tHead.rows[0].cells[i].textContent; });
  },

  // Loads a script of the site once. A page in a local folder can't fetch other files.
  load: (() => {
    const loaded = new Map();
    const assets = new URL(".", document.currentScript.src);
    return (name) => {
      if (!loaded.has(name)) {
        loaded.set(name, new Promise((resolve, reject) => {
          const script = document.createElement("script");
          script.src = new URL(name, assets);
          script.addEventListener("load", resolve);
          script.addEventListener("error", () => {
            loaded.delete(name);
            script.remove();
            reject(new Error(`${name} could not be loaded. Try again`));
          });
          document.head.append(script);
        }));
      }
      return loaded.get(name);
    };
  })(),
});

(() => {
  const { at, element } = page;

  // The key / leads to the search from every page.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    if (at("words")) at("words").focus();
    else at("to-search").click();
  });

  // Opens the criterion, rule, or version that the address names.
  function reveal() {
    const place = at(location.hash.slice(1));
    for (let each = place; each; each = each.parentElement) if (each.matches("details")) each.open = true;
    place?.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // A button opens or closes all rows of a section.
  for (const button of document.querySelectorAll(".open-all")) {
    const rows = [...button.closest("section").querySelectorAll("details")];
    button.hidden = false;
    button.addEventListener("click", () => {
      const open = rows.some((row) => !row.open);
      for (const row of rows) row.open = open;
      button.textContent = open ? "Close all" : "Open all";
    });
  }

  // Labeled texts: an order, filters, and ten at a time.
  const cards = [...document.querySelectorAll(".graded")];
  if (cards.length > 0) {
    const levels = (card) => new Map([...card.querySelectorAll("[data-criterion]")].map(({ dataset }) => [dataset.criterion, Number(dataset.level)]));
    const grades = (card) => [...levels(card)].map(([name, level]) => `${name} ${Math.round(level)}`);
    const [order, filter, verdict, differs, more, rest] = ["order", "filter", "verdict", "differs", "more", "rest"].map((name) => at(`examples-${name}`));
    const rank = (card) => (order.value === "" ? Number(card.dataset.mean) : levels(card).get(order.value) ?? 0);
    const found = (card) => (filter.value === "" || grades(card).includes(filter.value)) && (verdict.value === "" || card.dataset.verdict === verdict.value) && (!differs?.checked || card.dataset.differs !== undefined);
    let first = 10;

    const arrange = () => {
      for (const card of cards) card.hidden = !found(card);
      const shown = cards.filter((card) => !card.hidden).sort((a, b) => rank(b) - rank(a));
      at("examples-first").replaceChildren(...shown.slice(0, first), ...(rest ? [] : cards.filter((card) => card.hidden)));
      if (!rest) return shown.length;
      const left = shown.slice(first);
      rest.querySelector(".examples").replaceChildren(...left, ...cards.filter((card) => card.hidden));
      rest.querySelector("summary").textContent = page.count(left.length, "more text");
      rest.hidden = more.hidden = left.length === 0;
      return shown.length;
    };
    for (const each of [...new Set(cards.flatMap(grades))].sort()) filter.append(element("option", each));
    for (const control of [order, filter, verdict, differs].filter(Boolean)) control.addEventListener("input", () => {
      first = 10;
      at("examples-count").textContent = page.count(arrange(), "text");
    });
    more?.addEventListener("click", () => { first += 10; arrange(); });
  }

  document.querySelectorAll("table.texts, #section-evidence .scroll > table").forEach(page.stack);

  // Says which versions were valid on a day, from the table of versions.
  if (at("valid-then")) {
    at("valid-then").hidden = false;
    const known = at("valid-then").dataset.known;
    const rows = [...at("valid-table").tBodies[0].rows].map(({ cells, dataset }) => {
      const ended = cells[2].querySelector("br")?.nextSibling.textContent; // why it was yanked or retired later
      const approval = cells[5].textContent === "not recorded" ? "approval not recorded" : cells[5].textContent;
      const about = [dataset.digest, dataset.commit && `commit ${dataset.commit}`, approval, ended && `later ${ended}`];
      return { version: cells[0].textContent, from: dataset.from, until: dataset.until, about: about.filter(Boolean).join("; ") };
    }).filter(({ from }) => from).sort((a, b) => (a.from < b.from ? -1 : 1));
    const withdrawn = at("valid-then").dataset.withdrawn.split(",").filter(Boolean).map((each) => each.split(" "));
    const above = (a, b) => a.localeCompare(b, "en", { numeric: true }) > 0;
    // Returns the withdrawn versions that can have been valid: after those below, and not after one above was.
    const unknown = (day, then) => withdrawn.filter(([version, gone]) => (gone === "" || day <= gone.slice(0, 10)) &&
      (then.length === 0 || !then.every((each) => above(each.version, version) && each.from < day)) &&
      rows.every((row) => above(row.version, version) || rows.find((first) => first.version === row.version).from.slice(0, 10) <= day)).map(([version]) => version).join(" or ");
    const answer = (day) => {
      if (day === "") return "enter a date (UTC)";
      if (known === "") return "not known: no date is recorded";
      if (day > known.slice(0, 10)) return `not known: this site describes the library up to ${known.slice(0, 10)}`;
      const then = rows.filter(({ from, until }) => from.slice(0, 10) <= day && (until === "" || (until.slice(0, 10) >= day && until > from)));
      const doubt = unknown(day, then);
      if (then.length === 0) return doubt ? `not known: the dates of ${doubt}, now withdrawn, are not recorded` : "no version was valid";
      return then.map(({ version, until, about }) => `${version}${until.startsWith(day) ? ` until ${until.slice(11, 16)}` : ""} (${about})`).join(", then ") + (doubt && `, unless it was ${doubt}, now withdrawn, whose dates are not recorded`);
    };
    at("valid-date").addEventListener("input", ({ target }) => { at("valid-answer").textContent = answer(target.value); });
  }

  // A button beside each text to copy.
  const said = element("span", "", "unseen");
  said.setAttribute("role", "status");
  document.body.append(said);
  for (const source of document.querySelectorAll("[data-copy]")) {
    const button = element("button", "Copy", "copy");
    button.type = "button";
    button.setAttribute("aria-label", `Copy ${source.dataset.copy}`);
    button.addEventListener("click", async () => {
      const text = source.href ?? source.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected";
      }
      said.textContent = `${button.textContent}: ${source.dataset.copy}`;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    (source.closest("pre") ?? source).after(button);
  }
})();
