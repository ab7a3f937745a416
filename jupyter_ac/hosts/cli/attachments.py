"""The files that a command line names, as paths of the repository that can be sent."""

from collections.abc import Sequence
from pathlib import Path

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.hosts.cli.named_files import selected_paths


async def attachments(repository: Repository, files: Sequence[str], current: Path) -> list[str]:
    """Return the files' paths in the repository.

    Args:
        repository: whose files.
        files: relative to the current folder, else to the repository; or absolute.
        current: the current folder.

    Raises:
        WrongUsage: one isn't a file of the repository, or can't be sent; says which and why.
    """
    paths = selected_paths(repository, files, current)
    reading = await RepositoryFiles(repository).read(paths)
    if reading.problems:
        raise WrongUsage(" ".join(problem.message for problem in reading.problems))
    return list(paths)
