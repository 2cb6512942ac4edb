"""A rubric as a scorer for Inspect. `rubric export` wrote this file.

    from scorer import rubric_verdict

    @task
    def stories():
        return Task(dataset=..., solver=generate(), scorer=rubric_verdict())

In a project with several rubrics, `rubric_id` says which one.

The judge is the model with the role "grader", or `model`. It gets the criteria, the task, and
the artifact as JSON, and has to answer in a fixed form. `instructions` is the system message
of your own prompt, if you need one. A sample without a readable answer is unscored.
"""

import hashlib
import json
from pathlib import Path

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, ResponseSchema, get_model
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer, stderr
from inspect_ai.util import JSONSchema

try:
    from .rubric_bundle import BundleError, answer_schema, hits, judge_view, verdict
except ImportError:
    from rubric_bundle import BundleError, answer_schema, hits, judge_view, verdict

_HERE = Path(__file__).parent


def load(rubric_id=None):
    """A rubric and its reference: the one with the ID, or the only one."""
    data = (_HERE / (f"{rubric_id}.rubric.json" if rubric_id else "rubric.json")).read_bytes()
    rubric = json.loads(data)
    return rubric, f"{rubric['rubric_id']}@{rubric['version']}#sha256:{hashlib.sha256(data).hexdigest()}"


def _sentence(reason):
    text = f"{reason.kind} {reason.name}".strip()
    return f"{text}: {reason.score}, needs {reason.minimum}" if reason.minimum else text


@scorer(metrics=[accuracy(), stderr()])
def rubric_verdict(model=None, instructions=None, rubric_id=None):
    """Scores CORRECT or INCORRECT: whether the completion passes the rubric."""
    rubric, reference = load(rubric_id)
    schema = answer_schema(rubric)
    config = GenerateConfig(response_schema=ResponseSchema(name="answer", json_schema=JSONSchema(**schema)))

    async def score(state, target):
        artifact = state.output.completion
        request = {"criteria": judge_view(rubric)["criteria"], "task": state.input_text, "artifact": artifact, "answer_schema": schema}
        messages = [ChatMessageSystem(content=instructions)] if instructions else []
        messages.append(ChatMessageUser(content=json.dumps(request, ensure_ascii=False)))
        judge = get_model(model) if model else get_model(role="grader")
        answer = (await judge.generate(messages, config=config)).completion
        metadata = {"rubric": reference, "judge": judge.name}
        try:
            given = json.loads(answer[answer.index("{") : answer.rindex("}") + 1])["criteria"]
            found = hits(rubric, artifact)
            result = verdict(rubric, {name: each["score"] for name, each in given.items()}, found)
        except (ValueError, KeyError, TypeError, AttributeError, BundleError) as error:
            return Score.unscored(answer=artifact, explanation=f"no verdict: {error!r}\n{answer}", metadata=metadata)
        metadata.update(
            overall=result.overall,
            scores={each.name: each.score for each in result.criteria},
            judge_reasons={name: each.get("reason", "") for name, each in given.items()},
            hits=[hit._asdict() for hit in found],
        )
        reasons = "; ".join(map(_sentence, result.reasons))
        return Score(value=CORRECT if result.passed else INCORRECT, answer=artifact, explanation=reasons or "passed", metadata=metadata)

    return score
