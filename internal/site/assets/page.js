"use strict";
// What the scripts of the pages have in common. Texts become text, never elements.
const page = Object.freeze({
  at: (id) => document.getElementById(id),

  element(name, text, className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  },

  list(texts) {
    const made = document.createElement("ul");
    made.append(...texts.map((text) => page.element("li", text)));
    return made;
  },

  // A number that is below a minimum is not shown as if it reached it.
  below(score, minimum) {
    for (let places = 2; places <= 9; places++) {
      if (Number(score.toFixed(places)) < minimum) return String(Number(score.toFixed(places)));
    }
    return String(score);
  },
});
