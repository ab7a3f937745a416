"""A temporary directory that can be removed at any depth.

`tempfile.TemporaryDirectory` removes recursively, which fails for a thousand nested folders.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_folder(inside: Path) -> Iterator[Path]:
    """Create a folder, and remove it with its content at the end."""
    made = tempfile.mkdtemp(dir=inside, prefix="jupyter_ac-")
    try:
        yield Path(made)
    finally:
        remove_tree(made)


def remove_tree(folder: str) -> None:
    """Remove a folder and its content at any depth; links aren't followed.

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
