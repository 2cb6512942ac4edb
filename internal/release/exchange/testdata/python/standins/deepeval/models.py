class DeepEvalBaseLLM:
    def __init__(self):
        self.model = self.load_model()
