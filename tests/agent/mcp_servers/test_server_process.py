import asyncio
import sys
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.environment import MARK
from jupyter_ac.agent.mcp_servers import server_process
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.agent.mcp_servers.server_process import server_environment, server_streams
from tests.agent.mcp_servers.probing import probe
from tests.support.processes import wait_until_gone

ENVIRON = {
    "PATH": "/usr/bin:.:bin",
    "HOME": "/home/ada",
    "LANG": "C.UTF-8",
    "ANTHROPIC_API_KEY": "k",
    "JUPYTER_TOKEN": "t",
    "SSH_AUTH_SOCK": "/s",
    "LD_PRELOAD": "x",
    "PYTHONPATH": "p",
}


def test_the_environment_has_what_is_configured_and_no_key() -> None:
    server = ServerConfig("db", "user", ("db",), (("DB_KEY", "mine"), ("HOME", "/srv")))
    assert server_environment(server, ENVIRON, "m") == {
        "PATH": "/usr/bin",
        "HOME": "/srv",
        "LANG": "C.UTF-8",
        "DB_KEY": "mine",
        MARK: "m",
    }


async def test_all_processes_end_with_it(tmp_path: Path) -> None:
    place = tmp_path / "pids"
    async with server_streams(probe("act", str(place)), tmp_path, ENVIRON):
        async with asyncio.timeout(60):
            while not place.exists() or " " not in place.read_text():
                await asyncio.sleep(0.05)
    for pid in place.read_text().split():
        wait_until_gone(int(pid))


async def test_lines_that_are_no_message_are_left_out_and_too_much_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_process, "MAX_UNASKED", 10_000)
    code = 'print("hello"); print(\'{"jsonrpc": "2.0", "method": "x"}\')\nwhile 1: print("y" * 100)'
    server = ServerConfig("db", "user", (sys.executable, "-c", code))
    async with server_streams(server, tmp_path, ENVIRON) as (read, _), asyncio.timeout(60):
        messages = [message async for message in read]
    assert len(messages) == 1


async def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone"):
        async with server_streams(ServerConfig("x", "user", ("/gone",)), tmp_path, ENVIRON):
            pass
