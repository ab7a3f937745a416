"""An index of its own for a commit of chosen changes.

It begins as a copy of the repository's index. What is staged and not chosen is taken out of it,
what is chosen as it is on disk is read into it. The repository's own index stays as it is, so
nothing has to be put back when the commit fails or the host dies.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from jupyter_ac.errors import Conflict, GitError, InvalidParams, NotFound
from jupyter_ac.git.commit_advice import below
from jupyter_ac.git.commit_candidates import (
    Blob,
    Candidate,
    by_name,
    list_candidates,
    version_of,
)
from jupyter_ac.git.in_progress import under_way
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import checked, feed, folders_above, stage_only
from jupyter_ac.git.temporary_folders import temporary_folder
from jupyter_ac.git.write_commands import Git

Part: TypeAlias = Literal["", "staged", "whole"]

INDEX_ROWS: Final = ("update-index", "-z", "--index-info")
"""Puts entries into the index, by rows of `index_row`."""

_BISECT: Final = "bisect"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a commit shall take.

    Attributes:
        path: of a candidate; a folder of untracked files with a `/` at its end.
        part: `staged`: as the index has it; `whole`: as it is on disk; "": what is staged of it,
            else the whole.
        version: as it was listed; the choice holds for no other one. "": for whatever it is now.
    """

    path: str
    part: Part = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """What a commit takes, and what it leaves.

    Attributes:
        taken: the chosen candidates.
        whole: names of those that are read from disk.
        left: candidates that are staged and not chosen.
        operation: what git is in the middle of; None when nothing restricts the choice.
    """

    taken: tuple[Candidate, ...]
    whole: frozenset[str]
    left: tuple[Candidate, ...]
    operation: str | None


def whole_only(repository: Repository) -> str | None:
    """Return what is under way so that a commit takes all that git tracks; None when nothing is."""
    operation = under_way(repository)
    return None if operation == _BISECT else operation


async def plan_commit(repository: Repository, choices: Sequence[Choice]) -> CommitPlan:
    """Return what the choices mean for what has changed at this moment.

    Raises:
        InvalidParams: nothing is chosen.
        RefusedPath: a path leads out of the repository or into git's own directory.
        NotFound: a path has not changed.
        Conflict: one has changed since it was listed, or is in conflict, or git is in the middle of
            something and not everything is chosen.
        GitError: git can't list the changes.
    """
    if not choices:
        raise InvalidParams("Nothing is ticked; tick the files that the commit is to hold.")
    named = [choice.path.removesuffix("/") for choice in choices]
    candidates = await list_candidates(repository, named)
    choices = await _spelt(repository, candidates, choices)
    operation = await asyncio.to_thread(whole_only, repository)
    return await asyncio.to_thread(_plan, repository, candidates, choices, operation)


@asynccontextmanager
async def chosen_index(git: Git, plan: CommitPlan) -> AsyncIterator[Git]:
    """Give what runs git on an index that holds what the commit is to hold.

    Raises:
        Conflict: a file that is chosen stands where a folder of the last commit is, or the other
            way round, or it would pass through a filter that may not run.
        GitError: git can't write it.
    """
    _refuse_overlaps(plan)
    with temporary_folder(git.repository.git_dir) as folder:
        place = folder / "index"
        await asyncio.to_thread(_copy, git.repository.git_dir / "index", place)
        chosen = git.on_index(place)
        await feed(chosen, INDEX_ROWS, _put_back(plan.left))
        await stage_only(chosen, plan.whole)
        yield chosen


def index_row(path: str, blob: Blob | None, like: str = "") -> str:
    """Return a row for `INDEX_ROWS`; without a blob it takes the path out of the index.

    Args:
        path: as git names it.
        blob: what the index shall hold.
        like: a name of some content: so long is one in this repository.
    """
    if blob is None:
        return f"0 {'0' * max(40, len(like))}\t{path}"
    return f"{blob.mode} {blob.name}\t{path}"


async def _spelt(
    repository: Repository, candidates: Sequence[Candidate], choices: Sequence[Choice]
) -> list[Choice]:
    """Return the choices with paths as git names them."""
    known = by_name(candidates)
    result = []
    for choice in choices:
        if choice.path in known:
            result.append(choice)
            continue
        (path,) = await checked(repository, [choice.path])
        end = "/" if choice.path.endswith("/") else ""
        result.append(replace(choice, path=f"{path}{end}"))
    return result


def _plan(
    repository: Repository,
    candidates: Sequence[Candidate],
    choices: Sequence[Choice],
    operation: str | None,
) -> CommitPlan:
    known = by_name(candidates)
    taken: dict[str, Candidate] = {}
    whole: set[str] = set()
    for choice in choices:
        if choice.path.endswith("/"):
            found = below(choice.path, candidates)
        else:
            found = [known[choice.path]] if choice.path in known else []
        if not found:
            raise NotFound(f"{choice.path!r} has no change to commit; look at the list again.")
        for candidate in found:
            _require_as_listed(repository, candidate, choice)
            taken[candidate.path] = candidate
            if _is_whole(candidate, choice):
                whole.update(_read_from_disk(candidate))
    if operation is not None:
        _require_everything(candidates, taken.keys(), operation)
        for candidate in candidates:
            if candidate.is_tracked:
                taken[candidate.path] = candidate
                whole.update(_read_from_disk(candidate))
    left = [one for one in candidates if one.is_staged and one.path not in taken]
    return CommitPlan(tuple(taken.values()), frozenset(whole), tuple(left), operation)


def _require_as_listed(repository: Repository, candidate: Candidate, choice: Choice) -> None:
    if candidate.kind == "conflicted":
        raise Conflict(f"{candidate.path!r} is in conflict; resolve and stage it first.")
    if choice.part == "staged" and not candidate.is_staged:
        raise Conflict(f"Nothing of {candidate.path!r} is staged; look at the list again.")
    if choice.version and choice.version != version_of(repository, candidate):
        raise Conflict(
            f"{candidate.path!r} has changed since it was listed, so nothing was done; look at it "
            "again."
        )


def _is_whole(candidate: Candidate, choice: Choice) -> bool:
    return choice.part == "whole" or not candidate.is_staged


def _read_from_disk(candidate: Candidate) -> tuple[str, ...]:
    """Return the names to read for a candidate; the old name of a staged one may be a new file."""
    return (candidate.path,) if candidate.is_staged else candidate.names


def _require_everything(
    candidates: Iterable[Candidate], taken: Collection[str], operation: str
) -> None:
    left = [one.path for one in candidates if one.is_tracked and one.path not in taken]
    if left:
        raise Conflict(
            f"A {operation} is under way, whose commit takes everything that git tracks; tick "
            f"{left[0]!r} as well, or end the {operation} first."
        )


def _put_back(left: Iterable[Candidate]) -> list[str]:
    """Return the index rows that make of staged changes what the last commit has."""
    gone, kept = [], []
    for one in left:
        like = one.index.name if one.index else ""
        if one.head is None:
            gone.append(index_row(one.path, None, like))
        elif one.old_path:
            gone.append(index_row(one.path, None, like))
            kept.append(index_row(one.old_path, one.head))
        else:
            kept.append(index_row(one.path, one.head))
    return [*gone, *kept]


def _refuse_overlaps(plan: CommitPlan) -> None:
    """Refuse a commit in which a file and a folder of the same name would meet."""
    restored = {one.old_path or one.path for one in plan.left if one.head is not None}
    taken = {one.path for one in plan.taken}
    for names, others in ((taken, restored), (restored, taken)):
        for name in sorted(names):
            for folder in folders_above(name):
                if folder in others:
                    raise Conflict(
                        f"{folder!r} and {name!r} can't be in one commit; tick both, so that one "
                        "takes the place of the other."
                    )


def _copy(source: Path, target: Path) -> None:
    """Copy the index; before the first change there is none.

    Its time goes with it: git reads again what was changed since then at the earliest.
    """
    try:
        with suppress(FileNotFoundError), source.open("rb") as file:
            found = os.fstat(file.fileno())
            with target.open("xb") as copy:
                shutil.copyfileobj(file, copy)
            os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
    except OSError as error:
        raise GitError(
            f"The index can't be copied: {error.strerror}. Make room on disk."
        ) from error
