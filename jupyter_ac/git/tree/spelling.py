"""How a tree is spelt for `get_file_tree`.

Everything is ASCII: names escape what isn't, lone surrogates included.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring_ascii as quoted
from typing import Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.git.numstat import DiffStat
from jupyter_ac.git.tree.entries import EMPTY, Folder

Filled: TypeAlias = Mapping[str, Folder]


class Node(TypedDict):
    """A file or a folder.

    Attributes:
        path: relative to the repository, "" for its top folder.
        lines: 0 for folders and binary files.
        children: of a folder, folders first.
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
    _add_folder(pieces, (name, ""), subfolders(filled), filled)
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


def _add_folder(
    pieces: list[str], at: tuple[str, str], inner: Mapping[str, list[str]], filled: Filled
) -> None:
    name, folder = at
    pieces.append(
        f'{{"name":{quoted(name)},"path":{quoted(folder)},"type":"dir","lines":0,"children":['
    )
    comma = False
    for below in inner[folder]:
        if comma:
            pieces.append(",")
        _add_folder(pieces, (below.rpartition("/")[2], below), inner, filled)
        comma = True
    own = filled.get(folder, EMPTY).spelt
    if comma and own:
        pieces.append(",")
    pieces += (own, "]}")
