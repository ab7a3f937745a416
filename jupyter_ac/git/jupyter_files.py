"""The files that Jupyter writes beside documents, known by their names.

They are nobody's work: copies of documents, and what a program needs while it runs.
"""

import re
from typing import Final

_NAME: Final = re.compile(
    r"(?:\A|/)\.(?:"
    # jupyter-server: what "Revert to Checkpoint" goes back to.
    r"ipynb_checkpoints/"
    # jupyter-lsp: the code of notebooks as language servers read it.
    r"|virtual_documents/"
    # jupyter-collaboration: the history of shared documents, and SQLite's files beside it.
    r"|jupyter_ystore\.db(?:-wal|-shm|-journal)?\Z"
    # jupyter-server: a document's last version while the next one is written. An office's lock is
    # called `.~lock.NAME#`.
    r"|~(?!lock\.[^/]*#\Z)[^/]+\Z"
    r")"
    # jupyter-server: a notebook that was written in part, set aside for its last version.
    r"|\.ipynb\.invalid\Z"
)


def is_of_jupyter(path: str) -> bool:
    """Tell whether Jupyter writes a file of this name beside documents.

    Args:
        path: relative to the repository, as git names it; a folder's ends in `/`.
    """
    may_be = "/." in path or path.startswith(".") or path.endswith(".invalid")
    return may_be and _NAME.search(path) is not None
