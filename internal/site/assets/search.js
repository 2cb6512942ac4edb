"use strict";
// Search and filters of the index page. libraryDocuments is defined in search-data.js.
(() => {
  const { at, element } = page;
  const step = 50; // the number of documents to show at a time
  let shown = step;

  const byID = new Map(libraryDocuments.map((each) => [each.line.id, each]));
  const places = new Map(); // what a search covers, by ID; folded when it is first needed

  // Returns an item with the same structure as in the lists of the page, and the places of
  // the words.
  function row({ id, matched }) {
    const { page: address, name, facts } = byID.get(id);
    const link = element("a", "");
    link.href = address;
    link.append(element("bdi", name));
    const title = element("p", "", "document-name");
    title.append(link, " ", element("code", id));
    const list = element("ul", "", "facts-line");
    list.append(...facts.map((fact) => element("li", fact)));
    if (matched.length > 0) list.append(element("li", `found in ${matched.join(", ")}`));
    const item = document.createElement("li");
    item.append(title, list);
    return item;
  }

  function find() {
    const words = at("words").value;
    const [type, kind, status] = ["type", "kind", "status"].map((id) => at(id).value);
    if (words.trim() === "" && !type && !kind && !status) return null;
    const documents = new Map();
    for (const each of libraryDocuments) {
      const { id, artifact_type: own } = each.line;
      if ((type && own !== type) || (kind && each.kind !== kind) || (status && each.status !== status)) continue;
      if (!places.has(id)) places.set(id, rubricBundle.placesOf(each.line));
      documents.set(id, places.get(id));
    }
    return rubricBundle.searchPlaces(documents, words);
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
