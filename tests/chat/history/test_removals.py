from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from jupyter_ac.chat.history import removals
from jupyter_ac.chat.history.lineage import LineagePart
from jupyter_ac.chat.history.removals import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnPosition, TurnRecord
from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId, SessionId
from jupyter_ac.models.client import Usage
from tests.chat.memory import ADA
from tests.support.histories import history_in, history_in_memory


def test_removals_are_read_in_order_up_to_a_moment_and_unknown_ones_left_out() -> None:
    with closing(history_in_memory()) as db:
        made = [Removal("trim", "t", created_ms=at) for at in (1, 2, 3)]
        for removal in made:
            removals.add(db, "s", removal)
        removals.add(db, "other", made[0])
        db.execute("UPDATE removals SET kind = 'later' WHERE created_ms = 2")
        assert removals.read(db, LineagePart("s")) == (made[0], made[2])
        assert removals.read(db, LineagePart("s", until_ms=2)) == (made[0],)


ID = SessionId("sess_1_a")
COMPACTION = Removal(
    case="summarize",
    through="t1",
    first_kept="t1",
    summary="They spoke. 😀",
    model="openai/small",
    usage=Usage(10, 2, cost_usd=0.5),
    created_ms=5,
)
TRIM = Removal("trim", "t1", paths=(RepoPath("a b.py"), RepoPath("\udcff.py")), created_ms=6)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[HistoryStore, CompactionStore]]:
    database = history_in(folder)
    yield HistoryStore(database, ""), CompactionStore(database)
    await database.aclose()


async def test_what_was_taken_out_comes_back_as_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, store):
        await history.begin(
            TurnPosition(ConversationKey(ADA), ID, 0), TurnRecord("t1", RequestId("1-a"), "Why?", 1)
        )
        await store.keep(ID, COMPACTION, 1)
        await store.keep(ID, TRIM, None)
        kept = await history.session(ID)
        assert kept is not None
        assert kept.revision == 3
    async with opened(tmp_path) as (history, _):
        session = await history.session(ID)
    assert session is not None
    assert session.removals == (COMPACTION, TRIM)


async def test_another_hosts_change_is_a_conflict_and_keeps_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as (history, store):
        await history.begin(
            TurnPosition(ConversationKey(ADA), ID, 0), TurnRecord("t1", RequestId("1-a"), "Why?", 1)
        )
        with pytest.raises(Conflict):
            await store.keep(ID, COMPACTION, 0)
        with pytest.raises(NotFound):
            await store.keep(SessionId("other"), COMPACTION, None)
        session = await history.session(ID)
        assert session is not None
        assert (session.removals, session.revision) == ((), 1)
