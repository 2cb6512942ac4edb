PROMPT = """Is the answer right?

Reply with yes or no."""
