import asyncio
from collections.abc import Mapping

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.enrichment import Enrichment, EnrichmentEvent, Status
from jupyter_ac.index.documents.vocabulary import DocumentVocabulary
from tests.index.documents.test_vocabulary import MemoryCache
from tests.support.document_tree import DocumentTree, graph_of

TEXTS = {
    "a.md": "# A\nThe rudder and the keel, the rudder and the keel of this boat\n",
    "b.md": "# B\nThe piston and the clutch, the piston and the clutch of a car\n",
    "c.md": "# C\n",
}


class Scene:
    """Documents, the cache of a machine, and what an enrichment of one process says."""

    def __init__(self, cache: MemoryCache | None = None, texts: Mapping[str, str] = TEXTS) -> None:
        self.cache = cache or MemoryCache()
        self.tree = DocumentTree(texts)
        self.read: list[str] = []
        self.events: list[EnrichmentEvent] = []
        self.failing: tuple[str, ...] = ()
        self.vocabulary = DocumentVocabulary(self.cache)
        self.enrichment = Enrichment(self.vocabulary, self._text)

    async def _text(self, path: RepoPath, blob: str) -> str | None:
        self.read.append(path)
        if path in self.failing:
            raise OSError("it is gone")
        return await self.tree.text(path, blob)

    @property
    def blobs(self) -> dict[RepoPath, str]:
        return {path: self.tree.blob(path) for path in self.tree.paths()}

    @property
    def status(self) -> Status:
        return self.enrichment.status(self.blobs)

    async def run(self) -> int:
        outlines = graph_of(self.tree.texts).outlines
        return await self.enrichment.run(outlines, self.blobs, self.events.append)

    def stages(self) -> list[str]:
        return [event["stage"].removeprefix("doc_enrichment_") for event in self.events]


def test_stages_go_out_in_order_with_their_payloads() -> None:
    scene = Scene()
    assert asyncio.run(scene.run()) == 3
    assert scene.events == [
        {
            "stage": "doc_enrichment_queued",
            "message": "Finding the keywords of 3 documents",
            "percent": 0,
            "files": ["a.md", "b.md", "c.md"],
            "total": 3,
        },
        *(
            {
                "stage": "doc_enrichment_file_done",
                "message": f"Keywords of {path}",
                "percent": percent,
                "file": path,
                "remaining": left,
            }
            for path, percent, left in (("a.md", 33, 2), ("b.md", 66, 1), ("c.md", 100, 0))
        ),
        {
            "stage": "doc_enrichment_complete",
            "message": "The keywords of the documents are ready",
            "percent": 100,
        },
    ]


def test_a_restart_finds_all_in_the_cache_and_says_nothing() -> None:
    first, second = Scene(), None
    asyncio.run(first.run())
    second = Scene(first.cache)
    assert second.status == "pending"
    assert asyncio.run(second.run()) == 0
    assert (second.read, second.events, second.status) == ([], [], "complete")
    outline = graph_of(TEXTS).outlines[RepoPath("a.md")]
    words = second.vocabulary.keywords(RepoPath("a.md"), outline)
    assert words == first.vocabulary.keywords(RepoPath("a.md"), outline) != ()


def test_only_changed_documents_are_read_again() -> None:
    async def story() -> None:
        scene = Scene()
        await scene.run()
        scene.read.clear()
        scene.tree.texts[RepoPath("b.md")] += "more of it\n"
        del scene.tree.texts[RepoPath("c.md")]
        assert scene.status == "pending"
        assert scene.enrichment.enriched(scene.blobs) == 1
        assert await scene.run() == 1
        assert (scene.read, scene.status) == (["b.md"], "complete")

    asyncio.run(story())


def test_a_document_that_fails_is_told_and_left_until_it_changes() -> None:
    async def story() -> None:
        scene = Scene()
        scene.failing = ("b.md",)
        await scene.run()
        assert scene.stages() == ["queued", "file_done", "failed", "file_done", "complete"]
        (failed,) = [event for event in scene.events if "error" in event]
        assert (failed["file"], failed["error"]) == ("b.md", "it is gone")
        assert scene.status == "complete"
        scene.read.clear()
        await scene.run()
        assert scene.read == []
        scene.tree.texts[RepoPath("b.md")] += "changed"
        await scene.run()
        assert scene.read == ["b.md"]

    asyncio.run(story())


def test_a_document_that_changes_meanwhile_is_left_to_the_next_run() -> None:
    async def story() -> None:
        scene = Scene()
        blobs = {**scene.blobs, RepoPath("b.md"): "older"}
        await scene.enrichment.run(graph_of(TEXTS).outlines, blobs, scene.events.append)
        states = [scene.status]
        assert await scene.run() == 1
        states.append(scene.status)
        assert states == ["pending", "complete"]

    asyncio.run(story())


def test_what_is_done_survives_a_cancelled_run() -> None:
    async def story() -> None:
        scene = Scene()
        outlines = graph_of(TEXTS).outlines

        def stop(event: EnrichmentEvent) -> None:
            if event["stage"] == "doc_enrichment_file_done":
                raise asyncio.CancelledError

        with pytest.raises(asyncio.CancelledError):
            await scene.enrichment.run(outlines, scene.blobs, stop)
        assert scene.status == "pending"
        assert len(scene.cache.entries) == 1
        assert await scene.run() == 2

    asyncio.run(story())


def test_of_very_many_documents_few_are_told() -> None:
    scene = Scene(texts={f"{at}.md": f"# A{at}\n" for at in range(1000)})
    asyncio.run(scene.run())
    assert 100 <= len(scene.events) <= 210
    assert scene.events[-2]["remaining"] == 0


def test_other_work_goes_on_meanwhile() -> None:
    async def story() -> None:
        scene = Scene(texts={f"{at}.md": f"# A{at}\nwords\n" * 50 for at in range(20)})
        running = asyncio.create_task(scene.run())
        turns = 0
        while not running.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 20

    asyncio.run(story())
