from dataclasses import replace

import pytest

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.prompt.blocks import Block, Category, question_block
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import Focus, SessionRecord, Ticks, TurnPosition, TurnRecord, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.errors import AcError, Busy, NotFound
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, RequestId, SessionId
from jupyter_ac.web.url_content import UrlContent
from tests.chat.memory import (
    ADA,
    NO_TICKS,
    MemoryFiles,
    MemoryFocuses,
    MemoryHistory,
    MemoryPages,
    MemoryViews,
    memory_book,
)

TURN = TurnRecord(
    "t1", RequestId("1-a"), "Why?", 1, TurnState.DONE, "So.", (question_block("Why?"),)
)
HEAD = (Block(Category.SYSTEM, "An older wording."),)
KEPT = SessionRecord(SessionId("sess_1_a"), 4, (TURN,))


def book(history: MemoryHistory) -> ConversationRegistry:
    return memory_book(history, MemoryFiles({"a.py": "1", "b.py": "2"}))


async def test_the_session_used_last_comes_back_under_a_new_name_with_its_selection() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    history.selections[ADA] = Ticks((RepoPath("a.py"),))
    conversation = await book(history).open(ConversationKey(ADA))
    assert conversation.session.session_id != KEPT.session_id
    assert conversation.selection == ("a.py",)
    assert [message["content"] for message in conversation.session.snapshot()["messages"]] == [
        "Why?",
        "So.",
    ]
    assert conversation.place.revision == 0


async def test_a_person_has_one_conversation_and_another_person_another() -> None:
    found = book(MemoryHistory())
    assert await found.open(ConversationKey(ADA)) is await found.open(ConversationKey(ADA))
    assert await found.open(ConversationKey(Identity("bob"))) is not await found.open(
        ConversationKey(ADA)
    )


async def test_a_disk_that_fails_gives_an_empty_conversation() -> None:
    history = MemoryHistory()
    history.failure = AcError("no disk")
    conversation = await book(history).open(ConversationKey(ADA))
    assert conversation.session.snapshot()["messages"] == []


async def test_only_known_files_are_selected_and_the_selection_is_kept() -> None:
    history = MemoryHistory()
    found = book(history)
    conversation = await found.open(ConversationKey(ADA))
    assert await found.select(conversation, ["b.py", "zzz", 3, "a.py"]) == ["b.py", "a.py"]
    assert conversation.selection == ("b.py", "a.py")
    assert history.selections[ADA].paths == ("b.py", "a.py")
    history.failure = AcError("disk full")
    assert await found.select(conversation, ["a.py"]) == ["a.py"]


async def test_a_new_session_forgets_the_talk_and_keeps_the_selection() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    found = book(history)
    conversation = await found.open(ConversationKey(ADA))
    await found.select(conversation, ["a.py"])
    await found.new_session(conversation)
    assert conversation.session.session_id != KEPT.session_id
    assert conversation.session.snapshot()["messages"] == []
    assert conversation.selection == ("a.py",)
    assert f"start_session {ADA}" in history.steps
    history.failure = AcError("disk full")
    await found.new_session(conversation)
    assert conversation.session.exchanges == []


async def test_no_new_session_begins_while_an_answer_is_made() -> None:
    found = book(MemoryHistory())
    conversation = await found.open(ConversationKey(ADA))
    conversation.stream = ActiveStream(RequestId("1-a"))
    assert found.of(ADA) == [conversation]
    with pytest.raises(Busy, match="press Stop"):
        await found.new_session(conversation)


async def test_an_earlier_session_goes_on_under_its_own_name() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = replace(KEPT, heads={"standard": HEAD})
    found = book(history)
    conversation = await found.open(ConversationKey(ADA))
    await found.new_session(conversation)
    await found.load(conversation, KEPT.session_id)
    assert conversation.place == TurnPosition(ConversationKey(ADA), KEPT.session_id, KEPT.revision)
    assert conversation.session.turns == [TURN]
    rules = profile("standard").head()  # which are ours, whatever the disk has
    assert conversation.session.log.frozen_head(profile("standard")) == rules


async def test_what_is_not_ones_own_can_not_be_loaded() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    history.owners[KEPT.session_id] = Identity("bob")
    found = book(history)
    conversation = await found.open(ConversationKey(ADA))
    before = conversation.session.session_id
    for name in (KEPT.session_id, "", "sess_0_none"):
        with pytest.raises(NotFound, match="no session"):
            await found.load(conversation, name)
    assert conversation.session.session_id == before


async def test_nothing_is_loaded_while_an_answer_is_made_also_when_it_begins_meanwhile() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    found = book(history)
    conversation = Conversation(ConversationKey(ADA))
    before = conversation.session.session_id

    class Slow(MemoryHistory):
        async def claim(
            self, conversation_key: ConversationKey, session_id: SessionId
        ) -> SessionRecord | None:
            conversation.stream = ActiveStream(RequestId("1-a"))
            return await history.claim(conversation_key, session_id)

    for book_in_use in (
        memory_book(Slow(), MemoryFiles()),
        found,
    ):
        with pytest.raises(Busy, match="before loading another session"):
            await book_in_use.load(conversation, KEPT.session_id)
    assert conversation.session.session_id == before
    assert history.steps == [f"claim {ADA}"]


async def test_what_another_host_has_added_is_taken_over_when_nothing_runs_here() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    found = book(history)
    conversation = await found.open(ConversationKey(ADA))
    await found.load(conversation, KEPT.session_id)
    assert not await found.refresh(conversation)
    theirs = replace(TURN, turn_id="t2", request_id=RequestId("2-b"), question="And?")
    history.sessions[KEPT.session_id] = replace(KEPT, revision=6, turns=(TURN, theirs))
    conversation.stream = ActiveStream(RequestId("3-c"))
    assert not await found.refresh(conversation)
    conversation.stream = None
    assert await found.refresh(conversation)
    assert (conversation.session.revision, conversation.session.turns) == (6, [TURN, theirs])
    history.sessions[KEPT.session_id] = replace(KEPT, revision=7)
    history.failure = AcError("no disk")
    assert not await found.refresh(conversation)


async def test_a_session_that_was_begun_while_the_disk_was_read_stays() -> None:
    history = MemoryHistory()
    history.sessions[KEPT.session_id] = KEPT
    conversation = await book(history).open(ConversationKey(ADA))

    class Slow(MemoryHistory):
        async def session(
            self, session_id: SessionId, unless: int | None = None
        ) -> SessionRecord | None:
            conversation.session = Session(SessionRecord(SessionId("sess_2_b")))
            return replace(KEPT, session_id=session_id, revision=(unless or 0) + 1)

    assert not await memory_book(Slow(), MemoryFiles()).refresh(conversation)
    assert conversation.session.session_id == "sess_2_b"


async def test_what_another_host_has_selected_is_taken_over() -> None:
    history = MemoryHistory()
    found = book(history)
    conversation = await found.open(ConversationKey(ADA))
    await found.select(conversation, ["a.py"])
    assert not await found.refresh_selection(conversation)
    history.selections[ADA] = Ticks((RepoPath("b.py"),))
    assert await found.refresh_selection(conversation)
    assert conversation.selection == ("b.py",)
    history.failure = AcError("disk full")
    assert not await found.refresh_selection(conversation)
    await found.select(conversation, ["a.py"])
    history.failure = None
    assert not await found.refresh_selection(conversation)
    assert conversation.selection == ("a.py",)
    assert not await found.refresh_selection(await found.open(ConversationKey(ADA, "cells")))


async def test_web_pages_that_are_on_no_disk_stay() -> None:
    store = MemoryPages()
    found = ConversationRegistry(
        MemoryHistory(), MemoryFiles(), MemoryFocuses(), store, MemoryViews()
    )
    conversation = await found.open(ConversationKey(ADA))
    page = WebPage(UrlContent("https://a.org/", "generic", "a.org"))
    conversation.pages, conversation.are_pages_kept = (page,), False
    await found.refresh_selection(conversation)
    assert conversation.pages == (page,)
    conversation.are_pages_kept = True
    await found.refresh_selection(conversation)
    assert list(conversation.pages) == []


async def test_a_selection_made_while_the_disk_was_read_stays() -> None:
    conversation = Conversation(ConversationKey(ADA))

    class Slow(MemoryHistory):
        async def selection(self, identity: Identity, none_kept: Ticks = NO_TICKS) -> Ticks:
            conversation.selection = (RepoPath("b.py"),)
            return await super().selection(identity, none_kept)

    assert not await memory_book(Slow(), MemoryFiles()).refresh_selection(conversation)
    assert conversation.selection == ("b.py",)


def test_only_the_stream_of_the_name_is_found() -> None:
    conversation = Conversation(ConversationKey(ADA))
    assert conversation.running("1-a") is None
    conversation.stream = ActiveStream(RequestId("1-a"))
    assert conversation.running("1-a") is conversation.stream
    assert conversation.running("2-b") is None


async def test_a_seat_aside_begins_empty_and_leaves_the_panels_conversation_alone() -> None:
    history = MemoryHistory()
    found = book(history)
    shared = await found.open(ConversationKey(ADA))
    aside = await found.open(ConversationKey(ADA, "cells"))
    assert aside is not shared
    await found.select(aside, ["a.py"])
    await found.new_session(aside)
    assert not shared.selection
    assert not any(step.startswith(("start_session", "keep_selection")) for step in history.steps)


async def test_what_is_worked_on_is_kept_for_the_panels_and_not_aside() -> None:
    focuses = MemoryFocuses()
    book = memory_book(MemoryHistory(), MemoryFiles(), focuses)
    conversation = await book.open(ConversationKey(ADA))
    await book.set_focus(conversation, Focus("doc", cross_ref=True))
    aside = await book.open(ConversationKey(ADA, "notebook"))
    assert aside.focus == Focus()
    await book.set_focus(aside, Focus("doc"))
    again = await memory_book(MemoryHistory(), MemoryFiles(), focuses).open(ConversationKey(ADA))
    assert again.focus == focuses.focuses[ADA] == Focus("doc", cross_ref=True)


async def test_the_mode_waits_for_the_answer_and_a_full_disk_is_no_obstacle() -> None:
    focuses = MemoryFocuses()
    book = memory_book(MemoryHistory(), MemoryFiles(), focuses)
    conversation = await book.open(ConversationKey(ADA))
    conversation.stream = ActiveStream(RequestId("1-x"))
    with pytest.raises(Busy):
        await book.set_focus(conversation, Focus("doc"))
    conversation.stream = None
    focuses.failure = AcError("The disk is full.")
    await book.set_focus(conversation, Focus("doc"))
    assert conversation.focus == Focus("doc")
