"""The real browser worker with one Chromium for many tests, and a server of hostile pages."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest

from jupyter_ac.browser.client import BrowserClient, Change
from jupyter_ac.errors import AcError, NotConnected
from tests.browser.running_browser import CHROMIUM, Body, pages
from tests.support.json_values import JsonValue

WAIT_S = 90.0
LOOK_S = 0.02
SCRIPT_HOW = {"persist": False, "await_promise": False, "return_value": True}

Result = TypeVar("Result")


class Lab:
    """A worker, its browser, and the tab that scenarios share.

    Attributes:
        client: of the worker.
        told: what the worker has reported.
        target: the tab.
        browser: the browser's name.
        site: the address of the server, without a slash at its end.
        bodies: what it serves, by path.
    """

    def __init__(self, root: Path, site: str, bodies: dict[str, Body]) -> None:
        self.site, self.bodies = site, bodies
        self.told: list[Change] = []
        self.client = BrowserClient(root, self.told.append)
        self.target = self.browser = ""
        self._paths = itertools.count(1)
        self._runner = asyncio.Runner()

    def run(self, work: Coroutine[object, object, Result]) -> Result:
        """Run to the end on the lab's own loop."""

        async def bounded() -> Result:
            async with asyncio.timeout(WAIT_S * 2):
                return await work

        return self._runner.run(bounded())

    async def start(self) -> None:
        found: JsonValue = await self.client.call("launch", {"headless": True}, timeout_s=WAIT_S)
        self.browser, self.target = found["browser"], found["target"]
        await self.client.call("watch", self.target)

    def close(self) -> None:
        self.run(self.client.aclose())
        self._runner.close()

    def serve(self, body: Body, ending: str = "") -> str:
        """Serve a page under a path of its own, and return the path."""
        path = f"/{next(self._paths)}{ending}"
        self.bodies[path] = body
        return path

    async def open(self, html: str, host: str = "127.0.0.1") -> str:
        """Show a page of this HTML in the tab, with nothing recorded of earlier ones."""
        await self.act("clear", events=True, console=True)
        url = f"{self.site}{self.serve(html)}".replace("127.0.0.1", host)
        answer = await self.act("navigate", url=url)
        assert answer["error"] is None, answer
        return url

    async def act(self, action: str, **arguments: object) -> JsonValue:
        return await self.act_in(self.target, action, **arguments)

    async def act_in(self, target: str, action: str, **arguments: object) -> JsonValue:
        return await self.client.act(target, action, arguments, WAIT_S)

    async def js(self, code: str, *, awaits: bool = False, target: str = "") -> JsonValue:
        how = {**SCRIPT_HOW, "await_promise": awaits}
        return (await self.act_in(target or self.target, "js", code=code, selection=None, **how))[
            "value"
        ]

    async def said(self, level: str | None = None, limit: int = 200) -> list[str]:
        """The messages of the console, the oldest first."""
        rows = (await self.rows_of_console(level, limit=limit))[::-1]
        return [row["message"] for row in rows]

    async def rows_of_console(
        self, level: str | None = None, *, limit: int = 200, reveal: bool = False
    ) -> list[dict[str, JsonValue]]:
        asked = {"limit": limit, "level": level, "reveal": reveal}
        found: list[dict[str, JsonValue]] = (await self.act("console", **asked))["messages"]
        return found

    async def requests(self, url: str | None = None, **query: object) -> list[JsonValue]:
        asked: dict[str, object] = {
            "limit": 200,
            "show_all": True,
            "order": "asc",
            "reveal": False,
            "url": url,
        }
        found: list[JsonValue] = (await self.act("network", **{**asked, **query}))["requests"]
        return found

    async def entry(self, row_id: int, *fields: str, reveal: bool = False) -> JsonValue:
        asked = {"row_id": row_id, "fields": list(fields) or None, "expr": None, "reveal": reveal}
        return (await self.act("request", **asked))["entry"]

    async def until(self, condition: Callable[[], Awaitable[Result]]) -> Result:
        """Wait until a condition holds, and return what it gave."""
        async with asyncio.timeout(WAIT_S):
            while not (found := await condition()):
                await asyncio.sleep(LOOK_S)
        return found

    async def until_said(self, *texts: str) -> list[str]:
        """Wait until each of the texts is in some message; gives all messages."""

        async def has_all() -> list[str]:
            said = await self.said()
            return said if all(any(text in line for line in said) for text in texts) else []

        return await self.until(has_all)

    async def until_ended(self, url: str) -> JsonValue:
        """Wait until the first request of a glob has ended; gives its row."""

        async def ended() -> JsonValue:
            rows = await self.requests(url)
            over = {"complete", "failed", "closed"}
            return rows[0] if rows and rows[0]["state"] in over else None

        return await self.until(ended)

    def state(self, target: str = "") -> dict[str, JsonValue]:
        """What the worker has told last of a tab."""
        target = target or self.target
        found = [
            each["state"]
            for each in self.told
            if each["kind"] == "state" and each["target"] == target
        ]
        assert isinstance(found[-1], dict)
        return found[-1]

    async def others(self) -> list[JsonValue]:
        """The other pages of the browser."""
        rows: JsonValue = await self.client.call("targets", "")
        return [row for row in rows if row["type"] == "page" and row["id"] != self.target]

    async def popup(self) -> str:
        """Wait until another page is watched, and return its id."""

        async def watched() -> str:
            found = [row["id"] for row in await self.others() if row["state"] == "attached"]
            return str(found[0]) if found else ""

        return await self.until(watched)

    async def tidy(self) -> None:
        """Close what a scenario has left: dialogs, rules, popups."""
        for row in await self.others():
            try:
                await self.client.call("watch", row["id"])
                await self.act_in(row["id"], "cdp", method="Page.close", params={})
            except AcError:
                continue  # it has gone by itself

        async def is_alone() -> bool:
            return not await self.others()

        await self.until(is_alone)
        with suppress(AcError):
            await self.act("handle_dialog", accept=True, text="")
        await self.act("fetch_disable")
        await self.act("set_rules", rules={})

    async def still_works(self) -> None:
        """The worker lives, and the next page is recorded."""
        pid = self.client._worker.pid
        assert pid is not None
        assert self.client.is_running
        url = await self.open("<title>Next</title><script>console.log('next page')</script>ok")
        await self.until_said("next page")
        # What the page before has begun may still come, too.
        assert (await self.until_ended(url))["status"] == 200
        assert await self.js("document.title") == "Next"


@contextmanager
def lab_of(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """Run a lab until the block ends."""
    monkeypatch.setenv("CHROMIUM", CHROMIUM)
    bodies: dict[str, Body] = {}
    with pages(bodies) as site:
        lab = Lab(root, site, bodies)
        try:
            lab.run(lab.start())
            yield lab
        finally:
            lab.close()


async def is_gone(lab: Lab, target: str) -> bool:
    """Whether a target isn't watched any more."""
    try:
        await lab.act_in(target, "row")
    except NotConnected:
        return True
    return False
