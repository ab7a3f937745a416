"""Extracts the identifiers of a file, for search by word."""

from itertools import islice
from typing import Final

MAX_WORDS: Final = 2_000
_BEYOND_ASCII: Final = 0x80
_MIN_LENGTH: Final = 3
_MAX_LENGTH: Final = 80
_LENGTHS: Final = range(_MIN_LENGTH, _MAX_LENGTH + 1)
_DIGITS: Final = frozenset("0123456789")


def _is_part(code: int) -> bool:
    return code >= _BEYOND_ASCII or code in b"_" or chr(code).isalnum()


_BLANKS: Final = bytes(code if _is_part(code) else 0x20 for code in range(256))


def words_of(data: bytes) -> tuple[str, ...]:
    """Return the words of a text, comments included, each once, in order, at most `MAX_WORDS`.

    Words outside ASCII that aren't identifiers (typographic signs, emoji) are left out.

    Args:
        data: valid UTF-8.
    """
    text = data.translate(_BLANKS)
    if text.isascii():
        names = dict.fromkeys(text.decode("ascii").split())
        plain = [
            name
            for name in names
            if _MIN_LENGTH <= len(name) <= _MAX_LENGTH and name[0] not in _DIGITS
        ]
        return tuple(plain[:MAX_WORDS])
    found = (word for word in dict.fromkeys(text.split()) if len(word) in _LENGTHS)
    decoded = (word.decode("utf-8", "replace") for word in found)
    return tuple(islice((word for word in decoded if word.isidentifier()), MAX_WORDS))
