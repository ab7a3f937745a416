from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.ids import ConversationKey, SessionId
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace, method
from jupyter_ac.services.activity_log import ActivityLog
from tests.chat.memory import ADA, MemoryFiles, MemoryHistory, memory_book
from tests.services.llm.pages import Page, connect


class Events(SystemEventRecorder):
    def __init__(self) -> None:
        self.noted: list[tuple[ConversationKey, SessionId, str, str]] = []

    async def note(
        self, conversation_key: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        self.noted.append((conversation_key, session_id, kind, text))


class Work:
    """Notes something, after its caller has begun another session."""

    def __init__(self, book: ConversationRegistry, activity: ActivityLog) -> None:
        self._conversations = book
        self._activity = activity

    @method(Access.WRITE)
    async def work(self) -> bool:
        """Do something long."""
        note = await self._activity.open()
        await self._conversations.new_session(await self._conversations.open(ConversationKey(ADA)))
        await note("commit", "Committed")
        return True


async def test_what_is_done_is_noted_in_the_session_that_was_on_the_callers_screen() -> None:
    book, events = (
        memory_book(MemoryHistory(), MemoryFiles()),
        Events(),
    )
    before = (await book.open(ConversationKey(ADA))).session.session_id
    table = MethodTable(Namespace("Repo", Work(book, ActivityLog(book, events))))
    page = Page()
    connection = await connect(page, table)
    assert await page.peer.call("Repo.work", timeout_s=10) is True
    assert events.noted == [(ConversationKey(ADA), before, "commit", "Committed")]
    await connection.close()


async def test_without_a_caller_nothing_is_noted() -> None:
    book, events = (
        memory_book(MemoryHistory(), MemoryFiles()),
        Events(),
    )
    note = await ActivityLog(book, events).open()
    await note("commit", "Committed")
    assert events.noted == []
