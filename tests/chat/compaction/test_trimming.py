from dataclasses import replace

import pytest

from jupyter_ac.chat.compaction.trimming import keep, known_turns, require_same, trim
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import AcError, Busy, Conflict
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId
from tests.chat.compaction.world import Talk, sent, settings
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


async def talked() -> tuple[Talk, Removal]:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?", "Two?")
    return talk, Removal("truncate", talk.conversation.session.turns[-1].turn_id)


async def test_a_note_that_was_written_meanwhile_is_no_obstacle() -> None:
    talk, removal = await talked()
    session = talk.conversation.session
    name = session.session_id
    kept = talk.world.history.sessions[name]
    talk.world.history.sessions[name] = replace(kept, revision=kept.revision + 3)
    await keep(session, talk.ports, removal, known_turns(session))
    assert talk.world.removals.kept == list(session.log.removals) == [removal]
    assert session.revision == talk.world.history.sessions[name].revision


async def test_a_question_that_is_being_asked_here_is_no_obstacle_and_stays() -> None:
    talk, removal = await talked()
    session = talk.conversation.session
    known = known_turns(session)
    mine = replace(
        session.turns[0], turn_id="mine", request_id=RequestId("mine"), state=TurnState.RUNNING
    )
    session.put(mine)
    session.revision -= 1  # as when its way to the disk is not known to be over
    await keep(session, talk.ports, removal, known, own="mine")
    assert session.turns[-1] == mine
    assert list(session.log.removals) == [removal]


async def test_another_hosts_turn_is_an_obstacle_as_soon_as_it_is_known() -> None:
    talk, removal = await talked()
    session = talk.conversation.session
    known, name = known_turns(session), session.session_id
    kept = talk.world.history.sessions[name]
    theirs = replace(
        kept.turns[0], turn_id="theirs", request_id=RequestId("theirs"), state=TurnState.RUNNING
    )
    talk.world.history.sessions[name] = replace(
        kept, revision=kept.revision + 1, turns=(*kept.turns, theirs)
    )
    with pytest.raises(Conflict, match="goes on"):
        await keep(session, talk.ports, removal, known)
    assert talk.world.removals.kept == []


async def test_a_question_that_was_stopped_while_it_waited_is_no_obstacle() -> None:
    talk, _ = await talked()
    session = talk.conversation.session
    stopped = replace(session.turns[0], turn_id="s", state=TurnState.CANCELLED, sent=())
    known = known_turns(session)
    session.put(replace(stopped, request_id=RequestId("s")))
    require_same(session, known)
    session.put(replace(session.turns[0], turn_id="t", request_id=RequestId("t")))
    with pytest.raises(Conflict):
        require_same(session, known)
