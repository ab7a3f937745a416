import asyncio
from dataclasses import replace

from jupyter_ac.chat.prompt.blocks import Block, Category, question_block
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import INTERRUPTED, SessionRecord, TurnRecord, TurnState
from jupyter_ac.chat.session import CompactionState, Session
from jupyter_ac.ids import RepoPath, RequestId, SessionId

TURN = TurnRecord(
    "t1", RequestId("1-a"), "Why?", 1, TurnState.DONE, "So.", (question_block("Why?"),)
)
HEAD = (Block(Category.SYSTEM, "An older wording."),)
KEPT = SessionRecord(SessionId("sess_1_a"), 4, (TURN,))


def another(number: int, state: TurnState = TurnState.DONE) -> TurnRecord:
    return replace(TURN, turn_id=f"t{number}", request_id=RequestId(f"{number}-x"), state=state)


def test_what_the_disk_does_not_know_stays_in_its_place_when_it_is_read_again() -> None:
    session = Session(KEPT)
    session.log.freeze_head(profile("standard"), HEAD)
    unkept, unfinished = another(2), another(3, TurnState.RUNNING)
    mine = replace(unfinished, state=TurnState.DONE, answer="Whole.")
    lost = replace(unfinished, turn_id="t4", state=TurnState.ERROR, failure=INTERRUPTED)
    whole = replace(mine, turn_id="t4")
    for turn in (unkept, mine, whole):
        session.put(turn)
    theirs = replace(TURN, answer="As the disk has it.")
    session.rejoin(replace(KEPT, revision=9, turns=(theirs, unfinished, lost, another(5))))
    assert session.turns == [theirs, unkept, mine, whole, another(5)]
    assert session.revision == 9
    assert session.log.frozen_head(profile("standard")) == HEAD


def test_a_talk_stays_in_order_when_its_file_was_deleted_meanwhile() -> None:
    session = Session(KEPT)
    session.put(another(2))
    begun_again = replace(KEPT, revision=2, turns=(another(3),))
    session.rejoin(begun_again)
    assert session.turns == [TURN, another(2), another(3)]
    session.rejoin(replace(begun_again, revision=4, turns=(another(3), another(4))))
    assert session.turns == [TURN, another(2), another(3), another(4)]


def test_a_running_turn_that_the_disk_does_not_know_comes_back_behind_what_others_added() -> None:
    session, running = Session(KEPT), another(2, TurnState.RUNNING)
    session.put(running)
    session.rejoin(replace(KEPT, revision=6, turns=(TURN, another(3))))
    assert session.turns == [TURN, another(3)]
    session.put(running)
    assert session.turns == [TURN, another(3), running]


def test_a_turn_put_again_replaces_what_is_known_of_it() -> None:
    session = Session(SessionRecord(SessionId("sess_1_a")))
    session.put(replace(TURN, state=TurnState.RUNNING))
    assert session.exchanges == []
    session.put(TURN)
    assert len(session.turns) == len(session.exchanges) == 1
    assert session.turn("1-a") == TURN
    assert session.turn("2-b") is None
    assert session.snapshot() == {
        "session_id": "sess_1_a",
        "messages": TURN.messages(),
        "earlier": 0,
    }


def test_the_head_stays_what_it_was_when_it_was_first_sent() -> None:
    session, standard = Session(KEPT), profile("standard")
    assert session.log.frozen_head(standard) == ()
    session.log.freeze_head(standard, HEAD)
    session.log.freeze_head(standard, standard.head())
    assert session.log.frozen_head(standard) == HEAD


def test_the_head_is_made_anew_after_a_compaction_and_not_after_a_trim() -> None:
    session = Session(SessionRecord(SessionId("s")))
    first = replace(profile("standard"), own="First.")
    later = replace(profile("standard"), own="Later.")
    session.log.freeze_head(first, first.head())
    session.log.remove(Removal("trim", "t1"))
    assert session.log.frozen_head(later) == first.head()
    session.log.remove(Removal("summarize", "t1"))
    assert session.log.head_name(later) == "standard@1"
    assert session.log.frozen_head(later) == ()
    session.log.freeze_head(later, later.head())
    assert session.log.frozen_head(first) == later.head()
    assert session.log.frozen_head(first, session.log.removals[:1]) == first.head()
    session.log.remove(Removal("summarize", "t1", paths=(RepoPath("a.py"),)))
    assert session.log.frozen_head(later) == later.head()


def test_what_another_host_has_taken_out_is_taken_over() -> None:
    session = Session(SessionRecord(SessionId("s")))
    removal = Removal("trim", "t1")
    session.rejoin(SessionRecord(SessionId("s"), 1, removals=(removal,)))
    assert list(session.log.removals) == [removal]


async def test_a_turn_waits_until_a_compaction_is_over_however_it_ends() -> None:
    await CompactionState().over()
    state = CompactionState()

    async def fail() -> None:
        raise ValueError

    state.task = asyncio.create_task(fail())
    running = [state.is_running]
    await state.over()
    running.append(state.is_running)
    assert running == [True, False]
    assert isinstance(state.task.exception(), ValueError)
