"""Folders that are in no repository, and are worked on without one.

Such a folder gets a git directory of ours, in Jupyter's data directory: listing, searching, editing
and undoing work as in a repository, and nothing is written into the folder. A folder is worked on
like this only after `open_plain_folder`. A repository around it, or one that is made of it later,
is always preferred.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_data_dir

from jupyter_ac.errors import NotReady

_FOLDERS: Final = ("jupyter_ac", "folders")
_KEY_CHARS: Final = 24
_PATH_FILE: Final = "folder"

LEFT_OUT: Final = (
    *("node_modules/", ".venv/", "venv/", "env/", ".tox/", ".nox/", "site-packages/"),
    *("__pycache__/", ".ipynb_checkpoints/", ".cache/", ".mypy_cache/", ".pytest_cache/"),
    *(".ruff_cache/", ".Trash-*/", ".DS_Store", "*.pyc"),
)
"""Patterns of what isn't shown in a folder without a repository: most have no `.gitignore`."""


def own_git_dir(folder: Path) -> Path | None:
    """Return our git directory of a folder without a repository; None if there is none.

    Args:
        folder: absolute, links resolved. One with a `.git` has none.
    """
    if os.path.lexists(folder / ".git"):
        return None
    git_dir = _place(folder) / ".git"
    return git_dir if (git_dir / "HEAD").is_file() else None


def plain_folder_around(folder: Path) -> Path | None:
    """Return the nearest folder, from this one upwards, that has a git directory of ours."""
    resolved = Path(os.path.realpath(folder))
    around = (resolved, *resolved.parents)
    return next((above for above in around if own_git_dir(above) is not None), None)


def prepare_own_git_dir(folder: Path) -> Path:
    """Create the folder in which git may create our git directory of a folder.

    Returns:
        where `git init` is to run.

    Raises:
        NotReady: Jupyter's data directory can't be written.
    """
    place = _place(folder)
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        (place / _PATH_FILE).write_bytes(os.fsencode(folder))
    except OSError as error:
        raise NotReady(
            "Jupyter's data directory can't be written, where what is known of a folder without a "
            f"repository is kept: {(error.strerror or 'unknown reason').lower()}."
        ) from error
    return place


def leave_out_large_folders(git_dir: Path) -> None:
    """Write `LEFT_OUT` for git."""
    exclude = git_dir / "info" / "exclude"
    with suppress(FileExistsError):
        exclude.parent.mkdir()
    exclude.write_text("".join(f"{pattern}\n" for pattern in LEFT_OUT), encoding="utf-8")


def _place(folder: Path) -> Path:
    key = hashlib.sha256(os.fsencode(folder)).hexdigest()[:_KEY_CHARS]
    return Path(jupyter_data_dir()).joinpath(*_FOLDERS, key)
