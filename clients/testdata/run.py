"""Answers requests from the tests, one line of JSON each, with the Python client."""

import base64
import copy
import dataclasses
import json
import math
import os
import pickle
import sys
import time

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


def accepts(data, digest=None, whole=True):
    try:
        opened = rubric_bundle.open(data, digest)
        if whole:
            opened.verify()
        return opened.digest
    except (rubric_bundle.FormatError, rubric_bundle.IntegrityError):
        return ""


def verify(data, after=None):
    """The error type for an invalid bundle, with the text if it does not continue the earlier one."""
    try:
        bundle = rubric_bundle.open(data)
        bundle.verify(after=None if after is None else rubric_bundle.open(after))
        return ""
    except rubric_bundle.ContinuityError as error:
        return f"ContinuityError: {error}"
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


def opened(data, id, constraint):
    """What is known of a document, or the step that refuses the bundle, or why there is none."""
    step = "open"
    try:
        read = rubric_bundle.open(data)
        step = "get"
        document = read.get(id, constraint)
        step = "list"
        versions = [entry.versions for entry in read.list() if entry.id == id][0]
        keys = ("version", "digest", "release", "yanked", "withdrawn")
        return {"version": document.version, "versions": [{key: getattr(v, key) for key in keys if getattr(v, key)} for v in versions]}
    except rubric_bundle.IntegrityError:
        return {"integrity": step}
    except rubric_bundle.RetiredError as error:
        assert error.id == id
        return {"retired": {key: getattr(error, key) for key in ("last_version", "reason", "replaced_by") if getattr(error, key)}}
    except rubric_bundle.NotFoundError:
        return {"not_found": True}
    except rubric_bundle.ConstraintError:
        return {"unsatisfied": True}


def step(data, id, constraint):
    """The step that refuses the bundle or the document, with the name of the error, or ""."""
    at = "open"
    try:
        read = rubric_bundle.open(data)
        at = "get"
        read.get(id, constraint)
        at = "list"
        read.list()
        return ""
    except rubric_bundle.BundleError as error:
        return f"{at}: {type(error).__name__}"


def tells_of(data, id, judge, model):
    """The gate of a judge, "" if there is no such judge, or the name of the error."""
    try:
        found = rubric_bundle.open(data).calibration(id, judge, model)
        return "" if found is None else found["gate"]
    except rubric_bundle.IntegrityError as error:
        return type(error).__name__


def empty_digest():
    try:
        rubric_bundle.open(b"", "")
    except ValueError as error:
        return str(error)


def flip(data):
    """The bytes that can be changed, removed, or doubled without an error, or give another document."""
    missed = []
    original = rubric_bundle.open(data).get("a", "1.2.0")
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        for tampered in (bytes(changed), data[:at] + data[at + 1:], data[:at] + data[at:at + 1] + data[at:], data[:at]):
            if accepts(tampered):
                missed.append(at)
        try:
            document = rubric_bundle.open(bytes(changed)).get("a", "1.2.0")
            if (document.data, document.json, document.reference) != (original.data, original.json, original.reference):
                missed.append(at)
        except rubric_bundle.BundleError:
            pass
    return missed


class Attempts:
    """Tries to change a returned object."""

    def __init__(self, document, result):
        self.tries = [
            lambda: document.data.update(version="9.9.9"),
            lambda: document.data.__ior__({"version": "9.9.9"}),
            lambda: document.data["scoring"].clear(),
            lambda: bundle.manifest.pop("commit"),
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
            rubric_bundle.verdict(rubric, {"a": score}, [])
        except rubric_bundle.InputError:
            refused += 1
    return refused


async def audit_later(record):
    raise OSError("the disk is full")


class Later:
    def __await__(self):
        yield


def asynchronous_audit(path, id):
    """What get raises if nothing waits for the audit."""
    raised = []
    for audit in (audit_later, lambda record: Later(), lambda record: audit_later(record)):
        try:
            raised.append(rubric_bundle.open(path, audit=audit).get(id).reference)
        except rubric_bundle.AuditError as error:
            raised.append("asynchronous" if "asynchronous" in str(error) else str(error))
    return raised


def odd_arguments():
    """What calls with arguments of the wrong types raise."""
    rubric = {"rubric_id": "a", "criteria": [{"name": "a", "weight": "important", "threshold": 1}]}
    calls = [
        lambda: rubric_bundle.verdict(rubric, {"a": 3}),
        *[lambda hits=hits: rubric_bundle.verdict(rubric, {"a": 3}, hits) for hits in (None, "a", 1, {"a": 1}, [None], [1])],
        *[lambda scores=scores: rubric_bundle.verdict(rubric, scores, []) for scores in (None, "a", 1, [3])],
        *[lambda document=document: rubric_bundle.verdict(document, {"a": 3}, []) for document in (None, "a", 1, [3])],
    ]
    raised = []
    for call in calls:
        try:
            raised.append(repr(call()))
        except rubric_bundle.InputError as error:
            raised.append("InputError" if error.arguments else str(error))
        except TypeError:
            raised.append("InputError" if call is calls[0] else "TypeError")
    return raised


class Index:
    """An integer of another type, as NumPy has them."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def plain_data(id):
    """The names of the uses of plain data that fail."""
    document = bundle.get(id)
    names = [criterion["name"] for criterion in document.data["criteria"]]
    result = rubric_bundle.verdict(document, {name: 4 for name in names}, [])
    view = rubric_bundle.judge_view(document)
    view["criteria"][0]["anchors"]["1"] = "changed"
    checks = {
        "json": lambda: json.loads(json.dumps(document.data)) == json.loads(document.json),
        "json of the manifest": lambda: json.loads(json.dumps(bundle.manifest)).keys() == bundle.manifest.keys(),
        "json of the view": lambda: json.loads(json.dumps(view)) == view,
        "a view of one's own": lambda: rubric_bundle.judge_view(document) != view,
        "pickle": lambda: pickle.loads(pickle.dumps([document, result, bundle.list()])) == [document, result, bundle.list()],
        "deepcopy": lambda: copy.deepcopy(document) == document and copy.deepcopy(bundle.list()) == bundle.list(),
        "asdict": lambda: json.loads(json.dumps(dataclasses.asdict(document)["data"])) == json.loads(document.json)
        and json.dumps([dataclasses.asdict(entry) for entry in bundle.list()] + [dataclasses.asdict(result)]),
        "hash": lambda: len({document, copy.deepcopy(document), *bundle.list(), result}) == 2 + len(bundle.list()),
        "an integer of another type": lambda: rubric_bundle.verdict(document, {name: Index(4) for name in names}, []) == result,
        "an error": lambda: pickle.loads(pickle.dumps(unknown(id + "x"))).near == (id,),
    }
    failed = []
    for name, check in checks.items():
        try:
            if not check():
                failed.append(name)
        except Exception as error:
            failed.append(f"{name}: {error!r}")
    return failed


def unknown(id):
    try:
        bundle.get(id)
    except rubric_bundle.NotFoundError as error:
        return error


def costs(path, known, other):
    """The CPU time to open the bundle and get a document, to get a known ID, and an unknown one."""
    begin = time.process_time()
    opened = rubric_bundle.open(path)
    opened.get(known)
    out = [time.process_time() - begin]
    for id in (known, other):
        begin = time.process_time()
        for i in range(200):
            try:
                rubric_bundle.verdict(opened.get(id + "x" * i if id == other else id), {}, [])
            except rubric_bundle.BundleError:
                pass
        out.append(time.process_time() - begin)
    return out


def follow_metrics(first, other):
    """The metrics of a bundle that is followed, of which another one is refused."""
    def use():
        live = rubric_bundle.follow(lambda: given.pop(0), any_digest=True, interval=3600)
        try:
            live.check()
        except rubric_bundle.ContinuityError:
            pass
        return live  # its gauges are read while it is open

    given = [first, other]
    found = metrics(use)
    return found and {key: value >= 0 if key.startswith("bundle.age") else value for key, value in found.items()}


def metrics_of_retrievals(path):
    def use():
        opened = rubric_bundle.open(path)
        for id, constraint in (("user_story_quality_v1", "1.2.0"), ("user_story_quality_v1", "7"), ("rest_api_design_v1", ""), ("none", "")):
            try:
                opened.get(id, constraint)
            except rubric_bundle.BundleError:
                pass
        return opened

    return metrics(use)


def metrics(use):
    """The values of each metric of OpenTelemetry by its attributes, or None where it is not installed."""
    try:
        from opentelemetry import metrics
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    except ImportError:
        return None
    reader = InMemoryMetricReader()
    metrics.set_meter_provider(MeterProvider([reader]))
    used = use()  # noqa: F841
    out = {}
    for metric in reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics:
        for point in metric.data.data_points:
            attributes = ",".join(f"{key}={value}" for key, value in sorted(point.attributes.items()))
            value = point.count if hasattr(point, "count") else point.value
            out[f"{metric.name} {attributes}"] = value if math.isfinite(value) else str(value)  # JSON has no NaN
    return out


def wrong_arguments():
    """The calls with an argument that does not exist that are accepted."""
    calls = {
        "search": lambda: bundle.search(artifactType="jira_tickets"), "verify": lambda: bundle.verify(before=bundle),
        "get": lambda: bundle.get("prd_quality_v1", requestId="x"), "calibration": lambda: bundle.calibration("prd_quality_v1", "flat"), "open": lambda: rubric_bundle.open(b"", Digest="x"),
    }
    accepted = []
    for name, call in calls.items():
        try:
            call()
            accepted.append(name)
        except TypeError:
            pass
    return accepted


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
        return accepts(base64.b64decode(q["data"]))
    if op == "opens":
        return accepts(base64.b64decode(q["data"]), q.get("digest"), whole=False)
    if op == "verify":
        return verify(base64.b64decode(q["data"]), base64.b64decode(q["after"]) if "after" in q else None)
    if op == "refused":
        return refused(q["version"])
    if op == "hands_out":
        return hands_out(base64.b64decode(q["data"]), q["id"], q["constraint"])
    if op == "opened":
        return opened(base64.b64decode(q["data"]), q["id"], q["constraint"])
    if op == "step":
        return step(base64.b64decode(q["data"]), q["id"], q["constraint"])
    if op == "empty_digest":
        return empty_digest()
    if op == "flip":
        return flip(base64.b64decode(q["data"]))
    if op == "open":
        bundle = rubric_bundle.open(q["path"], q["digest"], audit=audit)
        return bundle.version
    if op == "get":
        return bundle.get(q["id"], q["constraint"], request_id=q.get("request", ""), actor=q.get("actor", ""))
    if op == "resolve":
        return bundle.resolve(q["reference"])
    if op == "search":
        found = bundle.search(q["type"], q["text"], kind=q.get("kind") or "", deprecated=q["all"], retired=q["all"])
        return [{"id": m.id, "score": m.score, "matched": m.matched, "partial": m.partial} for m in found]
    if op == "similar_types":
        return bundle.similar_artifact_types(q["type"])
    if op == "wrong_arguments":
        return wrong_arguments()
    if op == "judge_view":
        return rubric_bundle.judge_view(bundle.get(q["id"]))
    if op == "answer_schema":
        return rubric_bundle.answer_schema(bundle.get(q["id"]))
    if op == "read":
        return base64.b64encode(bundle.read(q["path"])).decode()
    if op == "list":
        return [e.id + " deprecated" * (e.deprecated is not None) + " retired" * bool(e.retired) for e in bundle.list()]
    if op == "calibrations":
        return {e.id: e.calibration for e in bundle.list()}
    if op == "calibration":
        return bundle.calibration(q["id"], q["judge"], q["model"])
    if op == "tells_of":
        return tells_of(base64.b64decode(q["data"]), q["id"], q["judge"], q["model"])
    if op == "metrics":
        return metrics_of_retrievals(q["path"])
    if op == "follow_metrics":
        return follow_metrics(base64.b64decode(q["first"]), base64.b64decode(q["other"]))
    if op == "plain_data":
        return plain_data(q["id"])
    if op == "costs":
        return costs(q["path"], q["known"], q["other"])
    if op == "verdict_of_hits":
        return rubric_bundle.verdict(q["rubric"], q["scores"], rubric_bundle.hits(q["rubric"], q["text"]))
    if op == "audited":
        return audited
    if op == "asynchronous_audit":
        return asynchronous_audit(q["path"], q["id"])
    if op == "lone_surrogate":
        return rubric_bundle.hits({"negative_criteria": [{"name": "n", "fail_patterns": ["a"]}]}, "a\ud800")
    if op == "odd_scores":
        return odd_scores()
    if op == "odd_arguments":
        return odd_arguments()
    if op == "change":
        document = bundle.get(q["id"])
        scores = {criterion["name"]: 3 for criterion in document.data["criteria"]}
        return Attempts(document, rubric_bundle.verdict(document, scores, [])).succeeded()
    raise AssertionError(op)


for request in sys.stdin:
    try:
        out = {"result": plain(answer(**json.loads(request)))}
    except rubric_bundle.BundleError as error:
        out = {"error": failure(error)}
    print(json.dumps(out))
