"""Recognizes by name the files that Jupyter writes beside documents.

They are no user's work: copies of documents, and temporary files of programs.
"""

import re
from typing import Final

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
