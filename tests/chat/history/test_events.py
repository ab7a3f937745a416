from dataclasses import replace
from pathlib import Path

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.events import MOST_CHARS, HistoryEvents, new_event
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import now_ms
from jupyter_ac.ids import ConversationKey, Identity, SessionId
from tests.chat.history.test_store import SESSION, add
from tests.chat.memory import ADA
from tests.support.histories import history_in

SEAT = ConversationKey(ADA)


async def test_events_are_kept_at_their_place_and_found(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store, archive = HistoryStore(database, ""), HistoryArchive(database, "")
    events = HistoryEvents(database, "")
    first = new_event("reset", "All changes were discarded.", "")
    assert await events.add(SEAT, SESSION, first) == 1
    await add(store, 1, 1)
    second = new_event("commit", "Committed abc: Water the garden", "t1")
    assert await events.add(SEAT, SESSION, second) == 4
    await add(store, 2, 4)
    session = await store.session(SESSION)
    assert session is not None
    assert session.events == (first, second)
    messages = await archive.messages(ADA, SESSION)
    assert [message["role"] for message in messages] == [
        *("system", "user", "assistant", "system", "user", "assistant"),
    ]
    assert (messages[3]["kind"], messages[3]["content"]) == ("commit", second.text)
    (listed,) = await archive.sessions(ADA, 10)
    assert listed["message_count"] == 6
    for _ in range(2):
        assert await archive.search(ADA, MessageQuery("water THE")) == [messages[3]]
        await archive.prepare_search()
    assert await archive.search(ADA, MessageQuery("water", "system")) == [messages[3]]
    assert await archive.search(ADA, MessageQuery("water", "user")) == []
    resumed = await store.resume(ADA, SessionId("sess_2_b"))
    assert resumed is not None
    assert resumed.events == (first, second)
    later = replace(new_event("commit", "In the old one", "t2"), created_ms=now_ms() + 1000)
    await events.add(SEAT, SESSION, later)
    resumed = await store.session(SessionId("sess_2_b"))
    assert resumed is not None
    assert resumed.events == (first, second)
    await database.aclose()


async def test_nobody_notes_in_another_persons_session(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    await add(HistoryStore(database, ""), 1, 0)
    event = new_event("commit", "Committed", "")
    for conversation_key, worktree in ((ConversationKey(Identity("bob")), ""), (SEAT, "other")):
        assert await HistoryEvents(database, worktree).add(conversation_key, SESSION, event) is None
    assert len(await HistoryArchive(database, "").messages(ADA, SESSION)) == 2
    await database.aclose()


def test_a_long_text_is_cut() -> None:
    assert len(new_event("commit", "x" * 10_000, "").text) == MOST_CHARS
