CORRECT, INCORRECT = "C", "I"


class Score:
    def __init__(self, *, value, answer, explanation, metadata):
        self.value, self.answer, self.explanation, self.metadata = value, answer, explanation, metadata

    @classmethod
    def unscored(cls, *, answer, explanation, metadata):
        return cls(value=float("nan"), answer=answer, explanation=explanation, metadata=metadata)


def accuracy():
    return "accuracy"


def stderr():
    return "stderr"


def scorer(*, metrics):
    assert metrics == ["accuracy", "stderr"]
    return lambda function: function
