from .g_eval import Rubric


class BaseMetric:
    threshold = score = reason = success = error = evaluation_model = None
    async_mode = True


class GEval(BaseMetric):
    """Asks the model for a score on the scale of the ranges, and reports it from 0 to 1."""

    def __init__(self, name, evaluation_params=None, criteria=None, evaluation_steps=None, rubric=None, model=None, threshold=0.5, async_mode=True):
        if not evaluation_params or not criteria.strip() or not evaluation_steps or not all(isinstance(each, Rubric) for each in rubric):
            raise ValueError("not the arguments of GEval")
        ranges = sorted(each.score_range for each in rubric)
        if any(a[1] >= b[0] for a, b in zip(ranges, ranges[1:])):
            raise ValueError("the ranges overlap")
        self.name, self.evaluation_params, self.evaluation_steps, self.rubric = name, evaluation_params, evaluation_steps, rubric
        self.model, self.threshold, self.evaluation_model = model, threshold, model.get_model_name()
        self.low, self.high = ranges[0][0], ranges[-1][1]

    def measure(self, test_case, _show_indicator=True, _in_component=False):
        parts = self.evaluation_steps + [f"{each.score_range[0]}: {each.expected_outcome}" for each in self.rubric]
        parts += [getattr(test_case, each.value) for each in self.evaluation_params]
        self.score = (float(self.model.generate("\n".join(parts), Answer).score) - self.low) / (self.high - self.low)
        return self.score

    async def a_measure(self, test_case, _show_indicator=True, _in_component=False):
        return self.measure(test_case)


class Answer:
    def __init__(self, score, reason):
        self.score, self.reason = score, reason
