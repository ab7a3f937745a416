"""Selects which candidates a commit includes by default, and gives the reason for the others."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.commit_candidates import Candidate, version_of
from jupyter_ac.git.descriptor_entries import lstat
from jupyter_ac.git.generated_files import environments, generated_folder, is_of_jupyter
from jupyter_ac.git.likely_secrets import secrets_on_disk
from jupyter_ac.git.repository import Repository

LARGE_BYTES: Final = 1_000_000
"""New files larger than this aren't selected."""

MAX_ROWS: Final = 1_000
"""Limit for candidates that are listed one by one."""

_BYTES_PER_MB: Final = 1_000_000
_FRESH: Final = frozenset({"new", "renamed"})
_WITH_CONTENT: Final = _FRESH | {"modified"}


@dataclass(frozen=True, slots=True)
class CommitRow:
    """A row of the commit form.

    Attributes:
        candidate: the file; if `files` isn't 0, a folder whose path ends in `/`.
        version: see `version_of`; "" for a folder.
        size: bytes on disk; 0 if there is no regular file.
        reason: why it isn't selected; "" if it is.
        warning: a hint about a file that is selected; "" for none.
        is_secret: it seems to contain a secret.
        files: number of new files in a folder's row; 0 for a file.
    """

    candidate: Candidate
    version: str
    size: int = 0
    reason: str = ""
    warning: str = ""
    is_secret: bool = False
    files: int = 0


def advise(
    repository: Repository, candidates: Sequence[Candidate], *, is_whole: bool = False
) -> tuple[list[CommitRow], int]:
    """Return the rows of the commit form, at most `MAX_ROWS`, and the number of files left out.

    Untracked files in a folder that tools generate share one row. Reads the disk and the content of
    new files.

    Args:
        repository: the repository.
        candidates: all candidates.
        is_whole: git is in the middle of an operation: all tracked changes must be committed
            together.
    """
    made = environments(one.path for one in candidates if not one.is_tracked)
    folders = {
        one.path: folder
        for one in candidates
        if not one.is_tracked and (folder := generated_folder(one.path, made))
    }
    alone = [one for one in candidates if one.path not in folders]
    counts = Counter(folders.values())
    capacity = max(0, MAX_ROWS - len(counts))
    listed = alone[:capacity]
    files = [one for one in listed if one.kind in _WITH_CONTENT and not one.is_repository]
    # The amount that is read is limited: files that may be left out come first.
    files.sort(key=_is_fresh, reverse=True)
    secrets = secrets_on_disk(repository, (one.path for one in files))
    rows = [_listed(repository, one, made, secrets, is_whole=is_whole) for one in listed]
    groups = sorted(counts.items())[:MAX_ROWS]
    left_out = len(alone) - len(rows) + sum(count for _, count in sorted(counts.items())[MAX_ROWS:])
    return [*rows, *(_folder(name, count) for name, count in groups)], left_out


def files_below(folder: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the untracked files of a folder's row."""
    return [one for one in candidates if not one.is_tracked and one.path.startswith(folder)]


def secret_warning(warnings: Iterable[str]) -> str:
    """Return the warning about a file's possible secrets as a text."""
    return f"Looks like a secret. {' '.join(warnings)}"


def _listed(
    repository: Repository,
    candidate: Candidate,
    made: set[str],
    secrets: Mapping[str, tuple[str, ...]],
    *,
    is_whole: bool,
) -> CommitRow:
    found = lstat(repository, candidate.path)
    size = 0 if found is None or candidate.is_repository else found.st_size
    warnings = secrets.get(candidate.path, ())
    is_secret = bool(warnings) and _is_fresh(candidate)
    reason = secret_warning(warnings) if is_secret else _reason(candidate, made, size)
    if is_whole and candidate.is_tracked:
        reason, warning = "", reason
    else:
        warning = ""
    if not reason and not warning:
        warning = " ".join(warnings)
    version = version_of(repository, candidate)
    return CommitRow(candidate, version, size, reason, warning, is_secret)


def _is_fresh(candidate: Candidate) -> bool:
    """Return whether the path is not in the last commit."""
    return candidate.kind in _FRESH


def _reason(candidate: Candidate, made: set[str], size: int) -> str:
    """Return why a candidate without secrets isn't selected; "" if it is."""
    if candidate.kind == "conflicted":
        return "It is in conflict: resolve and stage it first."
    if candidate.kind != "new":
        return ""
    folder = generated_folder(candidate.path, made)
    reasons = (
        (is_of_jupyter(candidate.path), "Jupyter made it, beside a document."),
        (folder, f"It lies in {folder}/, which tools make."),
        (
            candidate.is_repository,
            "It is a repository of its own; the commit would only point to it.",
        ),
        (size > LARGE_BYTES, f"It is large: {size / _BYTES_PER_MB:,.1f} MB."),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _folder(name: str, count: int) -> CommitRow:
    is_jupyter = is_of_jupyter(f"{name}/")
    reason = "Jupyter made it, beside documents." if is_jupyter else "Tools make this folder."
    return CommitRow(Candidate(f"{name}/", "new", is_unstaged=True), "", reason=reason, files=count)
