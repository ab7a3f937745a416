"""Decides which untracked files are shown, searched, offered for a commit and staged.

All modules that list files use this one, so that a hidden file is hidden everywhere. Tracked files
are always shown; ignored ones are never listed.
"""

from collections.abc import Callable, Collection

from jupyter_ac.git.generated_files import is_of_jupyter
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import tag_of


def shown_untracked(repository: Repository, named: Collection[str] = ()) -> Callable[[str], bool]:
    """Return a filter by path for the untracked files that are currently shown.

    Args:
        repository: the repository, with the user's setting.
        named: paths that the user has named; see `untracked_filter`.
    """
    return untracked_filter(with_jupyter_files=repository.shows_jupyter_files(), named=named)


def untracked_filter(
    *, with_jupyter_files: bool, named: Collection[str] = ()
) -> Callable[[str], bool]:
    """Return a filter by path for the untracked files that are shown.

    This program's own temporary files are hidden. Files that Jupyter writes beside documents are
    shown if the user wants that.

    Args:
        with_jupyter_files: the user's setting for files of Jupyter.
        named: paths that the user has named, without a final `/`: such a file is shown even if it
            is Jupyter's, and so are all files in a folder of Jupyter's.
    """
    if with_jupyter_files:
        return _is_no_temp_file
    files = frozenset(named)
    folders = tuple(f"{path}/" for path in files if is_of_jupyter(f"{path}/"))

    def is_shown(path: str) -> bool:
        if is_of_jupyter(path):
            return path in files or path.startswith(folders)
        return _is_no_temp_file(path)

    return is_shown


def _is_no_temp_file(path: str) -> bool:
    return tag_of(path) is None
