"""Databases of plans in a folder."""

from pathlib import Path

from jupyter_ac.chat.history.schema import history_database
from jupyter_ac.planner.plan_database import plan_database
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.sqlite import Database


def plans_in(folder: Path, key: bytes = b"k" * 32) -> Database:
    """Return a database of plans, signed with a key."""
    return plan_database(history_database(folder, RowSigner(key, folder)))
