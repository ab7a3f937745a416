from collections.abc import Sequence

from jupyter_ac.errors import NotReady, RefusedPath
from jupyter_ac.index.navigation.locations import range_of
from jupyter_ac.index.navigation.navigator import Navigator
from jupyter_ac.index.navigation.rows import Completion, FileMapBlock, Hover, SymbolRow, Target
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace
from jupyter_ac.services.llm.navigation import NavigationMethods, SymbolMethods
from tests.services.llm.pages import Page, connect
from tests.support.conformance import problems, refusal_of
from tools.api.surface import result_of

TARGET: Target = {"file": "a.py", "range": range_of(1, 0, 2)}


class Answers(Navigator):
    """A navigator that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []

    async def hover(self, path: str, line: int, col: int) -> Hover | None:
        self.asked.append((path, line, col))
        return {"contents": "x"}

    async def definition(self, path: str, line: int, col: int) -> Target | None:
        self.asked.append((path, line, col))
        return TARGET

    async def references(self, path: str, line: int, col: int) -> list[Target]:
        self.asked.append((path, line, col))
        return [TARGET]

    async def completions(self, path: str, line: int, col: int, prefix: str) -> list[Completion]:
        self.asked.append((path, line, col, prefix))
        return [{"label": "x", "kind": "import", "detail": ""}]


async def test_the_four_questions_of_an_editor_read_and_answer_in_their_shape() -> None:
    answers = Answers()
    table = MethodTable(Namespace("LLMService", NavigationMethods(answers)))
    assert {method.access for method in table.values()} == {Access.READ}
    page = Page()
    connection = await connect(page, table)
    for name in ("hover", "definition", "references", "completions"):
        answer = await page.call(f"lsp_get_{name}", "a.py", 3, 7)
        assert problems(answer, result_of(table[f"LLMService.lsp_get_{name}"]), name) == []
    await page.call("lsp_get_completions", "a.py", 3, 7, "pre")
    await connection.close()
    place = ("a.py", 3, 7)
    assert answers.asked == [place, place, place, (*place, ""), (*place, "pre")]


ROW: SymbolRow = {
    "name": "x",
    "kind": "class",
    "file": "a.py",
    "line": 1,
    "column": 1,
    "container": "",
    "signature": "",
}


class Finder(Navigator):
    """Finds one symbol; has the block of one file."""

    def __init__(self) -> None:
        pass

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
    assert len(await SymbolMethods(Finder()).search_symbols("x")) == 50
    assert await SymbolMethods(Finder()).search_symbols("x", 1) == [ROW]


async def test_a_block_that_can_not_be_had_is_an_error_in_the_answer() -> None:
    part = SymbolMethods(Finder())
    block = await part.get_file_map_block("a.py")
    assert block == {"path": "a.py", "content": "a.py:", "mode": "code"}
    assert await refusal_of(part.get_file_map_block, "..") == "'..' leads upwards."
    assert await refusal_of(part.get_file_map_block, "new.py") == "The index isn't ready yet."


async def test_names_are_resolved_at_most_so_many() -> None:
    assert len(await SymbolMethods(Finder()).resolve_symbols(["x"] * 300)) == 200
