"use strict";
// The workbench of a page: searches a text for the document's patterns, takes scores or
// results, and explains the verdict. Verdicts and patterns are those of the library's
// client, which loads when the workbench is first used and runs in a worker, because only
// a worker can be stopped.
(() => {
  const { at, below, count, element, list, load } = page;
  const definition = JSON.parse(at("document-data").textContent);
  const isRubric = definition.rubric_id !== undefined;
  const rules = definition.rules ?? [];
  const limit = 2000; // milliseconds for one pattern
  const mostMarks = 5000;

  // The body of the worker. It knows only its own names.
  function work(client) {
    // In Go, ^ and $ of a multiline pattern match only around \n.
    class LineTranslator extends client.Translator {
      atom() {
        const char = this.text[this.at];
        if (char !== "^" && char !== "$") return super.atom();
        this.at++;
        return [char === "^" ? "(?<![^\\n])" : "(?![^\\n])", true];
      }
    }

    const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

    function literals(literal, text) {
      const spans = [];
      for (let start = text.indexOf(literal); start >= 0; start = text.indexOf(literal, start + literal.length)) spans.push([start, start + literal.length]);
      return spans;
    }

    function search({ pattern, literal, ignore_case: ignoreCase = false, multiline = false }, text) {
      if (!pattern) return ignoreCase ? literals(lower(client.normalize(literal)), lower(text)) : literals(client.normalize(literal), text);
      if (ignoreCase && !client.NAMES_ASCII.test(pattern)) throw new SyntaxError("with ignore_case, it may contain only ASCII characters");
      const translator = multiline ? new LineTranslator(pattern) : new client.Translator(pattern);
      const expression = new RegExp(translator.expression(), ignoreCase ? "giu" : "gu");
      return client.findAll(expression, ignoreCase ? text.replaceAll("\u017f", "\u01bb") : text); // the long s is no s in Go
    }

    const tasks = {
      search: ({ check, text }) => search(check, client.normalize(text)),
      normalize: ({ text }) => client.normalize(text),
      verdict: ({ definition, scores, hits }) => client.verdict(definition, scores, hits),
      ruleScore: ({ definition, phase, results }) => client.ruleScore(definition, phase, results),
    };
    onmessage = ({ data }) => {
      try {
        postMessage({ value: tasks[data.task](data) });
      } catch (error) {
        postMessage({ error: error.message });
      }
    };
  }

  let worker;
  let end; // ends the task of the worker

  function stop() {
    worker?.terminate();
    worker = undefined;
    end?.({ stopped: true });
  }

  let queue = Promise.resolve();

  // Returns the value, the error, or that the task was stopped after the limit. The worker
  // has one task at a time.
  function run(task, data) {
    return (queue = queue.then(() => load("client.js")).then(() => start(task, data)).catch(({ message }) => ({ error: message })));
  }

  function start(task, data) {
    worker ??= new Worker(URL.createObjectURL(new Blob([`"use strict";(${work})((${makeClient})());`], { type: "text/javascript" })));
    return new Promise((resolve) => {
      const timer = setTimeout(stop, limit);
      end = (result) => {
        clearTimeout(timer);
        end = undefined;
        resolve(result);
      };
      worker.onmessage = (event) => end?.(event.data);
      worker.onerror = () => end?.({ error: "the worker could not be started" });
      worker.postMessage({ task, ...data });
    });
  }

  // What is searched for: the patterns of a negative criterion, or the checks of a rule.
  const owners = (isRubric
    ? (definition.negative_criteria ?? []).map(({ name, effect, fail_patterns: patterns, ignore_case }) => ({ name, effect, checks: patterns.map((pattern) => ({ pattern, ignore_case })) }))
    : rules.map(({ id, phase, checks = [] }) => ({ name: id, phase, checks: checks.filter(({ type }) => type === "content"), commands: checks.some(({ type }) => type !== "content") }))
  ).map((owner) => ({ ...owner, spans: [], open: [], results: [] }));

  const state = { phase: "A", picked: {}, reasons: {}, ticked: new Set() };
  let runs = 0;
  let busy = false;

  const active = (owner) => isRubric || owner.phase === "A" || state.phase === "B";

  // Whether the patterns alone decide: a text was entered, and all of them were searched for.
  const decided = (owner) => at("bench-text").value !== "" && owner.checks.length > 0 && owner.open.length === 0 && !owner.commands;

  function expected({ expect, min_count: least = 1, max_count: most }) {
    if (expect === "absent") return [(n) => n === 0, "none"];
    return [(n) => n >= least && n <= (most ?? Infinity), most === undefined ? `at least ${least}` : least === most ? `exactly ${least}` : `${least} to ${most}`];
  }

  async function searchAll() {
    const mine = ++runs;
    const text = at("bench-text").value;
    stop();
    busy = text !== "";
    const slow = setTimeout(() => { at("bench-searching").hidden = !busy; }, 300);
    for (const owner of owners) Object.assign(owner, { spans: [], open: [], results: [] });
    let normal = "";
    try {
      const { value = "", error, stopped } = text === "" ? {} : await run("normalize", { text });
      normal = value;
      if (error || stopped) for (const owner of owners) if (owner.checks.length > 0) owner.open = owner.checks.map(() => `Not searched${error ? `: ${error}` : ""}.`);
      for (const owner of normal === "" ? [] : owners) {
        for (const [i, check] of owner.checks.entries()) {
          const { value, error, stopped } = await run("search", { check, text });
          if (mine !== runs) return;
          const what = check.pattern || check.literal;
          if (value) owner.spans.push(...value.map(([from, to]) => [from, to, owner.name]));
          else owner.open.push(stopped ? `Not searched: ${what}. It was stopped, because it takes too long on this text.` : `Not searched: ${what}. Reason: ${error}.`);
          if (value && !isRubric) {
            const [fits, words] = expected(check);
            owner.results.push({ fits: fits(value.length), text: `Check ${i + 1}: ${value.length === 0 ? "no match" : count(value.length, "match", "matches")}${fits(value.length) ? "" : `, expected ${words}`}` });
          }
        }
      }
    } finally {
      clearTimeout(slow);
      if (mine === runs) {
        busy = false;
        at("bench-searching").hidden = true;
      }
    }
    if (mine !== runs) return;
    showFound(normal);
    await judge();
    if (mine === runs) at("bench-all").ariaBusy = "false";
  }

  function showFound(text) {
    const found = owners.filter((owner) => active(owner) && owner.spans.length > 0);
    const all = found.reduce((sum, { spans }) => sum + spans.length, 0);
    const open = owners.reduce((sum, owner) => sum + owner.open.length, 0);
    const what = isRubric ? ["negative criterion", "negative criteria"] : ["rule", "rules"];
    const searched = owners.reduce((sum, { checks }) => sum + checks.length, 0) > open;
    at("bench-found").textContent = text === "" || !searched ? "" : all === 0 ? `No ${open > 0 ? "other " : ""}pattern matches.` : `${count(all, "match", "matches")} of ${count(found.length, ...what)}, marked below.`;
    at("bench-shown").hidden = all === 0;
    at("bench-shown").replaceChildren(...marked(text, found.flatMap(({ spans }) => spans)));
    for (const owner of owners) owner.show?.();
  }

  // Returns the text with its matches marked. Matches of different patterns can overlap.
  function marked(text, spans) {
    const sorted = spans.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]).slice(0, mostMarks);
    const edges = [...new Set(sorted.flatMap(([from, to]) => [from, to]))].sort((a, b) => a - b);
    const out = [];
    let last = 0;
    let next = 0;
    let open = [];
    for (const [i, from] of edges.slice(0, -1).entries()) {
      while (next < sorted.length && sorted[next][0] <= from) open.push(sorted[next++]);
      open = open.filter(([, to]) => to > from);
      if (open.length === 0) continue;
      const piece = element("mark", text.slice(from, edges[i + 1]));
      piece.title = [...new Set(open.map(([, , name]) => name))].join(", ");
      out.push(text.slice(last, from), piece);
      last = edges[i + 1];
    }
    return [...out, text.slice(last)];
  }

  // The scores, or the results, of what the visitor has chosen, and what is missing.
  function given() {
    const values = {};
    const missing = [];
    for (const name of names()) {
      const value = state.picked[name];
      const reason = (state.reasons[name] ?? "").trim();
      if (value === undefined || (value === "skipped" && reason === "")) missing.push(name);
      else Object.defineProperty(values, name, { value: isRubric ? value : { verdict: value, ...(value === "skipped" && { reason }) }, enumerable: true });
    }
    return { values, missing };
  }

  const names = () => (isRubric ? definition.criteria.map(({ name }) => name) : rules.filter(({ phase }) => phase === "A" || state.phase === "B").map(({ id }) => id));

  const hits = () => owners.filter((owner) => (decided(owner) ? owner.spans.length > 0 : owner.spans.length > 0 || state.ticked.has(owner.name))).map(({ name }) => name);

  async function verdict(values) {
    const { value, error, stopped } = isRubric
      ? await run("verdict", { definition, scores: values, hits: hits() })
      : await run("ruleScore", { definition, phase: state.phase, results: values });
    return value ?? { error: stopped ? "The verdict was stopped" : error };
  }

  // Shows the verdict. If something is missing, it shows what fails even with the best of it.
  async function judge() {
    if (busy) return;
    const mine = runs;
    const out = at("bench-verdict");
    const { values, missing } = given();
    const rest = names().length - missing.length;
    if (rest === 0 && (!isRubric || hits().length === 0)) {
      out.className = "conclusion";
      out.replaceChildren(element("p", element("strong", "No verdict yet")), element("p", isRubric ? "Choose a level for each criterion." : "Choose a result for each rule."));
      showOutcomes();
      return;
    }
    const best = isRubric ? 5 : { verdict: "pass" };
    for (const name of missing) Object.defineProperty(values, name, { value: best, enumerable: true });
    const result = await verdict(values);
    if (mine !== runs) return;
    if (result.error) {
      out.className = "conclusion refused";
      out.replaceChildren(element("p", `${result.error}.`));
      return;
    }
    const passed = result.passed && missing.length === 0;
    // A pattern that was not searched for can still match.
    const doubts = owners.filter(({ name, effect, open }) => isRubric && effect !== "report" && open.length > 0 && !hits().includes(name)).map(({ name }) => name);
    out.className = `conclusion ${passed && doubts.length === 0 ? "met" : result.passed ? "" : "not_met"}`;
    const title = passed ? `Passed${doubts.length > 0 ? `, unless ${doubts.join(" or ")} matches` : ""}` : result.passed ? "No verdict yet" : "Failed";
    const parts = [element("p", element("strong", title))];
    if (missing.length === 0) parts.push(element("p", isRubric ? overall(result) : share(result)));
    else if (!result.passed) parts.push(element("p", "It fails whatever the rest is:"));
    if (!result.passed) parts.push(list(result.reasons.map(isRubric ? reason : ruleReason)));
    if (missing.length > 0) parts.push(element("p", `Still missing: ${missing.join(", ")}.`));
    const reported = (result.negative_criteria ?? []).filter(({ effect }) => effect === "report").map(({ name }) => `Reported only: ${name} matches.`);
    if (reported.length > 0) parts.push(list(reported));
    out.replaceChildren(...parts);
    showOutcomes(result, missing);
  }

  const weighted = isRubric && new Set(definition.criteria.map(({ relative_weight: counts = 1 }) => counts)).size > 1;
  const meanOfAll = `${weighted ? "weighted mean" : "mean"} of all scores`;

  function overall({ overall: mean, pass_threshold: least }) {
    if (!least) return `The ${meanOfAll} is ${Number(mean.toFixed(2))}.`;
    return mean < least ? `The ${meanOfAll} is ${below(mean, least)}, and ${least} is required.` : `The ${meanOfAll} is ${Number(mean.toFixed(2))}, at least ${least} as required.`;
  }

  function share({ score, threshold, passed_weight: passed, active_weight: all }) {
    const shown = score < threshold ? below(score, threshold) : Number(score.toFixed(2));
    return `The score is ${shown} (${passed} of ${all} by weight), and ${threshold} is required.`;
  }

  function reason({ kind, name, score, minimum }) {
    if (kind === "criterion_below_minimum") return `The essential criterion ${name} must reach ${minimum}, got ${below(score, minimum)}.`;
    if (kind === "overall_below_threshold") return `The ${meanOfAll} must reach ${minimum}, got ${below(score, minimum)}.`;
    const { spans } = owners.find((owner) => owner.name === name);
    return `The negative criterion ${name} matches${spans.length > 0 ? ` ${spans.length === 1 ? "once" : `${spans.length} times`}` : ""}.`;
  }

  function ruleReason({ kind, rule, explanation, score, threshold }) {
    const why = explanation ? `: ${explanation}` : ".";
    if (kind === "rule_failed") return `The rule ${rule} must pass but failed${why}`;
    if (kind === "rule_skipped") return `The rule ${rule} must pass but was skipped${why}`;
    return `The score must reach ${threshold}, got ${below(score, threshold)}.`;
  }

  const outcomes = new Map(); // elements by criterion

  function showOutcomes(result, missing = []) {
    for (const [name, place] of outcomes) place.textContent = "";
    mark();
    for (const { name, passed, minimum, weight } of result?.criteria ?? []) {
      if (!missing.includes(name)) outcomes.get(name).textContent = `${passed ? "✓ reaches" : "✕ below"} ${minimum}${passed || weight === "essential" ? "" : ", reported only"}`;
    }
  }

  function choice(label, text, pick) {
    const made = element("button", [element("b", label), " ", element("bdi", text)], "choice");
    made.type = "button";
    made.addEventListener("click", pick);
    return made;
  }

  const graded = [...document.querySelectorAll(".graded")].map((place) => ({
    place,
    title: place.querySelector("summary > span").textContent,
    text: place.querySelector(".artifact").textContent,
    levels: new Map([...place.querySelectorAll("[data-criterion]")].map((each) => [each.dataset.criterion, Number(each.dataset.level)])),
  }));

  // The texts that were graded for a criterion: labeled ones, or else the examples of the rubric.
  function examplesOf(name) {
    const labeled = graded.filter(({ levels }) => levels.has(name)).map((each) => ({ ...each, level: each.levels.get(name) }));
    if (labeled.length > 0) return labeled;
    return [...at(name).querySelectorAll(".levels > li")].flatMap((each, i) => {
      const text = each.querySelector(".example")?.textContent;
      return text ? [{ level: i + 1, title: text.slice(0, 80), text }] : [];
    });
  }

  // The two examples that are nearest to a level, or those at both ends.
  function nearest(name) {
    const level = state.picked[name];
    const near = (to) => examplesOf(name).sort((a, b) => Math.abs(a.level - to) - Math.abs(b.level - to));
    const two = level === undefined ? [near(1)[0], near(5)[0]].filter(Boolean) : near(level).slice(0, 2);
    const title = level === undefined ? "Graded examples at both ends" : `Graded examples nearest to ${level}`;
    if (two.length === 0) return [];
    return [element("p", title, "label"), ...two.map((each) => {
      const text = element("p", each.text, "text");
      text.tabIndex = 0; // a long one scrolls
      const example = element("details", [element("summary", [element("b", String(each.level)), " ", each.title]), text]);
      example.open = matchMedia("(min-width: 62rem)").matches; // where it is beside the levels
      return example;
    })];
  }

  let criterion = 0; // that is shown
  const fields = [];
  const tabs = [];

  // Shows one criterion, as a label sheet marks one.
  function go(to) {
    criterion = Math.min(Math.max(to, 0), fields.length - 1);
    fields.forEach((each, i) => { each.hidden = i !== criterion; });
    mark();
  }

  function mark() {
    tabs.forEach((tab, i) => {
      const { name } = definition.criteria[i];
      tab.setAttribute("aria-pressed", String(i === criterion));
      tab.replaceChildren(name, ...(state.picked[name] === undefined ? [] : [" ", element("b", String(state.picked[name]))]));
    });
  }

  // A criterion with its levels, to choose one, and graded examples beside them.
  function criterionStep({ name, weight }, i) {
    const anchors = [...at(name).querySelectorAll(".anchor")].map((each, j) => [String(j + 1), String(j + 1), each.textContent]);
    const step = levelField({ name, note: weight, choices: anchors }, (value) => step.set(value && Number(value)));
    step.className = "step";
    const outcome = element("p", "", "note outcome");
    outcome.id = `outcome-${i}`;
    outcomes.set(name, outcome);
    step.setAttribute("aria-describedby", outcome.id);
    const examples = element("div", "", "nearest");
    step.append(outcome, examples);
    step.set = (score) => {
      state.picked[name] = score;
      step.show(score === undefined ? undefined : String(score));
      examples.replaceChildren(...nearest(name));
      judge();
    };
    examples.append(...nearest(name));
    return step;
  }

  // The criteria to choose from, and the buttons and keys to move through them.
  function criterionTabs() {
    const button = (text, act) => {
      const made = element("button", text, "chip");
      made.type = "button";
      made.addEventListener("click", act);
      return made;
    };
    tabs.push(...definition.criteria.map(({ name }, i) => button(name, () => go(i))));
    const keys = { ArrowLeft: () => go(criterion - 1), ArrowRight: () => go(criterion + 1) };
    for (const level of [1, 2, 3, 4, 5]) keys[level] = () => fields[criterion].set(level);
    document.addEventListener("keydown", (event) => {
      const elsewhere = event.target.closest("textarea, select, pre, .scroll, input:not([type=radio])") || !at("section-try").contains(event.target);
      if (!keys[event.key] || elsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
      fields[criterion].querySelector("input:checked, input").focus({ preventScroll: true }); // the one before may be hidden
    });
    const group = element("div", tabs, "filters");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Criteria");
    const help = element("p", [element("kbd", "1"), " to ", element("kbd", "5"), " choose the level, ", element("kbd", "←"), " ", element("kbd", "→"), " the criterion"], "note keys");
    const next = element("p", button("Next criterion", () => go((criterion + 1) % fields.length)));
    return [group, help, ...fields, next];
  }

  let loaded = -1; // the example in the text

  // Loads a graded text, and says how people graded it.
  function loadExample(i) {
    const texts = graded.length > 0 ? graded : definition.criteria.flatMap(({ name }) => examplesOf(name).map((each) => ({ ...each, levels: new Map([[name, each.level]]) })));
    loaded = i % texts.length;
    const { text, levels } = texts[loaded];
    at("bench-text").value = text;
    at("bench-source").textContent = `Example ${loaded + 1} of ${texts.length}. Graded ${[...levels].map(([name, level]) => `${name} ${level}`).join(", ")}.`;
    searchAll();
  }

  // A negative criterion with what was found, to tick by hand where it was not searched.
  function hitStep(owner, i) {
    const box = element("input", "");
    Object.assign(box, { id: `hit-${i}`, type: "checkbox" });
    const label = element("label", [box, " ", element("bdi", owner.name)]);
    const note = element("span", "", "note");
    const effect = owner.effect === "report" ? "reported only" : "a match fails";
    const line = element("p", [label, " ", note], "check");
    const open = element("div", "", "note");
    box.addEventListener("input", () => {
      if (box.checked) state.ticked.add(owner.name);
      else state.ticked.delete(owner.name);
      judge();
    });
    owner.show = () => {
      const n = owner.spans.length;
      box.checked = hits().includes(owner.name);
      box.disabled = decided(owner) || n > 0;
      note.textContent = n > 0 ? `${count(n, "match", "matches")}${owner.effect === "report" ? ", reported only" : ""}` : decided(owner) ? "no match" : effect;
      note.className = n > 0 && owner.effect !== "report" ? "note matched" : "note";
      open.replaceChildren(...(owner.open.length > 0 ? [list(owner.open)] : []));
    };
    return element("div", [line, open]);
  }

  // A rule with its results. Checks that fail, or that all pass, decide.
  function ruleStep(rule, i) {
    const owner = owners[i];
    const step = element("fieldset", element("legend", [element("code", rule.id), " ", element("span", `severity ${rule.severity}`, `row-facts weight ${rule.severity}`)]), "step");
    const text = at(`rule-${rule.id}`).querySelector(".text").textContent;
    const reasonInput = element("input", "");
    Object.assign(reasonInput, { id: `reason-${i}`, type: "text", placeholder: "Why?", hidden: true, autocomplete: "off" });
    reasonInput.setAttribute("aria-label", `Why ${rule.id} was skipped`);
    const note = element("div", "", "note");
    const buttons = ["pass", "fail", "skipped"].map((value) => choice(value, "", () => step.set(state.picked[rule.id] === value ? undefined : value)));
    const show = () => {
      buttons.forEach((each) => each.setAttribute("aria-pressed", String(each.textContent.trim() === state.picked[rule.id])));
      reasonInput.hidden = state.picked[rule.id] !== "skipped";
      step.hidden = !active(owner);
    };
    step.set = (value) => {
      state.picked[rule.id] = value;
      show();
      judge();
    };
    reasonInput.addEventListener("input", () => {
      state.reasons[rule.id] = reasonInput.value;
      judge();
    });
    owner.show = () => {
      const failed = owner.results.some(({ fits }) => !fits);
      note.replaceChildren(...(owner.results.length + owner.open.length > 0 ? [list([...owner.results.map((each) => each.text), ...owner.open])] : []));
      if (failed || decided(owner)) state.picked[rule.id] = failed ? "fail" : "pass";
      buttons.forEach((each) => { each.disabled = failed || decided(owner); });
      reasonInput.value = state.reasons[rule.id] ?? "";
      show();
    };
    step.append(element("p", text, "text"), element("div", [...buttons, reasonInput], "choices results"), note);
    return step;
  }

  function phaseStep() {
    const buttons = ["A", "B"].map((phase) => choice(`Phase ${phase}`, "", () => setPhase(phase)));
    const setPhase = (phase) => {
      state.phase = phase;
      buttons.forEach((each, i) => each.setAttribute("aria-pressed", String("AB"[i] === phase)));
      showFound(at("bench-shown").hidden ? "" : at("bench-shown").textContent);
      judge();
    };
    const step = element("fieldset", [element("legend", "Phase"), element("div", buttons, "choices results")], "step");
    buttons[0].ariaPressed = "true";
    return step;
  }

  const steps = [];

  function fill() {
    if (isRubric) {
      if (owners.length > 0) at("bench-shown").after(element("div", [element("p", "Negative criteria, searched for in the text", "label"), ...owners.map(hitStep)], "hits"));
      fields.push(...definition.criteria.map(criterionStep));
      steps.push(...fields);
      at("bench-steps").append(...criterionTabs());
      go(0);
      at("bench-example").hidden = false;
      at("bench-example").addEventListener("click", () => loadExample(loaded + 1));
    } else {
      steps.push(phaseStep(), ...rules.map(ruleStep));
      at("bench-steps").append(...steps);
    }
    graded.forEach(({ place }, i) => {
      const button = place.querySelector(".to-try");
      button.hidden = false;
      button.addEventListener("click", () => {
        loadExample(i);
        at("section-try").scrollIntoView();
      });
    });
  }

  let pause;
  fill();
  at("bench-all").hidden = false;
  at("bench-missing").hidden = true;
  at("bench-text").addEventListener("input", () => {
    at("bench-all").ariaBusy = "true";
    clearTimeout(pause);
    pause = setTimeout(searchAll, 150);
  });
  at("bench-stop").addEventListener("click", stop);
  at("bench-clear").addEventListener("click", () => {
    at("bench-text").value = "";
    at("bench-source").textContent = "";
    state.ticked.clear();
    state.reasons = {};
    for (const step of steps.slice(isRubric ? 0 : 1)) step.set(undefined);
    searchAll();
  });
  for (const owner of owners) owner.show?.();
  if (at("bench-text").value !== "") searchAll(); // restored by the browser
  else judge();
})();
