from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.session_management import SessionManagement
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.kept_context import KeptContext
from jupyter_ac.chat.records import Focus, SessionRecord, Ticks
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import ConversationKey, RepoPath, SessionId
from jupyter_ac.notebook.cell_selection import NotebookView
from jupyter_ac.store.sqlite import Database
from jupyter_ac.web.url_content import UrlContent
from tests.chat.memory import ADA, MemoryFiles
from tests.support.histories import history_in

FIRST = SessionId("sess_1700000000000_aaaaaa")
SECOND = SessionId("sess_1700000000001_bbbbbb")
COUNTS = (
    "SELECT COUNT(*) FROM selections",
    "SELECT COUNT(*) FROM focuses",
    "SELECT COUNT(*) FROM pages",
    "SELECT COUNT(*) FROM notebook_views",
)


def kept_in(database: Database, files: RepositoryFiles | None = None) -> KeptContext:
    return KeptContext(
        HistoryStore(database, ""),
        FocusStore(database, ""),
        PageStore(database, ""),
        NotebookViewStore(database, ""),
        files or MemoryFiles(),
    )


def shared() -> Conversation:
    """The conversation of all panels, with something of everything."""
    conversation = Conversation(ConversationKey(ADA))
    conversation.selection = (RepoPath("oak.py"), RepoPath("elm.py"))
    conversation.by_program = frozenset({RepoPath("elm.py")})
    conversation.focus = Focus("doc", cross_ref=True)
    conversation.pages = (WebPage(UrlContent("https://example.org/", "generic", "example.org")),)
    conversation.notebook_views = {RepoPath("a.ipynb"): NotebookView(outputs=frozenset({"one"}))}
    return conversation


def opened(session_id: SessionId = FIRST) -> Conversation:
    key = ConversationKey(ADA, opened=FIRST)
    return Conversation(key, SessionRecord(session_id))


async def test_an_opened_conversation_begins_with_the_context_of_the_one_before(
    tmp_path: Path,
) -> None:
    database = history_in(tmp_path)
    context, before = kept_in(database), shared()
    first = opened()
    await context.read(first, before)
    assert first.selection == ("oak.py",)
    assert first.by_program == frozenset()
    assert (first.focus, first.pages) == (before.focus, before.pages)
    assert first.notebook_views == before.notebook_views
    first.selection = ()
    first.focus = Focus()
    await context.keep_ticks(first)
    await context.keep_focus(first)
    again = opened()
    await context.read(again, before)
    assert (again.selection, again.focus, again.pages) == ((), Focus(), before.pages)
    assert again.notebook_views == before.notebook_views
    await database.aclose()


async def test_the_context_goes_along_to_another_session(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    context, first = kept_in(database), opened()
    await context.read(first, shared())
    first.session = Session(SessionRecord(SECOND))
    first.selection = (RepoPath("ash.py"),)
    await context.keep_all(first)
    later, earlier = opened(SECOND), opened()
    await context.read(later)
    await context.read(earlier)
    assert (later.selection, later.focus) == (("ash.py",), Focus("doc", cross_ref=True))
    assert (later.pages, later.notebook_views) == (earlier.pages, earlier.notebook_views)
    assert earlier.selection == ("oak.py",)
    await database.aclose()


async def test_it_goes_with_the_session_that_is_deleted(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    context, history, first = kept_in(database), HistoryStore(database, ""), opened()
    await history.start_session(first.conversation_key, FIRST)
    await context.read(first, shared())
    manager = SessionManagement(database, "", history.owner, ImageFolder(tmp_path))
    await manager.delete(ADA, FIRST)
    kept = await database.read(lambda db: [row[0] for table in COUNTS for row in db.execute(table)])
    assert kept == [0, 0, 0, 0]
    await database.aclose()


async def test_what_another_host_has_ticked_is_taken_over(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    context, one, two = kept_in(database), opened(), opened()
    one.selection = (RepoPath("oak.py"),)
    await context.keep_ticks(one)
    assert await context.refresh(two)
    assert two.selection == ("oak.py",)
    assert not await context.refresh(two)
    assert not await context.refresh(Conversation(ConversationKey(ADA)))
    await database.aclose()


@pytest.mark.parametrize("aside", ["", "cells"])
async def test_one_that_is_not_opened_has_one_context_under_the_persons_name(
    tmp_path: Path, aside: str
) -> None:
    database = history_in(tmp_path)
    context, history = kept_in(database), HistoryStore(database, "")
    conversation = Conversation(ConversationKey(ADA, aside))
    conversation.selection = (RepoPath("oak.py"),)
    await context.keep_ticks(conversation)
    await context.keep_all(conversation)
    assert await history.selection(ADA) == Ticks(() if aside else (RepoPath("oak.py"),))
    await database.aclose()


async def test_links_to_excluded_files_are_unticked_as_well(tmp_path: Path) -> None:
    database, files = history_in(tmp_path), MemoryFiles()
    kept, conversation = kept_in(database, files), shared()
    await kept.keep_ticks(conversation)
    assert not await kept.refresh(conversation)
    files.not_sent = ExcludedPaths((RepoPath("forest"),))
    assert not await kept.refresh(conversation)
    files.links = {RepoPath("elm.py"): RepoPath("forest/elm.py")}
    assert await kept.refresh(conversation)
    assert conversation.selection == ("oak.py",)
    assert conversation.by_program == frozenset()
    again = Conversation(ConversationKey(ADA))
    await kept.read(again)
    assert again.selection == ("oak.py",)
    await database.aclose()
