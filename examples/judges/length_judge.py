#!/usr/bin/env python3
"""A judge that looks at nothing but length and layout.

It shows the protocol of docs/judge-protocol.md without a model behind it, and it
is a baseline: a judge that agrees with people no better than this one has not
understood the rubric.

    rubric calibrate run --dataset NAME --model length-1 \\
        --judge length -- python3 examples/judges/length_judge.py
"""

import json
import sys

MODEL = "length-1"


def score(criterion, artifact):
    """A whole number from 1 to 5: more for words, for a list, and for the words of
    the best anchor, without which all criteria would have the same score."""
    words = artifact.lower().split()
    best = set(criterion["anchors"]["5"].lower().split())
    points = min(len(words) // 60, 2)
    points += any(line.lstrip().startswith(("-", "*")) for line in artifact.splitlines())
    points += len(best & set(words)) >= len(best) / 3
    return 1 + points


def main():
    request = json.load(sys.stdin)
    if request["schema_version"] != 1:
        sys.exit(f"this judge reads version 1, not {request['schema_version']}")
    criteria = {c["name"]: c for c in request["rubric"]["criteria"]}
    artifact = request["item"]["artifact"]
    scores = {name: score(criteria[name], artifact) for name in request["criteria"]}
    json.dump({"model": MODEL, "scores": scores}, sys.stdout)


if __name__ == "__main__":
    # Windows would read and write its own encoding.
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    main()
