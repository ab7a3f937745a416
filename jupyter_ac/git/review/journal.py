"""The journal of a review: records each step on disk before it is taken.

A host that crashes halfway leaves HEAD detached and the whole branch staged; the next host recovers
with this file. It is in the working tree's own git directory, and anybody may have written it: it
is validated strictly before use.
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
    """The progress of a review.

    `AT_PARENT`: the files are those before the branch. `REVIEWING`: the files are the branch's, and
    all its changes are staged, or about to be. `LEAVING`: changes made meanwhile are stashed, and
    the original branch or commit is about to be checked out.
    """

    AT_PARENT = "at_parent"
    REVIEWING = "reviewing"
    LEAVING = "leaving"


@dataclass(frozen=True, slots=True)
class ReviewJournal:
    """A review in progress.

    Attributes:
        branch: the reviewed branch, as named by the user.
        branch_tip: its last commit.
        base_commit: the first commit that is part of the review.
        parent_commit: the commit that the review compares with.
        original_branch: the branch checked out before; None for a detached commit.
        original_sha: the commit checked out before.
        phase: its progress.
        since: its start, ISO 8601; "" if unknown.
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
    """Read the journal; None if no review is in progress.

    Raises:
        Conflict: the file is not a valid journal of this version.
    """
    try:
        descriptor = os.open(_place(repository), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unusable(repository, error.strerror or "unknown reason") from error
    try:
        found = json.loads(data)
        journal = ReviewJournal(**{**found, "phase": Phase(found["phase"])})
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _unusable(repository, "another program or version wrote it") from error
    if not _is_sound(journal):
        raise _unusable(repository, "its values are not valid")
    return journal


def find(repository: Repository) -> ReviewJournal | None:
    """Read the journal; None if there is none or it is not valid."""
    with suppress(Conflict):
        return read(repository)
    return None


def write(repository: Repository, journal: ReviewJournal) -> None:
    """Write the journal atomically.

    Raises:
        AccessDenied: the git directory can't be written.
    """
    place = _place(repository)
    temporary = place.with_suffix(".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        temporary.unlink(missing_ok=True)  # left by a killed host, or somebody's pipe
        with os.fdopen(os.open(temporary, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(journal), file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(place)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise AccessDenied(
            f"The review can't be recorded in {shown_name(repository)}: {error.strerror}. "
            "Free some space or make the git directory writable, and try again."
        ) from error


def remove(repository: Repository) -> None:
    """Remove the journal; idempotent.

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


def set_aside_invalid(repository: Repository) -> None:
    """Rename a file that is not a valid journal to `review.unreadable`.

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
    """Refuse an operation that would break a review in progress.

    Args:
        repository: the repository.
        what: the operation, as it follows "before": "a commit".

    Raises:
        Conflict: a review is in progress.
    """
    journal = find(repository)
    if journal is not None:
        raise Conflict(f"A review of {journal.branch!r} is in progress; end it before {what}.")


def shown_name(repository: Repository) -> str:
    """Return the journal's path for display."""
    inside = _place(repository).relative_to(repository.common_dir)
    return f"{repository.common_dir.name}/{inside.as_posix()}"


def _place(repository: Repository) -> Path:
    return repository.git_dir / NAME


def _unusable(repository: Repository, reason: str) -> Conflict:
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
