class ChatMessageUser:
    def __init__(self, *, content):
        self.content = content


ChatMessageSystem = ChatMessageUser


class GenerateConfig:
    def __init__(self, *, response_schema):
        self.response_schema = response_schema


class ResponseSchema:
    def __init__(self, *, name, json_schema):
        self.name, self.json_schema = name, json_schema


class ModelOutput:
    def __init__(self, completion):
        self.completion = completion

    @classmethod
    def from_content(cls, model, content):
        return cls(content)


def get_model(model=None, *, role=None):
    raise LookupError("the test sets the model")
