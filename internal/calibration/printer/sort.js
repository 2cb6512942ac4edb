"use strict";
for (const table of document.querySelectorAll(".sortable")) {
  Array.from(table.tHead.rows[0].cells).forEach((head, at, heads) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = head.ariaSort === "ascending" ? "descending" : "ascending";
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const rows = Array.from(table.tBodies[0].rows).sort(({ cells: a }, { cells: b }) =>
        a[at].dataset.sort - b[at].dataset.sort || a[at].textContent.localeCompare(b[at].textContent, undefined, { numeric: true }));
      table.tBodies[0].append(...(order === "ascending" ? rows : rows.reverse()));
    });
  });
}
