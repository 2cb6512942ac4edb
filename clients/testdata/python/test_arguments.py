"""What the functions of the Python client raise for arguments of the wrong types, and for data that is not a document."""

import asyncio
import copy
import inspect
import json
import logging
import unittest
import warnings

import sample
import rubric_bundle
from rubric_bundle import BundleError, InputError

warnings.simplefilter("ignore", DeprecationWarning)
logging.getLogger("rubric_bundle").setLevel(logging.CRITICAL)

PATH = sample.path("1.4.0")
BUNDLE = rubric_bundle.open(PATH)
LIVE = rubric_bundle.follow(PATH, any_digest=True, interval=3600)
RUBRIC = {
    "rubric_id": "a_v1", "version": "1.0.0", "criteria": [{"name": "a", "weight": "essential", "threshold": 3, "relative_weight": 2, "anchors": {"1": "x"}}],
    "negative_criteria": [{"name": "n", "effect": "fail", "fail_patterns": ["x"], "ignore_case": True}], "scoring": {"pass_threshold": 3, "essential_minimum": 2},
}
RULES = {"ruleset_id": "r_v1", "rules": [{"id": "r", "severity": "fail", "phase": "A", "weight": 1, "check": "c"}], "scoring": {"pass_threshold": 0.5}}
RETRIEVAL = {"id": sample.ID, "constraint": "1.4.0", "request_id": "r", "actor": "a"}
REFERENCE = {"reference": sample.ID, "request_id": "r", "actor": "a"}

# Valid arguments of every public function. A new function or argument without them fails a test.
VALID = {
    "open": {"source": PATH, "digest": BUNDLE.digest, "audit": print},
    "follow": {
        "source": "http://127.0.0.1:1/", "digest": BUNDLE.digest, "any_digest": False, "last_good": "/dev/null/x", "interval": 60.0,
        "headers": {"A": "b"}, "token": "t", "ca": None, "audit": print, "downgrades": False,
    },
    "satisfies": {"version": "1.0.0", "constraint": "^1"},
    "verdict": {"rubric": RUBRIC, "scores": {"a": 3}, "hits": []},
    "hits": {"rubric": RUBRIC, "text": "x"},
    "rule_score": {"ruleset": RULES, "phase": "A", "results": {"r": {"verdict": "pass"}}},
    "judge_view": {"document": RUBRIC},
    "answer_schema": {"rubric": RUBRIC},
    "normalize": {"text": "x"},
    "Bundle.verify": {"after": BUNDLE},
    "Bundle.read": {"path": "manifest.json"},
    "Bundle.list": {},
    "Bundle.search": {"artifact_type": "", "text": "clarity", "kind": "rubric", "deprecated": False, "retired": False},
    "Bundle.similar_artifact_types": {"artifact_type": "x"},
    "Bundle.calibration": {"id": sample.ID, "judge": "j", "model": "m"},
    "Bundle.get": RETRIEVAL, "Bundle.aget": RETRIEVAL, "Bundle.resolve": REFERENCE, "Bundle.aresolve": REFERENCE,
    "Live.get": RETRIEVAL, "Live.aget": RETRIEVAL, "Live.resolve": REFERENCE, "Live.aresolve": REFERENCE,
    "Live.check": {}, "Live.close": {},
}
# None says that there is none.
MAY_BE_NONE = {"open": {"digest", "audit"}, "follow": {"digest", "last_good", "headers", "token", "ca", "audit"}, "Bundle.verify": {"after"}}
# The bytes of a bundle, a function, and a path are valid sources, and all else is refused; so is each value here of another type.
ODD = [None, 1, 1.5, True, "", "\ud800", b"", [], [None], {}, {None: None}, object(), float("nan"), 10 ** 400, lambda: None, int]


def call(name, arguments):
    function = getattr(rubric_bundle, name) if "." not in name else getattr({"Bundle": BUNDLE, "Live": LIVE}[name.split(".")[0]], name.split(".")[1])
    result = function(**arguments)
    if inspect.iscoroutine(result):
        result = asyncio.run(result)
    if isinstance(result, rubric_bundle.Live):
        result.close()
    return result


class Arguments(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        LIVE.close()

    def test_every_function_has_valid_arguments(self):
        public = {name: getattr(rubric_bundle, name) for name in rubric_bundle.__all__ if inspect.isfunction(getattr(rubric_bundle, name))}
        for of in (rubric_bundle.Bundle, rubric_bundle.Live):
            public.update({f"{of.__name__}.{name}": method for name, method in inspect.getmembers(of, inspect.isfunction) if not name.startswith("_")})
        self.assertEqual(
            {name: set(inspect.signature(function).parameters) - {"self"} for name, function in public.items()},
            {name: set(arguments) for name, arguments in VALID.items()})

    def test_valid_arguments(self):
        for name, arguments in VALID.items():
            if name not in ("follow", "Live.close"):
                with self.subTest(name):
                    call(name, arguments)

    def test_none_is_an_error_for_each_argument(self):
        for name, arguments in VALID.items():
            for key in arguments:
                if key not in MAY_BE_NONE.get(name, ()):
                    with self.subTest(name, argument=key), self.assertRaises(InputError) as caught:
                        call(name, {**arguments, key: None})
                    self.assertTrue(str(caught.exception))

    def test_other_types_give_an_error_of_the_module_or_a_result(self):
        for name, arguments in VALID.items():
            for key in arguments:
                for value in ODD:
                    if name == "follow" and key not in ("source", "interval") and value is not None:
                        changed = {**arguments, "source": PATH if key in ("digest", "any_digest", "last_good") else arguments["source"], key: value}
                    else:
                        changed = {**arguments, key: value}
                    with self.subTest(name, argument=key, value=repr(value)[:40]):
                        try:
                            call(name, changed)
                        except (BundleError, OSError) as error:
                            self.assertTrue(str(error))

    def test_data_that_is_no_document_gives_an_error_of_the_module_or_a_result(self):
        uses = (
            (RUBRIC, lambda data: rubric_bundle.verdict(data, {"a": 3}, [])), (RUBRIC, lambda data: rubric_bundle.hits(data, "x")),
            (RUBRIC, rubric_bundle.judge_view), (RUBRIC, rubric_bundle.answer_schema), (RULES, rubric_bundle.judge_view),
            (RULES, lambda data: rubric_bundle.rule_score(data, "A", {"r": {"verdict": "pass"}})),
        )
        count = 0
        for valid, use in uses:
            use(valid)
            for path in paths(valid):
                for value in [*ODD, MISSING]:
                    data = changed(valid, path, value)
                    with self.subTest(path=path, value=repr(value)[:40]):
                        count += 1
                        try:
                            result = use(data)
                            json.dumps(result, default=str)
                        except BundleError as error:
                            self.assertTrue(str(error))
        self.assertGreater(count, 700)

    def test_scores_and_results_of_other_types_are_errors(self):
        for value in ODD:
            with self.subTest(repr(value)[:40]):
                if value not in (1, 1.5) or value is True:
                    with self.assertRaises(InputError):
                        rubric_bundle.verdict(RUBRIC, {"a": value}, [])
                with self.assertRaises(InputError):
                    rubric_bundle.verdict(RUBRIC, {"a": 3, value if value.__hash__ else None: 3}, [])
                with self.assertRaises(InputError):
                    rubric_bundle.verdict(RUBRIC, {"a": 3}, [value])
                for result in (value, {"verdict": value}, {"verdict": "pass", "reason": value}):
                    if not isinstance(result, dict) or not isinstance(value, str) or result["verdict"] == value:
                        with self.assertRaises(InputError):
                            rubric_bundle.rule_score(RULES, "A", {"r": result})


MISSING = object()


def paths(value, at=()):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(*at, key) for key, _ in inner] + [path for key, each in inner for path in paths(each, (*at, key))]


def changed(valid, path, value):
    data = copy.deepcopy(valid)
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    if value is MISSING:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return data


if __name__ == "__main__":
    unittest.main()
