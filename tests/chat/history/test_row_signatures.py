"""Only what this user has written here, and as it was written, is ever sent."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.history import row_signatures
from jupyter_ac.chat.history.before_images import BeforeImage, BeforeImages, Fresh
from jupyter_ac.chat.history.edit_journals import EditedTurns
from jupyter_ac.chat.history.events import HistoryEvents, new_event
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import UNTRUSTED, Focus, SessionRecord, Ticks, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import AccessDenied
from jupyter_ac.git.disk_entries import DiskEntry
from jupyter_ac.ids import ConversationKey, RepoPath, SessionId
from jupyter_ac.store.row_signing import signed_columns
from jupyter_ac.store.sqlite import Database
from tests.chat.history.test_store import SENT, SESSION, place, turn
from tests.chat.memory import ADA
from tests.support.histories import history_in

FRESH = SessionId("sess_9_z")
PLANTED = "planted by somebody else"
HEAD = profile("standard").head()
BATCH = "t1"


async def fill(database: Database) -> None:
    """Keep something in every table."""
    store = HistoryStore(database, "")
    revision = 0
    for number in (1, 2, 3):
        await store.begin(place(revision), turn(number))
        await store.keep_sent(f"t{number}", "standard", HEAD, SENT)
        await store.checkpoint(f"t{number}", "so far", "thoughts")
        over = replace(turn(number), state=TurnState.DONE, answer=f"answer {number}", sent=SENT)
        await store.finish(over)
        revision += 2
    await EditedTurns(database).keep(SESSION, replace(turn(3), answer="answer 3"))
    removal = Removal("summarize", "t1", summary="what was said", created_ms=1)
    await CompactionStore(database).keep(SESSION, removal, None)
    await store.keep_selection(ADA, Ticks((RepoPath("a"),)))
    await FocusStore(database, "").keep(ADA, Focus("doc", cross_ref=True))
    await HistoryEvents(database, "").add(
        ConversationKey(ADA), SESSION, new_event("commit", "Done.", "t3")
    )
    image = BeforeImage(
        RepoPath("a"), DiskEntry(b"before", 0o100644), signs=("s",), entries_after=()
    )
    await BeforeImages(database, "").keep(BATCH, [Fresh(image)])


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a history with something in every table."""
    import asyncio

    folder = tmp_path_factory.mktemp("kept")

    async def make() -> None:
        database = history_in(folder)
        await fill(database)
        await database.aclose()

    asyncio.run(make())
    return folder


def copied(kept: Path, folder: Path) -> Path:
    shutil.copy(kept / "history.sqlite", folder / "history.sqlite")
    return folder / "history.sqlite"


def altered(path: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    """Change a file behind the back of the marks."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement, values)


async def sendable(database: Database) -> tuple[SessionRecord | None, str]:
    """What of a history could reach a request, as a host that starts finds it."""
    store = HistoryStore(database, "")
    session = await store.resume(ADA, FRESH)
    found: list[object] = [
        list((await store.selection(ADA)).paths),
        await FocusStore(database, "").read(ADA),
        await BeforeImages(database, "").of(BATCH),
    ]
    if session is not None:
        log = Session(session).log
        found += [log.entries(), log.frozen_head(profile("standard")), log.removals]
        found += [[each.question, each.answer] for each in session.turns]
    return session, repr(found)


def columns() -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS:
            db.executescript(script)
        names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in names:
            if not table.startswith("sqlite_"):
                found = db.execute(f"PRAGMA table_info({table})").fetchall()
                yield from ((table, row[1]) for row in found)


async def test_a_history_of_ones_own_comes_back_whole(kept: Path, tmp_path: Path) -> None:
    copied(kept, tmp_path)
    database = history_in(tmp_path)
    session, text = await sendable(database)
    await database.aclose()
    assert session is not None
    assert session.is_own
    assert len(session.turns) == 3
    for part in ("answer 2", "what was said", "'a'", "before", "mode='doc'"):
        assert part in text


@pytest.mark.parametrize(("table", "column"), list(columns()))
async def test_no_altered_row_is_ever_sent(
    kept: Path, tmp_path: Path, table: str, column: str
) -> None:
    path = copied(kept, tmp_path)
    for value in (PLANTED, json.dumps([PLANTED])):
        with suppress(sqlite3.IntegrityError):
            altered(path, f"UPDATE OR IGNORE {table} SET {column} = ?", values=(value,))
        database = history_in(tmp_path)
        _, text = await sendable(database)
        await database.aclose()
        assert PLANTED not in text


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM turns WHERE turn_id = 't2'",
        "DELETE FROM removals",
        "DELETE FROM sent_blocks WHERE turn_id = 't2' AND position = 0",
        "DELETE FROM messages WHERE turn_id = 't2'",
        "UPDATE turns SET number = 10 - number",
        "UPDATE messages SET content = 'answer 3' WHERE content = 'answer 2'",
        "UPDATE turns SET mark = (SELECT mark FROM turns WHERE turn_id = 't1')",
    ],
)
async def test_a_session_that_lacks_something_or_has_it_in_another_order_is_not_gone_on_with(
    kept: Path, tmp_path: Path, statement: str
) -> None:
    altered(copied(kept, tmp_path), statement)
    database = history_in(tmp_path)
    session, _ = await sendable(database)
    shown = await HistoryStore(database, "").claim(ConversationKey(ADA), SESSION)
    await database.aclose()
    assert session is None
    assert shown is not None
    assert not shown.is_own
    assert not any(each.sent for each in shown.turns)


@pytest.mark.parametrize("who", ["somebody else", "a copy elsewhere"])
async def test_a_copied_history_is_shown_and_never_written_or_sent(
    kept: Path, tmp_path: Path, who: str
) -> None:
    path = copied(kept, tmp_path)
    database = (
        history_in(tmp_path, key=b"l" * 32)
        if who == "somebody else"
        else history_in(tmp_path, place=Path("/copy/.git"))
    )
    try:
        assert await sendable(database) == (None, "[[], Focus(mode='code', cross_ref=False), []]")
        store = HistoryStore(database, "")
        shown = await store.claim(ConversationKey(ADA), SESSION)
        assert shown is not None
        session = Session(shown)
        assert [each.question for each in session.turns] == [f"question {n}" for n in (1, 2, 3)]
        assert session.log.entries() == []
        with pytest.raises(AccessDenied, match="Trust the history first"):
            session.require_own()
        event = new_event("commit", "x", "")
        writes = (
            store.begin(place(shown.revision), turn(4)),
            CompactionStore(database).keep(SESSION, Removal("trim", "t3"), None),
            EditedTurns(database).keep(SESSION, turn(1)),
        )
        for write in writes:
            with pytest.raises(AccessDenied) as caught:
                await write
            assert caught.value.message == UNTRUSTED
        assert await HistoryEvents(database, "").add(ConversationKey(ADA), SESSION, event) is None
    finally:
        await database.aclose()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT COUNT(*) FROM turns").fetchone() == (3,)


async def test_changing_a_row_that_was_altered_does_not_mark_it(kept: Path, tmp_path: Path) -> None:
    path = copied(kept, tmp_path)
    altered(path, "UPDATE messages SET content = 'planted' WHERE message_id = 't3-user'")
    database = history_in(tmp_path)
    store = HistoryStore(database, "")
    await store.checkpoint("t3", "more")
    await store.finish(replace(turn(3), state=TurnState.DONE, answer="answer 3"))
    assert not await database.run(lambda db: row_signatures.is_own(db, SESSION))
    await database.aclose()


async def test_a_history_without_marks_is_not_ones_own(tmp_path: Path) -> None:
    database = Database(tmp_path / "history.sqlite", MIGRATIONS[:9])
    await database.open()
    await database.aclose()
    altered(
        tmp_path / "history.sqlite",
        "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms)"
        " VALUES ('s', 'ada', '', 1, 1)",
        "INSERT INTO turns (turn_id, session_id, number, request_id, state, created_ms, owner,"
        " alive_ms) VALUES ('t', 's', 1, 'r', 'running', 1, 'elsewhere/1/x', 99999999999999)",
        "INSERT INTO selections VALUES ('ada', '', '[\"secret\"]')",
    )
    database = history_in(tmp_path)
    assert (await sendable(database))[0] is None
    assert await HistoryStore(database, "").selection(ADA) == Ticks()
    shown = await HistoryStore(database, "").session(SessionId("s"))
    assert shown is not None
    assert [each.state for each in shown.turns] == [TurnState.ERROR]  # nobody is waited for
    await database.aclose()


async def test_ticked_files_of_a_turn_are_signed_together_with_it(
    kept: Path, tmp_path: Path
) -> None:
    """Neither planted ones nor ones that were moved over from the run are taken for the user's."""
    for number, planted in enumerate(
        ("UPDATE turns SET ticked = '[\"secret\"]'", "UPDATE turns SET ticked = ' '")
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        altered(copied(kept, folder), planted)
        database = history_in(folder)
        assert (await sendable(database))[0] is None
        await database.aclose()
    database = history_in(tmp_path)
    try:
        asked = replace(turn(1), ticked=(RepoPath("a"), RepoPath("b")))
        await HistoryStore(database, "").begin(place(0), asked)
        marked = row_signatures.sql("SELECT mark IS {turn} FROM turns")
        shifted = "UPDATE turns SET run = char(0) || ticked, ticked = ''"

        def look(db: sqlite3.Connection) -> list[tuple[object, ...]]:
            return db.execute(marked).fetchall()

        def shift(db: sqlite3.Connection) -> None:
            db.execute(shifted)

        assert await database.run(look) == [(1,)]
        await database.run(shift)
        assert await database.run(look) == [(0,)]
    finally:
        await database.aclose()


async def test_blocks_that_are_not_what_their_hash_says_are_refused(
    kept: Path, tmp_path: Path
) -> None:
    altered(copied(kept, tmp_path), "UPDATE blocks SET text = 'planted'")
    database = history_in(tmp_path)
    assert (await sendable(database))[0] is None
    await database.aclose()


async def test_a_turn_from_before_there_were_runs_keeps_its_mark(
    kept: Path, tmp_path: Path
) -> None:
    copied(kept, tmp_path)
    now = row_signatures.sql("{turn}")
    with_run = signed_columns([row_signatures.EDITS_RUN_AND_TICKED])
    before = now.replace(with_run, signed_columns(["turns.edits"]))
    assert before != now

    def compare(db: sqlite3.Connection) -> list[tuple[object, ...]]:
        return db.execute(f"SELECT mark IS {before}, mark IS {now}, run FROM turns").fetchall()

    database = history_in(tmp_path)
    try:
        assert await database.run(compare) == [(1, 1, "")] * 3
    finally:
        await database.aclose()
