from enum import Enum


class SingleTurnParams(Enum):
    INPUT = "input"
    ACTUAL_OUTPUT = "actual_output"


class LLMTestCase:
    def __init__(self, input, actual_output):
        self.input, self.actual_output = input, actual_output
