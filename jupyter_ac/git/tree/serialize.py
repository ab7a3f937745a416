"""How a tree is spelt for `get_file_tree`.

Everything is ASCII: names escape what isn't, lone surrogates included.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring_ascii as quoted
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.git.numstat import DiffStat
from jupyter_ac.git.tree.entries import EMPTY, Folder

DEEPEST: Final = 200
"""Levels of folders inside each other; readers of JSON give up when it is nested too deep."""

_ENDS: Final = ("]},", "]}")
"""What ends a folder: one that others follow, and the last one."""

Filled: TypeAlias = Mapping[str, Folder]


class Node(TypedDict):
    """A file or a folder.

    Attributes:
        path: relative to the repository, "" for its top folder.
        lines: 0 for folders and binary files.
        children: of a folder, folders first; a folder that is more than `DEEPEST` levels down is
            named by its path from the one at that level.
        mtime: of a file, seconds since 1970; 0 for a deleted one.
        is_binary: of a file.
        submodule: true on a nested repository, which is shown as a file.
        link: true on a symbolic link.
    """

    name: str
    path: str
    type: Literal["file", "dir"]
    lines: int
    children: NotRequired["list[Node]"]
    mtime: NotRequired[float]
    is_binary: NotRequired[bool]
    submodule: NotRequired[bool]
    link: NotRequired[bool]


class FileTree(TypedDict):
    """The tree, and lists of paths by state.

    Attributes:
        diff_stats: changed files by path.
        operation: the merge, rebase, cherry-pick, revert or bisect under way.
    """

    tree: Node
    modified: list[str]
    staged: list[str]
    untracked: list[str]
    deleted: list[str]
    conflicted: list[str]
    diff_stats: dict[str, DiffStat]
    operation: str | None


@dataclass(frozen=True, slots=True)
class Lists:
    """Paths by state, each list sorted, and changed lines by path.

    They name also what the tree doesn't show, such as the old name of a renamed file.
    """

    modified: Sequence[str] = ()
    staged: Sequence[str] = ()
    untracked: Sequence[str] = ()
    deleted: Sequence[str] = ()
    conflicted: Sequence[str] = ()
    diff_stats: Mapping[str, DiffStat] = field(default_factory=dict)


def spell(name: str, filled: Filled, lists: Lists, operation: str | None) -> list[str]:
    """Return a `FileTree` in pieces, which joined are its JSON.

    Args:
        name: the repository's.
        filled: the files, by the folder that they lie in.
        lists: what goes with them.
        operation: what is under way.
    """
    pieces = ['{"tree":']
    _add_folders(pieces, name, subfolders(filled), filled)
    by_state = {
        "modified": lists.modified,
        "staged": lists.staged,
        "untracked": lists.untracked,
        "deleted": lists.deleted,
        "conflicted": lists.conflicted,
    }
    pieces += [f',"{key}":[{",".join(map(quoted, paths))}]' for key, paths in by_state.items()]
    stats = [
        f'{quoted(path)}:{{"additions":{stat["additions"]},"deletions":{stat["deletions"]}}}'
        for path, stat in lists.diff_stats.items()
    ]
    pieces.append(f',"diff_stats":{{{",".join(stats)}}}')
    pieces.append(f',"operation":{"null" if operation is None else quoted(operation)}}}')
    return pieces


def subfolders(filled: Iterable[str]) -> dict[str, list[str]]:
    """Return the folders in each folder, sorted.

    Args:
        filled: the folders that hold files; the ones around them, "" among them, are added.
    """
    inner: dict[str, list[str]] = {"": []}
    for folder in filled:
        at = folder
        while at not in inner:
            inner[at] = []
            at = at.rpartition("/")[0]
    for folder in sorted(inner):
        if folder:
            inner[folder.rpartition("/")[0]].append(folder)
    return inner


def _add_folders(
    pieces: list[str], name: str, inner: Mapping[str, list[str]], filled: Filled
) -> None:
    """Add all folders, each with those in it; below `DEEPEST` levels they stand side by side."""
    pieces.append(_head(name, ""))
    # The folders that are open, each with those in it that are still to come, the next one last.
    levels: list[tuple[str, list[str]]] = [("", inner[""][::-1])]
    while levels:
        folder, coming = levels[-1]
        if coming:
            below = coming.pop()
            pieces.append(_head(below[len(folder) + 1 :] if folder else below, below))
            levels.append((below, [*reversed(_inside(below, len(levels), inner, filled))]))
            continue
        levels.pop()
        own = filled.get(folder, EMPTY).spelt
        if own and pieces[-1] in _ENDS:
            pieces.append(",")
        is_last = not levels or not levels[-1][1]
        pieces += (own, _ENDS[is_last])


def _inside(
    folder: str, depth: int, inner: Mapping[str, list[str]], filled: Filled
) -> Sequence[str]:
    """Return the folders that are shown right in a folder."""
    if depth != DEEPEST:
        return inner[folder] if depth < DEEPEST else ()
    found, todo = [], [folder]
    for each in todo:
        todo += inner[each]
        found += [each] if each in filled and each != folder else []
    return found


def _head(name: str, folder: str) -> str:
    return f'{{"name":{quoted(name)},"path":{quoted(folder)},"type":"dir","lines":0,"children":['
