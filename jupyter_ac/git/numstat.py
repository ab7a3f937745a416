"""Parses the number of added and deleted lines per file."""

from typing import Final, TypedDict

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
