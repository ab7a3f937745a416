"""Files that Jupyter writes beside documents, in a repository that shows them or not."""

from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.git.repository import Repository, discover
from tests.support.repositories import RepositoryFolder

BESIDE: Final = (
    ".ipynb_checkpoints/plot-checkpoint.py",
    ".jupyter_ystore.db",
    ".jupyter_ystore.db-wal",
    ".~plot.py",
    "deep/.ipynb_checkpoints/n-checkpoint.ipynb",
    "deep/.virtual_documents/n.ipynb/n.python-6b86b273.py",
    "deep/n.ipynb.invalid",
)
"""One of each kind, sorted."""


@dataclass
class JupyterFilesSetting:
    """The user's setting, to be changed by a test."""

    is_shown: bool = False

    def __call__(self) -> bool:
        return self.is_shown


def write_beside(folder: RepositoryFolder, text: str = "def plot(): ...\n") -> None:
    """Write them all."""
    for path in BESIDE:
        folder.write(path, text)


async def with_setting(
    folder: RepositoryFolder, *, is_shown: bool = False
) -> tuple[Repository, JupyterFilesSetting]:
    """Return a repository, and the setting that shows or hides its files of Jupyter."""
    wish = JupyterFilesSetting(is_shown)
    return replace(await discover(folder.root), shows_jupyter_files=wish), wish
