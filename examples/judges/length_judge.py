#!/usr/bin/env python3
"""A judge that scores only by length and layout.

It shows the protocol in docs/calibration-reference.md without a model, and serves as a baseline
that a real judge should beat.

    rubric calibrate run --dataset NAME --model length-1 \\
        --judge length -- python3 examples/judges/length_judge.py
"""

import json
import sys

MODEL = "length-1"


def score(criterion, artifact):
    """Returns a whole number from 1 to 5: higher for more words, for a list, and for words
    of the best anchor, so that criteria get different scores."""
    words = artifact.lower().split()
    best = set(criterion["anchors"]["5"].lower().split())
    points = min(len(words) // 60, 2)
    points += any(line.lstrip().startswith(("-", "*")) for line in artifact.splitlines())
    points += len(best & set(words)) >= len(best) / 3
    return 1 + points


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if request["schema_version"] != 1:
            sys.exit(f"schema_version must be 1, got {request['schema_version']}")
        criteria = {c["name"]: c for c in request["rubric"]["criteria"]}
        item = request["item"]
        scores = {name: score(criteria[name], item["artifact"]) for name in request["criteria"]}
        print(json.dumps({"number": item["number"], "model": MODEL, "scores": scores}), flush=True)


if __name__ == "__main__":
    # On Windows, the default is another encoding.
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    main()
