"""A temporary index for a commit of selected changes.

It starts as a copy of the repository's index. Staged changes that are not selected are reset in it,
and selected files are staged from disk. The repository's own index is unchanged, so nothing must be
restored when the commit fails or the host crashes.
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
from jupyter_ac.git.commit_advice import files_below
from jupyter_ac.git.commit_candidates import (
    Blob,
    Candidate,
    by_name,
    list_candidates,
    version_of,
)
from jupyter_ac.git.in_progress import unfinished_operation
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.staging import feed, folders_above, git_names, stage_only
from jupyter_ac.git.temp_files import temporary_folder
from jupyter_ac.git.write_commands import Git

Part: TypeAlias = Literal["", "staged", "whole"]

INDEX_ROWS: Final = ("update-index", "-z", "--index-info")
"""Updates index entries from rows of `index_row`."""

_BISECT: Final = "bisect"


@dataclass(frozen=True, slots=True)
class Choice:
    """A selected change.

    Attributes:
        path: of a candidate; for a folder of untracked files with a final `/`.
        part: `staged`: the version in the index; `whole`: the version on disk; "": the staged
            version if there is one, otherwise the whole.
        version: version hash from the list; the choice is valid for this version only. "": any
            version.
    """

    path: str
    part: Part = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """The candidates that a commit includes, and those that it excludes.

    Attributes:
        taken: the selected candidates.
        whole: names of those that are read from disk.
        left: candidates that are staged but not selected.
        operation: the unfinished operation of git; None if the selection is unrestricted.
    """

    taken: tuple[Candidate, ...]
    whole: frozenset[str]
    left: tuple[Candidate, ...]
    operation: str | None


def whole_only(repository: Repository) -> str | None:
    """Return the operation whose commit must include all tracked changes; None if there is none."""
    operation = unfinished_operation(repository)
    return None if operation == _BISECT else operation


async def plan_commit(repository: Repository, choices: Sequence[Choice]) -> CommitPlan:
    """Resolve the choices against the current changes.

    Raises:
        InvalidParams: nothing is selected.
        RefusedPath: a path leads out of the repository or into git's own directory.
        NotFound: a path has not changed.
        Conflict: a file has changed since it was listed, or is in conflict, or git is in the middle
            of an operation and not everything is selected.
        GitError: git can't list the changes.
    """
    if not choices:
        raise InvalidParams("Nothing is selected; select the files for the commit.")
    named = [choice.path.removesuffix("/") for choice in choices]
    candidates = await list_candidates(repository, named)
    choices = await _normalised(repository, candidates, choices)
    operation = await asyncio.to_thread(whole_only, repository)
    return await asyncio.to_thread(_plan, repository, candidates, choices, operation)


@asynccontextmanager
async def chosen_index(git: Git, plan: CommitPlan) -> AsyncIterator[Git]:
    """Yield a `Git` with a temporary index that holds the content of the commit.

    Raises:
        Conflict: a selected file is at the path of a folder in the last commit, or vice versa, or
            it would pass through a filter that may not run.
        GitError: git can't write the index.
    """
    _refuse_overlaps(plan)
    with temporary_folder(git.repository.git_dir) as folder:
        place = folder / "index"
        await asyncio.to_thread(_copy, git.repository.git_dir / "index", place)
        chosen = git.on_index(place)
        await feed(chosen, INDEX_ROWS, _reset_rows(plan.left))
        await stage_only(chosen, plan.whole)
        yield chosen


def index_row(path: str, blob: Blob | None, like: str = "") -> str:
    """Return a row for `INDEX_ROWS`; without a blob it removes the path from the index.

    Args:
        path: git path.
        blob: the new entry.
        like: any hash of this repository, for its length.
    """
    if blob is None:
        return f"0 {'0' * max(40, len(like))}\t{path}"
    return f"{blob.mode} {blob.name}\t{path}"


async def _normalised(
    repository: Repository, candidates: Sequence[Candidate], choices: Sequence[Choice]
) -> list[Choice]:
    """Return the choices with git paths."""
    known = by_name(candidates)
    result = []
    for choice in choices:
        if choice.path in known:
            result.append(choice)
            continue
        (path,) = await git_names(repository, [choice.path])
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
            found = files_below(choice.path, candidates)
        else:
            found = [known[choice.path]] if choice.path in known else []
        if not found:
            raise NotFound(f"{choice.path!r} has no change to commit; refresh the list.")
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
        raise Conflict(f"Nothing of {candidate.path!r} is staged; refresh the list.")
    if choice.version and choice.version != version_of(repository, candidate):
        raise Conflict(
            f"{candidate.path!r} has changed since it was listed, so nothing was done; check it "
            "again."
        )


def _is_whole(candidate: Candidate, choice: Choice) -> bool:
    return choice.part == "whole" or not candidate.is_staged


def _read_from_disk(candidate: Candidate) -> tuple[str, ...]:
    """Return the names to read from disk; the old name of a staged rename may be a new file."""
    return (candidate.path,) if candidate.is_staged else candidate.names


def _require_everything(
    candidates: Iterable[Candidate], taken: Collection[str], operation: str
) -> None:
    left = [one.path for one in candidates if one.is_tracked and one.path not in taken]
    if left:
        raise Conflict(
            f"A {operation} is in progress, whose commit includes all tracked changes; select "
            f"{left[0]!r} as well, or end the {operation} first."
        )


def _reset_rows(left: Iterable[Candidate]) -> list[str]:
    """Return the index rows that reset staged changes to the last commit."""
    removed, restored = [], []
    for one in left:
        like = one.index.name if one.index else ""
        if one.head is None:
            removed.append(index_row(one.path, None, like))
        elif one.old_path:
            removed.append(index_row(one.path, None, like))
            restored.append(index_row(one.old_path, one.head))
        else:
            restored.append(index_row(one.path, one.head))
    return [*removed, *restored]


def _refuse_overlaps(plan: CommitPlan) -> None:
    """Refuse a commit that would contain a file and a folder of the same name."""
    restored = {one.old_path or one.path for one in plan.left if one.head is not None}
    taken = {one.path for one in plan.taken}
    for names, others in ((taken, restored), (restored, taken)):
        for name in sorted(names):
            for folder in folders_above(name):
                if folder in others:
                    raise Conflict(
                        f"{folder!r} and {name!r} can't be in one commit; select both, so that one "
                        "replaces the other."
                    )


def _copy(source: Path, target: Path) -> None:
    """Copy the index if there is one, with its times.

    git compares the index's time with those of files: it reads files again that changed later.
    """
    try:
        with suppress(FileNotFoundError), source.open("rb") as file:
            found = os.fstat(file.fileno())
            with target.open("xb") as copy:
                shutil.copyfileobj(file, copy)
            os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
    except OSError as error:
        raise GitError(
            f"The index can't be copied: {error.strerror}. Free some space on the disk."
        ) from error
