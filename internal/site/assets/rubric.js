"use strict";
// The calculator of a rubric, and the form to try its patterns. The results come from the
// library's client, rubricBundle in client.js.
(() => {
  const { at, element, list, below } = page;
  const rubric = JSON.parse(at("document").textContent);

  function sentence({ kind, name, score, minimum }) {
    switch (kind) {
      case "criterion_below_minimum":
        return `The essential criterion ${name} must reach ${minimum}, got ${below(score, minimum)}.`;
      case "overall_below_threshold":
        return `The overall score must reach ${minimum}, got ${below(score, minimum)}.`;
    }
    return `The negative criterion ${name} matches.`;
  }

  // Returns the entered scores by name, and the names of criteria without a valid score.
  function entered() {
    const scores = {};
    const wrong = [];
    rubric.criteria.forEach(({ name }, i) => {
      const input = at(`score-${i}`);
      const score = input.value.trim() === "" ? NaN : Number(input.value);
      const right = score >= 1 && score <= 5;
      if (right) Object.defineProperty(scores, name, { value: score, enumerable: true });
      else wrong.push(name);
      input.setAttribute("aria-invalid", String(!right && input.value !== ""));
      at(`outcome-${i}`).textContent = "";
    });
    return { scores, wrong };
  }

  function judge() {
    const out = at("verdict");
    const { scores, wrong } = entered();
    const hits = rubric.negative_criteria.filter((_, i) => at(`hit-${i}`).checked).map(({ name }) => name);
    if (wrong.length > 0) {
      out.className = "conclusion";
      out.replaceChildren(element("p", `Enter a score from 1 to 5 for ${wrong.join(", ")}.`));
      return;
    }
    let result;
    try {
      result = rubricBundle.verdict(rubric, scores, hits);
    } catch (error) {
      out.className = "conclusion refused";
      out.replaceChildren(element("p", error.message));
      return;
    }
    result.criteria.forEach(({ passed, minimum, weight }, i) => {
      const mark = passed ? "✓ reaches" : "✕ below";
      at(`outcome-${i}`).textContent = `${mark} ${minimum}${passed || weight === "essential" ? "" : ", reported only"}`;
    });
    out.className = `conclusion ${result.passed ? "met" : "not_met"}`;
    const mean = `The overall score is ${result.passed ? Number(result.overall.toFixed(2)) : below(result.overall, result.pass_threshold)}.`;
    out.replaceChildren(element("p", ""), result.passed ? element("p", mean) : list(result.reasons.map(sentence)));
    out.firstChild.append(element("strong", result.passed ? "Passed" : "Failed"));
    const reported = result.negative_criteria.filter(({ effect }) => effect === "report").map(({ name }) => `Reported: ${name}.`);
    if (reported.length > 0) out.append(list(reported));
  }

  // Searches for each pattern separately, so that a refused pattern does not affect others.
  function search(text) {
    const found = [];
    const refused = [];
    for (const { name, fail_patterns: patterns, ignore_case: ignoreCase } of rubric.negative_criteria) {
      for (const pattern of patterns) {
        try {
          const alone = { rubric_id: rubric.rubric_id, negative_criteria: [{ name, fail_patterns: [pattern], ignore_case: ignoreCase }] };
          found.push(...rubricBundle.hits(alone, text));
        } catch (error) {
          if (!(error instanceof rubricBundle.BundleError)) throw error;
          const reason = error instanceof rubricBundle.InputError ? error.definition.join("; ") : error.message;
          refused.push(`Not searched: ${pattern} of ${name}. ${reason.replace(/^.* can't be used: /s, "Reason: ")}.`);
        }
      }
    }
    return { found, refused };
  }

  // Shows the text with its matches marked. Positions count code points.
  function mark(target, text, found) {
    const points = Array.from(rubricBundle.normalize(text));
    const names = points.map(() => new Set());
    for (const { name, start, end } of found) {
      for (let i = start; i < end; i++) names[i].add(name);
    }
    target.replaceChildren();
    for (let i = 0; i < points.length;) {
      const start = i;
      const key = [...names[start]].join(", ");
      while (i < points.length && [...names[i]].join(", ") === key) i++;
      const piece = points.slice(start, i).join("");
      if (key === "") target.append(piece);
      else {
        const marked = element("mark", piece);
        marked.title = key;
        target.append(marked);
      }
    }
  }

  function attempt() {
    const text = at("try-text").value;
    const shown = at("try-shown");
    shown.hidden = text === "";
    if (text === "") {
      at("try-result").replaceChildren();
      return;
    }
    const { found, refused } = search(text);
    const counts = new Map();
    for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
    const lines = [...counts].map(([name, count]) => `${name}: ${count === 1 ? "1 match" : `${count} matches`}`);
    const none = refused.length > 0 ? "No other pattern matches." : "No pattern matches.";
    at("try-result").replaceChildren(list([...(lines.length > 0 ? lines : [none]), ...refused]));
    mark(shown, text, found);
  }

  at("calculator").hidden = false;
  at("calculator").addEventListener("input", judge);
  if (at("try")) {
    at("try").hidden = false;
    at("try-text").addEventListener("input", attempt);
    attempt(); // browsers can restore entered text
  }
  judge();
})();
