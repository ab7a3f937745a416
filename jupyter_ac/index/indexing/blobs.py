"""Computes git's blob hashes."""

import hashlib
from typing import Final

SHA1_DIGITS: Final = 40


def blob_hash(data: bytes, digits: int = SHA1_DIGITS) -> str:
    """Return the name that git gives a content.

    Args:
        data: the content.
        digits: length of names in the repository, which says how they are made.
    """
    new = hashlib.sha1 if digits == SHA1_DIGITS else hashlib.sha256
    return new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
