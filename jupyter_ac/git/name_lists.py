"""Lists of names as git writes and reads them: a NUL after each, never quoted.

Names that aren't UTF-8 hold lone surrogates here, and get their bytes back.
"""

from collections.abc import Iterable


def names_in(data: bytes) -> list[str]:
    """Return the names in what a command wrote with `-z`."""
    return [name for name in data.decode("utf-8", "surrogateescape").split("\0") if name]


def as_input(names: Iterable[str], end: bytes = b"\0") -> bytes:
    """Return names as a command reads them from its standard input.

    Args:
        names: in their order.
        end: follows each; commands without `-z` take a line end.
    """
    return b"".join(name.encode("utf-8", "surrogateescape") + end for name in names)
