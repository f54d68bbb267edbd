"""The tiles that a text names."""

import re


def tiles_named(text: str) -> set[str]:
    """Such as 3-1: by themselves, for a random token or a date may have the same characters in it.

    Before a tile may stand the end of a line as JSON writes it.
    """
    return set(re.findall(r"(?<![\w-])\d+-\d+(?![\w-])", re.sub(r"\\[nrt]", " ", text)))
