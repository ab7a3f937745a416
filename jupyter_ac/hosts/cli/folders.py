"""Resolves folders given on the command line."""

from pathlib import Path

from jupyter_ac.errors import NotFound


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
