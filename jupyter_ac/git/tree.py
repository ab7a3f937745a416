"""The repository's files as a tree, with what git says about each.

The files are those that git tracks, those that it neither tracks nor ignores, and those that were
deleted. All names come unquoted from `-z` output; ones that aren't UTF-8 hold lone surrogates.
"""

import asyncio
import os
import stat
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NotRequired, TypedDict

from jupyter_ac.errors import GitError
from jupyter_ac.git import numstat, status
from jupyter_ac.git.drafts import without_drafts
from jupyter_ac.git.drivers import without_programs
from jupyter_ac.git.lines import NOTHING, LineCount, LineCounts
from jupyter_ac.git.operations import under_way
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, Options, Output, read_git
from jupyter_ac.git.together import together

MAX_DEPTH: Final = 100
"""Folders below this level are part of their files' names: encoders limit the nesting."""

LIST_TRACKED: Final = ("ls-files", "-z", "--cached")
LIST_UNTRACKED: Final = ("ls-files", "-z", "--others", "--exclude-standard")


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
    diff_stats: dict[str, numstat.DiffStat]
    operation: str | None


async def file_tree(repository: Repository, counts: LineCounts | None = None) -> FileTree:
    """Return the tree of a repository's files.

    Args:
        repository: whose files.
        counts: line counts remembered from earlier trees; None counts all anew.

    Raises:
        GitError: git can't read the repository.
        TimedOut: it took too long.
    """
    (listed, staged), (states, unstaged) = await together(
        _read(repository, (LIST_TRACKED, numstat.STAGED)),
        _compare_files(repository),
    )
    outputs = [_data(answer) for answer in (listed, states, staged, unstaged)]
    return await asyncio.to_thread(_assemble, repository, outputs, counts or LineCounts())


async def flat_file_list(repository: Repository) -> str:
    """Return the paths of all files that are on disk, sorted, one a line; "" when there are none.

    Ignored and deleted files and nested repositories aren't among them, nor are the files whose
    names hold a line end.
    """
    answers = await _read(repository, (LIST_TRACKED, LIST_UNTRACKED))
    return await asyncio.to_thread(_flatten, repository, [_data(answer) for answer in answers])


async def _compare_files(repository: Repository) -> list[Output]:
    """Run the commands that look into the files, which filters could see first."""
    options = Options(config=await without_programs(repository))
    return await _read(repository, (status.STATUS, numstat.UNSTAGED), options)


async def _read(
    repository: Repository, commands: Iterable[Sequence[str]], options: Options = DEFAULTS
) -> list[Output]:
    return await together(*(read_git(repository.root, each, options) for each in commands))


def _data(answer: Output) -> bytes:
    if answer.exit_code != 0 or answer.truncated:
        raise GitError(f"git can't list the files: {answer.complaint}")
    return answer.data


def _names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]


def _flatten(repository: Repository, outputs: list[bytes]) -> str:
    prefix = f"{repository.root}/"
    names = {name for output in outputs for name in without_drafts(_names(output))}
    return "\n".join(
        sorted(name for name in names if "\n" not in name and _is_on_disk(prefix + name))
    )


def _is_on_disk(absolute: str) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(absolute).st_mode)
    except (OSError, ValueError):
        return False


def _assemble(repository: Repository, outputs: list[bytes], counts: LineCounts) -> FileTree:
    listed, states, *diffs = outputs
    found = status.parse(states)
    found.untracked = without_drafts(found.untracked)
    deleted = set(found.deleted)
    builder = _Builder(repository, counts)
    builder.add_existing(set(_names(listed)).union(found.untracked) - deleted)
    for path in found.conflicted:
        if path not in builder.files and path not in deleted:
            found.deleted.append(path)
    builder.add_deleted(found.deleted)
    counts.keep_only({builder.prefix + path for path in builder.files})
    return FileTree(
        tree=builder.finish(),
        modified=sorted(found.modified),
        staged=sorted(set(found.staged)),
        untracked=sorted(found.untracked),
        deleted=sorted(found.deleted),
        conflicted=sorted(found.conflicted),
        diff_stats=numstat.parse(*diffs),
        operation=under_way(repository),
    )


class _Builder:
    """Puts leaves under their folders; what is on disk goes in before what is gone."""

    def __init__(self, repository: Repository, counts: LineCounts) -> None:
        self.prefix = f"{repository.root}/"
        self.files: set[str] = set()
        self._counts = counts
        self._root = _folder(repository.name, "")
        self._folders: dict[str, list[Node]] = {"": self._root["children"]}

    def add_existing(self, paths: Iterable[str]) -> None:
        for path in paths:
            absolute = self.prefix + path
            try:
                found = os.lstat(absolute)
            except OSError:
                continue  # gone since git looked, or left out by a sparse checkout
            self.files.add(path)
            leaf = self._add(path, self._counts.count(absolute, found), found.st_mtime)
            if stat.S_ISDIR(found.st_mode):
                leaf["submodule"] = True
            elif stat.S_ISLNK(found.st_mode):
                leaf["link"] = True

    def add_deleted(self, paths: Iterable[str]) -> None:
        for path in paths:
            # Where something else has taken its name, or that of its folder, that is shown.
            above = path.split("/")[:-1]
            taken = {"/".join(above[: end + 1]) for end in range(len(above))} & self.files
            if path not in self._folders and path not in self.files and not taken:
                self._add(path, NOTHING, 0.0)

    def finish(self) -> Node:
        for children in self._folders.values():
            children.sort(key=lambda node: (node["type"] != "dir", node["name"]))
        return self._root

    def _add(self, path: str, count: LineCount, mtime: float) -> Node:
        if path.count("/") > MAX_DEPTH:
            *folders, name = path.split("/", MAX_DEPTH)
            folder = "/".join(folders)
        else:
            folder, _, name = path.rpartition("/")
        leaf: Node = {
            "name": name,
            "path": path,
            "type": "file",
            "lines": count.lines,
            "mtime": mtime,
            "is_binary": count.is_binary,
        }
        self._children(folder).append(leaf)
        return leaf

    def _children(self, folder: str) -> list[Node]:
        found = self._folders.get(folder)
        if found is None:
            above, _, name = folder.rpartition("/")
            node = _folder(name, folder)
            found = self._folders[folder] = node["children"]
            self._children(above).append(node)
        return found


def _folder(name: str, path: str) -> Node:
    return {"name": name, "path": path, "type": "dir", "lines": 0, "children": []}
