import asyncio
from dataclasses import replace

from jupyter_ac.chat.ports import MapAsk, MapState, MapText
from jupyter_ac.chat.prompt.maps import NOTHING_SHOWN, ShownStructure
from jupyter_ac.errors import NotReady, TimedOut
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.index.client import IndexState, IndexStatus
from jupyter_ac.index.indexing.progress import RefreshProgress
from jupyter_ac.services.llm.indexing import Indexing
from jupyter_ac.services.llm.maps import IndexMaps
from jupyter_ac.settings.app import PromptSettings
from tests.support.exclusions import none_excluded

LIMIT_S = 90.0
SHOWN = ShownStructure(("MAP",), ("NEAR",), frozenset({(RepoPath("b"), "2"), (RepoPath("b"), "1")}))
ASK = MapAsk((RepoPath("a.py"),), "Why?", ("Before.",), 500, SHOWN)


class Index:
    """Draws maps that say what they were asked for."""

    def __init__(self) -> None:
        self.status = IndexStatus(IndexState.READY, RefreshProgress(0, 0), "one")
        self.asked: list[tuple[object, ...]] = []
        self.may_draw = asyncio.Event()
        self.may_draw.set()
        self.failure: TimedOut | None = None
        self.unready = 0

    async def call(self, name: str, *args: object, timeout_s: float) -> object:
        assert timeout_s > 0
        self.asked.append((name, *args))
        generation = self.status.generation
        await self.may_draw.wait()
        if self.failure is not None:
            raise self.failure
        text = f"{name} of {generation}"
        if self.unready:
            self.unready -= 1
            raise NotReady("not yet")
        return {"text": text, "tokens": 5, "files": 2, "generation": generation, "more": 1}


class Fresh(Indexing):
    """An index that shows all, unless it is said not to."""

    def __init__(self) -> None:
        self.is_settled = True
        self.current = MapState(code_ready=True, doc_ready=True)

    async def settled(self, wait_s: float) -> bool:
        assert wait_s >= 0
        return self.is_settled

    def state(self) -> MapState:
        return self.current


def maps(index: Index, fresh: Fresh, tokens: int = 4000) -> IndexMaps:
    return IndexMaps(index, fresh, lambda: PromptSettings(map_tokens=tokens), none_excluded)


async def test_the_map_of_each_mode_is_drawn_once_for_a_tree() -> None:
    index = Index()
    part = maps(index, Fresh())
    for _ in range(2):
        assert await part.head("code", LIMIT_S) == MapText(
            "Index.stable_map of one", "", 5, "one", 2
        )
        assert await part.head("doc", LIMIT_S) == MapText(
            "Index.document_map of one", "", 5, "one", 2
        )
    assert index.asked == [("Index.stable_map", 4000), ("Index.document_map", 4000)]
    index.status = index.status._replace(generation="two")
    found = await part.head("code", LIMIT_S)
    assert found is not None
    assert found.generation == "two"
    await part.aclose()


async def test_documents_with_keywords_are_another_map() -> None:
    index, fresh = Index(), Fresh()
    part = maps(index, fresh)
    await part.head("doc", LIMIT_S)
    fresh.current = MapState(doc_ready=True, enrichment="complete")
    await part.head("doc", LIMIT_S)
    assert len(index.asked) == 2
    await part.aclose()


async def test_without_waiting_there_is_what_is_in_memory() -> None:
    index = Index()
    part = maps(index, Fresh())
    assert await part.head("code", 0.0) is None
    first = await part.head("code", LIMIT_S)
    index.status = index.status._replace(generation="two")
    index.may_draw.clear()
    assert await part.head("code", 0.0) == first
    assert await part.head("code", 0.01) == first
    await part.aclose()


async def test_no_map_when_none_is_wanted_or_the_index_is_not_ready() -> None:
    index, fresh = Index(), Fresh()
    assert await maps(index, fresh, tokens=0).head("code", LIMIT_S) is None
    fresh.is_settled = False
    fresh.current = MapState(code_building=True)
    part = maps(index, fresh)
    assert await part.head("code", 0.01) is None
    assert await part.ranked(ASK) is None
    assert part.state().code_building
    assert index.asked == []


async def test_why_no_map_goes_out_is_said_with_the_setting() -> None:
    assert maps(Index(), Fresh()).state().off == ""
    off = maps(Index(), Fresh(), tokens=0).state().off
    assert "prompt.map_tokens in app.json is 0" in off


async def test_a_first_question_waits_until_the_worker_has_what_it_needs() -> None:
    index = Index()
    part = maps(index, Fresh())
    index.unready = 3
    assert await part.ranked(ASK) is None
    assert await part.ranked(replace(ASK, wait_s=LIMIT_S)) == "Index.ranked_map of one"
    assert len(index.asked) == 4
    await part.aclose()


async def test_a_worker_that_fails_costs_the_map_and_nothing_else() -> None:
    index = Index()
    index.failure = TimedOut("no answer")
    part = maps(index, Fresh())
    assert await part.head("code", LIMIT_S) is None
    assert await part.ranked(ASK) is None
    await part.aclose()


async def test_the_ranked_part_is_asked_for_with_what_it_depends_on() -> None:
    index = Index()
    part = maps(index, Fresh())
    assert await part.ranked(ASK) == "Index.ranked_map of one"
    assert await part.ranked(replace(ASK, shown=NOTHING_SHOWN)) == "Index.ranked_map of one"
    wanted = ("Index.ranked_map", ["a.py"], "Why?", ["Before."], 500)
    shown = {"maps": ["MAP"], "ranked": ["NEAR"], "files": ["1 b", "2 b"]}
    nothing = {name: list[str]() for name in shown}
    assert index.asked == [(*wanted, shown), (*wanted, nothing)]


async def test_what_was_found_for_a_question_while_it_was_typed_is_kept() -> None:
    index = Index()
    part = maps(index, Fresh())
    index.may_draw.clear()
    waiting = [asyncio.create_task(part.ranked(ASK)) for _ in range(2)]
    while not index.asked:
        await asyncio.sleep(0)
    index.may_draw.set()
    assert await asyncio.gather(*waiting) == ["Index.ranked_map of one"] * 2
    assert await part.ranked(ASK) == "Index.ranked_map of one"
    assert len(index.asked) == 1
    index.status = index.status._replace(generation="two")
    assert await part.ranked(ASK) == "Index.ranked_map of two"
    assert len(index.asked) == 2
    await part.aclose()


async def test_no_map_of_another_list_of_excluded_files_is_given() -> None:
    index, paths = Index(), list[RepoPath]()

    async def excluded() -> ExcludedPaths:
        return ExcludedPaths(tuple(paths))

    part = IndexMaps(index, Fresh(), PromptSettings, excluded)
    assert await part.head("code", LIMIT_S) is not None
    paths.append(RepoPath("b.py"))
    assert await part.head("code", 0.0) is None
    assert await part.head("code", LIMIT_S) is not None
    assert await part.ranked(ASK) == "Index.ranked_map of one"
    assert await part.ranked(ASK) == "Index.ranked_map of one"
    assert [(asked[0], asked[-1]) for asked in index.asked[1:]] == [
        ("Index.stable_map", ["b.py"]),
        ("Index.ranked_map", ["b.py"]),
    ]
    paths.clear()
    assert await part.ranked(ASK) == "Index.ranked_map of one"
    assert index.asked[-1][-1] != ["b.py"]
    await part.aclose()
