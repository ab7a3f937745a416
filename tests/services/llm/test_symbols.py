from collections.abc import Sequence

from jupyter_ac.errors import NotReady, RefusedPath
from jupyter_ac.index.navigation.rows import FileMapBlock, SymbolRow
from jupyter_ac.services.llm.symbols import SymbolQueries
from tests.support.conformance import refusal_of

ROW: SymbolRow = {
    "name": "x",
    "kind": "class",
    "file": "a.py",
    "line": 1,
    "column": 1,
    "container": "",
    "signature": "",
}


class Finder:
    """Finds one symbol; has the block of one file."""

    async def symbols(self, query: str, limit: int) -> list[SymbolRow]:
        assert query == "x"
        return [ROW] * limit

    async def resolve(self, names: Sequence[str]) -> list[SymbolRow]:
        return [ROW] * len(names)

    async def block(self, path: str) -> FileMapBlock:
        if path == "..":
            raise RefusedPath("'..' leads upwards.")
        if path == "new.py":
            raise NotReady("The index isn't ready yet.")
        return {"path": path, "content": "a.py:", "mode": "code"}


async def test_symbols_are_found_at_most_so_many() -> None:
    assert len(await SymbolQueries(Finder()).search_symbols("x")) == 50
    assert await SymbolQueries(Finder()).search_symbols("x", 1) == [ROW]


async def test_a_block_that_can_not_be_had_is_an_error_in_the_answer() -> None:
    part = SymbolQueries(Finder())
    block = await part.get_file_map_block("a.py")
    assert block == {"path": "a.py", "content": "a.py:", "mode": "code"}
    assert await refusal_of(part.get_file_map_block, "..") == "'..' leads upwards."
    assert await refusal_of(part.get_file_map_block, "new.py") == "The index isn't ready yet."


async def test_names_are_resolved_at_most_so_many() -> None:
    assert len(await SymbolQueries(Finder()).resolve_symbols(["x"] * 300)) == 200
