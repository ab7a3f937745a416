from pathlib import Path

import pytest

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.side_costs import SideCosts
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.chat.session import Session
from jupyter_ac.ids import ConversationKey, Identity, SessionId
from jupyter_ac.models.client import Usage
from tests.support.histories import history_in

ADA, SESSION = Identity("ada"), SessionId("sess_1")


def answer(cost: float | None) -> SideTaskResult:
    return SideTaskResult("", Usage(5, 1, cost_usd=cost), "stop", "openai/small")


async def test_side_tasks_count_in_what_a_session_has_cost(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    costs, archive = SideCosts(database, ""), HistoryArchive(database, "")
    await costs.spent(ConversationKey(ADA), SESSION, "commit", answer(0.5))
    await costs.spent(ConversationKey(ADA), SESSION, "commit", answer(None))
    await costs.spent(ConversationKey(ADA), SessionId("sess_2"), "commit", answer(1.0))
    await costs.spent(ConversationKey(Identity("eve")), SessionId("sess_3"), "commit", answer(8.0))
    assert await archive.spend(ADA, SESSION, 0) == {
        "session_usd": 0.5,
        "today_usd": 1.5,
        "repo_usd": 1.5,
        "unpriced_turns": 1,
    }
    assert await archive.sessions(ADA, 10) == []
    await database.aclose()


async def test_a_disk_that_fails_costs_the_figure_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = history_in(tmp_path / "missing")
    await SideCosts(database, "").spent(ConversationKey(ADA), SESSION, "commit", answer(0.5))
    assert "is not kept" in caplog.text
    await database.aclose()


async def test_side_tasks_come_back_with_their_session(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    await SideCosts(database, "").spent(ConversationKey(ADA), SESSION, "commit", answer(0.5))
    kept = await HistoryStore(database, "").session(SESSION)
    assert kept is not None
    assert Session(kept).side == [Usage(5, 1, cost_usd=0.5)]
    await database.aclose()
