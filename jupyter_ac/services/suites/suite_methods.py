"""RPC methods that run the tests of a repository for a panel, and say how they end."""

import asyncio
import shlex
from typing import Final

from jupyter_ac.agent.suites.suite_runs import SuiteRuns, WantedTests
from jupyter_ac.agent.suites.suite_tool import nodes_in, require_pytest
from jupyter_ac.agent.tools.project_tests import find_tests
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.errors import InvalidParams, NotFound, Unsupported
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.suite_rows import OutcomeOutput, SuiteCommand, SuiteNews, SuiteRun

MAX_WAIT_MS: Final = 20_000
_GATHER_S: Final = 0.1
"""After the first news, so that those that come at once are told together."""


class SuiteMethods:
    """`Tests`: runs of pytest that the person has asked for in a panel.

    Args:
        repository: whose tests.
        book: the conversations.
        suites: the runs.
    """

    def __init__(
        self, repository: Repository, book: ConversationRegistry, suites: SuiteRuns
    ) -> None:
        self._repository = repository
        self._conversations = book
        self._suites = suites

    @method(Access.READ)
    async def get_command(self) -> SuiteCommand:
        """Say how the tests of the repository are run, or why they can't be run here."""
        try:
            found = await find_tests(self._repository)
        except NotFound:
            return {"command": "", "reason": "", "problem": _NONE}
        row = SuiteCommand(command=shlex.join(found.argv), reason=found.reason, problem="")
        try:
            require_pytest(found)
        except Unsupported as error:
            row["problem"] = error.message
        return row

    @method(Access.EXECUTE)
    async def collect(self, outside_sandbox: bool = False) -> SuiteRun:
        """Find the tests by pytest, which runs the code of their files; asks the person before.

        Answers at once; `get_news` tells how it goes on.
        """
        return await self._start(WantedTests("collect", (), outside_sandbox))

    @method(Access.EXECUTE)
    async def run(self, nodes: list[str] | None = None, outside_sandbox: bool = False) -> SuiteRun:
        """Run tests by pytest; asks the person before, as the agent's tool `run_tests` does.

        Answers at once; `get_news` tells how it goes on.

        Args:
            nodes: ids of tests, classes or files, at most 500; none for all.
            outside_sandbox: for tests that need the network, say.
        """
        wanted = nodes or []
        nodes_in({"nodes": wanted})
        return await self._start(WantedTests("run", tuple(wanted), outside_sandbox))

    @method(Access.EXECUTE, is_urgent=True)
    async def stop(self) -> bool:
        """End the person's run, or take its question back; says whether there was one."""
        return await self._suites.stop(current_caller().identity)

    @method(Access.READ)
    async def get_news(self, generation: str = "", version: int = 0, wait_ms: int = 0) -> SuiteNews:
        """Return what has changed since the version of another answer.

        Args:
            generation: of that answer.
            version: of that answer; 0 for all.
            wait_ms: how long to wait for news when there is none, at most 20 seconds.
        """
        if not 0 <= wait_ms <= MAX_WAIT_MS:
            raise InvalidParams(f"wait_ms must be from 0 to {MAX_WAIT_MS}.")
        board = self._suites.board(current_caller().identity)
        if wait_ms and await board.wait(generation, version, wait_ms / 1000):
            await asyncio.sleep(_GATHER_S)
        return board.news(generation, version)

    @method(Access.READ)
    async def get_output(self, test_id: str = "") -> OutcomeOutput:
        """Return why a test has failed or was skipped, and what it has printed.

        Args:
            test_id: of the test; "" for what pytest itself has said in the last run.
        """
        text = self._suites.board(current_caller().identity).output(test_id)
        if text is None:
            raise NotFound(f"There is no test {test_id[:200]!r}; find the tests again.")
        return {"id": test_id, "text": text}

    async def _start(self, wanted: WantedTests) -> SuiteRun:
        conversation = await self._conversations.open(current_caller().conversation_key)
        return self._suites.start(conversation, wanted)


_NONE: Final = (
    "This repository has no tests that are known here. pytest is found by a pytest.ini, a section "
    "[tool.pytest.ini_options] in pyproject.toml, a conftest.py, or a folder tests/ with files "
    "test_*.py."
)
