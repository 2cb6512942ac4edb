class Rubric:
    def __init__(self, *, score_range, expected_outcome):
        start, end = score_range
        if not 0 <= start <= end <= 10 or not isinstance(expected_outcome, str):
            raise ValueError("not a range from 0 to 10 with a text")
        self.score_range, self.expected_outcome = score_range, expected_outcome
