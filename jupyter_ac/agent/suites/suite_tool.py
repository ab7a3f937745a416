"""The tool by which a panel runs tests: as the agent's `run_tests`, but reported test by test."""

import secrets
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.agent.commands.command import CommandOutcome, CommandRunner
from jupyter_ac.agent.suites.board import OutcomeBoard
from jupyter_ac.agent.suites.report_lines import ReportReader, report_variables
from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import FLAG, TEXT, flag_in, parameters
from jupyter_ac.agent.tools.project_tests import ProjectTests, find_tests
from jupyter_ac.agent.tools.result_text import one_line
from jupyter_ac.agent.tools.running import MOST_LIMIT_S, AskedCommands
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import InvalidParams, TooLarge, Unsupported
from jupyter_ac.git.repository import Repository

NAME: Final = "run_tests"
"""That of the agent's tool: who switches it off switches off both."""

MAX_NODES: Final = 500
MAX_NODE_CHARS: Final = 100_000
"""Of all nodes of a run together."""

DONE: Final = "done"
"""Result of a run about which there is nothing to say."""

_COLLECT: Final = "--collect-only"
_OPTION_BEGINS: Final = ("-", "@")
_PYTEST: Final = "pytest"


@dataclass(frozen=True, slots=True)
class SuiteParts:
    """What the tool works with.

    Attributes:
        repository: whose tests.
        commands: ask for commands.
        runner: runs them.
    """

    repository: Repository
    commands: AskedCommands
    runner: CommandRunner


class SuiteTool:
    """Runs pytest, and has a board told of each test.

    Args:
        parts: what it works with.
        board_of: the board of the person in whose run a call is.
    """

    definition = ToolDefinition(
        NAME,
        "Run tests of the repository by pytest, or only find them.",
        parameters(
            (),
            nodes={"type": "array", "items": TEXT, "maxItems": MAX_NODES},
            collect_only=FLAG,
            outside_sandbox=FLAG,
        ),
        Right.EXECUTE,
    )

    def __init__(self, parts: SuiteParts, board_of: Callable[[ToolContext], OutcomeBoard]) -> None:
        self._parts = parts
        self._board_of = board_of

    def title(self, arguments: Arguments) -> str:
        """Say which tests."""
        nodes = nodes_in(arguments)
        if flag_in(arguments, "collect_only"):
            return "find the tests"
        return one_line(", ".join(nodes)) or "all tests"

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with the command.

        Raises:
            AcError: nothing says how tests are run, or not by pytest.
        """
        argv, reason = await self._command(arguments)
        self._board_of(context).advance("running", command=shlex.join(argv))
        outside = flag_in(arguments, "outside_sandbox")
        why = f"You have asked for it in the panel of tests; {reason}."
        if flag_in(arguments, "collect_only"):
            why += " Finding tests runs the code of their files."
        return await self._parts.commands.ask(argv, why, context, outside=outside)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Run pytest.

        Raises:
            AcError: it can't be run, or the user wasn't asked about the command.
        """
        argv, _ = await self._command(arguments)
        outside = flag_in(arguments, "outside_sandbox")
        is_sandboxed = await self._parts.commands.require(argv, context, outside=outside)
        mark = f"{secrets.token_hex(12)} "
        reader = ReportReader(
            mark,
            self._board_of(context),
            are_all=not nodes_in(arguments),
            will_run=not flag_in(arguments, "collect_only"),
        )
        try:
            outcome = await self._parts.runner.run(
                argv,
                sandboxed=is_sandboxed,
                limit_s=MOST_LIMIT_S,
                on_output=reader.take,
                further=report_variables(mark),
            )
        finally:
            reader.end()
        if flag_in(arguments, "collect_only") and reader.broken:
            return ToolResult(f"{_broken(reader)}.")
        problem = problem_of(outcome, reader)
        return ToolResult(problem or end_of(outcome), is_error=bool(problem))

    async def _command(self, arguments: Arguments) -> tuple[tuple[str, ...], str]:
        found = await find_tests(self._parts.repository)
        require_pytest(found)
        collect = (_COLLECT,) if flag_in(arguments, "collect_only") else ()
        return (*found.argv, *collect, *nodes_in(arguments)), found.reason


def require_pytest(found: ProjectTests) -> None:
    """Check that a project's tests are run by pytest.

    Raises:
        Unsupported: by something else.
    """
    if Path(found.argv[0]).name != _PYTEST:
        raise Unsupported(
            f"The tests of this repository are run by `{shlex.join(found.argv)}` ({found.reason}); "
            "only those of pytest are shown here. The agent's tool run_tests runs them."
        )


def nodes_in(arguments: Arguments) -> Sequence[str]:
    """Return the nodes of a call as arguments of pytest, none of which is an option.

    Raises:
        InvalidParams: one is no id of a node.
        TooLarge: they are too many.
    """
    given = arguments.get("nodes", [])
    nodes = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    if any(not node.strip() or not node.isprintable() for node in nodes):
        raise InvalidParams("nodes must be ids of tests, classes or files, as pytest gives them.")
    if len(nodes) > MAX_NODES or sum(map(len, nodes)) > MAX_NODE_CHARS:
        raise TooLarge(
            f"A run may name {MAX_NODES} nodes of {MAX_NODE_CHARS:,} characters together; name "
            "their files, or run all tests."
        )
    return [f"./{node}" if node.startswith(_OPTION_BEGINS) else node for node in nodes]


_STOPPED: Final = {
    "timed_out": f"The tests were ended after {MOST_LIMIT_S // 60} minutes.",
    "stopped": "The tests were stopped.",
    "too_long": "The tests were ended because they printed too much.",
}
_ALL_RAN, _SOME_FAILED, _INTERRUPTED, _NONE = 0, 1, 2, 5


def problem_of(outcome: CommandOutcome, reader: ReportReader) -> str:
    """Return why pytest has not done its work, in a sentence; "" if it has."""
    if outcome.ended != "exited":
        return _STOPPED[outcome.ended]
    code = outcome.exit_code if reader.exit_code is None else reader.exit_code
    if reader.exit_code is None:
        return f"pytest has ended before it began to test (exit code {code}); its output says why."
    if code in {_ALL_RAN, _SOME_FAILED, _NONE}:
        return ""
    if code == _INTERRUPTED and reader.broken:
        return f"{_broken(reader)}, so pytest has run no test."
    if code == _INTERRUPTED:
        return "pytest was interrupted before its end."
    return f"pytest could not do its work (exit code {code}); its output says why."


def end_of(outcome: CommandOutcome) -> str:
    """Return what is said of a run that came to its end."""
    return "pytest has found no tests." if outcome.exit_code == _NONE else DONE


def _broken(reader: ReportReader) -> str:
    files = "A file" if reader.broken == 1 else f"{reader.broken} files"
    return f"{files} can't be collected"
