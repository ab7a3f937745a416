"""One subcommand of the command line: named in a table, imported only when it is the one to run."""

import importlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from jupyter_ac.errors import AcError


class WrongUsage(AcError):
    """The command line is invalid; ends with exit code 2."""


Run: TypeAlias = Callable[[Namespace], int]
"""Runs the command and returns the exit code; raises `AcError` for expected errors."""


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table of commands.

    Attributes:
        name: as a person types it.
        summary: one line for the help.
        declare: declares the options.
        module: dotted name of the module with `run(options) -> int`.
    """

    name: str
    summary: str
    declare: Callable[[ArgumentParser], None]
    module: str

    def load(self) -> Run:
        """Import the module, and with it whatever the command needs."""
        run: Run = importlib.import_module(self.module).run
        return run
