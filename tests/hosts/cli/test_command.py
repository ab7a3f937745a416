"""A row of the table of commands."""

import sys
from argparse import ArgumentParser

from jupyter_ac.hosts.cli import options
from jupyter_ac.hosts.cli.command import Command
from jupyter_ac.hosts.cli.main import COMMANDS


def test_a_command_is_imported_when_it_is_loaded() -> None:
    sys.modules.pop("jupyter_ac.hosts.cli.install_demo_model", None)
    name = "jupyter_ac.hosts.cli.install_demo_model"
    row = Command("x", "does x", options.nothing, name)
    assert row.module not in sys.modules
    assert callable(row.load())
    assert row.module in sys.modules


def test_every_command_of_the_table_can_be_loaded() -> None:
    for row in COMMANDS:
        row.declare(ArgumentParser())
        assert callable(row.load())
        assert row.summary[0].islower()
