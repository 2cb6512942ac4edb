"""Searches texts with expressions: a JSON object a line in, one a line out."""
import json
import re
import sys
import warnings

# What Python warns of it will read otherwise some day.
warnings.simplefilter("error")


def places(expression, text):
    """All matches that do not overlap: no empty one right at the end of another."""
    found, at, end = [], 0, -1
    while at <= len(text):
        match = expression.search(text, at)
        if match is None:
            break
        if match.end() > match.start() or match.start() != end:
            found.append(list(match.span()))
        end = match.end()
        at = end if end > at else at + 1
    return found


def answer(job):
    flags = re.ASCII | (re.IGNORECASE if job["ignore_case"] else 0) | (re.MULTILINE if job["multiline"] else 0)
    try:
        expression = re.compile(job["pattern"], flags)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"places": [places(expression, text) for text in job["texts"]]}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
