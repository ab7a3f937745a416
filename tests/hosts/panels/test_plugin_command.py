"""The command lines of plugins' processes."""

import sys
from pathlib import Path

from jupyter_ac.hosts.panels.plugin_command import PluginCommand, file_command, installed_command

START = (sys.executable, "-P", "-m", "jupyter_ac", "panel")


def test_panels_run_in_this_interpreter_without_the_working_directory() -> None:
    assert installed_command("pulse") == PluginCommand("pulse", (*START, "--entry-point", "pulse"))
    file = file_command(Path("/x/my_panel.py"))
    assert file == PluginCommand("my_panel", (*START, "--stdio", "/x/my_panel.py"), "json-rpc")
