"""Formats a map: folders, their files, and the names in each file."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.map.naming import Name
from jupyter_ac.index.quoting import HIDDEN, on_one_line, quoted
from jupyter_ac.index.records import NOBODY

LEGEND: Final = (
    "# folder/ files without details, +n files not shown; "
    "below it file: names defined in it, Class(members)\n"
)

_PLAIN: Final = re.compile(rf"(?!\+\d+\Z)[^\"\\():{HIDDEN}]+\Z")


@lru_cache(maxsize=100_000)
def plain_or_quoted(name: str) -> str:
    """Write a name so that it ends where it ends: quoted as JSON when it could mislead."""
    return name if _PLAIN.match(name) else quoted(name)


def folder_line(folder: str) -> str:
    """Write the line that a folder's files follow."""
    return f"{plain_or_quoted(folder)}/" if folder else "./"


def names_text(names: Sequence[Name], shown: Sequence[int], signed: Collection[int]) -> str:
    """Write some of a file's names, in the order of the source, members in their classes."""
    members: dict[int, list[int]] = defaultdict(list)
    wanted = set(shown)
    for at in sorted(shown):
        parent = names[at].parent
        while parent != NOBODY and parent not in wanted:
            wanted.add(parent)
            parent = names[parent].parent
    for at in sorted(wanted):
        members[names[at].parent].append(at)

    written: list[str] = []
    # What is still to be written, the next one last: classes may be nested to any depth.
    todo: list[int | str] = [*reversed(_between(members[NOBODY]))]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            written.append(part)
            continue
        written.append(plain_or_quoted(names[part].text))
        written.append(on_one_line(names[part].signature) if part in signed else "")
        if part in members:
            todo += [")", *reversed(_between(members[part])), "("]
    return "".join(written)


def _between(members: Sequence[int]) -> list[int | str]:
    """Return members with blanks between."""
    return [each for member in members for each in (" ", member)][1:]


def map_text(files: Mapping[RepoPath, str], left_out: Mapping[str, int] | None = None) -> str:
    """Write files below their folders.

    Args:
        files: each with the text of its names, "" for none.
        left_out: for folders, how many files in or below them aren't written.
    """
    more = {folder: f"+{count}" for folder, count in (left_out or {}).items() if count}
    folders: dict[str, list[tuple[str, str]]] = {folder: [] for folder in more}
    for path, names in files.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append((plain_or_quoted(name), names))
    lines: list[str] = []
    for folder, rows in sorted(folders.items()):
        rows.sort()
        bare = [name for name, names in rows if not names]
        lines.append(" ".join(filter(None, (folder_line(folder), *bare, more.get(folder, "")))))
        lines.extend(f" {name}: {names}" for name, names in rows if names)
    return "".join(f"{line}\n" for line in lines)
