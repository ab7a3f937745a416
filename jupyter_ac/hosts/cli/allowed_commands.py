"""The commands that `jupyter ac ask --allow` lets an agent run without asking, for one run."""

import shlex
from collections.abc import Sequence
from typing import Final

from jupyter_ac.agent.commands.command_line import split_command
from jupyter_ac.agent.commands.leading_arguments import matches
from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.cli.command import WrongUsage
from jupyter_ac.tool_rows import ToolCallRow

_OF_COMMANDS: Final = frozenset({"run_command", "run_tests"})
"""The tools whose question is a command; the text of another one might read like it."""


class AllowedCommands:
    """The command lines that were allowed; nothing of it is stored.

    Args:
        lines: as on the command line, each one command.

    Raises:
        WrongUsage: one is no command, or needs a shell.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        try:
            self._commands = [split_command(line) for line in lines]
        except InvalidParams as error:
            raise WrongUsage(f"--allow: {error.message}") from error

    def covers(self, call: ToolCallRow) -> bool:
        """Return whether a call that waits may run.

        A command that is equal as a whole may run anywhere; one with further arguments only in the
        sandbox, and only of programs whose further arguments can't decide what runs.
        """
        question = call["question"]
        if question is None or call["tool"] not in _OF_COMMANDS:
            return False
        try:
            argv = tuple(shlex.split(question["text"]))
        except ValueError:
            return False
        if argv in self._commands:
            return True
        return question["is_sandboxed"] and any(matches(each, argv) for each in self._commands)
