"""The tools that run commands: `run_command`, `read_output`, `stop` and `run_tests`."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from jupyter_ac.agent.commands.background import BackgroundCommands, BackgroundOutput
from jupyter_ac.agent.commands.command import CommandOutcome, CommandRunner
from jupyter_ac.agent.commands.command_line import split_command
from jupyter_ac.agent.commands.leading_arguments import grantable_prefix
from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import (
    COUNT,
    FLAG,
    TEXT,
    described,
    flag_in,
    number_in,
    parameters,
    text_in,
)
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.project_tests import find_tests
from jupyter_ac.agent.tools.result_text import (
    MASKED_CHARS,
    OF_PROGRAM,
    ResultMasker,
    one_line,
    without_middle,
)
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import NotFound
from jupyter_ac.git.repository import Repository

if TYPE_CHECKING:
    from jupyter_ac.ids import Identity

DEFAULT_LIMIT_S: Final = 120
MOST_LIMIT_S: Final = 3600

_LIMIT: Final = {**COUNT, "maximum": MOST_LIMIT_S}
_ID: Final = described(TEXT, "as run_command gave it")
_OUTSIDE: Final = described(FLAG, "where it needs the network; asks each time")
_REMEDY: Final = "print less, or write to a file and read that"
_NO_SANDBOX: Final = "It runs outside of the sandbox, with all that you may do."

Asked = tuple[tuple[str, ...], bool]
"""The arguments of a command, and whether it runs in the sandbox."""


class AskedCommands:
    """Runs the commands that the user has seen in a question.

    Args:
        runner: runs commands.
        background: runs those that go on.
        masker: masks secrets.
    """

    def __init__(
        self, runner: CommandRunner, background: BackgroundCommands, masker: ResultMasker
    ) -> None:
        self._runner = runner
        self._background = background
        self._masker = masker
        self._asked: AskedCalls[Asked] = AskedCalls()
        self._owners: dict[str, Identity] = {}

    async def ask(
        self, argv: Sequence[str], why: str, context: ToolContext, *, outside: bool
    ) -> Question:
        """Return the question for a command, and remember what it is about.

        Args:
            argv: its arguments.
            why: why this command, in a sentence; "" for nothing to say.
            context: of the call.
            outside: it is to run outside of the sandbox.
        """
        command = tuple(argv)
        refusal = await self._runner.sandbox.refusal()
        is_sandboxed = not outside and not refusal
        self._asked.keep(context, (command, is_sandboxed))
        return Question(
            wellformed(shlex.join(command)),
            why=why,
            argv=command,
            prefix=grantable_prefix(command) if is_sandboxed else (),
            is_sandboxed=is_sandboxed,
            warning="" if is_sandboxed else " ".join(filter(None, (refusal, _NO_SANDBOX))),
        )

    async def run(
        self, argv: Sequence[str], limit_s: int, context: ToolContext, *, outside: bool
    ) -> ToolResult:
        """Run a command to its end; cancelling this ends it.

        Raises:
            AcError: it can't be started, or the user wasn't asked about it.
        """
        is_sandboxed = await self.require(argv, context, outside=outside)
        count = 0

        def note(text: str) -> None:
            nonlocal count
            count += len(text)
            context.progress(f"{count:,} characters of output")

        outcome = await self._runner.run(
            argv, sandboxed=is_sandboxed, limit_s=limit_s, on_output=note
        )
        text = await self._masked(context.conversation, outcome.output)
        return ToolResult(f"{OF_PROGRAM}\n{text}\n{_end(outcome)}", is_error=outcome.exit_code != 0)

    async def start(
        self, argv: Sequence[str], context: ToolContext, *, outside: bool
    ) -> ToolResult:
        """Start a command in the background.

        Raises:
            AcError: too many are running, or the user wasn't asked about it.
        """
        is_sandboxed = await self.require(argv, context, outside=outside)
        command_id = self._background.start(argv, context.request_id, sandboxed=is_sandboxed)
        known = {command.command_id for command in self._background.list()}
        self._owners = {name: one for name, one in self._owners.items() if name in known}
        self._owners[command_id] = context.conversation.conversation_key.identity
        return ToolResult(f"Started; its id is {command_id}: read_output and stop take it.")

    async def read(self, command_id: str, context: ToolContext, *, stops: bool) -> ToolResult:
        """Return what a background command of the same person has printed since the last look.

        Args:
            command_id: names it.
            context: of the call.
            stops: end it first.

        Raises:
            NotFound: the person has no such command.
        """
        identity = context.conversation.conversation_key.identity
        if self._owners.get(command_id) != identity:
            raise NotFound(f"There is no background command {one_line(command_id, 40)!r}.")
        read = self._background.read
        output = await self._background.stop(command_id) if stops else read(command_id)
        text = await self._masked(context.conversation, output.text)
        return ToolResult(
            f"{OF_PROGRAM}\n{_lost(output)}{text}\n{_state(output)}", is_error=bool(output.error)
        )

    async def require(self, argv: Sequence[str], context: ToolContext, *, outside: bool) -> bool:
        """Check that the user was asked about a command; good once.

        Args:
            argv: its arguments.
            context: of the call.
            outside: it is to run outside of the sandbox.

        Returns:
            Whether it runs in the sandbox.

        Raises:
            Conflict: it is another command, or was never asked about.
        """
        is_sandboxed = not outside and not await self._runner.sandbox.refusal()
        self._asked.require(context, (tuple(argv), is_sandboxed))
        return is_sandboxed

    async def _masked(self, conversation: Conversation, output: str) -> str:
        text = without_middle(output.rstrip("\n"), _REMEDY, MASKED_CHARS // 2)
        return without_middle(await self._masker.masked(conversation, text), _REMEDY)


class RunCommandTool:
    """Runs a command in the repository's top folder.

    Args:
        commands: runs it.
    """

    definition = ToolDefinition(
        "run_command",
        "Run one command in the repository's top folder, without a shell: no pipes, no `&&`, no "
        "redirections. It runs in a sandbox without network, in which .git is read-only, and is "
        f"ended after {DEFAULT_LIMIT_S} s unless timeout_s says otherwise.",
        parameters(
            ("command",),
            command=TEXT,
            timeout_s=_LIMIT,
            background=described(FLAG, "for what goes on, until your run ends; returns an id"),
            outside_sandbox=_OUTSIDE,
        ),
        Right.EXECUTE,
    )

    def __init__(self, commands: AskedCommands) -> None:
        self._commands = commands

    def title(self, arguments: Arguments) -> str:
        """Return the command."""
        return one_line(text_in(arguments, "command", ""))

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with the command.

        Raises:
            InvalidParams: it is no command without a shell.
        """
        argv = split_command(text_in(arguments, "command"))
        why = "It goes on in the background." if flag_in(arguments, "background") else ""
        outside = flag_in(arguments, "outside_sandbox")
        return await self._commands.ask(argv, why, context, outside=outside)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Run the command and return its output.

        Raises:
            AcError: it can't be started, or the user wasn't asked about it.
        """
        argv = split_command(text_in(arguments, "command"))
        outside = flag_in(arguments, "outside_sandbox")
        if flag_in(arguments, "background"):
            return await self._commands.start(argv, context, outside=outside)
        limit_s = min(number_in(arguments, "timeout_s", DEFAULT_LIMIT_S), MOST_LIMIT_S)
        return await self._commands.run(argv, limit_s, context, outside=outside)


class RunTestsTool:
    """Runs the project's tests.

    Args:
        repository: whose tests.
        commands: runs them.
    """

    definition = ToolDefinition(
        "run_tests",
        "Run the project's tests by its own command (pytest, npm, make, cargo, go), as run_command "
        "does.",
        parameters(
            (),
            arguments=described(TEXT, "further ones, such as a file"),
            timeout_s=_LIMIT,
            outside_sandbox=_OUTSIDE,
        ),
        Right.EXECUTE,
    )

    def __init__(self, repository: Repository, commands: AskedCommands) -> None:
        self._repository = repository
        self._commands = commands

    def title(self, arguments: Arguments) -> str:
        """Return the further arguments."""
        return one_line(text_in(arguments, "arguments", "")) or "all tests"

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with the command.

        Raises:
            AcError: nothing says how tests are run, or the arguments need a shell.
        """
        argv, reason = await self._command(arguments)
        outside = flag_in(arguments, "outside_sandbox")
        return await self._commands.ask(argv, f"{reason}.", context, outside=outside)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Run the tests and return their output.

        Raises:
            AcError: they can't be run, or the user wasn't asked about the command.
        """
        argv, _ = await self._command(arguments)
        limit_s = min(number_in(arguments, "timeout_s", DEFAULT_LIMIT_S), MOST_LIMIT_S)
        outside = flag_in(arguments, "outside_sandbox")
        result = await self._commands.run(argv, limit_s, context, outside=outside)
        return ToolResult(f"$ {one_line(shlex.join(argv))}\n{result.text}", result.is_error)

    async def _command(self, arguments: Arguments) -> tuple[tuple[str, ...], str]:
        found = await find_tests(self._repository)
        further = text_in(arguments, "arguments", "")
        return split_command(f"{shlex.join(found.argv)} {further}"), found.reason


class ReadOutputTool(UnaskedTool):
    """Reads what a background command has printed.

    Args:
        commands: the commands.
    """

    definition = ToolDefinition(
        "read_output",
        "Return what a background command has printed since the last look.",
        parameters(("id",), id=_ID),
        Right.READ,
    )
    _stops = False

    def __init__(self, commands: AskedCommands) -> None:
        self._commands = commands

    def title(self, arguments: Arguments) -> str:
        """Return the command's id."""
        return one_line(text_in(arguments, "id", ""))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the output and the state.

        Raises:
            NotFound: there is no such command.
        """
        return await self._commands.read(text_in(arguments, "id"), context, stops=self._stops)


class StopTool(ReadOutputTool):
    """Ends a background command, and reads what it has printed."""

    definition = ToolDefinition(
        "stop",
        "End a background command; returns what it has printed since the last look.",
        parameters(("id",), id=_ID),
        Right.READ,
    )
    _stops = True


def _lost(output: BackgroundOutput) -> str:
    return f"[{output.left_out:,} characters before this are lost]\n" if output.left_out else ""


def _state(output: BackgroundOutput) -> str:
    code = "" if output.exit_code is None else f", exit code {output.exit_code}"
    return f"[{output.state}{code}]{f' {output.error}' if output.error else ''}"


def _end(outcome: CommandOutcome) -> str:
    """Return how a command has ended."""
    ways = {
        "exited": f"exit code {outcome.exit_code}",
        "timed_out": "it was ended at the time limit; timeout_s gives more",
        "stopped": "it was stopped",
        "too_long": "it was ended because it printed too much",
    }
    where = "in the sandbox" if outcome.is_sandboxed else "outside of the sandbox"
    return f"[{ways[outcome.ended]}, {outcome.duration_ms / 1000:.1f} s, {where}]"
