"""Parses git's output: NUL-separated lists of names, counts of lines, texts of many megabytes.

Names are those of git's `-z` options. Bytes that aren't UTF-8 become lone surrogates, which are
encoded to the same bytes again.
"""

import asyncio
import codecs
from collections.abc import Iterable
from typing import Final, TypedDict


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


_COMMON: Final = (
    "--numstat",
    "-z",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--find-renames",
    "--ignore-submodules=dirty",
)
UNSTAGED: Final = ("diff", *_COMMON)
STAGED: Final = ("diff", "--cached", *_COMMON)


class DiffStat(TypedDict):
    """Number of added and deleted lines of a file since the last commit."""

    additions: int
    deletions: int


def parse(*outputs: bytes) -> dict[str, DiffStat]:
    """Parse outputs of `--numstat -z` and sum up the lines per path.

    A renamed file has its new name; a binary one counts 0.
    """
    stats: dict[str, DiffStat] = {}
    for output in outputs:
        fields = iter(output.decode("utf-8", "surrogateescape").split("\0"))
        for entry in fields:
            added, _, rest = entry.partition("\t")
            deleted, separator, path = rest.partition("\t")
            if not separator:
                continue
            if not path:  # a rename: the old and the new name are the next fields
                next(fields, "")
                path = next(fields, "")
            stat = stats.setdefault(path, {"additions": 0, "deletions": 0})
            stat["additions"] += int(added) if added.isdecimal() else 0
            stat["deletions"] += int(deleted) if deleted.isdecimal() else 0
    return stats


_AT_ONCE_BYTES: Final = 256 * 1024
"""A decoder holds the interpreter lock; this many bytes take a few milliseconds."""


async def decoded(data: bytes) -> str:
    """Decode UTF-8; invalid bytes become U+FFFD."""
    if len(data) <= _AT_ONCE_BYTES:
        return data.decode("utf-8", "replace")
    return await asyncio.to_thread(_in_pieces, data)


def _in_pieces(data: bytes) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces = [
        decoder.decode(data[at : at + _AT_ONCE_BYTES]) for at in range(0, len(data), _AT_ONCE_BYTES)
    ]
    return "".join([*pieces, decoder.decode(b"", final=True)])
