"""A history that is damaged in any way: a host starts, says it, and goes on with what reads."""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import Ticks
from jupyter_ac.ids import SessionId
from tests.chat.history.test_store import add
from tests.chat.memory import ADA
from tests.support.damage import PAGE, damaged
from tests.support.examples import examples
from tests.support.histories import history_in

TURNS = 12
TABLES = ("turns", "sessions", "messages", "blocks", "sent_blocks")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "history.sqlite"

    async def make() -> None:
        database = history_in(path.parent)
        store = HistoryStore(database, "")
        for number in range(TURNS):
            await add(store, number, 2 * number)
        await store.keep_selection(ADA, Ticks())
        await HistoryArchive(database, "").prepare_search()
        await database.aclose()

    asyncio.run(make())
    return path


async def started(folder: Path, content: bytes) -> tuple[list[str], str]:
    """Start on a file as a host does; return the questions that came back, and what is said."""
    path = folder / "history.sqlite"
    path.write_bytes(content)
    database = history_in(folder)
    store, archive = HistoryStore(database, ""), HistoryArchive(database, "")
    try:
        await database.open()
        session = await store.resume(ADA, SessionId("sess_9_z"))
        assert await store.selection(ADA) == Ticks()
        shown: list[str] = []
        for row in await archive.sessions(ADA, 10):
            messages = await archive.messages(ADA, SessionId(row["session_id"]))
            shown += [each["content"] for each in messages if each["role"] == "user"]
        await archive.search(ADA, MessageQuery("question"))
        if session is not None:  # whole, or not gone on with: what was lost can't be told
            assert {turn.question for turn in session.turns} <= set(shown)
        return shown, database.notice or ""
    finally:
        await database.aclose()


async def test_a_sound_history_is_left_alone(sound: Path, tmp_path: Path) -> None:
    questions, notice = await started(tmp_path, sound.read_bytes())
    assert questions == [f"question {number}" for number in range(TURNS)]
    assert notice == ""


async def test_a_history_with_an_overwritten_header_comes_back_whole(
    sound: Path, tmp_path: Path
) -> None:
    questions, notice = await started(tmp_path, b"\0" * 100 + sound.read_bytes()[100:])
    assert questions == [f"question {number}" for number in range(TURNS)]
    assert "set aside" in notice
    assert "recovered rows" in notice


@pytest.mark.parametrize("lost", TABLES)
async def test_when_a_whole_table_is_lost_the_words_are_not(
    sound: Path, tmp_path: Path, lost: str
) -> None:
    (tmp_path / "copy").write_bytes(sound.read_bytes())
    with closing(sqlite3.connect(tmp_path / "copy")) as db:
        (page,) = db.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (lost,)
        ).fetchone()
    content = bytearray(sound.read_bytes())
    content[(page - 1) * PAGE : page * PAGE] = b"\xff" * PAGE
    questions, notice = await started(tmp_path, bytes(content))
    assert "was damaged" in notice
    if lost != "messages":
        assert questions == [f"question {number}" for number in range(TURNS)]


@settings(deadline=None, max_examples=examples(20))
@given(seed=st.integers(0, 10_000), flips=st.sampled_from((1, 20, 300)), pages=st.integers(0, 2))
@example(seed=251, flips=20, pages=0)  # SQLite can't even drop the index
def test_flipped_bytes_never_keep_a_host_from_starting(
    sound: Path, seed: int, flips: int, pages: int
) -> None:
    content = damaged(sound.read_bytes(), seed, flips, pages)
    with tempfile.TemporaryDirectory() as folder:
        questions, _ = asyncio.run(started(Path(folder), content))
    assert len(questions) <= 2 * TURNS  # a message whose turn is lost gets one of its own


def altered(sound: Path, folder: Path, statements: str) -> bytes:
    """The history as a newer version might have left it."""
    (folder / "copy").write_bytes(sound.read_bytes())
    with closing(sqlite3.connect(folder / "copy", isolation_level=None)) as db:
        db.executescript(f"PRAGMA user_version = 99; {statements}")
    return (folder / "copy").read_bytes()


@pytest.mark.parametrize(
    "statements",
    [
        "",
        "ALTER TABLE turns ADD COLUMN more; CREATE TABLE other (x)",
        "DROP TABLE message_index",
        "DROP TABLE message_index; CREATE TABLE message_index (x)",
        "DROP TABLE message_index; CREATE VIRTUAL TABLE message_index USING fts5 (other)",
    ],
)
async def test_a_history_of_a_newer_version_is_read(
    sound: Path, tmp_path: Path, statements: str
) -> None:
    questions, notice = await started(tmp_path, altered(sound, tmp_path, statements))
    assert questions == [f"question {number}" for number in range(TURNS)]
    assert notice == ""


@pytest.mark.parametrize(
    ("statements", "is_lost"),
    [
        ("ALTER TABLE sessions DROP COLUMN mark", False),
        ("DROP TABLE head_blocks; CREATE VIEW head_blocks AS SELECT 1 AS session_id", False),
        ("DROP TABLE removals; CREATE TABLE removals (x)", False),
        ("ALTER TABLE messages RENAME COLUMN content TO said", False),
        ("DROP TABLE messages; CREATE VIRTUAL TABLE messages USING fts5 (content)", True),
    ],
)
async def test_a_history_of_a_newer_version_that_lacks_what_is_read_is_set_aside_once(
    sound: Path, tmp_path: Path, statements: str, *, is_lost: bool
) -> None:
    questions, notice = await started(tmp_path, altered(sound, tmp_path, statements))
    assert questions == ["" if is_lost else f"question {number}" for number in range(TURNS)]
    assert "set aside" in notice
    again, notice = await started(tmp_path, (tmp_path / "history.sqlite").read_bytes())
    assert (again, notice) == (questions, "")
