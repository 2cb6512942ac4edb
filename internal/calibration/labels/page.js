const data = JSON.parse(document.getElementById("data").textContent);
const byID = (id) => document.getElementById(id);
const storage = "rubric-labels " + data.form + " " + data.items.map((item) => item.code).join(" ");
const cannotTell = "cannot tell";
let labels = {}; // by code and criterion
let item = 0;
let criterion = 0;
let shown; // the item whose texts are on the page

function element(name, text, parent) {
  const e = document.createElement(name);
  e.textContent = text;
  parent.append(e);
  return e;
}

function load() {
  try {
    labels = JSON.parse(localStorage.getItem(storage)) || {};
  } catch {
    note("This browser keeps nothing. Save the labels before you close the page.");
  }
  const open = data.items.findIndex((one) => !complete(one));
  item = Math.max(0, open);
}

function keep() {
  try {
    localStorage.setItem(storage, JSON.stringify(labels));
  } catch {
    // load has said so
  }
}

function note(text) {
  byID("note").textContent = text;
}

function labelOf(one, c) {
  return (labels[one.code] || {})[c.name];
}

function complete(one) {
  return data.criteria.every((c) => labelOf(one, c) !== undefined);
}

function show() {
  const one = data.items[item];
  const done = data.items.filter(complete).length;
  byID("place").textContent = `Item ${item + 1} of ${data.items.length}, ${done} labeled`;
  byID("progress").max = data.items.length;
  byID("progress").value = done;
  byID("previous").disabled = item === 0;
  byID("next").disabled = item === data.items.length - 1;
  if (shown !== one) {
    shown = one;
    const [artifact, ...inputs] = one.texts;
    texts("artifact", [artifact]);
    texts("inputs", inputs.filter((input) => input.text));
  }
  byID("criteria").replaceChildren(...data.criteria.map((c, i) => field(one, c, i)));
  mark();
}

function texts(id, all) {
  const place = byID(id);
  place.replaceChildren();
  place.hidden = all.length === 0;
  for (const { name, text } of all) {
    element("h2", name, place);
    element("div", text, place).className = "text";
  }
  place.scrollTop = 0;
}

function field(one, c, i) {
  const levels = c.anchors.map((anchor, level) => [String(level + 1), String(level + 1), anchor]);
  const choices = [...levels, [cannotTell, "0", "Cannot tell from this item"]];
  const set = levelField({ name: c.name, description: c.description, choices, value: labelOf(one, c) }, (value) => { criterion = i; give(value); });
  if (c.examples.length > 0) {
    const details = element("details", "", set);
    element("summary", "Examples", details);
    for (const example of c.examples) {
      element("h2", example.name, details);
      element("div", example.text, details).className = "text";
    }
  }
  set.addEventListener("focusin", () => { criterion = i; mark(); });
  return set;
}

function mark() {
  [...byID("criteria").children].forEach((set, i) => set.classList.toggle("now", i === criterion));
}

function give(value) {
  const one = data.items[item];
  labels[one.code] = { ...labels[one.code], [data.criteria[criterion].name]: value };
  keep();
  note("");
  if (value === undefined) {
    // the rater took it back, and stays here
  } else if (criterion < data.criteria.length - 1) {
    criterion += 1;
  } else if (item < data.items.length - 1 && complete(one)) {
    item += 1;
    criterion = 0;
  }
  show();
  move(0);
}

function go(by) {
  item = Math.min(Math.max(item + by, 0), data.items.length - 1);
  criterion = 0;
  show();
  move(0);
}

function move(by) {
  criterion = Math.min(Math.max(criterion + by, 0), data.criteria.length - 1);
  mark();
  const set = byID("criteria").children[criterion];
  set.scrollIntoView({ block: set.offsetHeight > set.closest("aside").clientHeight ? "start" : "nearest" });
}

// save writes the columns that the import needs, each cell in quotes.
function save() {
  const row = (cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",") + "\r\n";
  let csv = row([...data.columns, ...data.criteria.map((c) => c.column), data.form]);
  for (const one of data.items) {
    csv += row([one.code, ...one.texts.map((text) => text.cell ?? text.text), ...data.criteria.map((c) => labelOf(one, c) ?? ""), ""]);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  link.download = data.file;
  link.click();
  URL.revokeObjectURL(link.href);
  const open = data.items.filter((one) => !complete(one)).length;
  note(`Saved ${data.file}` + (open > 0 ? `; ${open} items are not complete.` : "."));
}

const keys = {
  ArrowLeft: () => go(-1), ArrowRight: () => go(1), ArrowUp: () => move(-1), ArrowDown: () => move(1),
  s: save, S: save, 0: () => give(cannotTell),
  1: () => give("1"), 2: () => give("2"), 3: () => give("3"), 4: () => give("4"), 5: () => give("5"),
};

document.addEventListener("keydown", (event) => {
  const scrolls = event.target.tabIndex === 0 && ["DIV", "ASIDE"].includes(event.target.tagName) && event.key.startsWith("Arrow");
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || scrolls) return;
  event.preventDefault();
  keys[event.key]();
});
byID("previous").addEventListener("click", () => go(-1));
byID("next").addEventListener("click", () => go(1));
byID("save").addEventListener("click", save);
load();
show();
move(0);
