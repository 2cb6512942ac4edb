"""The bundles that the test in Go wrote, consecutive releases of a library with one rubric."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

ID = "story_v1"


def path(version):
    return os.path.join(os.environ["RELEASES"], version + ".zip")


def data(version):
    with open(path(version), "rb") as file:
        return file.read()
