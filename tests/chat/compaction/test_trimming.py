from dataclasses import replace

import pytest

from jupyter_ac.chat.compaction.trimming import trim
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import AcError, Busy
from jupyter_ac.ids import ConversationKey, RepoPath
from tests.chat.compaction.world import Talk, sent
from tests.chat.memory import ADA, open_world

A, B = RepoPath("a.py"), RepoPath("b.py")


async def two_files() -> Talk:
    """Both files were sent, and then only the second stays selected."""
    talk = Talk(open_world({"a.py": "1\n" * 40, "b.py": "2\n" * 40}))
    talk.select("a.py", "b.py")
    await talk.say("One?")
    talk.select("b.py")
    await talk.say("Two?")
    return talk


def paths(talk: Talk) -> list[str]:
    return [str(block.path) for block in talk.conversation.session.exchanges[0].about_files]


async def test_without_paths_all_that_is_not_selected_goes() -> None:
    talk = await two_files()
    freed = await trim(talk.conversation, talk.ports, None)
    assert freed > 20
    assert paths(talk) == ["b.py"]
    assert talk.conversation.session.exchanges[1].about_files == ()
    await talk.say("Three?")
    assert not any("a.py\n" in text for _, parts in sent(talk.prompts[-1])[1:] for text in parts)


async def test_a_selected_file_that_is_named_comes_once_more() -> None:
    talk = await two_files()
    await trim(talk.conversation, talk.ports, [B])
    await talk.say("Three?", "Four?")
    texts = [text for _, parts in sent(talk.prompts[-1]) for text in parts]
    assert sum(text.startswith("b.py\n") for text in texts) == 1


async def test_the_tokens_freed_are_those_that_the_next_request_has_less() -> None:
    talk = await two_files()

    def tokens() -> int:
        log = talk.conversation.session.exchanges
        return sum((len(b.text) + 3) // 4 for one in log for b in (*one.sent, one.answer))

    before = tokens()
    assert await trim(talk.conversation, talk.ports, [A, B]) == before - tokens()


async def test_what_is_not_in_the_log_is_no_error() -> None:
    talk = await two_files()
    assert await trim(talk.conversation, talk.ports, [RepoPath("c.py")]) == 0
    assert await trim(Conversation(ConversationKey(ADA)), talk.ports, None) == 0
    assert talk.world.removals.kept == []


async def test_a_restart_finds_the_log_trimmed() -> None:
    talk = await two_files()
    await trim(talk.conversation, talk.ports, None)
    session = talk.conversation.session
    assert session.revision == talk.world.history.sessions[session.session_id].revision
    again = Session(talk.world.history.sessions[session.session_id])
    assert again.exchanges == session.exchanges


async def test_it_is_refused_while_an_answer_is_made_and_when_the_disk_fails() -> None:
    talk = await two_files()
    talk.world.removals.failure = AcError("The disk is full.")
    with pytest.raises(AcError, match="full"):
        await trim(talk.conversation, talk.ports, None)
    assert paths(talk) == ["a.py", "b.py"]
    talk.world.model.held = True
    talk.start("id-9", "Why?")
    with pytest.raises(Busy):
        await trim(talk.conversation, talk.ports, None)
    await talk.turns.aclose()


async def test_a_session_that_was_changed_meanwhile_is_read_again() -> None:
    talk = await two_files()
    talk.conversation.session.revision -= 1
    assert await trim(talk.conversation, talk.ports, None) > 0
    assert len(talk.conversation.session.log.removals) == 1


async def test_a_request_that_needs_the_room_trims_by_itself_and_says_so() -> None:
    talk = Talk(open_world({"a.py": "1\n" * 8000, "b.py": "2\n" * 8000}))
    talk.world.model.info = replace(talk.world.model.info, max_input_tokens=9000)
    talk.select("a.py")
    await talk.say("One?")
    talk.select("b.py")
    await talk.say("Two?")
    session = talk.conversation.session
    assert [removal.paths for removal in session.log.removals] == [(A,)]
    assert session.turns[-1].notices == ("Old copies are no longer sent: a.py.",)
    assert talk.world.removals.kept == list(session.log.removals)
    await talk.say("Three?")
    before, after = sent(talk.prompts[-2]), sent(talk.prompts[-1])
    assert after[: len(before)] == before
    again = Session(talk.world.history.sessions[session.session_id])
    assert again.exchanges == session.exchanges


async def test_a_disk_that_fails_does_not_stop_a_request_that_needs_the_room() -> None:
    talk = Talk(open_world({"a.py": "1\n" * 8000, "b.py": "2\n" * 8000}))
    talk.world.model.info = replace(talk.world.model.info, max_input_tokens=9000)
    talk.select("a.py")
    await talk.say("One?")
    talk.world.removals.failure = AcError("The disk is full.")
    talk.select("b.py")
    await talk.say("Two?")
    assert len(talk.conversation.session.log.removals) == 1
    assert talk.conversation.session.turns[-1].state == "done"
