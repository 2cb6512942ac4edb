"use strict";
// A criterion with its levels, to give one: of the label sheet, and of the catalog, which
// includes this file. Strings become text nodes, never elements.
function levelField({ name, note, description, choices, value }, give) {
  const set = document.createElement("fieldset");
  const add = (tag, text, parent) => {
    const made = document.createElement(tag);
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const legend = add("legend", name, set);
  if (note) add("small", ` ${note}`, legend);
  if (description) add("p", description, set);
  const levels = add("div", "", set);
  levels.className = "choices";
  const inputs = choices.map(([given, key, text]) => {
    const line = add("label", "", levels);
    const input = document.createElement("input");
    input.type = "radio";
    input.name = name;
    input.value = given;
    line.append(input);
    add("b", key, line);
    add("span", text, line);
    // The level that is given can be taken back. Arrow keys click, too.
    input.addEventListener("click", () => give(set.given === given ? undefined : given));
    return input;
  });
  set.show = (given) => {
    set.given = given;
    for (const input of inputs) input.checked = input.value === given;
  };
  set.show(value);
  return set;
}
