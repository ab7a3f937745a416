"""The words about conversations of somebody else; tests/hosts has what is behind them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.history.trust import HistoryTrust
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.llm.trust import TrustMethods
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.history.test_row_signatures import fill
from tests.chat.history.test_store import SESSION, place, turn
from tests.chat.memory import ADA, MemoryFiles
from tests.services.llm.pages import Page, connect
from tests.support.histories import history_in


@asynccontextmanager
async def trusting(folder: Path) -> AsyncIterator[tuple[Page, ConversationRegistry]]:
    database, audience = history_in(folder), Subscribers()
    book = ConversationRegistry(
        HistoryStore(database, ""),
        MemoryFiles(),
        FocusStore(database, ""),
        PageStore(database, ""),
        NotebookViewStore(database, ""),
    )
    part = TrustMethods(book, HistoryTrust(database, ""), audience)
    table = MethodTable(Namespace("LLMService", part))
    page = Page()
    connection = await connect(page, table)
    try:
        yield page, book
    finally:
        await connection.close()
        await audience.aclose()
        await database.aclose()


async def test_what_is_not_the_callers_own_is_said_and_trusted_at_once(tmp_path: Path) -> None:
    foreign = history_in(tmp_path, key=b"l" * 32)
    await fill(foreign)
    await foreign.aclose()
    async with trusting(tmp_path) as (page, book):
        found = await page.ask("get_history_trust")
        assert (found["foreign_sessions"], found["current_trusted"]) == (1, True)
        assert "1 conversation was not kept by you here" in str(found["message"])
        assert "It can be read; nothing of it is sent until you trust it." in str(found["message"])
        conversation = await book.open(ConversationKey(ADA))
        await book.load(conversation, SESSION)
        found = await page.ask("get_history_trust")
        assert not found["current_trusted"]
        assert "nothing of it is sent" in str(found["message"])
        assert await page.ask("trust_history") == {"status": "ok", "trusted": 1, "refused": 0}
        assert conversation.session.is_own
        assert conversation.session.log.entries()
        assert conversation.selection == ("a",)
        assert (await page.ask("get_history_trust"))["message"] == ""


async def test_several_are_said_in_the_plural(tmp_path: Path) -> None:
    foreign = history_in(tmp_path, key=b"l" * 32)
    store = HistoryStore(foreign, "")
    for number in (1, 2):
        await store.begin(place(0, SessionId(f"sess_{number}_a")), turn(number))
    await foreign.aclose()
    async with trusting(tmp_path) as (page, _):
        found = await page.ask("get_history_trust")
    assert str(found["message"]).startswith("2 conversations were not kept by you here")
    assert str(found["message"]).endswith("nothing of them is sent until you trust them.")


async def test_an_empty_history_is_ones_own(tmp_path: Path) -> None:
    async with trusting(tmp_path) as (page, _):
        found = await page.ask("get_history_trust")
    assert found == {"foreign_sessions": 0, "current_trusted": True, "message": ""}
