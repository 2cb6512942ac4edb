"""Grades the artifact of each vector with the module in its folder, and prints a line of JSON.

    run.py deepeval|inspect VECTOR...

The stand-ins are used only where the packages are not installed. A judge gives the scores of
the vector, and checks that it reads the texts of the rubric.
"""

import asyncio
import importlib
import json
import pathlib
import sys
from inspect import signature
from types import SimpleNamespace

sys.path.append(str(pathlib.Path(__file__).parent / "standins"))


def copied(metric):
    """A copy as DeepEval makes one for each test case."""
    known = signature(type(metric).__init__).parameters
    return type(metric)(**{name: value for name, value in vars(metric).items() if name in known})


def deepeval(vector):
    from deepeval.models import DeepEvalBaseLLM
    from deepeval.test_case import LLMTestCase

    class Judge(DeepEvalBaseLLM):
        criterion = None

        def load_model(self):
            return self

        def get_model_name(self):
            return "stub"

        def generate(self, prompt, schema=None):
            for text in [self.criterion["description"], *self.criterion["anchors"].values()]:
                assert text in prompt, f"{text!r} is not in {prompt!r}"
            return schema(score=vector["scores"][self.criterion["name"]], reason="because")

        async def a_generate(self, prompt, schema=None):
            return self.generate(prompt, schema)

    def grade(measure):
        module = importlib.import_module("metrics")
        metric = copied(module.RubricVerdict(model=Judge(), async_mode=False, rubric_id=vector["rubric_id"]))
        for each, criterion in zip(metric.metrics, metric.rubric["criteria"]):
            each.model = Judge()
            each.model.criterion = criterion
        try:
            measure(metric, LLMTestCase(input="task", actual_output=vector["artifact"]))
        except Exception as error:
            assert not metric.is_successful()
            return {"error": repr(error)}
        assert metric.is_successful() == (metric.score == 1)
        return {"passed": metric.is_successful(), "overall": metric.result.overall}

    one = grade(lambda metric, case: metric.measure(case))
    two = grade(lambda metric, case: asyncio.run(metric.a_measure(case)))
    assert one == two, f"{one} and {two}"
    return one


def inspect(vector):
    from inspect_ai.model import ModelOutput

    module = importlib.import_module("scorer")
    criteria = module.load(vector["rubric_id"])[0]["criteria"]

    class Judge:
        name = "stub"

        async def generate(self, messages, config):
            request = json.loads(messages[0].content)
            for asked, criterion in zip(request["criteria"], criteria):
                assert asked == {key: criterion[key] for key in ("name", "description", "anchors", "examples")}, asked
            assert request["artifact"] == vector["artifact"] and request["task"] == "task"
            assert config.response_schema.json_schema.required == ["criteria"]
            answer = {name: {"reason": "because", "score": score} for name, score in vector["scores"].items()}
            return ModelOutput.from_content("stub", "```json\n" + json.dumps({"criteria": answer}) + "\n```")

    module.get_model = lambda *args, **keywords: Judge()
    state = SimpleNamespace(output=ModelOutput.from_content("model", vector["artifact"]), input_text="task")
    score = asyncio.run(module.rubric_verdict(rubric_id=vector["rubric_id"])(state, None))
    if score.value != score.value:  # NaN
        return {"error": score.explanation}
    return {"passed": score.value == "C", "overall": score.metadata["overall"]}


for file in sys.argv[2:]:
    folder = str(pathlib.Path(file).parent)
    for name in ("metrics", "scorer", "rubric_bundle"):
        sys.modules.pop(name, None)
    sys.path.insert(0, folder)
    vector = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    print(json.dumps({"deepeval": deepeval, "inspect": inspect}[sys.argv[1]](vector)))
    sys.path.pop(0)
