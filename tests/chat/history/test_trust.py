import sqlite3
from contextlib import closing
from pathlib import Path

from jupyter_ac.chat.history.before_images import BeforeImages
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.history.trust import HistoryTrust, TrustedSessions
from jupyter_ac.ids import Identity, SessionId
from tests.chat.history.test_marks import BATCH, FRESH, fill
from tests.chat.history.test_store import SESSION
from tests.chat.memory import ADA
from tests.support.histories import history_in

OTHER_KEY = b"l" * 32


async def filled(folder: Path) -> None:
    """Somebody else keeps something in every table."""
    database = history_in(folder, key=OTHER_KEY)
    await fill(database)
    await database.aclose()


async def test_trusting_makes_all_of_a_person_their_own(tmp_path: Path) -> None:
    await filled(tmp_path)
    database = history_in(tmp_path)
    trust, store = HistoryTrust(database, ""), HistoryStore(database, "")
    assert await trust.foreign(ADA) == 1
    assert await trust.foreign(Identity("bob")) == 0
    assert await trust.trust(Identity("bob")) == TrustedSessions(0, 0)
    assert await store.resume(ADA, FRESH) is None
    assert await trust.trust(ADA) == TrustedSessions(1, 0)
    assert await trust.trust(ADA) == TrustedSessions(0, 0)
    assert await trust.foreign(ADA) == 0
    session = await store.resume(ADA, FRESH)
    assert session is not None
    assert len(session.turns) == 3
    assert all(turn.sent for turn in session.turns)
    assert session.heads == {}  # it is made anew
    assert await store.selection(ADA) == ["a"]
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
