import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.dialect import JRPC_OO
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.repo.search import SearchPart
from tests.support.repositories import make_repository


async def _part(tmp_path: Path) -> SearchPart:
    folder = make_repository(tmp_path / "r", {"a": "Word\nwords\nw.rds\n"})
    return SearchPart(await discover(folder.root))


async def _found(part: SearchPart, *args: object) -> list[int]:
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
