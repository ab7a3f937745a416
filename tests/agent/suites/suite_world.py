"""A repository with tests, and a person who runs them by real pytest."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_ac.agent.commands.background import BackgroundCommands
from jupyter_ac.agent.commands.command import CommandRunner
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.agent.suites.board import OutcomeBoard
from jupyter_ac.agent.suites.report_lines import FOLDER
from jupyter_ac.agent.suites.suite_runs import SuiteRuns, WantedTests
from jupyter_ac.agent.suites.suite_tool import SuiteParts
from jupyter_ac.agent.tool import Question
from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.agent.tools.result_text import ResultMasker
from jupyter_ac.agent.tools.running import AskedCommands
from jupyter_ac.suite_rows import SuiteRun
from jupyter_ac.tool_rows import ToolUpdate
from tests.agent.runs import NoSandbox, RunWorld
from tests.agent.tools.calls import folder_of, opened
from tests.chat.memory import ADA
from tests.support.repositories import RepositoryFolder

WAIT_S = 120.0

MIXED = """
import pytest


class TestShape:
    def test_round(self):
        pass

    @pytest.mark.parametrize("text", ["a::b", "two words"])
    def test_each(self, text):
        pass


def test_wrong():
    print("printed before")
    assert "soil" == "sand"


@pytest.fixture
def broken():
    raise ValueError("no fixture")


def test_errs(broken):
    pass


@pytest.mark.skip(reason="not today")
def test_skipped():
    pass


@pytest.mark.xfail(reason="known")
def test_expected():
    raise AssertionError


@pytest.mark.xfail
def test_unexpected():
    pass
"""
OUTCOMES = {
    "tests/test_mixed.py::TestShape::test_round": "passed",
    "tests/test_mixed.py::TestShape::test_each[a::b]": "passed",
    "tests/test_mixed.py::TestShape::test_each[two words]": "passed",
    "tests/test_mixed.py::test_wrong": "failed",
    "tests/test_mixed.py::test_errs": "error",
    "tests/test_mixed.py::test_skipped": "skipped",
    "tests/test_mixed.py::test_expected": "xfailed",
    "tests/test_mixed.py::test_unexpected": "xpassed",
}
ALLOWED = Decision(allow=True)


@dataclass
class SuiteWorld:
    """Ada's tests.

    Attributes:
        questions: that she was asked.
        told: what her pages were told.
    """

    folder: RepositoryFolder
    runs: RunWorld
    parts: SuiteParts
    suites: SuiteRuns
    told: list[ToolUpdate]
    questions: list[Question] = field(default_factory=list)

    @property
    def board(self) -> OutcomeBoard:
        return self.suites.board(ADA)

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcomes of all tests, in their order."""
        rows = sorted(self.board.news("", 0)["tests"], key=lambda row: row["at"])
        return {row["id"]: row["outcome"] for row in rows}

    async def run(
        self, *nodes: str, collect: bool = False, decision: Decision = ALLOWED
    ) -> SuiteRun:
        """Start a run, decide if asked, and wait for the end."""
        wanted = WantedTests("collect" if collect else "run", nodes)
        self.suites.start(self.runs.conversation, wanted)
        await self.until_not("running", decision)
        assert self.board.run is not None
        return self.board.run

    async def news(self) -> None:
        """Wait for the next change."""
        known = self.board.news("", 0)
        await self.board.wait(known["generation"], self.board.version, WAIT_S)

    async def until_not(self, state: str, decision: Decision = ALLOWED) -> None:
        """Wait until the run is neither in a state nor asking; what is asked is decided."""
        while (run := self.board.run) is not None and run["state"] in {"asking", state}:
            for waiting in self.runs.approvals.pending(ADA):
                self.questions.append(waiting.question)
                assert waiting.panel == "Tests"
                self.runs.approvals.answer(ADA, waiting.key, decision)
            await self.news()


@asynccontextmanager
async def suite_world(
    tmp_path: Path,
    files: Mapping[str, str] | None = None,
    *,
    sandbox: bool = False,
    disabled: Collection[str] = (),
) -> AsyncIterator[SuiteWorld]:
    """Make a repository with tests; without files, those of `MIXED`."""
    folder = folder_of(tmp_path, dict(files or {"tests/test_mixed.py": MIXED}))
    repository = await opened(folder)
    runs = RunWorld(folder, repository, [])
    kind = Sandbox if sandbox else NoSandbox
    runner = CommandRunner(folder.root, kind(repository, shown=(FOLDER,)))
    background = BackgroundCommands(runner)
    commands = AskedCommands(runner, background, ResultMasker({}))
    parts = SuiteParts(repository, commands, runner)
    told: list[ToolUpdate] = []
    suites = SuiteRuns(
        parts, runs.rules, disabled, lambda _conversation, update: told.append(update)
    )
    try:
        yield SuiteWorld(folder, runs, parts, suites, told)
    finally:
        await suites.aclose()
        await background.aclose()
