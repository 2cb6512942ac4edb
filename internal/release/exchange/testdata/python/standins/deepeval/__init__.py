"""Stands in for DeepEval where it can't be installed: the names and shapes that the export
uses, as in the source of August 2026."""
