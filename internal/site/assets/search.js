"use strict";
// Search and filters of the index page. libraryDocuments is defined in search-data.js.
(() => {
  const { at, element } = page;
  const step = 50; // the number of documents to show at a time
  let shown = step;

  // The searchable text of each document in lowercase.
  const texts = libraryDocuments.map(({ id, name, description }) => `${id}\n${name}\n${description}`.toLowerCase());

  // Returns an item with the same structure as in the lists of the page.
  function row({ page: address, name, id, facts }) {
    const link = element("a", "");
    link.href = address;
    link.append(element("bdi", name));
    const title = element("p", "", "document-name");
    title.append(link, " ", element("code", id));
    const list = element("ul", "", "facts-line");
    list.append(...facts.map((fact) => element("li", fact)));
    const item = document.createElement("li");
    item.append(title, list);
    return item;
  }

  function find() {
    const words = at("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [type, kind, status] = ["type", "kind", "status"].map((id) => at(id).value);
    if (words.length === 0 && !type && !kind && !status) return null;
    return libraryDocuments.filter((each, i) => (!type || each.type === type) && (!kind || each.kind === kind)
      && (!status || each.status === status) && words.every((word) => texts[i].includes(word)));
  }

  function show() {
    const found = find();
    at("found").hidden = found === null;
    at("all").hidden = found !== null;
    if (found === null) {
      at("found-count").textContent = "";
      return;
    }
    const more = found.length > shown ? `, showing the first ${shown}` : "";
    at("found-count").textContent = `${found.length} of ${libraryDocuments.length} documents${more}`;
    at("found-list").replaceChildren(...found.slice(0, shown).map(row));
    at("found-more").hidden = found.length <= shown;
  }

  function again() {
    shown = step;
    show();
  }

  for (const id of ["words", "type", "kind", "status"]) at(id).addEventListener("input", again);
  at("found-more").addEventListener("click", () => {
    shown += step;
    show();
  });
  at("search").hidden = false;
  again(); // browsers can restore entered text
})();
