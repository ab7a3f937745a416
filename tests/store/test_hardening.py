import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.store.hardening import harden


def test_a_hardened_connection_attaches_nothing_and_trusts_no_schema(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        harden(db)
        assert db.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert db.execute("PRAGMA cell_size_check").fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="too many attached"):
            db.execute("ATTACH ? AS other", (str(tmp_path / "x.sqlite"),))
