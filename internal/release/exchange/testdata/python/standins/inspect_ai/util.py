class JSONSchema:
    def __init__(self, *, type, properties, required, additionalProperties):
        self.type, self.properties, self.required = type, properties, required
