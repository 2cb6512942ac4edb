"""A rubric as metrics for DeepEval. `rubric export` wrote this file.

    from metrics import RubricVerdict

    assert_test(test_case, [RubricVerdict(model="...")])

In a project with several rubrics, `rubric_id` says which one.

RubricVerdict measures a GEval metric for each criterion and searches the actual output for the
negative criteria. Its score is 1 if the rubric passes, or 0. What GEval thinks of a score is
ignored.
"""

import hashlib
import json
from pathlib import Path

from deepeval.metrics import BaseMetric, GEval
from deepeval.metrics.g_eval import Rubric

try:
    from deepeval.test_case import SingleTurnParams
except ImportError:  # before version 4
    from deepeval.test_case import LLMTestCaseParams as SingleTurnParams

try:
    from .rubric_bundle import hits, verdict
except ImportError:
    from rubric_bundle import hits, verdict

_HERE = Path(__file__).parent


def _read(rubric_id, name):
    return (_HERE / (f"{rubric_id}.{name}" if rubric_id else name)).read_bytes()


def load(rubric_id=None):
    """A rubric and its reference: the one with the ID, or the only one."""
    data = _read(rubric_id, "rubric.json")
    rubric = json.loads(data)
    return rubric, f"{rubric['rubric_id']}@{rubric['version']}#sha256:{hashlib.sha256(data).hexdigest()}"


PARAMS = (SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT)


def criterion_metrics(model=None, async_mode=True, evaluation_params=PARAMS, rubric_id=None):
    """A GEval metric for each criterion. Its score is from 0 to 1: 0.75 is the rubric's 4."""
    metrics = json.loads(_read(rubric_id, "metrics.json"))
    for each in metrics:
        each["rubric"] = [Rubric(score_range=tuple(r["score_range"]), expected_outcome=r["expected_outcome"]) for r in each["rubric"]]
    return [GEval(**each, model=model, async_mode=async_mode, evaluation_params=list(evaluation_params)) for each in metrics]


def _sentence(reason):
    text = f"{reason.kind} {reason.name}".strip()
    return f"{text}: {reason.score}, needs {reason.minimum}" if reason.minimum else text


class RubricVerdict(BaseMetric):
    """The verdict of the rubric. An input without a verdict is an error, and never passes."""

    def __init__(self, model=None, async_mode=True, evaluation_params=PARAMS, rubric_id=None):
        # DeepEval copies a metric by calling __init__ with the attributes of these names.
        self.model, self.async_mode, self.evaluation_params = model, async_mode, evaluation_params
        self.rubric_id = rubric_id
        self.rubric, self.reference = load(rubric_id)
        self.metrics = criterion_metrics(model, async_mode, evaluation_params, rubric_id)
        self.threshold = 1
        self.evaluation_model = self.metrics[0].evaluation_model

    @property
    def __name__(self):
        return self.reference.partition("#")[0]

    def measure(self, test_case, *args, **kwargs):
        self._reset()
        for metric in self.metrics:
            metric.measure(test_case, _show_indicator=False)
        return self._decide(test_case)

    async def a_measure(self, test_case, *args, **kwargs):
        self._reset()
        for metric in self.metrics:
            await metric.a_measure(test_case, _show_indicator=False)
        return self._decide(test_case)

    def _reset(self):
        self.score, self.success, self.reason = 0, False, None

    def _decide(self, test_case):
        scores = {metric.name: 1 + 4 * metric.score for metric in self.metrics}
        self.result = verdict(self.rubric, scores, hits(self.rubric, test_case.actual_output))
        self.score_breakdown = scores
        self.score, self.success = int(self.result.passed), self.result.passed
        reasons = "; ".join(map(_sentence, self.result.reasons))
        self.reason = f"{self.reference}: overall {self.result.overall:g}, {reasons or 'passed'}"
        return self.score

    def is_successful(self):
        return self.success is True and self.error is None
