package cli

// What hostile texts stand in. EVIL is one in quotes, PLAIN one on a line.

const hostileRubric = `rubric_id: good_v1
name: EVIL
version: "1.0.0"
artifact_type: prd
description: EVIL
metadata:
  owner: EVIL
criteria:
  - name: clarity
    description: EVIL
    weight: essential
    threshold: 3.0
    anchors:
      1: EVIL
      2: The actor or the action is named.
      3: Actor and action are named.
      4: Actor, action and object are named.
      5: EVIL
    examples:
      score_1: EVIL
      score_5: A clerk archives an invoice so that the audit finds it.
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
calibration_dataset: calibration/notes/dataset.yaml
`

const hostileKeys = `rubric_id: broken_v1
name: [EVIL]
version: EVIL
artifact_type: EVIL
EVIL: EVIL
metadata:
  EVIL: EVIL
criteria:
  - name: EVIL
    description: {EVIL: EVIL}
    weight: EVIL
    threshold: EVIL
    EVIL: EVIL
    anchors:
      EVIL: EVIL
      1: EVIL
    examples: EVIL
  - name: EVIL
    weight: EVIL
negative_criteria:
  - name: EVIL
    fail_patterns: [EVIL, "(", "PLAIN("]
scoring:
  pass_threshold: EVIL
  EVIL: 1
calibration_dataset: EVIL
`

const hostileRun = `{
  "schema_version": 1,
  "criteria": {
    "template": {"file": EVIL, "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
    "pass_threshold": 0.5,
    "rules": [
      {"id": "a.x.todo", "description": EVIL, "severity": "fail", "weight": 2, "phase": "A", "check": EVIL,
       "checks": [{"type": "content", "pattern": "TODO", "expect": "absent"}]},
      {"id": "a.x.literal", "description": EVIL, "severity": "warn", "weight": 2, "phase": "A", "check": EVIL,
       "checks": [{"type": "content", "literal": EVIL, "expect": "absent"}]},
      {"id": "a.x.outside", "description": EVIL, "severity": "warn", "weight": 1, "phase": "A", "check": EVIL}
    ]
  }
}
`

const hostileDataset = `applies_to: [good_v1]
labelled_by: people
method: EVIL
licence: EVIL
criteria:
  - name: clarity
    digest: sha256:fc4d3ea324f133a5ccd852dbeaf4f00b90a58ee7560b86e3b80ae269ee1e1bef
`
