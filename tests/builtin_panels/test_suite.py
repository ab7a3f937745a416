"""The panel *Tests* over made-up answers, and over a real workspace with real pytest."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.builtin_panels.suite import (
    COMMAND,
    outcome_words,
    plugin,
    run_words,
)
from jupyter_ac.builtin_panels.suite_actions import GET_OUTPUT, RUN
from jupyter_ac.builtin_panels.suite_news import NEWS
from jupyter_ac.errors import Busy, RemoteError
from jupyter_ac.hosts.method_table import method_table
from jupyter_ac.hosts.panel_composition import WorkspacePanels
from jupyter_ac.hosts.planner_composition import make_planner
from jupyter_ac.ids import ConversationKey
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.suite_rows import Outcome, SuiteRun, SuiteState
from tests.agent.suites.suite_world import MIXED
from tests.builtin_panels.served_panels import MadeUpServices, ShownPanel, shown_panel
from tests.chat.memory import ADA
from tests.hosts.test_composition import composed
from tests.services.llm.pages import Page, connect
from tests.support.json_values import JsonValue
from tests.support.repositories import make_repository

WRONG = "tests/test_mixed.py::test_wrong"
READY = {"command": "pytest -q", "reason": "pytest.ini is there, for pytest", "problem": ""}


def run_of(state: SuiteState, message: str = "", duration_ms: int | None = None) -> SuiteRun:
    return {
        "run_id": "r",
        "kind": "run",
        "state": state,
        "message": message,
        "command": "pytest -q",
        "selected": 0,
        "duration_ms": duration_ms,
    }


@pytest.mark.parametrize(
    ("run", "counts", "words"),
    [
        (None, {}, "Nothing has run yet."),
        (None, {"passed": 1}, "1 passed of 1"),
        (run_of("asking"), {}, "Waits for your consent: jupyter_ac asks you here in the page."),
        (run_of("running"), {"passed": 1, "waiting": 2}, "Running … 1 passed of 3; 2 to go"),
        (run_of("running"), {}, "Running …"),
        (run_of("done", "", 3400), {"passed": 2, "error": 1}, "1 failed, 2 passed of 3 in 3.4 s"),
        (run_of("done", "pytest has found no tests.", 9), {}, "pytest has found no tests."),
        (run_of("refused", "Later."), {}, "Not run: Later."),
        (run_of("stopped", "Stopped.", 5), {"": 2}, "Stopped. 2 tests"),
    ],
)
def test_a_run_is_told_in_words(
    run: SuiteRun | None, counts: dict[Outcome, int], words: str
) -> None:
    assert run_words(run, Counter(counts)) == words


def test_outcomes_are_told_in_words() -> None:
    counts: Counter[Outcome] = Counter({"xfailed": 1, "skipped": 2, "xpassed": 1})
    assert outcome_words(counts) == "1 passed, 3 skipped of 4"


async def test_a_repository_without_tests_says_so() -> None:
    problem = "This repository has no tests that are known here."
    services = MadeUpServices({COMMAND: {"command": "", "reason": "", "problem": problem}})
    async with shown_panel(plugin, services) as panel:
        assert problem in panel.host.text()
        button = panel.host.find(lambda node: node["type"] == "button")
        assert button["props"]["disabled"] is True


async def test_errors_of_the_server_are_said_and_tried_again() -> None:
    services = MadeUpServices({COMMAND: Busy("Too many calls."), NEWS: Busy("Too many, too.")})
    async with shown_panel(plugin, services) as panel:
        assert "Too many calls." in panel.host.text()
        assert "Too many, too." in panel.host.text()
        services.put(COMMAND, READY)
        await panel.press("Try again")
        await panel.until_text("pytest.ini is there")
        services.put(RUN, Busy("Tests are running already."))
        await panel.press("Run all")
        await panel.until_text("Tests are running already.")
        await panel.press("Close")
        assert "running already" not in panel.host.text()


class RemoteServices:
    """Calls a host over a connection, as the one of a plugin does.

    Args:
        peer: of the host.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def call(self, method: str, /, *args: object) -> object:
        return await self._peer.call(method, *args)


class Person:
    """Who is asked on a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def asked(self) -> dict[str, JsonValue]:
        """Wait for a question."""
        async with asyncio.timeout(90):
            while not (waiting := await self._page.call("list_pending_tools")):
                await asyncio.sleep(0.01)
        assert isinstance(waiting, list)
        assert isinstance(waiting[0], dict)
        return waiting[0]

    async def decide(self, decision: str, scope: str = "once") -> str:
        """Answer a question; returns its text."""
        waiting = await self.asked()
        question = waiting["question"]
        assert isinstance(question, dict)
        ids = waiting["request_id"], waiting["call_id"]
        await self._page.call("answer_tool", *ids, decision, scope)
        return str(question["text"])

    async def added(self) -> list[dict[str, JsonValue]]:
        """What goes out with the next question."""
        return await self._page.rows("get_context_items")


@asynccontextmanager
async def working(
    tmp_path: Path, files: dict[str, str | bytes]
) -> AsyncIterator[tuple[ShownPanel, Person]]:
    """Show the panel over a whole workspace."""
    root = make_repository(tmp_path / "r", files).root
    async with composed(root, tmp_path / "cache") as made:
        made.ports.gate.open()
        table = method_table(made, make_planner(made).ports, WorkspacePanels(made).directory_of)
        page = Page(("AcApp.toolUpdated", "AcApp.contextChanged"))
        connection = await connect(page, table)
        made.subscribers.join(connection.host, ConversationKey(ADA))
        try:
            async with shown_panel(plugin, RemoteServices(page.peer)) as panel:
                yield panel, Person(page)
        finally:
            await made.agent.suites.aclose()
            await made.subscribers.aclose()
            await connection.close()


async def test_tests_are_run_after_consent_and_a_failure_goes_to_the_question(
    tmp_path: Path,
) -> None:
    async with working(tmp_path, {"tests/test_mixed.py": MIXED}) as (panel, person):
        await panel.until_text("tests/ has tests of Python")
        await panel.press("Run all")
        assert await person.decide("allow") == "pytest -q"
        await panel.until_text("2 failed, 4 passed, 2 skipped of 8 in ")
        node = panel.host.find(lambda node: node["props"].get("title") == WRONG)
        panel.view.execute_handler(str(node["props"]["_onClickHandlerId"]), [])
        await panel.until_text("assert 'soil' == 'sand'")
        await panel.press("Error → question")
        await panel.until_text("Added to your next question.")
        (item,) = await person.added()
        assert (item["kind"], item["name"]) == ("error", "test_wrong")
        await panel.press("Failed again")
        assert await person.decide("refuse") == f"pytest -q {WRONG} tests/test_mixed.py::test_errs"
        await panel.until_text("Not run: ")
        assert "2 failed" in panel.host.text()
        await panel.press("What pytest said")
        await panel.until(lambda: panel.host.find(lambda node: node["type"] == "pre"))


async def test_a_question_is_taken_back_by_stop(tmp_path: Path) -> None:
    async with working(tmp_path, {"tests/test_mixed.py": MIXED}) as (panel, person):
        await panel.until_text("tests/ has tests of Python")
        await panel.press("Find tests")
        assert (await person.asked())["panel"] == "Tests"
        await panel.until_text("Waits for your consent")
        await panel.press("Stop")
        await panel.until_text("Stopped.")
        with pytest.raises(RemoteError):
            await RemoteServices(person._page.peer).call(GET_OUTPUT, "none")


async def test_a_repository_of_another_runner_says_which(tmp_path: Path) -> None:
    async with working(tmp_path, {"Makefile": "test:\n\techo\n"}) as (panel, _):
        await panel.until_text("run by `make test`")
