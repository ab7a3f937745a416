"""What a review has moved, on disk before it is moved.

A host that dies in the middle leaves HEAD detached and the whole branch staged; from this file the
next one finds the way back. It lies in the working tree's own git directory, and anybody may have
written it: what does not look as we write it is not acted upon.
"""

import json
import os
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, Conflict
from jupyter_ac.git.repository import Repository

NAME: Final = "review.json"
_MAX_BYTES: Final = 16 * 1024
_MAX_SINCE: Final = 40
_HASH: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Phase(StrEnum):
    """How far a review has got.

    `AT_PARENT`: the files are those before the branch. `REVIEWING`: the files are the branch's, and
    all that it changes is staged, or about to be. `LEAVING`: what was changed meanwhile is kept,
    and what was checked out before is about to be again.
    """

    AT_PARENT = "at_parent"
    REVIEWING = "reviewing"
    LEAVING = "leaving"


@dataclass(frozen=True, slots=True)
class ReviewJournal:
    """A review under way.

    Attributes:
        branch: what is reviewed, as it was named.
        branch_tip: its last commit.
        base_commit: the first commit that is part of the review.
        parent_commit: what the review compares with.
        original_branch: what was checked out before; None: a commit was.
        original_sha: the commit that was checked out before.
        phase: how far it has got.
        since: when it began, ISO 8601; "" when that is not known.
    """

    branch: str
    branch_tip: str
    base_commit: str
    parent_commit: str
    original_branch: str | None
    original_sha: str
    phase: Phase = Phase.AT_PARENT
    since: str = ""


def read(repository: Repository) -> ReviewJournal | None:
    """Return the review under way; None when there is none.

    Raises:
        Conflict: there is a file that isn't a journal as this version writes it.
    """
    try:
        descriptor = os.open(_place(repository), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _strange(repository, error.strerror or "unknown reason") from error
    try:
        found = json.loads(data)
        journal = ReviewJournal(**{**found, "phase": Phase(found["phase"])})
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _strange(repository, "another program or version wrote it") from error
    if not _is_sound(journal):
        raise _strange(repository, "it holds what no review has")
    return journal


def find(repository: Repository) -> ReviewJournal | None:
    """Return the review under way; None when there is none, or what is there is no journal."""
    with suppress(Conflict):
        return read(repository)
    return None


def write(repository: Repository, journal: ReviewJournal) -> None:
    """Keep a review, whole or not at all.

    Raises:
        AccessDenied: the git directory can't be written.
    """
    place = _place(repository)
    draft = place.with_suffix(".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        draft.unlink(missing_ok=True)  # of a host that was killed, or a pipe of anybody's
        with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(journal), file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise AccessDenied(
            f"The review can't be noted in {shown_name(repository)}: {error.strerror}. "
            "Free some space or make the git directory writable, and try again."
        ) from error


def remove(repository: Repository) -> None:
    """Forget the review; none is fine.

    Raises:
        AccessDenied: the git directory can't be written.
    """
    place = _place(repository)
    try:
        place.unlink(missing_ok=True)
    except OSError as error:
        raise AccessDenied(
            f"{shown_name(repository)} can't be removed: {error.strerror}. Remove it by hand; "
            "the review is over."
        ) from error


def make_room(repository: Repository) -> None:
    """Set aside what has a journal's name and is none; it is kept as `review.unreadable`.

    Raises:
        AccessDenied: the git directory can't be written.
    """
    place = _place(repository)
    try:
        read(repository)
    except Conflict:
        try:
            place.replace(place.with_suffix(".unreadable"))
        except OSError as error:
            raise AccessDenied(
                f"{shown_name(repository)} is in the way: {error.strerror}. Remove it by hand."
            ) from error


def refuse_while_open(repository: Repository, what: str) -> None:
    """Let nothing pull the ground from under a review.

    Args:
        repository: where a review may be under way.
        what: is to be done, as it follows "before": "a commit".

    Raises:
        Conflict: a review is under way.
    """
    journal = find(repository)
    if journal is not None:
        raise Conflict(f"A review of {journal.branch!r} is under way; end it before {what}.")


def shown_name(repository: Repository) -> str:
    """Return where the journal is, as it can be shown."""
    inside = _place(repository).relative_to(repository.common_dir)
    return f"{repository.common_dir.name}/{inside.as_posix()}"


def _place(repository: Repository) -> Path:
    return repository.git_dir / NAME


def _strange(repository: Repository, reason: str) -> Conflict:
    name = shown_name(repository)
    return Conflict(
        f"A review may have been left open, but {name} can't be used: {reason}. Look at "
        f"`git status` and go back by hand (`git stash`, `git switch BRANCH`), then remove {name}."
    )


def _is_sound(journal: ReviewJournal) -> bool:
    hashes = (
        journal.branch_tip,
        journal.base_commit,
        journal.parent_commit,
        journal.original_sha,
    )
    names = (journal.branch, journal.original_branch or "", journal.since)
    return (
        all(isinstance(one, str) and _HASH.fullmatch(one) for one in hashes)
        and all(isinstance(name, str) and not name.startswith("-") for name in names)
        and len(journal.since) <= _MAX_SINCE
    )
