from collections.abc import Mapping

import pytest

from jupyter_ac.agent.mcp_servers.server_tool import OF_SERVER, ServerTool
from jupyter_ac.agent.mcp_servers.server_tools import ServerToolRow, definition_of
from jupyter_ac.agent.tools.result_text import MAX_CHARS, ResultMasker
from jupyter_ac.errors import Conflict
from tests.agent.tools.calls import KEY, Caller


class Server:
    """Answers with a text; remembers what it was called with."""

    def __init__(self, text: str, *, is_error: bool = False) -> None:
        self.called: list[tuple[str, Mapping[str, object]]] = []
        self._answer = text, is_error

    async def call(self, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        self.called.append((name, dict(arguments)))
        return self._answer


def tool_of(server: Server) -> ServerTool:
    definition = definition_of("db", ServerToolRow("look up", "", '{"type": "object"}'), ())
    assert definition is not None
    return ServerTool(definition, "db", "look up", server.call, ResultMasker({}))


async def test_it_asks_with_the_exact_arguments_and_the_result_is_marked_and_masked() -> None:
    server, caller = Server(f"found {KEY}"), Caller()
    tool = tool_of(server)
    question = await caller.question(tool, text="a\u202eb")
    assert question is not None
    assert question.text == 'db: look up\n{\n "text": "a\u202eb"\n}'
    assert question.argv == ()
    result = await caller.allowed(tool, text="x")
    assert result.text == f"{OF_SERVER}\nfound [tool secret 1]"
    assert server.called == [("look up", {"text": "x"})]


async def test_without_the_question_nothing_is_called() -> None:
    server, caller = Server(""), Caller()
    tool = tool_of(server)
    with pytest.raises(Conflict):
        await caller.unasked(tool, text="x")
    assert server.called == []


async def test_a_secret_in_the_arguments_is_warned_of() -> None:
    question = await Caller().question(tool_of(Server("")), text=KEY)
    assert question is not None
    assert "secret" in question.warning


async def test_long_results_are_cut_and_errors_are_errors() -> None:
    result = await Caller().allowed(tool_of(Server("line\n" * 50_000, is_error=True)))
    assert result.is_error
    assert len(result.text) < MAX_CHARS + 300
    assert "[cut:" in result.text
