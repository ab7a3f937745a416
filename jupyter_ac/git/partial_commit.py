"""Commits selected changes; other staged or unstaged changes stay as they are."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError, Conflict, GitError
from jupyter_ac.git.commit_candidates import Blob, list_candidates
from jupyter_ac.git.diffs import staged_diff
from jupyter_ac.git.index_entries import Entries, IndexEntry, read_entries
from jupyter_ac.git.likely_secrets import secrets_in_blobs, secrets_on_disk
from jupyter_ac.git.output_parsers import names_in
from jupyter_ac.git.refs import last_commit
from jupyter_ac.git.staging import feed
from jupyter_ac.git.temporary_index import (
    INDEX_ROWS,
    Choice,
    CommitPlan,
    chosen_index,
    index_row,
    plan_commit,
)
from jupyter_ac.git.whole_commit import MadeCommit, commit_staged, refuse_commit
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath

log = logging.getLogger(__name__)

_DIFFERENT: Final = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-commit-id", "--root")
_STAGED: Final = (
    *("diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"),
)
_NOTHING: Final = "000000"
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class PartialCommit:
    """The result of committing selected changes.

    Attributes:
        made: the commit.
        diff: the diff before hooks.
        notice: a problem after the commit; "" for none.
    """

    made: MadeCommit
    diff: str
    notice: str = ""


async def preview_diff(git: Git, choices: Sequence[Choice]) -> str:
    """Return the diff of the commit for these choices; raises as `commit_chosen`."""
    await refuse_commit(git)
    plan = await plan_commit(git.repository, choices)
    async with _index_of_choices(git, plan) as chosen:
        return await staged_diff(git.repository, chosen.index)


async def commit_chosen(
    git: Git, choices: Sequence[Choice], message: str, *, include_secrets: bool
) -> PartialCommit:
    """Commit the selected changes, with the user's hooks.

    Args:
        git: with exclusive access to the repository.
        choices: the selected changes.
        message: of the commit.
        include_secrets: new files that look like secrets are committed, too.

    Raises:
        Conflict: as `plan_commit` and `commit`; with `secrets` in its details, the new files that
            look like secrets.
        GitError: nothing is left to commit; and as `commit`.
    """
    await refuse_commit(git)
    plan = await plan_commit(git.repository, choices)
    before = await last_commit(git.repository)
    async with _index_of_choices(git, plan) as chosen:
        if not include_secrets:
            await refuse_secrets(chosen)
        diff = await staged_diff(git.repository, chosen.index)
        made = await commit_staged(chosen, message)
    try:
        await _carry_over(git, plan, before, made.sha)
    except AcError as error:
        log.warning("the index is not as the commit: %s", error)
        notice = f"Committed, but the index still has what was staged before: {error}"
        return PartialCommit(made, diff, notice)
    return PartialCommit(made, diff)


async def refuse_new_secrets(git: Git) -> None:
    """Refuse to commit everything while new files, staged or not, look like secrets.

    Raises:
        Conflict: there are such files; `secrets` in its details lists them.
        GitError: git can't list the changes.
    """
    new = [
        one.path
        for one in await list_candidates(git.repository)
        if one.kind in {"new", "renamed"} and not one.is_repository
    ]
    found = await asyncio.to_thread(secrets_on_disk, git.repository, new)
    if found:
        raise secrets_found(found)


async def refuse_secrets(git: Git) -> None:
    """Refuse to commit new files in the index that look like secrets.

    Raises:
        Conflict: there are such files; `secrets` in its details lists them.
        GitError: git can't read them.
    """
    new = {
        path: blob
        for path, (old, blob) in _rows((await git.run(*_STAGED)).data)
        if old is None and blob is not None
    }
    found = await secrets_in_blobs(git, new)
    if found:
        raise secrets_found(found)


def secrets_found(found: Mapping[str, Sequence[str]]) -> Conflict:
    """Return the refusal of a commit for files that look like secrets."""
    names = sorted(found)
    shown = "; ".join(f"{name}: {' '.join(found[name])}" for name in names[:_NAMED])
    more = f"; and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Conflict(
        f"Nothing was committed: new files look like secrets. {shown}{more} Leave them out, or "
        "confirm that you want to commit them.",
        {"secrets": names},
    )


@asynccontextmanager
async def _index_of_choices(git: Git, plan: CommitPlan) -> AsyncIterator[Git]:
    """Yield a repository with the index of the selected changes; refuse an empty commit."""
    async with chosen_index(git, plan) as chosen:
        same = not (await chosen.run(*_STAGED)).data
        if same and plan.operation is None:
            raise GitError(
                "There is nothing to commit: the selected files are as in the last commit."
            )
        yield chosen


async def _carry_over(git: Git, plan: CommitPlan, before: str, made: str) -> None:
    """Update the user's index to the commit for the paths whose staged version was committed.

    Hooks may have changed further files, and the user may have staged others meanwhile: changes
    that were staged but neither selected nor equal to the last commit stay staged.
    """
    output = await git.run(*_DIFFERENT, *filter(None, (before,)), made)
    changed = dict(_rows(output.data))
    staged = {one.path: one.index for one in (*plan.taken, *plan.left)}
    taken = {name for one in plan.taken for name in one.names}
    for one in plan.taken:
        if one.is_staged and one.old_path:
            staged[one.old_path] = None
    now = await read_entries(git.repository, map(RepoPath, changed))
    rows = []
    for path, (old, new) in changed.items():
        held = staged.get(path, old)
        if path not in taken and held != old:
            continue
        if _holds(now[RepoPath(path)], held) and not _holds(now[RepoPath(path)], new):
            rows.append((new is not None, index_row(path, new, made)))
    if rows:
        await feed(git, INDEX_ROWS, [row for _, row in sorted(rows)])
        await git.run("update-index", "-q", "--refresh", ok=(0, 1))


def _holds(entries: Entries, blob: Blob | None) -> bool:
    """Return whether the index holds this blob; an intent-to-add entry counts as none."""
    match entries:
        case () | (IndexEntry(is_promise=True),):
            return blob is None
        case (IndexEntry(mode=mode, blob=name, stage=0),):
            return blob == Blob(mode, name)
    return False


def _rows(output: bytes) -> Iterator[tuple[str, tuple[Blob | None, Blob | None]]]:
    """Parse a raw diff: each path with its blobs before and after."""
    fields = names_in(output)
    for what, path in zip(fields[::2], fields[1::2], strict=False):
        mode, new_mode, name, new_name, _ = what.removeprefix(":").split(" ")
        yield path, (_side(mode, name), _side(new_mode, new_name))


def _side(mode: str, name: str) -> Blob | None:
    return None if mode == _NOTHING else Blob(mode, name)
