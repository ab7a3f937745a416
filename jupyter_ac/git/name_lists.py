"""Reads and writes NUL-separated lists of names, as git's `-z` options use them.

Bytes that aren't UTF-8 become lone surrogates, which are encoded to the same bytes again.
"""

from collections.abc import Iterable


def names_in(data: bytes) -> list[str]:
    """Parse the names in the output of a command with `-z`."""
    return [name for name in data.decode("utf-8", "surrogateescape").split("\0") if name]


def as_input(names: Iterable[str], end: bytes = b"\0") -> bytes:
    """Encode names for a command's standard input.

    Args:
        names: in order.
        end: terminator; commands without `-z` need a line end.
    """
    return b"".join(name.encode("utf-8", "surrogateescape") + end for name in names)
