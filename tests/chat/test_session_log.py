import asyncio
from dataclasses import replace

from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import SessionRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.session_log import CompactionState
from jupyter_ac.ids import RepoPath, SessionId


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
