"""`jupyter ac panel` as a process."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.hosts.cli.main import main
from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening
from tests.hosts.panels.panel_sockets import command, page_at
from tests.hosts.panels.plugin_programs import COUNTER
from tests.hosts.panels.test_hostile_plugins import is_alive
from tests.panels.shown import until
from tests.rpc.pairs import WAIT_S
from tests.support.repositories import make_repository
from tests.support.serve_process import plain_environment, serving

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": [{"protocolVersion": 3}]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a panel."""
    for name, value in plain_environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    (tmp_path / "counter.py").write_text(COUNTER)
    return tmp_path


def static(folder: Path) -> Path:
    (folder / "built").mkdir(exist_ok=True)
    (folder / "built" / "page.html").write_text("<!doctype html>")
    return folder / "built"


@asynccontextmanager
async def server(folder: Path, port: int = 0) -> AsyncIterator[Address]:
    root = folder / "garden"
    if not root.exists():
        make_repository(root, {"a.py": "print(1)\n"})
    async with listening(ServeOptions(root, port), static(folder)) as address:
        yield address


async def message(process: asyncio.subprocess.Process) -> dict[str, object]:
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_S):
        line = await process.stdout.readline()
    found: dict[str, object] = json.loads(line)
    return found


@pytest.mark.parametrize("options", [["counter.py"], ["counter.py", "--stdio"]])
async def test_over_standard_streams_it_speaks_the_protocol(
    folder: Path, options: list[str]
) -> None:
    async with command(folder, *options) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        shown, answer = [await message(process) for _ in range(2)]
        assert (shown["method"], answer["id"], answer["result"]) == ("updateTree", 1, None)
        process.stdin.close()
        async with asyncio.timeout(WAIT_S):
            assert await process.wait() == 0


async def test_it_ends_with_its_host_also_when_it_never_rests(folder: Path) -> None:
    (folder / "loop.py").write_text("while True:\n    pass\n")
    async with command(folder, "loop.py") as process:
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(WAIT_S):
            await process.wait()


async def test_an_installed_panel_is_shown_by_its_name(folder: Path) -> None:
    info = folder / "packages" / "panels_of_cli-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: panels-of-cli\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[jupyter_ac.panels]\nfrom-cli = cli_panel:plugin\n")
    (folder / "packages" / "cli_panel.py").write_text(COUNTER)
    paths = [str(folder / "packages"), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    async with command(folder, "--entry-point", "from-cli") as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        assert (await message(process))["method"] == "updateTree"
    async with command(folder, "--entry-point", "none") as process:
        assert process.stderr is not None
        async with asyncio.timeout(WAIT_S):
            assert b"No installed package has a panel" in await process.stderr.read()
            assert await process.wait() == 1


async def test_it_connects_to_a_server_and_again_after_its_end(folder: Path) -> None:
    async with server(folder) as address:
        port, url = address.port, address.socket
    (folder / "token").write_text(address.token)
    async with command(folder, "counter.py", "--connect", url) as process:
        assert process.stderr is not None
        async with asyncio.timeout(WAIT_S):
            assert b"No server answers" in await process.stderr.readline()
        async with server(folder, port) as again:
            assert again.token != address.token
            async with asyncio.timeout(WAIT_S):
                assert b"The server refuses this panel" in await process.stderr.read()
                assert await process.wait() == 1
            async with (
                page_at(again.socket) as page,
                command(folder, "counter.py", "--connect", again.page),
            ):
                await page.until(lambda: page.state("connected/counter") == "stopped")
                host = await page.show("connected/counter")
                await page.fire("connected/counter", "onClick")
                await page.until(lambda: host.text() == "1 clicks")
                await page.call("restart", "connected/counter")
                await page.until(lambda: host.text() == "0 clicks")


async def test_a_server_lists_the_panel_of_its_command_line(folder: Path) -> None:
    make_repository(folder / "garden", {"a.py": "print(1)\n"})
    code = (
        "import sys; sys.stdin.isatty = lambda: True; "
        "from jupyter_ac.hosts.cli.main import main; sys.exit(main())"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, "panel", str(folder / "counter.py")),
        *("--server-port", "0", "--no-browser"),
        cwd=folder / "garden",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(WAIT_S):
            first = (await process.stdout.readline()).decode()
        assert first.startswith("jupyter-ac ready ws://127.0.0.1:")
        async with page_at(first.split()[-1]) as page:
            host = await page.show("file/counter")
            await page.fire("file/counter", "onClick")
            await page.until(lambda: host.text() == "1 clicks")
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(WAIT_S):
            await process.communicate()


async def test_panels_of_a_server_that_is_killed_end_too(folder: Path) -> None:
    code = COUNTER.replace("print(", "log(__import__('os').getpid()) or print(")
    (folder / "counter.py").write_text(code)
    setting = {"command": [sys.executable, "-m", "jupyter_ac", "panel", str(folder / "counter.py")]}
    config = Path(os.environ["JUPYTER_AC_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "app.json").write_text(json.dumps({"panels": {"commands": {"mine": setting}}}))
    root = make_repository(folder / "garden", {"a.py": "print(1)\n"}).root
    with serving(root, dict(os.environ)) as serve:
        async with page_at(serve.address) as page:
            host = await page.show("command/mine")
            await page.fire("command/mine", "onClick")
            await page.until(lambda: bool(host.logs))
            pid = int(str(host.logs[0][1][0]))
            assert is_alive(pid)
            os.kill(serve.pid, signal.SIGKILL)
        await until(lambda: not is_alive(pid))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "name a FILE.py or an --entry-point"),
        (["a.py", "--entry-point", "b"], "name a FILE.py or an --entry-point"),
        (["a.py", "--stdio", "--connect", "ws://x"], "exclude each other"),
        ([__file__, "--stdio", "--connect", "ws://x"], "exclude each other"),
        (["no-such-panel.py", "--stdio"], "There is no file 'no-such-panel.py'"),
        (["no-such-panel.py", "--connect", "ws://x"], "There is no file 'no-such-panel.py'"),
        ([__file__, "--connect", "nowhere"], "needs the address of a server"),
    ],
)
def test_wrong_usage_is_said(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["panel", *options]) in {1, 2}
    assert said in capsys.readouterr().err


def test_a_server_of_its_own_speaks_one_protocol(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert main(["panel", str(folder / "counter.py"), "--kkrpc"]) == 2
    assert "--kkrpc goes with --stdio or --connect" in capsys.readouterr().err


def test_a_server_of_its_own_asks_for_its_token(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert main(["panel", str(folder / "counter.py"), "--no-token"]) == 2
    assert "leave out --no-token" in capsys.readouterr().err
