// Searches texts with expressions: a JSON object a line in, one a line out.
import { readFileSync } from "node:fs";

const isHigh = (code) => code >= 0xd800 && code < 0xdc00;
const isLow = (code) => code >= 0xdc00 && code < 0xe000;

/** All matches that do not overlap, in code points: no empty one right at the end of another. */
function places(expression, text) {
  const found = [];
  const points = (at) => [...text.slice(0, at)].length;
  let end = -1;
  for (let at = 0; at <= text.length; ) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    if (match === null) break;
    const start = match.index;
    if (isHigh(text.charCodeAt(start - 1)) && isLow(text.charCodeAt(start))) {
      at = start + 1; // V8 finds an empty match between two halves, where there is no place
      continue;
    }
    const stop = start + match[0].length;
    if (stop > start || start !== end) found.push([points(start), points(stop)]);
    end = stop;
    at = stop > at ? stop : at + (text.codePointAt(at) > 0xffff ? 2 : 1);
  }
  return found;
}

function answer({ pattern, ignore_case: ignoreCase, multiline, texts }) {
  let expression;
  try {
    expression = new RegExp(pattern, "gu" + (ignoreCase ? "i" : "") + (multiline ? "m" : ""));
  } catch (error) {
    return { error: String(error) };
  }
  return { places: texts.map((text) => places(expression, text)) };
}

const lines = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
process.stdout.write(lines.map((line) => JSON.stringify(answer(JSON.parse(line))) + "\n").join(""));
