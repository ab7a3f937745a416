from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.services.llm.pages import Page, connect
from tests.services.planner.planner_world import planner_world


async def test_the_seeds_message_changes_the_context_and_all_pages_are_told(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        page = Page(("AcApp.contextUpdated",))
        connection = await connect(page, world.table)
        peer = page.peer
        try:
            found = await peer.call("update_context", "add", "dependency", {"name": "react"})
            assert found == {"version": 1, "applied": True}
            found = await peer.call("update_context", "add", "state", {"a": 1}, True)
            found = await peer.call("update_context", "add", "state", {"a": 1}, True)
            assert found == {"version": 2, "applied": False}
            await peer.call("Planner.update_context", "add", "file", {"path": "a.py"})
            whole = await peer.call("get_context")
            assert isinstance(whole, dict)
            assert whole["dependencies"] == [{"name": "react", "version": ""}]
            assert [row["path"] for row in whole["files"]] == ["a.py"]
            assert (whole["version"], whole["state"]) == (3, {"a": 1})
        finally:
            await connection.close()


@pytest.mark.parametrize(
    "args",
    [
        ("delete", "state", {"a": 1}),
        ("add", "thing", {"a": 1}),
        ("add", "state", []),
        ("remove", "state", {"a": 1}),
        ("add", "file", {"path": "../x"}),
    ],
)
async def test_what_does_not_fit_is_refused(tmp_path: Path, args: tuple[object, ...]) -> None:
    async with planner_world(tmp_path) as world:
        connection = await connect(Page(()), world.table)
        try:
            with pytest.raises(RemoteError) as raised:
                await connection.page.peer.call("update_context", *args)
        finally:
            await connection.close()
    assert raised.value.remote_code == -32602
