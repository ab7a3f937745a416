from jupyter_ac.index.navigation.locations import range_of
from jupyter_ac.index.navigation.rows import Completion, Hover, Target
from jupyter_ac.rpc.methods import Access, MethodTable, Namespace
from jupyter_ac.services.llm.navigation import NavigationMethods
from tests.services.llm.pages import Page, connect
from tests.support.conformance import problems
from tools.api.surface import result_of

TARGET: Target = {"file": "a.py", "range": range_of(1, 0, 2)}


class Answers:
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
