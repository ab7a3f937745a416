from pathlib import Path

import pytest

from jupyter_ac.agent.suites.board import OutcomeBoard
from jupyter_ac.agent.suites.suite_tool import MAX_NODES, SuiteTool, nodes_in, require_pytest
from jupyter_ac.agent.tools.project_tests import ProjectTests
from jupyter_ac.errors import Conflict, InvalidParams, TooLarge, Unsupported
from tests.agent.suites.suite_world import suite_world
from tests.agent.tools.calls import Caller


@pytest.mark.parametrize("node", ["-x.py", "--pdb", "@file", "-p"])
def test_no_node_is_an_option(node: str) -> None:
    assert nodes_in({"nodes": [node]}) == [f"./{node}"]


@pytest.mark.parametrize("node", ["", "  ", "a\0b", "a\nb", "a\x1bb"])
def test_what_is_no_node_is_refused(node: str) -> None:
    with pytest.raises(InvalidParams, match="ids of tests"):
        nodes_in({"nodes": [node]})


@pytest.mark.parametrize("nodes", [["a"] * (MAX_NODES + 1), ["a" * 60_000, "b" * 60_000]])
def test_too_many_nodes_are_refused(nodes: list[str]) -> None:
    with pytest.raises(TooLarge, match="run all tests"):
        nodes_in({"nodes": nodes})


def test_only_pytest_is_run() -> None:
    require_pytest(ProjectTests((".venv/bin/pytest", "-q"), ""))
    with pytest.raises(Unsupported, match="`npm test`"):
        require_pytest(ProjectTests(("npm", "test"), "package.json"))


async def test_a_call_says_what_it_does_and_runs_only_what_was_asked(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        board = OutcomeBoard()
        tool = SuiteTool(world.parts, lambda _context: board)
        assert tool.title({}) == "all tests"
        assert tool.title({"collect_only": True}) == "find the tests"
        assert tool.title({"nodes": ["a::b"]}) == "a::b"
        caller = Caller()
        question = await caller.question(tool, nodes=["tests/test_mixed.py"])
        assert question is not None
        assert question.text == "pytest -q tests/test_mixed.py"
        with pytest.raises(Conflict):
            await caller.unasked(tool)
