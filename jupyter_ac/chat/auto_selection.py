"""The rule for files that the program itself adds to a selection, without a tick by the user.

Nothing that git ignores, nothing untracked that isn't shown, nothing that the secret warnings
name and nothing that the user has excluded is ever added. A file that an answer edits and that was
not in the prompt must be tracked by git as well, where there is a repository, and be text. All code
that adds files to a selection asks here.
"""

import asyncio
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AcError, NotFound, RefusedPath
from jupyter_ac.git.excluded_paths import REASON, ReadExcluded
from jupyter_ac.git.files import read_text
from jupyter_ac.git.ignored_paths import IgnoredPaths, ignored_each
from jupyter_ac.git.index_entries import SUBMODULE, Entries, read_entries
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.paths import Located, locate_normalised
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.untracked_files import shown_untracked
from jupyter_ac.ids import RepoPath

IGNORED: Final = "git ignores it"
UNTRACKED: Final = "git does not track it"
OVERLOOKED: Final = "git was told to overlook it"
OF_JUPYTER: Final = "Jupyter writes it beside a document, and git does not track it"


class Grounds(Enum):
    """The reason why the program would add a file to the selection.

    Attributes:
        EDITED: an answer edits it, and it was not in the prompt.
        TICKED: the user had ticked it, under another name or before it was deleted.
        CREATED: an answer has written all of it.
    """

    EDITED = auto()
    TICKED = auto()
    CREATED = auto()


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Which file a path means; two paths with links in them may mean the same one.

    Attributes:
        path: relative to the root, as given, in its one spelling.
        entry: the same with the folders' links resolved, as git names it.
        real: where it leads, all links resolved.
        is_file: whether a file is there.
    """

    path: RepoPath
    entry: RepoPath
    real: RepoPath
    is_file: bool

    @property
    def names(self) -> frozenset[RepoPath]:
        """All names that are known of it."""
        return frozenset((self.path, self.entry, self.real))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the program may add a file.

    Attributes:
        identity: which file the path means; None when it means none of the repository.
        reason: why it may not, as the second half of a sentence; "" when it may.
    """

    identity: FileIdentity | None
    reason: str = ""

    @property
    def is_file(self) -> bool:
        """Whether there is a file."""
        return self.identity is not None and self.identity.is_file


class AutoSelectionRule:
    """Decides which files of a working tree the program may add to a selection by itself.

    Args:
        repository: whose files.
        excluded: returns what isn't sent.
    """

    def __init__(self, repository: Repository, excluded: ReadExcluded) -> None:
        self._repository = repository
        self._excluded = excluded

    async def identities(self, paths: Sequence[RepoPath]) -> dict[RepoPath, FileIdentity]:
        """Say which files selected paths mean now; those that mean nothing here are left out."""
        return await asyncio.to_thread(self._identities, paths)

    async def judge(self, paths: Iterable[str], grounds: Grounds) -> dict[str, Verdict]:
        """Say of each path whether the program may add the file.

        A file that isn't there is refused by its name only, so that a refusal doesn't tell
        whether there is one. A path of which git can't tell is refused, and no other with it.
        """
        asked = list(dict.fromkeys(paths))
        if not asked:
            return {}
        known = {path: one for path in asked if (one := await self._find(path)) is not None}
        names = {name for identity in known.values() for name in (identity.entry, identity.real)}
        try:
            entries = await read_entries(self._repository, sorted(names))
            untracked = sorted(name for name in names if not entries[name])
            told = await ignored_each(self._repository, untracked)
            is_shown = shown_untracked(self._repository)
            unshown = {name for name in untracked if not is_shown(name)}
            excluded = await self._excluded()
        except AcError as error:
            return {path: Verdict(known.get(path), error.message) for path in asked}
        needs_tracking = grounds is Grounds.EDITED and not self._repository.is_plain_folder
        verdicts: dict[str, Verdict] = {}
        for path in asked:
            identity = known.get(path)
            if identity is None:
                verdicts[path] = Verdict(None, "it is no file of the repository")
                continue
            reason = REASON if excluded.covers(*identity.names) else ""
            reason = reason or _by_name(identity, told, unshown)
            if not reason and identity.is_file and grounds is not Grounds.CREATED:
                reason = _by_index(identity, entries) if needs_tracking else ""
                reason = reason or await self._by_text(identity)
            verdicts[path] = Verdict(identity, reason)
        return verdicts

    def _identities(self, paths: Sequence[RepoPath]) -> dict[RepoPath, FileIdentity]:
        found: dict[RepoPath, FileIdentity] = {}
        for path in paths:
            with suppress(AcError):
                found[path] = _identity(
                    self._repository.root, locate_normalised(self._repository, path)
                )
        return found

    async def _find(self, path: str) -> FileIdentity | None:
        try:
            located = await find(self._repository, path)
            return await asyncio.to_thread(_identity, self._repository.root, located)
        except AcError:
            return None

    async def _by_text(self, identity: FileIdentity) -> str:
        try:
            text = await read_text(self._repository, identity.path)
        except NotFound:
            return "it can't be read"
        except AcError as error:
            return error.message.rstrip(".")
        return _as_reason(await asyncio.to_thread(secret_warnings, identity.real, text))


def _identity(root: Path, located: Located) -> FileIdentity:
    """Return which file a path means.

    Raises:
        RefusedPath: it leads through a folder outside the repository.
    """
    above = Path(os.path.realpath(located.absolute.parent))
    try:
        entry = (above / located.absolute.name).relative_to(root)
    except ValueError:
        raise RefusedPath(f"{located.path!r} leads out of the repository.") from None
    return FileIdentity(
        located.path,
        RepoPath(os.fspath(entry)),
        RepoPath(os.fspath(located.real.relative_to(root))),
        _is_file(located.real),
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long for the file system, a folder that is closed
        return False


def _by_name(identity: FileIdentity, told: IgnoredPaths, unshown: Collection[RepoPath]) -> str:
    if not identity.names.isdisjoint(told.ignored):
        return IGNORED
    if not identity.names.isdisjoint(unshown):
        return OF_JUPYTER
    untold = sorted(identity.names.intersection(told.failed))
    if untold:
        return told.failed[untold[0]].message.rstrip(".")
    warnings = (secret_warnings(name, "") for name in sorted(identity.names))
    return next(filter(None, map(_as_reason, warnings)), "")


def _by_index(identity: FileIdentity, entries: Mapping[RepoPath, Entries]) -> str:
    for name in (identity.entry, identity.real):
        held = entries[name]
        if not held or any(entry.is_promise or entry.mode == SUBMODULE for entry in held):
            return UNTRACKED
        if any(entry.is_overlooked for entry in held):
            return OVERLOOKED
    return ""


def _as_reason(warnings: Sequence[str]) -> str:
    if not warnings:
        return ""
    said = "; ".join(warning[:1].lower() + warning[1:].rstrip(".") for warning in warnings)
    return f"it looks like a secret ({said})"
