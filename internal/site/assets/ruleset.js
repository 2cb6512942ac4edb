"use strict";
// The calculator of a rule set. The results come from the library's client, rubricBundle
// in client.js.
(() => {
  const { at, element, list, below } = page;
  const ruleSet = JSON.parse(at("document").textContent);

  function sentence({ kind, rule, explanation, score, threshold }) {
    const why = explanation ? `: ${explanation}` : ".";
    switch (kind) {
      case "rule_failed":
        return `The rule ${rule} must pass but failed${why}`;
      case "rule_skipped":
        return `The rule ${rule} must pass but was skipped${why}`;
    }
    return `The score must reach ${threshold}, got ${below(score, threshold)}.`;
  }

  // Returns the entered results by ID, and the IDs of active rules without a result.
  function entered(phase) {
    const results = {};
    const missing = [];
    ruleSet.rules.forEach((rule, i) => {
      const active = phase === "B" || rule.phase === "A";
      const verdict = at(`result-${i}`).value;
      at(`row-${i}`).hidden = !active;
      at(`reason-${i}`).hidden = verdict !== "skipped";
      if (!active) return;
      const reason = at(`reason-${i}`).value;
      if (verdict === "" || (verdict === "skipped" && reason.trim() === "")) missing.push(rule.id);
      else Object.defineProperty(results, rule.id, { value: verdict === "skipped" ? { verdict, reason } : { verdict }, enumerable: true });
    });
    return { results, missing };
  }

  function judge() {
    const out = at("verdict");
    const phase = at("phase").value;
    const { results, missing } = entered(phase);
    out.className = "conclusion";
    if (missing.length > 0) {
      out.replaceChildren(element("p", `Choose a result, and a reason if skipped, for ${missing.join(", ")}.`));
      return;
    }
    let result;
    try {
      result = rubricBundle.ruleScore(ruleSet, phase, results);
    } catch (error) {
      out.classList.add("refused");
      out.replaceChildren(element("p", error.message));
      return;
    }
    out.classList.add(result.passed ? "met" : "not_met");
    const shown = result.score < result.threshold ? below(result.score, result.threshold) : Number(result.score.toFixed(2));
    const line = `The score is ${shown} (${result.passed_weight} of ${result.active_weight} by weight).`;
    out.replaceChildren(element("p", ""), element("p", line));
    out.firstChild.append(element("strong", result.passed ? "Passed" : "Failed"));
    if (!result.passed) out.append(list(result.reasons.map(sentence)));
  }

  at("calculator").hidden = false;
  at("calculator").addEventListener("input", judge);
  judge();
})();
