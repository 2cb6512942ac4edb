"use strict";
// Shared functions of the pages' scripts. Strings become text nodes, never elements.
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

  // Formats a number below a minimum so that it is never rounded up to the minimum.
  below(score, minimum) {
    for (let places = 2; places <= 9; places++) {
      if (Number(score.toFixed(places)) < minimum) return String(Number(score.toFixed(places)));
    }
    return String(score);
  },
});
