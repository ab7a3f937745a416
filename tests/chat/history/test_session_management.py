"""Sessions that are named and deleted, over a real database."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.history import rows, session_restore
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.branching import begin_before
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.session_management import SessionManagement, delete_session
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.images import image_of
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.errors import AcError, Busy, InvalidParams, NotFound
from jupyter_ac.ids import ConversationKey, Identity, SessionId
from jupyter_ac.models.client import Usage
from tests.chat.history.test_archive import DONE, FIRST, RUNNING, SECOND, Kept
from tests.chat.history.test_search import SESSION, say
from tests.chat.memory import ADA
from tests.support.histories import history_in, history_in_memory
from tests.support.pictures import GIF

BRANCH = SessionId("sess_9_z")


class Managed(Kept):
    """A history whose sessions can be named and deleted."""

    images: ImageFolder

    @property
    def management(self) -> SessionManagement:
        return SessionManagement(self.store._database, "", self.store.owner, self.images)

    async def listed(self) -> list[str]:
        return [row["session_id"] for row in await self.archive.sessions(ADA, 50)]

    async def number_of(self, table: str) -> int:
        query = f"SELECT COUNT(*) FROM {table}"
        return int(await self.store._database.read(lambda db: db.execute(query).fetchone()[0]))


@asynccontextmanager
async def managed(folder: Path) -> AsyncIterator[Managed]:
    database = history_in(folder)
    try:
        history = Managed(HistoryStore(database, ""), HistoryArchive(database, ""), {})
        history.images = ImageFolder(folder)
        yield history
    finally:
        await database.aclose()


async def test_a_title_is_kept_on_one_line_and_taken_away(tmp_path: Path) -> None:
    async with managed(tmp_path) as history:
        await history.say(FIRST, "Why?")
        assert await history.management.rename(ADA, FIRST, "  A\n garden  ") == "A garden"
        (row,) = await history.archive.sessions(ADA, 50)
        assert (row["title"], row["trusted"]) == ("A garden", True)
        await history.say(FIRST, "And?")
        assert (await history.archive.sessions(ADA, 50))[0]["title"] == "A garden"
        assert await history.management.rename(ADA, FIRST, " ") == ""
        assert (await history.archive.sessions(ADA, 50))[0]["title"] == ""


async def test_what_cannot_be_named_or_deleted_is_refused(tmp_path: Path) -> None:
    async with managed(tmp_path) as history:
        await history.say(FIRST, "Why?")
        bob = Identity("bob")
        with pytest.raises(InvalidParams, match="at most 200"):
            await history.management.rename(ADA, FIRST, "x" * 201)
        for who, name in ((bob, FIRST), (ADA, SECOND), (ADA, SessionId("'; --"))):
            with pytest.raises(NotFound, match="no session"):
                await history.management.rename(who, name, "x")
            with pytest.raises(NotFound, match="no session"):
                await history.management.delete(who, name)
        assert await history.listed() == [FIRST]


async def test_a_deleted_session_leaves_nothing_but_its_cost(tmp_path: Path) -> None:
    async with managed(tmp_path) as history:
        priced = replace(DONE, usage=Usage(3, 4, cost_usd=0.5))
        await history.say(FIRST, "Why is the garden green?", priced)
        await history.say(SECOND, "And the sky?", priced)
        await history.archive.prepare_search()
        await history.management.delete(ADA, FIRST)
        assert await history.listed() == [SECOND]
        assert await history.archive.messages(ADA, FIRST) == []
        assert await history.archive.search(ADA, MessageQuery("garden")) == []
        assert len(await history.archive.search(ADA, MessageQuery("sky"))) == 1
        assert [await history.number_of(name) for name in ("sessions", "turns")] == [1, 1]
        assert await history.number_of("indexed_messages") == 2
        spent = await history.archive.spend(ADA, SECOND, 0)
        assert (spent["repo_usd"], spent["today_usd"], spent["session_usd"]) == (1.0, 1.0, 0.5)
        with pytest.raises(NotFound):
            await history.management.delete(ADA, FIRST)


async def test_what_was_sent_goes_with_it_unless_another_one_sent_it_too(tmp_path: Path) -> None:
    shared, own = (Block(Category.NOTE, text) for text in ("shared", "own"))
    async with managed(tmp_path) as history:
        for session_id, blocks in ((FIRST, [shared, own]), (SECOND, [shared])):
            await history.say(session_id, "Why?")
            await history.store.keep_sent(f"turn{history.count}", "standard", [], blocks)
        await history.management.delete(ADA, FIRST)
        texts = await history.store._database.read(
            lambda db: db.execute("SELECT text FROM blocks").fetchall()
        )
        assert texts == [("shared",)]


async def test_an_answer_being_made_and_another_process_hold_it(tmp_path: Path) -> None:
    async with managed(tmp_path) as history:
        await history.say(FIRST, "Why?", RUNNING)
        with pytest.raises(Busy, match="stop it first"):
            await history.management.delete(ADA, FIRST)
        await history.say(SECOND, "Why?")
        other = Owner(nonce="other", pid=1)
        store = HistoryStore(history.store._database, "", other)
        await store.start_session(ConversationKey(ADA), SECOND)
        with pytest.raises(Busy, match="Another Jupyter server or kernel"):
            await history.management.delete(ADA, SECOND)
        assert set(await history.listed()) == {FIRST, SECOND}


def opened() -> sqlite3.Connection:
    """An empty history whose rows go with those that they belong to, as on disk."""
    db = history_in_memory()
    db.execute("PRAGMA foreign_keys=ON")
    return db


def questions(db: sqlite3.Connection, session_id: str) -> list[str]:
    kept = rows.read_session(db, SessionId(session_id))
    return [] if kept is None else [turn.question for turn in kept.turns]


def test_a_session_that_another_one_goes_on_from_stays_as_far_as_that_needs_it() -> None:
    db = opened()
    say(db, "one", "two", "three")
    third = db.execute("SELECT turn_id FROM turns WHERE number = 3").fetchone()[0]
    assert begin_before(db, ConversationKey(ADA), (SESSION, third), BRANCH)
    delete_session(db, SESSION)
    assert questions(db, BRANCH) == ["one", "two"]
    assert session_restore.is_own(db, BRANCH)
    assert session_restore.latest(db, ADA, "") == BRANCH
    assert db.execute("SELECT COUNT(*) FROM turns").fetchone() == (2,)
    delete_session(db, BRANCH)
    assert db.execute("SELECT COUNT(*) FROM sessions").fetchone() == (0,)
    assert db.execute("SELECT COUNT(*) FROM messages").fetchone() == (0,)


def test_a_hidden_session_is_never_resumed() -> None:
    db = opened()
    say(db, "one")
    session_restore.begin_after(db, SESSION, BRANCH)
    delete_session(db, SESSION)
    assert session_restore.latest(db, ADA, "") == BRANCH
    assert questions(db, BRANCH) == ["one"]


def test_a_ring_of_sessions_in_a_damaged_file_ends() -> None:
    db = opened()
    say(db, "one")
    session_restore.begin_after(db, SESSION, BRANCH)
    db.execute("UPDATE sessions SET parent = ?, is_deleted = 1", (BRANCH,))
    delete_session(db, SESSION)
    delete_session(db, BRANCH)
    assert questions(db, SESSION) == []


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12), st.data())
def test_whatever_is_deleted_the_others_keep_all_they_show(
    steps: list[tuple[int, int]], data: st.DataObject
) -> None:
    db = opened()
    say(db, *"abcdef")
    names: list[str] = [SESSION]
    for number, (which, turn) in enumerate(steps):
        source = names[which % len(names)]
        fresh = SessionId(f"sess_{number + 10}_x")
        turn_id = db.execute(
            "SELECT turn_id FROM turns ORDER BY number LIMIT 1 OFFSET ?", (turn,)
        ).fetchone()[0]
        if begin_before(db, ConversationKey(ADA), (SessionId(source), turn_id), fresh):
            names.append(fresh)
    for name in data.draw(st.permutations(names)):
        shown = {other: questions(db, other) for other in names if other != name}
        delete_session(db, name)
        names.remove(name)
        assert {other: questions(db, other) for other in names} == shown
    assert db.execute("SELECT COUNT(*) FROM sessions").fetchone() == (0,)
    db.close()


async def test_two_at_once_delete_it_once(tmp_path: Path) -> None:
    async with managed(tmp_path) as history:
        await history.say(FIRST, "Why?")
        both = (history.management.delete(ADA, FIRST) for _ in range(2))
        results = await asyncio.gather(*both, return_exceptions=True)
        assert sorted(isinstance(each, AcError) for each in results) == [False, True]


async def test_images_go_with_the_last_session_that_has_them(tmp_path: Path) -> None:
    image = image_of(GIF, "image")
    async with managed(tmp_path) as history:
        await history.images.put(image)
        for session_id in (FIRST, SECOND):
            await history.say(session_id, "Why?")
        await history.store._database.run(
            lambda db: db.execute("UPDATE turns SET images = ?", (f'["{image.name}"]',)) and None
        )
        await history.management.delete(ADA, FIRST)
        assert await history.images.find([image.name]) == [tmp_path / "images" / image.name]
        await history.management.delete(ADA, SECOND)
        assert await history.images.find([image.name]) == [None]
