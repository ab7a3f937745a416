import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jupyter_ac.chat.history import session_restore, trust
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.chat.history.session_rows import LATEST_MS
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.history.trust import HistoryTrust, TrustedSessions
from jupyter_ac.ids import Identity, SessionId
from jupyter_ac.store.row_signing import MAC
from tests.chat.history.test_row_signatures import BATCH, FRESH, fill
from tests.chat.history.test_store import SESSION, add
from tests.chat.memory import ADA
from tests.support.histories import history_in, history_in_memory

OTHER_KEY = b"l" * 32


async def filled(folder: Path) -> None:
    """Somebody else keeps something in every table."""
    database = history_in(folder, key=OTHER_KEY)
    await fill(database)
    await database.aclose()


async def test_trusting_makes_all_of_a_person_their_own(tmp_path: Path) -> None:
    await filled(tmp_path)
    database = history_in(tmp_path)
    store, trusting = HistoryStore(database, ""), HistoryTrust(database, "")
    assert await trusting.foreign(ADA) == 1
    assert await trusting.foreign(Identity("bob")) == 0
    assert await trusting.trust(Identity("bob")) == TrustedSessions(0, 0)
    assert await store.resume(ADA, FRESH) is None
    assert await trusting.trust(ADA) == TrustedSessions(1, 0)
    assert await trusting.trust(ADA) == TrustedSessions(0, 0)
    assert await trusting.foreign(ADA) == 0
    session = await store.resume(ADA, FRESH)
    assert session is not None
    assert len(session.turns) == 3
    assert all(turn.sent for turn in session.turns)
    assert session.heads == {}  # it is made anew
    assert (await store.selection(ADA)).paths == ("a",)
    assert len(await BeforeImages(database, "").of(BATCH)) == 1
    await database.aclose()


async def test_what_is_not_what_its_hash_says_is_never_trusted(tmp_path: Path) -> None:
    await filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE blocks SET text = 'planted'")
    database = history_in(tmp_path)
    assert await HistoryTrust(database, "").trust(ADA) == TrustedSessions(0, 1)
    session = await HistoryStore(database, "").session(SessionId(SESSION))
    assert session is not None
    assert not session.is_own
    await database.aclose()


def add_foreign(db: sqlite3.Connection, count: int, updated_ms: int, *, with_turns: bool) -> None:
    """Have somebody else keep many sessions."""
    names = [(f"foreign_{number}", updated_ms) for number in range(count)]
    db.executemany(
        "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms)"
        f" VALUES (?, '{ADA}', '', 1, ?)",
        names,
    )
    if with_turns:
        db.execute(
            "INSERT INTO turns (turn_id, session_id, number, request_id, state, created_ms, owner,"
            " alive_ms) SELECT session_id, session_id, 1, 'r', 'done', 1, '', 0 FROM sessions"
        )


@pytest.mark.parametrize("with_turns", [False, True])
def test_of_any_number_of_foreign_sessions_only_some_are_looked_at(*, with_turns: bool) -> None:
    looked_at = 0

    def mac(*_values: object) -> bytes:
        nonlocal looked_at
        looked_at += 1
        return b"of nobody"

    with closing(history_in_memory()) as db:
        add_foreign(db, 3 * trust.MOST_LOOKED_AT, 7, with_turns=with_turns)
        db.create_function(MAC, -1, mac)
        assert session_restore.latest(db, ADA, "") is None
        assert looked_at <= session_restore.MOST_LOOKED_AT
        looked_at = 0
        found = trust.count_foreign(db, ADA, "")
        assert found == looked_at == (trust.MOST_LOOKED_AT if with_turns else 0)


@pytest.mark.parametrize("updated_ms", [LATEST_MS, LATEST_MS + 1, 1 << 62, -1])
async def test_foreign_sessions_of_any_time_hide_none_of_ones_own(
    tmp_path: Path, updated_ms: int
) -> None:
    database = history_in(tmp_path)
    await database.run(lambda db: add_foreign(db, 2000, updated_ms, with_turns=True))
    store = HistoryStore(database, "")
    await add(store, 1, 0)
    listed = await HistoryArchive(database, "").sessions(ADA, 2)
    assert [(row["session_id"], row["trusted"]) for row in listed] == [
        (SESSION, True),
        ("foreign_1999", False),
    ]
    session = await store.resume(ADA, FRESH)
    assert session is not None
    assert [turn.question for turn in session.turns] == ["question 1"]
    await database.aclose()
