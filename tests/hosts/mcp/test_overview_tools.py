import json
from pathlib import Path

import pytest

from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.errors import NotFound
from jupyter_ac.hosts.mcp.overview_tools import ContextBreakdownTool, MapTool
from tests.agent.tools.calls import Caller
from tests.hosts.mcp.edited_garden import garden
from tests.hosts.test_composition import composed


async def test_the_map_has_the_files_and_their_symbols(tmp_path: Path) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        masker, caller = ResultMasker({}), Caller()
        tool = MapTool(made.index, made.indexing, masker, made.excluded.read)
        text = await caller.text(tool)
        assert "mean(xs)" in text
        assert ".env" not in text
        about = await caller.text(tool, files=["docs/b.md"], question="What is mean?", budget=500)
        assert "mean(xs)" in about
        assert tool.title({"files": ["a.py", "b.py"]}) == "a.py, b.py"
        assert tool.title({"question": "Why?"}) == "Why?"


async def test_the_breakdown_counts_files_by_name_and_selects_nothing(tmp_path: Path) -> None:
    async with composed(garden(tmp_path).root, tmp_path / "cache") as made:
        tool, caller = ContextBreakdownTool(made.ports), Caller()
        found = json.loads(await caller.text(tool, files=["a.py"], question="Why?"))
        without = json.loads(await caller.text(tool))
        assert [row["path"] for row in found["breakdown"]["file_details"]] == ["a.py"]
        # The totals hold the map, too, which the index may finish between the two calls.
        assert found["breakdown"]["files"] > without["breakdown"]["files"]
        assert caller.conversation.selection == ()
        with pytest.raises(NotFound, match="There is no file gone"):
            await caller.text(tool, files=["a.py", "gone.py"])
