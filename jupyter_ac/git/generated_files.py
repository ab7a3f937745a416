"""Recognizes generated files by name: those that seldom belong into a commit, and Jupyter's own.

Jupyter's are no user's work: copies of documents, and temporary files of programs.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final

_FOLDERS: Final = frozenset(
    {
        *("node_modules", "bower_components", "jspm_packages", "site-packages", "__pypackages__"),
        *("dist", "build", "target", "_build", "htmlcov", "coverage", ".eggs", "_site"),
        *("__pycache__", ".venv", "venv", ".tox", ".nox", ".gradle", ".terraform"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".cache", ".parcel-cache"),
        *(".next", ".nuxt", ".svelte-kit", ".turbo", ".ipynb_checkpoints", ".virtual_documents"),
    }
)
_ENDINGS: Final = (".egg-info", ".dist-info")
_ENVIRONMENT: Final = "/pyvenv.cfg"


def environments(paths: Iterable[str]) -> set[str]:
    """Return the folders that are virtual environments of Python, whatever their names."""
    return {path.removesuffix(_ENVIRONMENT) for path in paths if path.endswith(_ENVIRONMENT)}


def generated_folder(path: str, further: Collection[str] = ()) -> str:
    """Return the outermost generated folder of a path; "" if there is none.

    Args:
        path: git path of a file.
        further: further folders that are known to be generated.
    """
    at = path.find("/")
    while at >= 0:
        folder = path[:at]
        name = folder.rpartition("/")[2]
        if name.lower() in _FOLDERS or name.endswith(_ENDINGS) or folder in further:
            return folder
        at = path.find("/", at + 1)
    return ""


_NAME: Final = re.compile(
    r"(?:\A|/)\.(?:"
    # jupyter-server: the copy for "Revert to Checkpoint".
    r"ipynb_checkpoints/"
    # jupyter-lsp: code of notebooks for language servers.
    r"|virtual_documents/"
    # jupyter-collaboration: the history of shared documents, and SQLite's files beside it.
    r"|jupyter_ystore\.db(?:-wal|-shm|-journal)?\Z"
    # jupyter-server: a document's last version while the next one is written. LibreOffice names its
    # locks `.~lock.NAME#`.
    r"|~(?!lock\.[^/]*#\Z)[^/]+\Z"
    r")"
    # jupyter-server: an incompletely written notebook, replaced by its last version.
    r"|\.ipynb\.invalid\Z"
)


def is_of_jupyter(path: str) -> bool:
    """Return whether a file has a name that Jupyter uses beside documents.

    Args:
        path: git path; ends in `/` for a folder.
    """
    may_be = "/." in path or path.startswith(".") or path.endswith(".invalid")
    return may_be and _NAME.search(path) is not None
