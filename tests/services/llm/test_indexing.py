import asyncio
from collections.abc import Callable, Collection

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.events import CompactionEvent, Event, FilesModified, StartupProgress
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexState, IndexStatus
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.services.llm import indexing
from jupyter_ac.services.llm.indexing import Indexing

LIMIT_S = 90.0


class Index:
    """An index that is ready when it may be."""

    def __init__(self) -> None:
        self.status = IndexStatus(IndexState.OFF, RefreshProgress(0, 0))
        self.may_be_ready = asyncio.Event()
        self.refreshed: list[list[str] | None] = []
        self.enriched = 0
        self.failure: NotReady | None = None
        self.reason = ""
        self.is_closed = False

    def start(self) -> None:
        self.status = self.status._replace(state=IndexState.INDEXING)

    async def ready(self, wait_s: float) -> bool:
        try:
            await asyncio.wait_for(self.may_be_ready.wait(), wait_s)
        except TimeoutError:
            return False
        state = IndexState.FAILED if self.failure else IndexState.READY
        reason = self.failure.message if self.failure else self.reason
        self.status = self.status._replace(state=state, reason=reason)
        return self.failure is None

    async def refresh(self, paths: Collection[RepoPath] | None = None) -> object:
        await self.may_be_ready.wait()
        self.refreshed.append(None if paths is None else list(paths))
        return None

    async def run(
        self, name: str, *args: object, on_event: Callable[[object], None], timeout_s: float
    ) -> object:
        assert (name, args) == ("Index.enrich", ())
        assert timeout_s > 0
        if self.failure is not None:
            raise self.failure
        self.enriched += 1
        on_event({"stage": "doc_enrichment_queued", "message": "…", "percent": 0, "total": 1})
        return 1

    async def aclose(self) -> None:
        self.is_closed = True


class Pages:
    """Remembers what they are told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def publish(self, event: Event) -> None:
        self.events.append(event)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, bounded."""
    async with asyncio.timeout(LIMIT_S):
        while not is_so():
            await asyncio.sleep(0.005)


async def test_changes_reach_the_index() -> None:
    index = Index()
    index.may_be_ready.set()
    part = Indexing(index, Pages())
    part.start()
    part.files_modified(FilesModified(["a.py"]))
    assert await part.settled(LIMIT_S)
    part.files_modified(FilesModified([]))
    assert await part.settled(LIMIT_S)
    assert index.refreshed == [["a.py"], None]
    await part.aclose()
    assert index.is_closed


async def test_the_state_is_that_of_the_index() -> None:
    index = Index()
    part = Indexing(index, Pages())
    assert (part.state().code_ready, part.state().code_building) == (False, True)
    assert not await part.settled(0.0)
    part.start()
    index.may_be_ready.set()
    assert await part.settled(LIMIT_S)
    state = part.state()
    assert (state.code_ready, state.doc_ready, state.code_building) == (True, True, False)
    await part.aclose()


async def test_an_index_that_can_not_be_made_says_why() -> None:
    index, pages = Index(), Pages()
    why = "The index worker can't be started: no tree-sitter."
    index.failure = NotReady(why)
    index.may_be_ready.set()
    part = Indexing(index, pages)
    part.start()
    assert not await part.settled(LIMIT_S)
    await until(lambda: pages.events == [StartupProgress("indexing", why, 100)])
    state = part.state()
    assert (state.code_ready, state.code_building) == (False, False)
    assert state.message == why
    await part.aclose()


async def test_an_index_of_a_part_of_the_tree_says_so() -> None:
    index, pages = Index(), Pages()
    index.reason = "The index is of the first 2 files."
    index.may_be_ready.set()
    part = Indexing(index, pages)
    part.start()
    assert await part.settled(LIMIT_S)
    await until(lambda: pages.events == [StartupProgress("indexing", index.reason, 100)])
    assert part.state().code_ready
    assert part.state().message == index.reason
    await part.aclose()


async def test_keywords_are_looked_for_once_for_several_changes_and_told_without_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(indexing, "_SETTLE_S", 0.05)
    index, pages = Index(), Pages()
    index.may_be_ready.set()
    part = Indexing(index, pages)
    part.start()
    await until(lambda: index.enriched == 1)
    await until(lambda: part.state().enrichment == "complete")
    for name in ("a.md", "b.md", "c.md"):
        part.files_modified(FilesModified([name]))
        await part.settled(LIMIT_S)
    await until(lambda: index.enriched == 2)
    told = [event for event in pages.events if isinstance(event, CompactionEvent)]
    assert [event.request_id for event in told] == ["", ""]
    assert told[0].event["stage"] == "doc_enrichment_queued"
    await part.aclose()
    assert index.enriched == 2


async def test_an_index_that_takes_a_while_tells_how_far_it_is_and_when_it_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    index, pages = Index(), Pages()
    part = Indexing(index, pages)
    part.start()
    part.progressed(RefreshProgress(1, 10))
    assert pages.events == []
    monkeypatch.setattr(indexing, "_QUIET_S", 0.0)
    part.progressed(RefreshProgress(5, 10))
    part.progressed(RefreshProgress(6, 10))
    index.may_be_ready.set()
    await until(lambda: len(pages.events) == 2)
    assert pages.events == [
        StartupProgress("indexing", "Indexing: 5 of 10 files …", 50),
        StartupProgress("indexing", "The index is ready.", 100),
    ]
    part.progressed(RefreshProgress(7, 10))
    assert len(pages.events) == 2
    await part.aclose()


async def test_a_tree_that_was_not_watched_is_looked_at_again() -> None:
    index = Index()
    part = Indexing(index, Pages())
    part.rescan()
    assert index.refreshed == []
    index.may_be_ready.set()
    await part.settled(LIMIT_S)
    part.rescan()
    await until(lambda: bool(index.refreshed))
    assert index.refreshed == [None]
    await part.aclose()
