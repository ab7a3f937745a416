"""What a review has moved, on disk before it is moved.

A host that dies in the middle leaves HEAD detached and the whole branch staged; from this file the
next one finds the way back. It lies in the working tree's own git directory, and anybody may have
written it: what does not look as we write it is as good as none.
"""

import json
import os
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from jupyter_ac.git.repository import Repository

_NAME: Final = "review.json"
_MAX_BYTES: Final = 16 * 1024
_HASH: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Phase(StrEnum):
    """How far a review has got.

    `AT_PARENT`: the files are those before the branch. `REVIEWING`: the files are the branch's, and
    all that it changes is staged, or about to be.
    """

    AT_PARENT = "at_parent"
    REVIEWING = "reviewing"


@dataclass(frozen=True, slots=True)
class Journal:
    """A review under way.

    Attributes:
        branch: what is reviewed, as it was named.
        branch_tip: its last commit.
        base_commit: the first commit that is part of the review.
        parent_commit: what the review compares with.
        original_branch: what was checked out before; None: a commit was.
        original_sha: the commit that was checked out before.
        phase: how far it has got.
    """

    branch: str
    branch_tip: str
    base_commit: str
    parent_commit: str
    original_branch: str | None
    original_sha: str
    phase: Phase = Phase.AT_PARENT


def read(repository: Repository) -> Journal | None:
    """Return the review under way; None when there is none."""
    try:
        descriptor = os.open(_place(repository), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(_MAX_BYTES)
    try:
        found = json.loads(data)
        journal = Journal(**{**found, "phase": Phase(found["phase"])})
    except (ValueError, TypeError, KeyError):
        return None
    return journal if _is_sound(journal) else None


def write(repository: Repository, journal: Journal) -> None:
    """Keep a review, whole or not at all.

    Raises:
        OSError: the git directory can't be written.
    """
    place = _place(repository)
    draft = place.with_suffix(".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="utf-8") as file:
        json.dump(asdict(journal), file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(place)


def remove(repository: Repository) -> None:
    """Forget the review; none is fine."""
    _place(repository).unlink(missing_ok=True)


def _place(repository: Repository) -> Path:
    return repository.git_dir / _NAME


def _is_sound(journal: Journal) -> bool:
    hashes = (
        journal.branch_tip,
        journal.base_commit,
        journal.parent_commit,
        journal.original_sha,
    )
    names = (journal.branch, journal.original_branch or "")
    return all(isinstance(one, str) and _HASH.fullmatch(one) for one in hashes) and all(
        isinstance(name, str) and not name.startswith("-") for name in names
    )
