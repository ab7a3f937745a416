"""`Tests.*`, called by pages over real runs of pytest."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.suites.suite_methods import MAX_WAIT_MS, SuiteMethods
from jupyter_ac.suite_rows import SuiteNews
from tests.agent.suites.suite_world import ALLOWED, OUTCOMES, SuiteWorld, suite_world
from tests.chat.memory import ADA, memory_book, open_world
from tests.services.llm.pages import Page, connect


class Client:
    """A page that calls `Tests.*`."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def call(self, name: str, *args: object) -> object:
        return await self._page.peer.call(f"Tests.{name}", *args)

    async def row(self, name: str, *args: object) -> dict[str, str]:
        return cast("dict[str, str]", await self.call(name, *args))

    async def news(self, *args: object) -> SuiteNews:
        return cast("SuiteNews", await self.call("get_news", *args))


@asynccontextmanager
async def served(
    tmp_path: Path, files: dict[str, str] | None = None
) -> AsyncIterator[tuple[SuiteWorld, Client, Client]]:
    """Serve a repository with tests to Ada and Bob."""
    async with suite_world(tmp_path, files) as world:
        ports = open_world().ports()
        book = memory_book(ports.history, ports.files)
        methods = SuiteMethods(world.parts.repository, book, world.suites)
        table = MethodTable(Namespace("Tests", methods))
        ada, bob = Page(()), Page(())
        connections = [await connect(ada, table), await connect(bob, table, Identity("bob"))]
        try:
            yield world, Client(ada), Client(bob)
        finally:
            for connection in connections:
                await connection.close()


async def test_a_run_is_begun_followed_and_read(tmp_path: Path) -> None:
    async with served(tmp_path) as (world, page, other):
        command = {"command": "pytest -q", "reason": "tests/ has tests of Python", "problem": ""}
        assert await page.call("get_command") == command
        assert (await page.news())["run"] is None
        run = await page.row("run")
        assert (run["kind"], run["state"]) == ("run", "running")
        with pytest.raises(RemoteError, match="running already"):
            await page.call("collect")
        outcomes: dict[str, str] = {}
        generation, version, is_active = "", 0, True
        while is_active:
            for waiting in world.runs.approvals.pending(ADA):
                world.runs.approvals.answer(ADA, waiting.key, ALLOWED)
            news = await page.news(generation, version, 200)
            if news["generation"] != generation:
                outcomes = {}
            generation, version = news["generation"], news["version"]
            outcomes |= {row["id"]: row["outcome"] for row in news["tests"]}
            is_active = news["run"] is not None and news["run"]["state"] in {"asking", "running"}
        assert outcomes == OUTCOMES
        wrong = "tests/test_mixed.py::test_wrong"
        assert "soil" in (await page.row("get_output", wrong))["text"]
        assert "1 failed" in (await page.row("get_output"))["text"]
        assert (await other.news())["tests"] == []
        with pytest.raises(RemoteError, match="There is no test"):
            await other.call("get_output", wrong)


async def test_a_run_is_stopped(tmp_path: Path) -> None:
    async with served(tmp_path) as (_, page, other):
        await page.call("collect", True)
        assert await other.call("stop") is False
        assert await page.call("stop") is True
        run = (await page.news())["run"]
        assert run is not None
        assert run["state"] == "stopped"


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.txt": ""}, "no tests that are known here"),
        ({"Makefile": "test:\n\techo\n"}, "run by `make test`"),
    ],
)
async def test_what_cannot_be_run_here_is_said(
    tmp_path: Path, files: dict[str, str], problem: str
) -> None:
    async with served(tmp_path, files) as (_, page, _other):
        assert problem in (await page.row("get_command"))["problem"]


async def test_bad_arguments_start_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as (_, page, _other):
        for nodes in ([""], ["a\0"], ["a"] * 501):
            with pytest.raises(RemoteError):
                await page.call("run", nodes)
        for wait_ms in (-1, MAX_WAIT_MS + 1):
            with pytest.raises(RemoteError, match="wait_ms"):
                await page.news("", 0, wait_ms)
        assert (await page.news())["run"] is None
