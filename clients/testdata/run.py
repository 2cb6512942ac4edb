"""Answers requests from the tests, one line of JSON each, with the Python client."""

import base64
import dataclasses
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))
import rubric_bundle  # noqa: E402


def plain(value):
    if isinstance(value, rubric_bundle.Hit):
        return value._asdict()
    if isinstance(value, rubric_bundle.Document):
        return {"id": value.id, "version": value.version, "kind": value.kind, "reference": value.reference}
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if hasattr(value, "items"):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value


def failure(error):
    out = {"type": type(error).__name__, "text": str(error)}
    if isinstance(error, rubric_bundle.InputError):
        for key in ("missing", "unknown", "invalid", "unknown_hits", "inactive"):
            out[key] = list(getattr(error, key))
        out["definition"] = bool(error.definition)
        out["unknown_phase"] = error.unknown_phase
    return out


def accepts(data, digest=None):
    try:
        return rubric_bundle.open(data, digest).digest
    except (rubric_bundle.FormatError, rubric_bundle.IntegrityError):
        return ""


def verify(data, after=None):
    """The error type for an invalid bundle."""
    try:
        bundle = rubric_bundle.open(data)
        bundle.verify(after=None if after is None else rubric_bundle.open(after))
        return ""
    except rubric_bundle.BundleError as error:
        return type(error).__name__


def refused(version):
    """The documents of the open bundle that are rejected."""
    out = []
    for entry in bundle.list():
        try:
            bundle.get(entry.id, version)
        except rubric_bundle.IntegrityError:
            out.append(entry.id)
    return out


def hands_out(data, id, constraint):
    try:
        opened = rubric_bundle.open(data)
        return id == "" or opened.get(id, constraint).id == id
    except rubric_bundle.IntegrityError:
        return False


def empty_digest():
    try:
        rubric_bundle.open(b"", "")
    except ValueError as error:
        return str(error)


def flip(data):
    """The bytes that can be changed, removed, or doubled without an error."""
    missed = []
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        for tampered in (bytes(changed), data[:at] + data[at + 1:], data[:at] + data[at:at + 1] + data[at:], data[:at]):
            if accepts(tampered):
                missed.append(at)
    return missed


class Attempts:
    """Tries to change a returned object."""

    def __init__(self, document, result):
        self.tries = [
            lambda: document.data.update(version="9.9.9"),
            lambda: document.data["criteria"].append(1),
            lambda: document.data["criteria"][0].__setitem__("threshold", 1),
            lambda: setattr(document, "version", "9.9.9"),
            lambda: setattr(result, "passed", True),
        ]

    def succeeded(self):
        count = 0
        for attempt in self.tries:
            try:
                attempt()
                count += 1
            except (TypeError, AttributeError):
                pass
        return count


def odd_scores():
    rubric = {"rubric_id": "a", "criteria": [{"name": "a", "weight": "important", "threshold": 1}]}
    refused = 0
    for score in (float("nan"), float("inf"), float("-inf"), True, "3", None, [3]):
        try:
            rubric_bundle.verdict(rubric, {"a": score})
        except rubric_bundle.InputError:
            refused += 1
    return refused


bundle, audited = None, []


def audit(record):
    if record.request_id == "broken":
        raise OSError("the disk is full")
    audited.append(plain(record))


def answer(op, **q):
    global bundle
    if op == "verdict":
        return rubric_bundle.verdict(q["rubric"], q["scores"], q["hits"])
    if op == "hits":
        return rubric_bundle.hits(q["rubric"], q["text"])
    if op == "rule_score":
        return rubric_bundle.rule_score(q["ruleset"], q["phase"], q["results"])
    if op == "satisfies":
        return rubric_bundle.satisfies(q["version"], q["constraint"])
    if op == "accepts":
        return accepts(base64.b64decode(q["data"]), q.get("digest"))
    if op == "verify":
        return verify(base64.b64decode(q["data"]), base64.b64decode(q["after"]) if "after" in q else None)
    if op == "refused":
        return refused(q["version"])
    if op == "hands_out":
        return hands_out(base64.b64decode(q["data"]), q["id"], q["constraint"])
    if op == "empty_digest":
        return empty_digest()
    if op == "flip":
        return flip(base64.b64decode(q["data"]))
    if op == "open":
        bundle = rubric_bundle.open(q["path"], q["digest"], audit=audit)
        return bundle.version
    if op == "get":
        return bundle.get(q["id"], q["constraint"], request_id=q.get("request", ""))
    if op == "resolve":
        return bundle.resolve(q["reference"])
    if op == "search":
        found = bundle.search(q["type"], q["text"], deprecated=q["all"], retired=q["all"])
        return [{"id": m.id, "score": m.score, "matched": m.matched} for m in found]
    if op == "judge_view":
        return rubric_bundle.judge_view(bundle.get(q["id"]))
    if op == "read":
        return base64.b64encode(bundle.read(q["path"])).decode()
    if op == "list":
        return [e.id + " deprecated" * (e.deprecated is not None) + " retired" * e.retired for e in bundle.list()]
    if op == "calibrations":
        return {e.id: e.calibration for e in bundle.list()}
    if op == "audited":
        return audited
    if op == "lone_surrogate":
        return rubric_bundle.hits({"negative_criteria": [{"name": "n", "fail_patterns": ["a"]}]}, "a\ud800")
    if op == "odd_scores":
        return odd_scores()
    if op == "change":
        document = bundle.get(q["id"])
        scores = {criterion["name"]: 3 for criterion in document.data["criteria"]}
        return Attempts(document, rubric_bundle.verdict(document, scores)).succeeded()
    raise AssertionError(op)


for request in sys.stdin:
    try:
        out = {"result": plain(answer(**json.loads(request)))}
    except rubric_bundle.BundleError as error:
        out = {"error": failure(error)}
    print(json.dumps(out))
