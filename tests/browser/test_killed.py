"""The browser or its worker is killed while something is going on: all of it ends, and is said.

The host's methods over the real worker and a real Chromium.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from jupyter_ac.browser.client import BrowserClient, Change
from tests.browser.chromium import needs_chromium
from tests.browser.running_browser import CHROMIUM, pages
from tests.services.browser.fake_browser import Caller, World
from tests.support.json_values import JsonValue
from tests.support.processes import is_running
from tests.support.serve_process import children

pytestmark = [needs_chromium, pytest.mark.slow]

WAIT_S = 90.0
PAGE = "<title>Page</title><button id=b>b</button>"
ENDLESS = "new Promise(() => {})"


class RealWorld(World):
    """A workspace's browser methods over a real worker."""

    def __init__(self, root: Path) -> None:
        self._root = root
        super().__init__()

    @property
    def client(self) -> BrowserClient:
        return self.targets.client

    def _make(self, report: Callable[[Change], None]) -> BrowserClient:
        return BrowserClient(self._root, report)


class Scene:
    """A launched browser with a connected page.

    Attributes:
        world: the host.
        caller: a client of it.
        target: the page.
        profiles: of the browsers that were launched.
        site: a server of pages.
    """

    def __init__(self, world: RealWorld, site: str) -> None:
        self.world, self.site = world, site
        self.profiles: list[Path] = []
        self.caller: Caller = world.caller()
        self.target = ""

    async def launch(self) -> None:
        made = await self.caller.result("Browser.launch", {"headless": True})
        self.target = made["target"]
        self.profiles.append(profile_of(self.browser()))
        assert self.profiles[-1].is_dir()
        await self.caller.result("Browser.unwatch", {"target": self.target})

    async def connect(self) -> None:
        await self.caller.result("connect", {"page_id": self.target})
        await self.caller.result("navigate", {"url": f"{self.site}/"})

    async def state(self) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = await self.caller.result("status")
        return found

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                await asyncio.sleep(0.02)

    @property
    def worker(self) -> int:
        pid = self.world.client._worker.pid
        assert pid is not None
        return pid

    def targets_left(self) -> list[str]:
        """The targets that the host still has."""
        return list(self.world.targets._watched)

    def browser(self) -> int:
        """The number of the browser's first process."""
        found = [pid for pid in children(self.worker) if "--type=" not in command_of(pid)]
        return next(pid for pid in found if "--remote-debugging-pipe" in command_of(pid))

    def victims(self) -> list[int]:
        """All processes of the worker and of its browsers."""
        return [self.worker, *children(self.worker)]


def command_of(pid: int) -> str:
    command = ["ps", "-ww", "-o", "args=", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


def profile_of(browser: int) -> Path:
    return Path(command_of(browser).partition("--user-data-dir=")[2].split()[0])


@asynccontextmanager
async def scene(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setenv("CHROMIUM", CHROMIUM)
    with pages({"/": PAGE, "/next": PAGE}) as site:
        world = RealWorld(folder)
        made = Scene(world, site)
        try:
            await made.launch()
            yield made
        finally:
            await world.aclose()
        assert not any(profile.exists() for profile in made.profiles)


async def nothing(scene: Scene) -> None:
    """The page is connected, and nothing goes on."""


async def inspecting(scene: Scene) -> None:
    await scene.caller.result("browser.startInspect")


async def a_paused_request(scene: Scene) -> None:
    await scene.caller.result("fetch.enable")
    await scene.caller.result("js", {"code": "fetch('/next'); 1"})
    async with asyncio.timeout(WAIT_S):
        while not (await scene.caller.result("network", {"state": "paused"}))["requests"]:
            await asyncio.sleep(0.02)


async def js(scene: Scene) -> None:
    await scene.caller.result("js", {"code": ENDLESS, "await_promise": True})


async def wait_for(scene: Scene) -> None:
    await scene.caller.result("Browser.wait_for", {"text": "never", "timeout_s": 60})


async def screenshots(scene: Scene) -> None:
    while True:
        await scene.caller.result("Browser.screenshot", {"full": True})


async def navigations(scene: Scene) -> None:
    while True:
        await scene.caller.result("navigate", {"url": f"{scene.site}/next"})
        await scene.caller.result("back")


async def reconnecting(scene: Scene) -> None:
    while True:
        await scene.caller.result("disconnect")
        await scene.caller.result("connect", {"page_id": scene.target})


async def connecting(scene: Scene) -> None:
    """A browser that doesn't answer keeps the page in this state."""
    await scene.caller.result("disconnect")
    os.kill(scene.browser(), signal.SIGSTOP)
    await scene.caller.result("connect", {"page_id": scene.target})


async def disconnecting(scene: Scene) -> None:
    os.kill(scene.browser(), signal.SIGSTOP)
    await scene.caller.result("disconnect")


BROWSER, WORKER = "browser", "worker"
GOING_ON = {
    connecting: (BROWSER,),
    disconnecting: (WORKER,),
    nothing: (),
    inspecting: (),
    a_paused_request: (WORKER,),
    js: (BROWSER,),
    wait_for: (),
    screenshots: (),
    navigations: (),
    reconnecting: (BROWSER,),
}
"""Who is killed in every run; all others are in `make soak`, for each takes seconds."""
KILLED_S = 0.3


CASES = [
    pytest.param(
        *(whom, going_on),
        marks=() if whom in usual else pytest.mark.soak,
        id=f"{going_on.__name__}-{whom}",
    )
    for going_on, usual in GOING_ON.items()
    for whom in (BROWSER, WORKER)
]


@pytest.mark.parametrize(("whom", "going_on"), CASES)
async def test_whatever_goes_on_ends_and_the_next_one_works(
    whom: str,
    going_on: Callable[[Scene], Coroutine[None, None, None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with scene(tmp_path, monkeypatch) as made:
        await made.connect()
        before = await made.state()
        row = (await made.caller.result("network"))["requests"][0]["id"]
        work = asyncio.ensure_future(going_on(made))
        await asyncio.wait({work}, timeout=KILLED_S)
        if going_on in {connecting, disconnecting}:
            await made.until(lambda: made.world.machines.state == going_on.__name__)
        victims, browser = made.victims(), made.browser()
        os.kill(browser if whom == BROWSER else made.worker, signal.SIGKILL)
        if going_on in {connecting, disconnecting}:
            with suppress(ProcessLookupError):
                os.kill(browser, signal.SIGCONT)
        async with asyncio.timeout(WAIT_S):  # what waits for an answer gets one
            await asyncio.gather(work, return_exceptions=True)
        machine = made.world.machines
        await made.until(lambda: machine.state == "disconnected" and not made.targets_left())
        state = await made.state()
        assert going_on is disconnecting or state["error"]["message"]
        assert state["epoch"] >= before["epoch"]
        assert (await made.caller.error("network"))["code"] == "INVALID_STATE"
        if whom == BROWSER:
            victims.remove(made.worker)
        await made.until(lambda: not any(is_running(pid) for pid in victims))
        await made.until(lambda: not made.profiles[0].exists())

        await made.launch()
        await made.connect()
        after = await made.state()
        assert after["connectionState"] == "connected"
        assert after["epoch"] > before["epoch"]
        assert (await made.caller.result("network"))["requests"][0]["id"] > row
