import sqlite3
from pathlib import Path

from jupyter_ac.planner.plan_database import FILE
from tests.support.plans import plans_in


async def test_it_lies_beside_the_history_and_is_not_opened_before_its_first_use(
    tmp_path: Path,
) -> None:
    database = plans_in(tmp_path)
    assert database.path == tmp_path / FILE
    assert not database.path.exists()
    names = await database.read(_tables)
    assert {"plan_events", "planner_contexts"} <= names
    await database.aclose()


def _tables(db: sqlite3.Connection) -> set[str]:
    return {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
