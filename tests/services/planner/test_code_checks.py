from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.services.llm.pages import Page, connect
from tests.services.planner.planner_world import planner_world


async def test_code_is_checked_by_a_call(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        connection = await connect(Page(()), world.table)
        peer = connection.page.peer
        try:
            found = await peer.call("validate_code", "{}", "json")
            assert isinstance(found, dict)
            assert found["valid"]
            found = await peer.call("Planner.validate_code", "import os\n", "python", ["F401"])
            assert isinstance(found, dict)
            assert [each["rule"] for each in found["diagnostics"]] == ["F401"]
            with pytest.raises(RemoteError) as raised:
                await peer.call("validate_code", "x = 1\n", "python", ["XX1"])
            assert raised.value.remote_code == -32602
        finally:
            await connection.close()
