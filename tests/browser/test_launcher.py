import asyncio
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.browser import launcher
from jupyter_ac.browser.cdp import CdpConnection
from jupyter_ac.browser.launcher import LaunchedBrowser, LaunchOptions, launch
from jupyter_ac.errors import NotConnected, NotFound
from tests.browser.running_browser import CHROMIUM, HEADLESS, LIMIT_S, until
from tests.support.processes import wait_until_gone


@asynccontextmanager
async def launched(
    options: LaunchOptions = HEADLESS,
) -> AsyncIterator[tuple[LaunchedBrowser, CdpConnection]]:
    browser = await launch(options)
    connection = CdpConnection(browser.transport)
    connection.start()
    try:
        yield browser, connection
    finally:
        await connection.aclose()
        await browser.aclose()


def script(path: Path, text: str) -> LaunchOptions:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)
    return LaunchOptions(headless=True, executable=str(path))


async def test_a_browser_answers_over_its_pipes_and_leaves_nothing() -> None:
    async with launched() as (browser, connection):
        version = await connection.call("Browser.getVersion", timeout_s=LIMIT_S)
        assert "Chrome" in str(version["product"])
        profile = Path(browser.profile_path)
        assert stat.S_IMODE(profile.stat().st_mode) == 0o700
        assert browser.is_headless
        command = Path(f"/proc/{browser.pid}/cmdline").read_text()
        assert "--remote-debugging-port" not in command
    assert not browser.is_running
    assert not profile.exists()
    wait_until_gone(browser.pid)
    await browser.aclose()


async def test_a_browser_that_is_killed_is_noticed_and_cleaned_up_after() -> None:
    async with launched() as (browser, connection):
        await connection.call("Browser.getVersion", timeout_s=LIMIT_S)
        os.kill(browser.pid, signal.SIGKILL)
        await until(lambda: connection.is_closed)
    assert not Path(browser.profile_path).exists()


async def test_a_browser_ends_with_the_process_that_started_it() -> None:
    code = """
import asyncio, os, signal, sys
from jupyter_ac.browser.cdp import CdpConnection
from jupyter_ac.browser.launcher import LaunchOptions, launch
async def main():
    browser = await launch(LaunchOptions(headless=True, executable=sys.argv[1]))
    connection = CdpConnection(browser.transport)
    connection.start()
    await connection.call("Browser.getVersion", timeout_s=90)
    print(browser.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, CHROMIUM],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    wait_until_gone(int(done.stdout))


async def test_a_program_that_ends_at_once_ends_the_connection(tmp_path: Path) -> None:
    async with launched(script(tmp_path / "chromium", "raise SystemExit(1)")) as (_, connection):
        with pytest.raises(NotConnected):
            await connection.call("Browser.getVersion", timeout_s=LIMIT_S)


async def test_a_program_that_ignores_everything_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "_END_S", 0.3)
    stubborn = script(
        tmp_path / "chromium",
        "import signal, os, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.write(4, b'ready\\0')\n"
        "while True: time.sleep(1)\n",
    )
    browser = await launch(stubborn)
    assert await browser.transport.receive() == b"ready"
    await browser.aclose()
    wait_until_gone(browser.pid)
    assert not Path(browser.profile_path).exists()


async def test_a_launch_that_is_cancelled_leaves_no_browser(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    options = script(
        tmp_path / "chromium",
        f"import os\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\nos.read(3, 1)\n",
    )
    for turns in range(12):
        starting = asyncio.create_task(launch(options))
        for _ in range(turns):
            await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
    if mark.exists():
        wait_until_gone(int(mark.read_text()))


async def test_a_program_that_is_missing() -> None:
    with pytest.raises(NotFound):
        await launch(LaunchOptions(headless=True), {"PATH": "/nowhere"})


async def test_the_browser_gets_no_keys_and_its_flags(tmp_path: Path) -> None:
    told = tmp_path / "told"
    options = script(
        tmp_path / "chromium",
        "import os, sys\n"
        f"open({str(told)!r}, 'w').write('\\n'.join([*sys.argv, *os.environ]))\n"
        "os.write(4, b'ready\\0')\nos.read(3, 1)\n",
    )
    environ = {**os.environ, "OPENAI_API_KEY": "sk-secret", "LANG": "de_DE.UTF-8"}
    environ.pop("DISPLAY", None)
    environ.pop("WAYLAND_DISPLAY", None)
    options = LaunchOptions(executable=options.executable, flags=("--lang=de",))
    browser = await launch(options, environ)
    try:
        assert await browser.transport.receive() == b"ready"
    finally:
        await browser.aclose()
    lines = told.read_text().splitlines()
    assert "OPENAI_API_KEY" not in lines
    assert "LANG" in lines
    assert "--lang=de" in lines
    assert "--headless=new" in lines  # there is no display
    assert ("--no-sandbox" in lines) == (os.getuid() == 0)
    assert f"--user-data-dir={browser.profile_path}" in lines
    assert lines.index("about:blank") > lines.index("--lang=de")


async def test_with_a_display_there_is_a_window(tmp_path: Path) -> None:
    options = script(tmp_path / "chromium", "raise SystemExit(0)")
    options = LaunchOptions(executable=options.executable)
    browser = await launch(options, {**os.environ, "DISPLAY": ":7"})
    assert not browser.is_headless
    await browser.aclose()
