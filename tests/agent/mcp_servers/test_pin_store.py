import json
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.agent.mcp_servers.pin_store import FILE, PinStore
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.server_tools import ServerToolRow
from jupyter_ac.errors import NotFound
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository

MINE = ServerConfig("mine", "user", ("mine",))
THEIRS = ServerConfig("theirs", "repository", ("theirs", "-x"))
TOOLS = (ServerToolRow("look", "Looks.", '{"type": "object"}'),)


async def stores(tmp_path: Path) -> tuple[PinStore, PinStore]:
    """Return the pins of two repositories."""
    found = []
    for name in ("one", "two"):
        folder = make_repository(tmp_path / name, {"a.py": "x\n"})
        found.append(PinStore(tmp_path / "config", await discover(folder.root)))
    return found[0], found[1]


async def test_what_a_repository_names_is_allowed_for_it_alone(tmp_path: Path) -> None:
    one, two = await stores(tmp_path)
    await one.allow(THEIRS)
    await one.pin(MINE, TOOLS)
    assert (await one.find(THEIRS)).is_allowed
    assert not (await two.find(THEIRS)).is_allowed
    assert (await two.find(MINE)).tools == TOOLS
    assert list(await one.of_repository()) == ["theirs"]
    assert (tmp_path / "config" / FILE).stat().st_mode & 0o077 == 0


async def test_another_command_is_allowed_nothing(tmp_path: Path) -> None:
    store, _ = await stores(tmp_path)
    await store.allow(THEIRS)
    await store.pin(THEIRS, TOOLS)
    for other in (
        replace(THEIRS, command=("theirs", "-y")),
        replace(THEIRS, env=(("LD_PRELOAD", "x"),)),
    ):
        pin = await store.find(other)
        assert (pin.is_allowed, pin.tools) == (False, None)
    assert (await store.find(THEIRS)).tools == TOOLS


async def test_a_permission_is_taken_back(tmp_path: Path) -> None:
    store, _ = await stores(tmp_path)
    await store.allow(THEIRS)
    await store.revoke("theirs")
    assert not (await store.find(THEIRS)).is_allowed
    with pytest.raises(NotFound):
        await store.revoke("theirs")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1, "repositories": {"user": [1]}}'])
async def test_a_damaged_file_allows_nothing_and_is_replaced(tmp_path: Path, text: str) -> None:
    store, _ = await stores(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / FILE).write_text(text)
    assert not (await store.find(THEIRS)).is_allowed
    await store.allow(THEIRS)
    assert (await store.find(THEIRS)).is_allowed


async def test_tools_that_are_not_as_they_were_written_are_unknown(tmp_path: Path) -> None:
    store, _ = await stores(tmp_path)
    await store.pin(MINE, TOOLS)
    place = tmp_path / "config" / FILE
    found = json.loads(place.read_text())
    found["repositories"]["user"]["mine"]["tools"] = [["look", 1]]
    place.write_text(json.dumps(found))
    assert (await store.find(MINE)).tools is None
