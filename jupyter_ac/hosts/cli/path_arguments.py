"""Resolves folders and files given on the command line."""

import os
from collections.abc import Sequence
from pathlib import Path

from jupyter_ac.errors import NotFound, RefusedPath
from jupyter_ac.git.paths import locate
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.ids import RepoPath


def absolute(folder: Path) -> Path:
    """Return a folder's absolute path.

    Raises:
        NotFound: it is relative, and the command runs in a folder that has been removed.
    """
    try:
        return folder.absolute()
    except OSError as error:
        raise NotFound(
            "The folder that this command runs in is gone; go to another one and try again."
        ) from error


def selected_paths(repository: Repository, files: Sequence[str], current: Path) -> list[RepoPath]:
    """Return the files' paths in the repository.

    Args:
        repository: whose files.
        files: relative to the current folder, else to the repository; or absolute.
        current: the current folder.

    Raises:
        WrongUsage: one isn't a file of the repository; says which.
    """
    return [_path(repository, file, current) for file in files]


def _path(repository: Repository, file: str, current: Path) -> RepoPath:
    beside = Path(os.path.normpath(current / file))  # its own name, also when it is a link
    # The root has its links resolved, and so must the folder that is compared with it.
    beside = Path(os.path.realpath(beside.parent)) / beside.name
    inside = beside.exists() and beside.is_relative_to(repository.root)
    wanted = str(beside.relative_to(repository.root)) if inside else file
    try:
        located = locate(repository, wanted)
    except RefusedPath as error:
        raise WrongUsage(f"{file!r} is no file of the repository {repository.name!r}.") from error
    if located.real.is_dir():
        raise WrongUsage(f"{file!r} is a folder; name its files.")
    if not located.real.is_file():
        raise WrongUsage(f"There is no file {file!r} in the repository {repository.name!r}.")
    return located.path
