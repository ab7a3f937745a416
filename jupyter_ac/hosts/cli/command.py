"""One subcommand of the command line: named in a table, imported only when it is the one to run."""

import importlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from jupyter_ac.errors import AcError


class WrongUsage(AcError):
    """The command line asks for what makes no sense; ends with exit code 2."""


class Implementation(NamedTuple):
    """What the module of a command offers.

    Attributes:
        add_arguments: declares the command's options.
        run: does it and returns the exit code; raises `AcError` for what a sentence explains.
    """

    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table of commands.

    Attributes:
        name: as a person types it.
        summary: one line for the help.
        module: dotted name of the module with `add_arguments(parser)` and `run(options) -> int`.
    """

    name: str
    summary: str
    module: str

    def load(self) -> Implementation:
        """Import the module, and with it whatever the command needs."""
        module = importlib.import_module(self.module)
        return Implementation(module.add_arguments, module.run)
