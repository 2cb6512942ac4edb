import fs from "node:fs";
import { pattern, schema } from "@stoplight/spectral-functions";

const text = (given, notMatch) => ({ given, severity: "warn", then: { function: pattern, functionOptions: { notMatch } } });

export default {
  parserOptions: { duplicateKeys: "error", incompatibleValues: "off" }, // anchors have numbers as keys
  rules: {
    structure: {
      given: "$",
      severity: "error",
      then: { function: schema, functionOptions: { dialect: "draft2020-12", allErrors: true, schema: JSON.parse(fs.readFileSync(process.env.RUBRIC_SCHEMA)) } },
    },
    "hidden-text": text("$..*", "[\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064]"),
    "anchor-empty": text("$.criteria[*].anchors[*]", "/^(very |quite )?(good|bad|poor|great|excellent|average|fair)\\.?$/i"),
    "judge-template": text("$.criteria[*]..*", "\\{\\{|\\{%|\\$\\{"),
  },
};
