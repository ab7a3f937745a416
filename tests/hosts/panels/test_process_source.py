"""What offers panels that run in processes."""

import sys

from jupyter_ac.hosts.panels.installed_panels import InstalledPanel
from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.hosts.panels.process_source import (
    command_source,
    file_source,
    installed_source,
)
from jupyter_ac.settings.panels import PanelCommand
from tests.hosts.panels.plugin_programs import rights


def test_panels_of_packages_run_by_their_names() -> None:
    own = installed_source(InstalledPanel("test-runner", is_own=True), rights())
    other = installed_source(InstalledPanel("x", is_own=False), rights())
    assert (own.id, own.title, own.origin) == ("test-runner", "Test runner", "built-in")
    assert other.origin == "entry-point"
    argv = (sys.executable, "-P", "-m", "jupyter_ac", "panel", "--entry-point", "test-runner")
    assert own.command == PluginCommand("test-runner", argv, "json-rpc")


def test_commands_and_files_never_have_the_id_of_an_installed_panel() -> None:
    command = command_source("x", PanelCommand(("node", "p.mjs"), "kkrpc"), rights())
    file = file_source(PluginCommand("x", ("python",)), rights())
    assert (command.id, command.title, command.origin) == ("command/x", "x", "command")
    assert command.command == PluginCommand("x", ("node", "p.mjs"), "kkrpc")
    assert (file.id, file.origin) == ("file/x", "file")
