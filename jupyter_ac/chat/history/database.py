"""Opens the history's database: its migrations, its repair, and the key of trusted rows."""

from pathlib import Path
from typing import Final

from jupyter_ac.chat.history.index import CREATE
from jupyter_ac.chat.history.schema import MIGRATIONS, REPAIR
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.sqlite import Database

HISTORY_FILE: Final = "history.sqlite"


def history_database(folder: Path, signer: RowSigner) -> Database:
    """Return the database of a repository's history, which is opened on first use.

    Args:
        folder: the repository's folder for state.
        signer: marks the rows that this user writes, and knows them again.
    """
    return Database(
        folder / HISTORY_FILE, MIGRATIONS, repair=REPAIR, optional=CREATE, signer=signer
    )
