import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.importing import HistoryImport
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.ids import ConversationKey, Identity, SessionId
from tests.chat.memory import ADA
from tests.support.histories import history_in

BOB = Identity("bob")
NAME = SessionId("sess_1700000000000_abcdef")


@dataclass
class Kept:
    importer: HistoryImport
    archive: HistoryArchive
    store: HistoryStore


@asynccontextmanager
async def kept(folder: Path) -> AsyncIterator[Kept]:
    database = history_in(folder)
    try:
        yield Kept(
            HistoryImport(database, ""), HistoryArchive(database, ""), HistoryStore(database, "")
        )
    finally:
        await database.aclose()


def lines(*said: tuple[str, str], session_id: str = NAME) -> list[str | bytes]:
    return [
        json.dumps(
            {
                "id": f"{number}-x",
                "session_id": session_id,
                "timestamp": f"2023-11-14T22:13:{number:02}Z",
                "role": role,
                "content": content,
            }
        )
        for number, (role, content) in enumerate(said)
    ]


TALK = lines(
    ("user", "Why?"),
    ("assistant", "So."),
    ("assistant", "And more."),
    ("system", "Committed"),
    ("user", "Unanswered"),
    ("user", "Last?"),
    ("assistant", "Yes."),
)


async def test_sessions_appear_in_the_list_as_their_own(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        assert await history.importer.take(ADA, [*TALK, "x"]) == {
            "sessions": 1,
            "messages": 7,
            "known": 0,
            "bad_lines": [8],
            "bad": 1,
            "images": 0,
        }
        (listed,) = await history.archive.sessions(ADA, 10)
        assert (listed["session_id"], listed["preview"]) == (NAME, "Why?")
        assert listed["timestamp"] == "2023-11-14T22:13:00.000Z"
        messages = await history.archive.messages(ADA, NAME)
        assert [message["content"] for message in messages if message["content"]] == [
            *("Why?", "So.", "And more.", "Committed", "Unanswered", "Last?", "Yes."),
        ]
        assert messages[1]["timestamp"] == "2023-11-14T22:13:01.000Z"
        (hit,) = await history.archive.search(ADA, MessageQuery("unans"))
        assert hit["content"] == "Unanswered"
        assert await history.archive.sessions(BOB, 10) == []


async def test_doing_it_again_changes_nothing_and_a_longer_file_adds(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.importer.take(ADA, TALK[:5])
        before = await history.archive.messages(ADA, NAME)
        again = await history.importer.take(ADA, TALK[:5])
        assert (again["sessions"], again["messages"], again["known"]) == (0, 0, 5)
        assert await history.archive.messages(ADA, NAME) == before
        more = await history.importer.take(ADA, TALK)
        assert (more["messages"], more["known"]) == (2, 5)
        whole = await history.archive.messages(ADA, NAME)
        assert [message["content"] for message in whole][-2:] == ["Last?", "Yes."]


async def test_doing_it_again_later_changes_nothing_for_a_time_that_is_yet_to_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {"session_id": "theirs", "role": "user", "content": "Why?"}
    ahead = json.dumps(record | {"timestamp": "9999-12-31T23:59:59Z"})
    async with kept(tmp_path) as history:
        for now, new in ((1_800_000_000_000, 1), (1_800_000_005_000, 0)):
            monkeypatch.setattr("jupyter_ac.chat.history.importing.now_ms", lambda now=now: now)
            assert (await history.importer.take(ADA, [ahead]))["messages"] == new


async def test_an_imported_session_goes_on_and_the_model_sees_it(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        await history.importer.take(ADA, TALK)
        session = await history.store.claim(ConversationKey(ADA), NAME)
        assert session is not None
        exchanges = [found for turn in session.turns for found in turn.exchanges()]
        assert [(found.sent[0].text, found.answer.text) for found in exchanges] == [
            ("Why?", "So."),
            ("Last?", "Yes."),
        ]


async def test_two_persons_with_one_file_have_a_session_each(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        for person in (ADA, BOB, ADA, BOB):
            await history.importer.take(person, TALK)
        for person in (ADA, BOB):
            (listed,) = await history.archive.sessions(person, 10)
            assert len(await history.archive.messages(person, SessionId(listed["session_id"]))) == 9


async def test_a_foreign_name_gets_one_of_our_form(tmp_path: Path) -> None:
    async with kept(tmp_path) as history:
        for _ in range(2):
            await history.importer.take(ADA, lines(("user", "Hi"), session_id="../x'; --"))
        (listed,) = await history.archive.sessions(ADA, 10)
        assert re.fullmatch(r"sess_1699999980000_[0-9a-f]{6}", listed["session_id"])


async def test_many_sessions_come_in_several_transactions(tmp_path: Path) -> None:
    every = [
        line for number in range(50) for line in lines(("user", "Hi"), session_id=f"n{number}")
    ]
    async with kept(tmp_path) as history:
        found = await history.importer.take(ADA, every)
        assert (found["sessions"], found["messages"]) == (50, 50)
