"""Corrupts files as a bad disk or an interrupted copy does."""

import random
from typing import Final

PAGE: Final = 4096
"""Of SQLite."""


def damaged(sound: bytes, seed: int, flips: int, pages: int) -> bytes:
    """Return a file with some bytes, and some whole pages, replaced by chance."""
    chance = random.Random(seed)
    content = bytearray(sound)
    for _ in range(pages):
        at = chance.randrange(len(content) // PAGE) * PAGE
        content[at : at + PAGE] = chance.randbytes(PAGE)
    for _ in range(flips):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)
