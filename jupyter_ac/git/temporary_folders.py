"""A folder of our own for a while, which may get as deep as the repository's files lie.

`tempfile.TemporaryDirectory` removes by recursion, which a thousand folders inside each other end.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_folder(inside: Path) -> Iterator[Path]:
    """Make a folder, and remove it at the end with all that is in it."""
    made = tempfile.mkdtemp(dir=inside, prefix="jupyter_ac-")
    try:
        yield Path(made)
    finally:
        remove_tree(made)


def remove_tree(folder: str) -> None:
    """Remove a folder and all that is in it, however deep; links aren't followed.

    Raises:
        OSError: the file system refuses.
    """
    folders = [folder]
    for each in folders:
        with os.scandir(each) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    Path(entry.path).unlink()
    for each in reversed(folders):
        Path(each).rmdir()
