"""Which candidates a commit takes unless the user says otherwise, and why it leaves others out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jupyter_ac.git.commit_candidates import Candidate, version_of
from jupyter_ac.git.descriptor_entries import lstat
from jupyter_ac.git.generated_files import environments, generated_folder
from jupyter_ac.git.jupyter_files import is_of_jupyter
from jupyter_ac.git.new_secrets import secrets_on_disk
from jupyter_ac.git.repository import Repository

LARGE_BYTES: Final = 1_000_000
"""New files that are larger aren't ticked."""

MAX_ROWS: Final = 1_000
"""More candidates aren't listed one by one."""

_BYTES_PER_MB: Final = 1_000_000
_FRESH: Final = frozenset({"new", "renamed"})
_WITH_CONTENT: Final = _FRESH | {"modified"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the form.

    Attributes:
        candidate: the file; with `files`, a folder whose path ends in `/`.
        version: see `version_of`; "" of a folder.
        size: bytes on disk; 0 when nothing is there, or no plain file.
        reason: why it isn't ticked; "" when it is.
        warning: what should be known of it though it is ticked; "" for nothing.
        is_secret: it looks as if it held a secret.
        files: new files that a folder stands for; 0 of a file.
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
) -> tuple[list[Listed], int]:
    """Return the rows of a form, at most `MAX_ROWS`, and how many files they leave out.

    Untracked files of a folder that tools make are one row. Looks at the disk, and reads new files.

    Args:
        repository: where.
        candidates: all that there are.
        is_whole: git is in the middle of something: what it tracks goes into the commit as a whole.
    """
    made = environments(one.path for one in candidates if not one.is_tracked)
    folders = {
        one.path: folder
        for one in candidates
        if not one.is_tracked and (folder := generated_folder(one.path, made))
    }
    alone = [one for one in candidates if one.path not in folders]
    counts = Counter(folders.values())
    room = max(0, MAX_ROWS - len(counts))
    listed = alone[:room]
    files = [one for one in listed if one.kind in _WITH_CONTENT and not one.is_repository]
    # What is read is bounded: the files that may be left out come first.
    files.sort(key=_is_fresh, reverse=True)
    secrets = secrets_on_disk(repository, (one.path for one in files))
    rows = [_listed(repository, one, made, secrets, is_whole=is_whole) for one in listed]
    groups = sorted(counts.items())[:MAX_ROWS]
    left_out = len(alone) - len(rows) + sum(count for _, count in sorted(counts.items())[MAX_ROWS:])
    return [*rows, *(_folder(name, count) for name, count in groups)], left_out


def below(folder: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the untracked files that a folder's row stands for."""
    return [one for one in candidates if not one.is_tracked and one.path.startswith(folder)]


def sentences(warnings: Iterable[str]) -> str:
    """Say what seems to be secret of a file."""
    return f"Looks like a secret. {' '.join(warnings)}"


def _listed(
    repository: Repository,
    candidate: Candidate,
    made: set[str],
    secrets: Mapping[str, tuple[str, ...]],
    *,
    is_whole: bool,
) -> Listed:
    found = lstat(repository, candidate.path)
    size = 0 if found is None or candidate.is_repository else found.st_size
    warnings = secrets.get(candidate.path, ())
    is_secret = bool(warnings) and _is_fresh(candidate)
    reason = sentences(warnings) if is_secret else _reason(candidate, made, size)
    if is_whole and candidate.is_tracked:
        reason, warning = "", reason
    else:
        warning = ""
    if not reason and not warning:
        warning = " ".join(warnings)
    version = version_of(repository, candidate)
    return Listed(candidate, version, size, reason, warning, is_secret)


def _is_fresh(candidate: Candidate) -> bool:
    """Tell whether the last commit doesn't have the path."""
    return candidate.kind in _FRESH


def _reason(candidate: Candidate, made: set[str], size: int) -> str:
    """Say why a candidate that holds no secret isn't ticked; "" when it is."""
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


def _folder(name: str, count: int) -> Listed:
    is_jupyter = is_of_jupyter(f"{name}/")
    reason = "Jupyter made it, beside documents." if is_jupyter else "Tools make this folder."
    return Listed(Candidate(f"{name}/", "new", is_unstaged=True), "", reason=reason, files=count)
