"""Which untracked files are shown, searched, offered for a commit and staged.

Everything that lists files asks here, so that what isn't shown in one place isn't in any. What git
tracks is always shown; what it ignores is never listed in the first place.
"""

from collections.abc import Callable, Collection

from jupyter_ac.git.jupyter_files import is_of_jupyter
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.temp_files import tag_of


def shown_untracked(repository: Repository, named: Collection[str] = ()) -> Callable[[str], bool]:
    """Return what tells by its path whether an untracked file is shown at this moment.

    Args:
        repository: where, with the user's wish.
        named: paths that the user has named; see `untracked_filter`.
    """
    return untracked_filter(with_jupyter_files=repository.shows_jupyter_files(), named=named)


def untracked_filter(
    *, with_jupyter_files: bool, named: Collection[str] = ()
) -> Callable[[str], bool]:
    """Return what tells by its path whether an untracked file is shown.

    Our own drafts are not. What Jupyter writes beside documents is when the user wants that.

    Args:
        with_jupyter_files: the user wants that.
        named: paths that the user has named, without a `/` at the end: such a file is shown
            also when it is Jupyter's, and so are all files in a folder of Jupyter's.
    """
    if with_jupyter_files:
        return _is_no_draft
    files = frozenset(named)
    folders = tuple(f"{path}/" for path in files if is_of_jupyter(f"{path}/"))

    def is_shown(path: str) -> bool:
        if is_of_jupyter(path):
            return path in files or path.startswith(folders)
        return _is_no_draft(path)

    return is_shown


def _is_no_draft(path: str) -> bool:
    return tag_of(path) is None
