from dataclasses import replace

import pytest

from jupyter_ac.chat.compaction.commit_removal import keep, known_turns, require_same
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnState
from jupyter_ac.errors import Conflict
from jupyter_ac.ids import RequestId
from tests.chat.compaction.world import Talk, settings


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
