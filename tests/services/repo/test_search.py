import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.repo.search import Limiter, SearchMethods
from tests.support.repositories import make_repository


async def _part(tmp_path: Path) -> SearchMethods:
    folder = make_repository(tmp_path / "r", {"a": "Word\nwords\nw.rds\n"})
    return SearchMethods(await discover(folder.root))


async def _found(part: SearchMethods, *args: object) -> list[int]:
    """Search as the wire does."""
    method = MethodTable(Namespace("Repo", part))["Repo.search_files"]
    bound, _ = JRPC_OO.bind(method, {"args": list(args)})
    rows = await part.search_files(*bound)  # type: ignore[arg-type] # bound to its parameters
    return [match["line_num"] for row in rows for match in row["matches"]]


async def test_arguments_have_the_seeds_order_and_defaults(tmp_path: Path) -> None:
    part = await _part(tmp_path)
    assert await _found(part, "word") == [1, 2]
    assert await _found(part, "word", True) == [1]
    assert await _found(part, "w.rds", False, True) == [2, 3]
    assert await _found(part, "word", False, False, False) == [2]
    (row,) = await part.search_files("w.rds")
    assert row["matches"][0]["context_before"] == [{"line_num": 2, "line": "words"}]
    (row,) = await part.search_files("w.rds", False, False, True, 0)
    assert row["matches"][0]["context_before"] == []


async def test_null_stands_for_a_default(tmp_path: Path) -> None:
    assert await _found(await _part(tmp_path), "WORD", None, None, None) == [1, 2]


async def test_a_whole_number_may_be_spelt_with_a_point(tmp_path: Path) -> None:
    assert await _found(await _part(tmp_path), "WORD", False, False, True, 1.0) == [1, 2]


@pytest.mark.parametrize(
    "args", [(5,), ("x", "yes"), ("x", False, 1), ("x", False, False, True, "1")]
)
async def test_arguments_of_the_wrong_kind_are_refused(
    tmp_path: Path, args: tuple[object, ...]
) -> None:
    with pytest.raises(InvalidParams):
        await _found(await _part(tmp_path), *args)


async def test_many_searches_at_once_are_all_answered(tmp_path: Path) -> None:
    part = await _part(tmp_path)
    found = await asyncio.wait_for(asyncio.gather(*(_found(part, "word") for _ in range(12))), 30)
    assert found == [[1, 2]] * 12


class Page:
    """Stands for a caller."""


async def test_a_third_caller_does_not_wait_for_one_that_asks_too_often() -> None:
    limiter = Limiter(each=2, overall=3)
    done = asyncio.Event()
    greedy, other = Page(), Page()

    async def work() -> None:
        async with limiter.turn(greedy):
            await done.wait()

    tasks = [asyncio.create_task(work()) for _ in range(20)]
    await asyncio.sleep(0)
    async with asyncio.timeout(30), limiter.turn(other):
        assert not any(task.done() for task in tasks)
        done.set()
    await asyncio.gather(*tasks)


async def test_no_more_than_so_many_work_at_once() -> None:
    limiter = Limiter(each=2, overall=3)
    at_work: list[Page] = []
    most: list[tuple[int, int]] = []

    async def work(page: Page) -> None:
        async with limiter.turn(page):
            at_work.append(page)
            most.append((at_work.count(page), len(at_work)))
            await asyncio.sleep(0)
            at_work.remove(page)

    pages = [Page(), Page(), Page()]
    await asyncio.gather(*(work(page) for page in pages for _ in range(10)))
    assert (max(own for own, _ in most), max(all_ for _, all_ in most)) == (2, 3)


async def test_a_turn_ends_with_its_work_however_that_ends() -> None:
    limiter, page = Limiter(each=1, overall=1), Page()
    with pytest.raises(ValueError, match="failed"):
        async with limiter.turn(page):
            raise ValueError("failed")
    async with asyncio.timeout(30), limiter.turn(page):
        assert len(limiter._own) == 1


async def test_a_caller_that_is_gone_is_forgotten() -> None:
    limiter, page = Limiter(each=1, overall=1), Page()
    async with limiter.turn(page):
        assert len(limiter._own) == 1
    del page
    assert len(limiter._own) == 0
